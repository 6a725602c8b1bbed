import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Whole batches", .serialized) struct WholeBatchesTests {
    @Test("a batch over nodes that no other thread sets is never seen half, while another thread sets a third input")
    func batchIsWhole() {
        let count = Scale.scaled(10_000)
        let listener = Lifetime()
        let left = MutableNode(0)
        let right = MutableNode(0)
        let third = MutableNode(0)
        let all = combine(left.map { $0 }, third, right).mapEach { [$0, $1, $2] }
        let heard = all.heard(by: listener)
        setInBatches(left, right, beside: third, times: count)
        if let half = heard.events.first(where: { $0[0] != $0[2] }) { Issue.record("half a batch: \(half)") }
        #expect(heard.last == [count, count, count])
    }

    @Test("a batch that waits on its thread is not seen half by another thread's sets meanwhile")
    func batchHeldOpen() {
        let listener = Lifetime()
        let left = MutableNode(0)
        let right = MutableNode(0)
        let third = MutableNode(0)
        let heard = combine(left, right, third).mapEach { [$0, $1, $2] }.heard(by: listener)
        batch {
            left.value = 1
            Worker { third.value = 7 }.join()
            right.value = 1
        }
        waitForLate(at: left)
        #expect(heard.events.allSatisfy { $0[0] == $0[1] })
        #expect(heard.last == [1, 1, 7])
    }

    @Test("a batch is not seen half by a combination that another thread was about to fire when it began")
    func batchWhileAnotherFires() {
        let listener = Lifetime()
        let left = MutableNode(0)
        let right = MutableNode(0)
        let third = MutableNode(0)
        let heard = combine(left, right, third).mapEach { [$0, $1, $2] }.heard(by: listener)
        let thirdIsSet = Latch()
        let leftIsSet = Latch()
        let other = Worker {
            batch {
                third.value = 7
                thirdIsSet.arrive()
                leftIsSet.wait()
            }
        }
        thirdIsSet.wait()
        batch {
            left.value = 1
            leftIsSet.arrive()
            other.join()
            right.value = 1
        }
        if let half = heard.events.first(where: { $0[0] != $0[1] }) { Issue.record("half a batch: \(half)") }
        #expect(heard.last == [1, 1, 7])
    }

    @Test("a batch is not seen half by a combination of combinations either")
    func batchIsWholeBelow() {
        let count = Scale.scaled(10_000)
        let listener = Lifetime()
        let left = MutableNode(0)
        let right = MutableNode(0)
        let third = MutableNode(0)
        let withLeft = combine(left, third).mapEach { [$0, $1] }
        let withRight = combine(third, right).mapEach { [$1, $0] }
        let heard = combine(withLeft, withRight).mapEach { [$0[0], $1[0], $0[1], $1[1]] }.heard(by: listener)
        setInBatches(left, right, beside: third, times: count)
        if let half = heard.events.first(where: { $0[0] != $0[1] }) { Issue.record("half a batch: \(half)") }
        #expect(heard.last == [count, count, count, count])
    }

    @Test("all combinations that a batch reaches are held back together if another thread is about to fire one of them")
    func batchOverlapsInPart() {
        let listener = Lifetime()
        let left = MutableNode(0)
        let right = MutableNode(0)
        let third = MutableNode(0)
        let reachedOne = Latch()
        let batchIsOver = Latch()
        // The set of `third` stops between the two combinations that it reaches.
        let withLeft = combine(left, third).mapEach { [$0, $1] }
        third.map { $0 }.listened(by: listener).with { value in
            guard value == 7 else { return }
            reachedOne.arrive()
            batchIsOver.wait()
        }
        let withRight = combine(third, right).mapEach { [$1, $0] }
        let heard = combine(withLeft, withRight).mapEach { [$0[0], $1[0], $0[1], $1[1]] }.heard(by: listener)
        let other = Worker { third.value = 7 }
        reachedOne.wait()
        batch {
            left.value = 1
            right.value = 1
        }
        batchIsOver.arrive()
        other.join()
        waitForLate(at: left)
        if let half = heard.events.first(where: { $0[0] != $0[1] }) { Issue.record("half a batch: \(half)") }
        #expect(heard.last == [1, 1, 7, 7])
    }

    @Test("the sets of a batch that wait for a busy graph are done together, after the batch's other graph")
    func restGoesAlong() {
        let listener = Lifetime()
        let (left, right, third, aside) = (MutableNode(0), MutableNode(0), MutableNode(0), MutableNode(0))
        // In the order in which a set of `third` fires them.
        let withRight = combine(third, right).mapEach { $1 }
        let between = combine(third, Node(0)).mapEach { third, _ in third }
        let withLeft = combine(left, third).mapEach { left, _ in left }
        let heard = combine(withLeft, withRight).mapEach { [$0, $1] }.heard(by: listener)
        let isBetween = Latch()
        let batchHasLeft = Latch()
        let otherIsOver = Latch()
        between.listened(by: listener).with { value in
            guard value == 7 else { return }
            isBetween.arrive()
            batchHasLeft.wait()
        }
        // Called on the batch's thread when the batch ends, while its sets of `left` and `right` still wait for their graph.
        let thread = ObjectIdentifier(Thread.current)
        combine(aside, Node(0)).listened(by: listener).with { value, _ in
            guard value == 1, ObjectIdentifier(Thread.current) == thread else { return }
            batchHasLeft.arrive()
            otherIsOver.wait()
        }
        let other = Worker {
            third.value = 7
            otherIsOver.arrive()
        }
        isBetween.wait()
        batch {
            left.value = 1
            aside.value = 1
            right.value = 1
        }
        batchHasLeft.arrive()
        other.join()
        if let half = heard.events.first(where: { $0[0] != $0[1] }) { Issue.record("half a batch: \(half)") }
        #expect(heard.last == [1, 1])
    }

    @Test("combinations downstream of one whose graph another thread keeps busy follow it, however late")
    func downstreamFollows() {
        expectWholeBatch { right, _ in
            // This one is empty, so it passes nothing on.
            let emptied = combine(right, Node(0))
            let afterEmptied = emptied.mapEach { right, _ in right }
            emptied.mutablify().clean()
            return afterEmptied
        }
    }

    @Test("a combination that a listener reaches follows the one upstream whose graph another thread keeps busy")
    func reachedByAListener() {
        expectWholeBatch { right, listener in
            let copy = MutableNode(0)
            combine(right, Node(0)).listened(by: listener).with { right, _ in copy.value = right }
            return copy
        }
    }

    /// Expects that no half of a batch is seen by a combination of two others. Another thread's set keeps the graph of the
    /// first one busy. The second one is made of the node that `follow` derives.
    private func expectWholeBatch(_ follow: (MutableNode<Int>, Lifetime) -> Node<Int>) {
        let listener = Lifetime()
        let (left, right, third) = (MutableNode(0), MutableNode(0), MutableNode(0))
        let reachedOne = Latch()
        let batchIsOver = Latch()
        // The set of `third` stops when it has reached the combination.
        let withLeft = combine(left, third).mapEach { left, _ in left }
        third.map { $0 }.listened(by: listener).with { value in
            guard value == 7 else { return }
            reachedOne.arrive()
            batchIsOver.wait()
        }
        let heard = combine(withLeft, follow(right, listener)).mapEach { [$0, $1] }.heard(by: listener)
        let other = Worker { third.value = 7 }
        reachedOne.wait()
        batch {
            left.value = 1
            right.value = 1
        }
        batchIsOver.arrive()
        other.join()
        waitForLate(at: left, right)
        if let half = heard.events.first(where: { $0[0] != $0[1] }) { Issue.record("half a batch: \(half)") }
        #expect(heard.last == [1, 1])
    }

    @Test("a batch is not seen half while three other threads change the rest of the graph")
    func batchInAStorm() {
        let batches = Scale.heavy(100_000)
        let seed = SeededGenerator.announced().seed
        let listener = Lifetime()
        let (left, right) = (MutableNode(0), MutableNode(0))
        let strangers = (0..<3).map { MutableNode($0) }
        let halves = Locked(0)
        let last = Locked(0)
        let note: @Sendable (Int, Int) -> Void = { left, right in
            if left != right { halves.increment() }
            last.value = left
        }
        combine(left, right).listened(by: listener).with(note)
        combine(left.map { $0 }, right.map { $0 }.map { $0 }).listened(by: listener).with(note)
        for stranger in strangers {
            let withLeft = combine(left, stranger).mapEach { left, _ in left }
            let withRight = combine(stranger, right.map { $0 }).mapEach { _, right in right }
            combine(withLeft, withRight).listened(by: listener).with(note)
            combine(left.map { $0 }, stranger, right).listened(by: listener).with { note($0, $2) }
        }
        let isOver = Locked(false)
        concurrently(4) { thread in
            if thread == 0 {
                for turn in 1...batches {
                    batch {
                        left.value = turn
                        right.value = turn
                    }
                }
                isOver.value = true
                return
            }
            var random = SeededGenerator(seed: seed &+ UInt64(thread))
            let stranger = strangers[thread - 1]
            var turn = 0
            while !isOver.value {
                turn += 1
                switch Int.random(in: 0..<12, using: &random) {
                case 0: withExtendedLifetime(combine(left, stranger)) {}
                case 1: stranger.link(to: strangers[thread % 3]).cancel()
                case 2: right.listened(by: Lifetime()).with { _ in }
                case 3: withExtendedLifetime(right.map { $0 }.fork()) {}
                case 4: _ = left.downstreamNodes.count + right.listenEdges.count
                case 5: batch { strangers.forEach { $0.value = turn } }
                default: stranger.value = turn
                }
            }
        }
        #expect(halves.value == 0)
        #expect(last.value == batches)
    }

    @Test("a batch is not seen half while another thread moves an input of the combination", arguments: Moved.allCases)
    func batchBesideMoves(_ moved: Moved) {
        let (left, right, listener) = (MutableNode(0), MutableNode(0), Lifetime())
        let (firings, halves) = (Locked(0), Locked(0))
        let (input, move) = moved.input(from: left, or: right)
        // Both are of one graph before the first batch.
        for turn in 1...2 { move(turn) }
        let both = combine(input, left)
        both.listened(by: listener).with {
            firings.increment()
            if $0 != $1 { halves.increment() }
        }
        let batches = Scale.scaled(10_000), isOver = Locked(false)
        concurrently(2) { thread in
            if thread == 0 {
                for turn in 1...batches {
                    batch {
                        left.value = turn
                        right.value = turn
                    }
                }
                isOver.value = true
            } else {
                var turn = 0
                while !isOver.value {
                    turn += 1
                    move(turn)
                }
            }
        }
        waitForLate(at: left, right)
        withExtendedLifetime(listener) {}
        #expect(halves.value == 0 && firings.value > batches)
        #expect(both.value.map { [$0, $1] } == [batches, batches])
    }

    @Test("a set through a diamond is not seen half while another thread is in a listener of one of its sides")
    func setBesideAListener() {
        let (source, third, listener) = (MutableNode(0), MutableNode(0), Lifetime())
        let (isInside, mayGoOn) = (Latch(), Latch())
        let side = merge(source, third)
        let heard = combine(side, source.map { $0 }).mapEach { [$0, $1] }.heard(by: listener)
        side.listened(by: listener).with { value in
            guard value == 7 else { return }
            isInside.arrive()
            mayGoOn.wait()
        }
        let other = Worker { third.value = 7 }
        isInside.wait()
        source.value = 1
        mayGoOn.arrive()
        other.join()
        waitForLate(at: source, third)
        #expect(heard.events == [[0, 0], [7, 0], [1, 1]])
    }

    @Test("a set through a diamond is not seen half while another thread sets the other input of its merge")
    func setBesideAMerge() {
        let (source, third, listener) = (MutableNode(0), MutableNode(0), Lifetime())
        let (firings, halves) = (Locked(0), Locked(0))
        // Positive numbers come from the source.
        combine(merge(source, third), source.map { $0 }).listened(by: listener).with { side, other in
            firings.increment()
            if side > 0, side != other { halves.increment() }
        }
        let count = Scale.scaled(10_000)
        concurrently(2) { thread in
            for turn in 1...count { if thread == 0 { source.value = turn } else { third.value = -turn } }
        }
        waitForLate(at: source, third)
        withExtendedLifetime(listener) {}
        #expect(halves.value == 0 && firings.value == 2 * count + 1)
    }

    /// The ways in which an input of a combination moves from one node to another.
    enum Moved: CaseIterable {
        case byFlattenMap, byFlatten, byEdge, byLink, byComputed

        /// Returns a node that shows one of two others, and what moves it to the first for an even number, and to the
        /// second for an odd one.
        func input(from first: Node<Int>, or second: Node<Int>) -> (Node<Int>, @Sendable (Int) -> Void) {
            @Sendable func source(_ turn: Int) -> Node<Int> { turn.isMultiple(of: 2) ? first : second }
            let which = MutableNode(0)
            switch self {
            case .byFlattenMap: return (which.flattenMap(source), { which.value = $0 })
            case .byFlatten:
                let inner = MutableNode(first)
                return (inner.flatten(), { inner.value = source($0) })
            case .byEdge:
                let node = Node<Int>(), edge = LinkTransform<Int>()
                edge.to = node
                edge.from = first
                return (node, { edge.from = source($0) })
            case .byLink:
                let node = Node<Int>(), link = node.link(to: first)
                return (node, { link.source = source($0) })
            case .byComputed: return (computed { read in try read(source(read(which))) }, { which.value = $0 })
            }
        }
    }
}

/// One thread sets both `left` and `right` in each batch, while another sets `third`.
private func setInBatches(
    _ left: MutableNode<Int>, _ right: MutableNode<Int>, beside third: MutableNode<Int>, times: Int
) {
    concurrently(2) { thread in
        for turn in 1...times {
            if thread == 0 {
                batch {
                    left.value = turn
                    right.value = turn
                }
            } else {
                third.value = turn
            }
        }
    }
    waitForLate(at: left, right, third)
}
