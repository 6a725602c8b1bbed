import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Which thread set a value, and which of its sets it was. Wider than a word, so that a torn read would show.
private struct Stamp: Sendable, Equatable {
    let thread: Int
    let turn: Int
    let check: [Int]

    init(thread: Int, turn: Int) {
        (self.thread, self.turn) = (thread, turn)
        check = [thread, turn]
    }

    var isWhole: Bool { check == [thread, turn] }
}

@Suite("Threads", .serialized) struct ThreadsTests {
    @Test("four threads set one node: nothing is lost, everyone sees one order, each thread's sets in its own")
    func oneOrder() {
        let count = Scale.scaled(20_000)
        let listener = Lifetime()
        let node = MutableNode<Stamp>()
        let heard =
            [node.heard(by: listener), node.heard(by: listener)]
            + (0..<2).map { _ in node.map { $0 }.map { $0 }.heard(by: listener) }
        concurrently(4) { thread in
            for turn in 0..<count { node.value = Stamp(thread: thread, turn: turn) }
        }
        let order = heard[0].events
        #expect(order.count == 4 * count)
        for (index, recorder) in heard.enumerated() where recorder.events != order {
            Issue.record("receiver \(index) saw another order than the first")
        }
        for thread in 0..<4 where order.filter({ $0.thread == thread }).map(\.turn) != Array(0..<count) {
            Issue.record("the sets of thread \(thread) are not all there, or not in order")
        }
        #expect(order.allSatisfy { $0.isWhole })
        #expect(node.value == order.last, "the last value delivered is the value stored")
    }

    @Test("no set waits for another thread's listeners: it is left with whoever is delivering")
    func neverWaits() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let entered = Latch()
        let release = Latch()
        let log = Recorder<String>()
        let threads = Recorder<ObjectIdentifier>()
        node.listened(by: listener).withContext { value, context in
            threads.record(ObjectIdentifier(Thread.current))
            log.record("\(value) \(context ?? "-")")
            guard value == 1 else { return }
            entered.arrive()
            release.wait()
        }
        let worker = Worker { node.value = 1 }
        entered.wait()
        node.setValue(2, context: "two")
        node.setValue(3, context: "three")
        #expect(node.value == 1, "value changes when its turn comes")
        #expect(log.events == ["1 -"])
        release.arrive()
        worker.join()
        #expect(log.events == ["1 -", "2 two", "3 three"])
        #expect(node.value == 3)
        #expect(Set(threads.events).count == 1)
    }

    @Test(
        "nodes whose listeners set one another from several threads deadlock nowhere and lose nothing",
        arguments: [2, 3, 10]
    )
    func noDeadlock(count: Int) {
        let listener = Lifetime()
        let nodes = (0..<count).map { _ in MutableNode<Int>() }
        let delivered = Locked(0)
        for index in nodes.indices {
            let next = nodes[(index + 1) % count]
            nodes[index].listened(by: listener).with { value in
                delivered.increment()
                if value > 0 { next.value = value - 1 }
            }
        }
        let turns = Scale.scaled(500)
        concurrently(4) { thread in
            for turn in 0..<turns { nodes[(thread + turn) % count].value = 20 }
        }
        // Every set of 20 leads to 20 more: none is lost, none is delivered twice.
        #expect(delivered.value == 4 * turns * 21)
    }

    @Test("a thread that is far ahead of the one that delivers is not held up, and nothing is lost")
    func farAhead() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let entered = Latch()
        let release = Latch()
        let heard = Recorder<Int>()
        node.listened(by: listener).with { value in
            heard.record(value)
            guard value == 0 else { return }
            entered.arrive()
            release.wait()
        }
        let worker = Worker { node.value = 0 }
        entered.wait()
        // More than wait before setting slows down.
        for value in 1...300 { node.value = value }
        #expect(heard.events == [0])
        release.arrive()
        worker.join()
        #expect(heard.events == Array(0...300))
    }

    @Test("a combination of nodes set from two threads is never torn, and ends with the pair of the last values")
    func combination() {
        let count = Scale.scaled(20_000)
        let listener = Lifetime()
        let left = MutableNode(Stamp(thread: 0, turn: -1))
        let right = MutableNode(Stamp(thread: 1, turn: -1))
        let pair = combine(left, right).mapEach { [$0, $1] }
        let heard = pair.heard(by: listener)
        concurrently(2) { thread in
            let node = thread == 0 ? left : right
            for turn in 0..<count { node.value = Stamp(thread: thread, turn: turn) }
        }
        let events = heard.events
        #expect(events.joined().allSatisfy { $0.isWhole })
        #expect(events.allSatisfy { $0.map(\.thread) == [0, 1] })
        for (before, after) in zip(events, events.dropFirst()) {
            if after[0].turn < before[0].turn || after[1].turn < before[1].turn {
                Issue.record("went back from \(before) to \(after)")
                break
            }
        }
        #expect(events.last?.map(\.turn) == [count - 1, count - 1])
        #expect(pair.value?.map(\.turn) == [count - 1, count - 1])
    }

    @Test("a combination of nodes set from two threads through chains is up to date in the end")
    func combinationOfChains() {
        let rounds = Scale.scaled(2000)
        for round in 0..<rounds {
            let left = MutableNode(0)
            let right = MutableNode(0)
            let pair = combine(left.map { $0 }.map { $0 }, right.map { $0 }).mapEach { [$0, $1] }
            concurrently(2) { thread in
                let node = thread == 0 ? left : right
                for turn in 1...3 { node.value = turn }
            }
            guard pair.value == [3, 3] else {
                Issue.record("round \(round) ended with \(pair)")
                return
            }
        }
    }

    @Test("a diamond set from two threads ends with both branches at the last value")
    func diamond() {
        let count = Scale.scaled(5000)
        let listener = Lifetime()
        let node = MutableNode(0)
        let pair = combine(node.map { $0 }, node.map { $0 }.map { $0 }).mapEach { [$0, $1] }
        let heard = pair.heard(by: listener)
        concurrently(2) { thread in
            for turn in 0..<count { node.value = 1 + turn * 2 + thread }
        }
        let last = node.value(or: -1)
        #expect(pair.value == [last, last])
        #expect(heard.last == [last, last])
    }

    @Test("a batch over nodes that no other thread sets is never seen half, while another thread sets a third input")
    func batchIsWhole() {
        let count = Scale.scaled(10_000)
        let listener = Lifetime()
        let left = MutableNode(0)
        let right = MutableNode(0)
        let third = MutableNode(0)
        let all = combine(left.map { $0 }, third, right).mapEach { [$0, $1, $2] }
        let heard = all.heard(by: listener)
        concurrently(2) { thread in
            for turn in 1...count {
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
        if let half = heard.events.first(where: { $0[0] != $0[2] }) { Issue.record("half a batch: \(half)") }
        #expect(heard.last == [count, count, count])
    }

    @Test("a batch that waits on its thread is not seen half by what another thread sets meanwhile")
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
        concurrently(2) { thread in
            for turn in 1...count {
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
        if let half = heard.events.first(where: { $0[0] != $0[1] }) { Issue.record("half a batch: \(half)") }
        #expect(heard.last == [count, count, count, count])
    }

    @Test("what a batch reaches is held back as a whole where another thread is about to fire a part of it")
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
        if let half = heard.events.first(where: { $0[0] != $0[1] }) { Issue.record("half a batch: \(half)") }
        #expect(heard.last == [1, 1, 7, 7])
    }

    @Test("a set by a listener that another thread's listener waits for is delivered by whoever is delivering")
    func crossing() {
        let listener = Lifetime()
        let first = MutableNode<Int>()
        let second = MutableNode<Int>()
        let bothIn = Latch(2)
        // Each listener sets the node that the other thread is delivering.
        first.listened(by: listener).with { value in
            guard value == 1 else { return }
            bothIn.arriveAndWait()
            second.value = 2
        }
        second.listened(by: listener).with { value in
            guard value == 1 else { return }
            bothIn.arriveAndWait()
            first.value = 2
        }
        let heardFirst = first.heard(by: listener)
        let heardSecond = second.heard(by: listener)
        concurrently(2) { thread in (thread == 0 ? first : second).value = 1 }
        #expect(heardFirst.events == [1, 2])
        #expect(heardSecond.events == [1, 2])
    }

    @Test("an operator called while another thread delivers returns no empty node, and ends with the last value")
    func contendedOperators() {
        let sets = 200
        for round in 0..<Scale.scaled(200) {
            let node = MutableNode(0)
            let other = Node(0)
            let made = Recorder<Node<Int>>()
            let empty = Locked(0)
            concurrently(2) { thread in
                if thread == 0 {
                    for turn in 1...sets { node.value = turn }
                    return
                }
                for _ in 0..<10 {
                    let target = Node<Int>()
                    target.link(to: node)
                    let through = Node<Int>()
                    through.link(to: node, transform: Probe<Int>())
                    let nodes = [
                        node.map { $0 }, node.fork(), node.filter { _ in true }, target, through,
                        combine(node, other).mapEach { left, _ in left },
                    ]
                    for node in nodes {
                        if node.isEmpty { empty.increment() }
                        made.record(node)
                    }
                }
            }
            let late = made.events.count { $0.value != sets }
            if empty.value > 0 || late > 0 {
                Issue.record("round \(round): \(empty.value) were empty, \(late) did not end with the last value")
                return
            }
        }
    }

    @Test("a listener that comes while another thread delivers hears the present value, then every later one, once")
    func contendedListeners() {
        let sets = 200
        for round in 0..<Scale.scaled(200) {
            let node = MutableNode(0)
            let listener = Lifetime()
            let heard = Recorder<Recorder<Int>>()
            concurrently(2) { thread in
                if thread == 0 {
                    for turn in 1...sets { node.value = turn }
                } else {
                    for _ in 0..<10 { heard.record(node.heard(by: listener)) }
                }
            }
            for recorder in heard.events {
                let first = recorder.events.first ?? -1
                guard (0...sets).contains(first), recorder.events == Array(first...sets) else {
                    Issue.record("round \(round), not every value once and in order: \(recorder.events)")
                    return
                }
            }
        }
    }

    @Test("what was cut while another thread is in an earlier listener hears nothing")
    func cutMeanwhile() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let entered = Latch()
        let release = Latch()
        node.listened(by: listener).with { _ in
            entered.arrive()
            release.wait()
        }
        let heard = Recorder<Int>()
        let later = node.listened(by: listener).with { heard.record($0) }
        let dying = Locked<AnyObject?>(PlainListener())
        if let object = dying.value { node.listened(by: object).with { heard.record($0) } }
        let called = Locked(0)
        let mapped = node.map { value in
            called.increment()
            return value
        }
        let worker = Worker { node.value = 1 }
        entered.wait()
        later.cancel()
        weak var gone: AnyObject?
        gone = dying.value
        dying.value = nil
        #expect(eventually { gone == nil })
        mapped.removeUpstreamNodes()
        release.arrive()
        worker.join()
        #expect(heard.events == [])
        #expect(called.value == 0)
    }

    @Test("what attaches while another thread is in a listener hears the value under way once, then what waits")
    func attachMeanwhile() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let entered = Latch()
        let release = Latch()
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            entered.arrive()
            release.wait()
        }
        let worker = Worker { node.value = 1 }
        entered.wait()
        let heard = node.heard(by: listener)
        let calls = Recorder<Int>()
        let mapped = node.map { value in
            calls.record(value)
            return value
        }
        #expect(heard.events == [1])
        #expect(mapped.value == 1)
        node.value = 2
        release.arrive()
        worker.join()
        #expect(heard.events == [1, 2])
        #expect(calls.events == [1, 2])
        #expect(mapped.value == 2)
    }

    @Test("listeners of every kind may go on one thread while another delivers to them")
    func listenersGo() throws {
        let rounds = Scale.scaled(200)
        try withLifetimeTracking { tracker in
            let node = MutableNode(0)
            for _ in 0..<rounds {
                concurrently(2) { thread in
                    if thread == 0 {
                        for turn in 0..<100 { node.value = turn }
                        return
                    }
                    for turn in 0..<15 {
                        let listener: AnyObject =
                            switch turn % 3 {
                            case 0: Lifetime()
                            case 1: Screen()
                            default: PlainListener()
                            }
                        let payload = tracker.track("captured \(turn)")
                        let mapped = node.map { value in withExtendedLifetime(payload) { value } }
                        mapped.listened(by: listener).with { _ in withExtendedLifetime(payload) {} }
                        node.listened(by: listener).with { _ in withExtendedLifetime(payload) {} }
                    }
                }
            }
            let last = Lifetime()
            node.listened(by: last).with { _ in }
            #expect(node.listenEdges.count == 1)
            #expect(node.downstreamTransforms == [])
        }
    }

    @Test("threads that link, cut, re-point, listen and drop while others set leave nothing over")
    func storm() throws {
        let count = Scale.scaled(3000)
        let random = SeededGenerator.announced()
        try withLifetimeTracking { tracker in
            let sources = (0..<4).map { MutableNode(tracker.track("source \($0)")) }
            let targets = (0..<4).map { _ in MutableNode<Tracked>() }
            concurrently(4) { thread in
                var random = SeededGenerator(seed: random.seed &+ UInt64(thread))
                let moving = Probe<Tracked>("moving")
                for turn in 0..<count {
                    let source = sources.randomElement(using: &random)!
                    let target = targets.randomElement(using: &random)!
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0: source.value = tracker.track("value \(turn)")
                    case 1: target.link(to: source)
                    case 2: target.removeUpstreamNodes()
                    case 3: source.removeDownstreamNode(target)
                    case 4: moving.from = source
                    case 5: moving.to = target
                    case 6:
                        let listener = Lifetime()
                        combine(source, target).listened(by: listener).with { _ in }
                    case 7: source.link(to: target).cancel()
                    default: batch { sources.forEach { $0.value = $0.value } }
                    }
                }
                moving.from = nil
                moving.to = nil
            }
            for node in sources + targets { node.removeUpstreamNodes() }
            #expect((sources + targets).allSatisfy { $0.downstreamTransforms.isEmpty })
            #expect((sources + targets).allSatisfy { !$0.hasListener })
            #expect(tracker.live.count <= 8, "more than one value a node: \(tracker.live)")
            let fresh = tracker.track("fresh")
            targets[0].link(to: sources[0])
            sources[0].value = fresh
            #expect(targets[0].value == fresh)
        }
    }

    @Test("values sent by a transform from four threads all arrive")
    func sendFromThreads() {
        let count = Scale.scaled(10_000)
        let listener = Lifetime()
        let node = Node<Stamp>()
        let sender = LinkTransform<Stamp>()
        node.link(to: MutableNode<Stamp>(), transform: sender)
        let heard = node.heard(by: listener)
        concurrently(4) { thread in
            for turn in 0..<count {
                sender.send(Stamp(thread: thread, turn: turn), from: SenderList(), context: nil)
            }
        }
        #expect(heard.count == 4 * count)
        for thread in 0..<4 where heard.events.filter({ $0.thread == thread }).map(\.turn) != Array(0..<count) {
            Issue.record("what thread \(thread) sent is not all there, or not in order")
        }
        #expect(node.value == heard.last)
    }

    @Test("two nodes that follow each other, set from two threads, hear every value of both once")
    func ringFromThreads() {
        for round in 0..<Scale.scaled(300) {
            let listener = Lifetime()
            let a = MutableNode<Int>()
            let b = MutableNode<Int>()
            a.link(to: b)
            b.link(to: a)
            let heardA = a.heard(by: listener)
            let heardB = b.heard(by: listener)
            concurrently(2) { thread in
                let node = thread == 0 ? a : b
                for turn in 0..<10 { node.value = thread * 100 + turn }
            }
            let everything = Array(0..<10) + Array(100..<110)
            if heardA.events.sorted() != everything || heardB.events.sorted() != everything || heardA.last != a.value
                || heardB.last != b.value
            {
                Issue.record("round \(round): \(heardA.events) and \(heardB.events)")
            }
            a.removeUpstreamNodes()
            b.removeUpstreamNodes()
        }
    }
}
