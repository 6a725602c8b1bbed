import Dispatch
import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import Synchronization
import TestSupport
import Testing

@Suite("CombineSampled")
struct CombineSampledTests {
    let scheduler = VirtualScheduler()
    let a = MutableNode(1), b = MutableNode(2)

    @Test("the first change passes an array on at once, and those within the interval after it come together")
    func pace() {
        let heard = Heard(combine([a, b], sampledEvery: .seconds(1), on: scheduler))
        #expect(heard.values == [[1, 2]])
        scheduler.run()
        a.value = 3
        #expect(heard.values == [[1, 2], [3, 2]])
        a.value = 4
        b.value = 5
        b.value = 6
        scheduler.advance(by: .milliseconds(999))
        #expect(heard.values == [[1, 2], [3, 2]])
        scheduler.advance(by: .milliseconds(1))
        #expect(heard.values == [[1, 2], [3, 2], [4, 6]])
        scheduler.run()
        #expect(scheduler.pendingCount == 0)
        #expect(heard.values == [[1, 2], [3, 2], [4, 6]])
    }

    @Test("combine keeps its pace with a scheduler that has no clock to read")
    func noClock() {
        let heard = Heard(combine([a, b], sampledEvery: .seconds(1), on: PlainScheduler(base: scheduler)))
        a.value = 3
        scheduler.advance(by: .milliseconds(999))
        #expect(heard.values == [[1, 2]])
        scheduler.run()
        #expect(heard.values == [[1, 2], [3, 2]])
    }

    @Test(
        "of no nodes it holds an empty array; of nodes without a value, nothing, until each has one, and then at once")
    func start() {
        let none = combine([Node<Int>](), sampledEvery: .seconds(1), on: scheduler)
        #expect(none.value == [] && !none.isMutable)
        let empty = MutableNode<Int>()
        let node = combine([a, empty, b], sampledEvery: .seconds(1), on: scheduler)
        a.value = 3
        #expect(node.isEmpty && scheduler.pendingCount == 0)
        empty.value = 4
        #expect(node.value == [3, 4, 2])
    }

    @Test("an array that comes at once has all that the set reaches")
    func noGlitch() {
        let heard = Heard(
            combine(
                [a.map { $0 }, a.map { $0 * 10 }.map { $0 }, a.map { -$0 }], sampledEvery: .seconds(1), on: scheduler))
        scheduler.run()
        a.value = 2
        #expect(heard.values == [[1, 10, -1], [2, 20, -2]])
        scheduler.run()
        batch {
            a.value = 3
            b.value = 4
        }
        #expect(heard.values == [[1, 10, -1], [2, 20, -2], [3, 30, -3]])
    }

    @Test("a sampled combination holds its nodes, and its timer is cancelled with it; a node may come twice")
    func lifetime() {
        weak var input: Node<Int>?
        do {
            let node = MutableNode(7)
            input = node
            let combined = combine([node, node], sampledEvery: .seconds(1), on: scheduler)
            #expect(combined.value == [7, 7])
            #expect(scheduler.pendingCount == 1)
            #expect(combined.upstreamTransforms.map(\.name) == ["CombineSampled", "CombineSampled"])
        }
        #expect(input == nil)
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a change that waits keeps nothing alive")
    func pending() {
        weak var combined: Node<[Int]>?
        do {
            let made = combine([a, b], sampledEvery: .seconds(1), on: scheduler)
            combined = made
            a.setValue(5, context: "why")
        }
        #expect(combined == nil)
        #expect(!a.hasDownstreamNode)
    }

    @Test("cutting one of its transforms silences it; an emptied node does so until it has a value again")
    func cut() {
        let node = combine([a, b], sampledEvery: .seconds(1), on: scheduler), heard = Heard(node)
        scheduler.run()
        a.clean()
        b.value = 3
        scheduler.run()
        #expect(heard.values == [[1, 2]])
        a.value = 4
        #expect(heard.values == [[1, 2], [4, 3]])
        scheduler.run()
        node.removeUpstreamNode(a)
        b.value = 5
        scheduler.run()
        #expect(heard.values == [[1, 2], [4, 3]])
    }

    @Test("context and sender list are those of the first change since the last array")
    func context() {
        a.named("a")
        b.named("b")
        let lifetime = Lifetime(), heard = Log<String>()
        combine([a, b], sampledEvery: .seconds(1), on: scheduler).listened(by: lifetime)
            .withSenderListAndContext { values, senders, context in
                heard.add("\(values) \(context as? String ?? "-") \(senders.senders.compactMap(\.name))")
            }
        scheduler.run()
        b.setValue(3, context: "one")
        a.setValue(4, context: "two")
        b.setValue(5, context: "three")
        scheduler.run()
        #expect(
            heard.entries == ["[1, 2] - []", #"[1, 3] one ["b"]"#, #"[4, 5] two ["a"]"#])
    }

    @Test("a ring with it in it ends, and other changes are passed on")
    func ring() {
        let node = combine([a, b], sampledEvery: .seconds(1), on: scheduler), heard = Heard(node)
        let link = b.link(to: node.map { $0[0] * 100 })
        scheduler.run()
        a.value = 3
        scheduler.run()
        #expect(heard.values.count <= 3)
        #expect(scheduler.pendingCount == 0)
        #expect(heard.last?[0] == 3)
        #expect(b.value == 300)
        link.cancel()
    }

    @Test("a listener may set the nodes: that comes when the interval is over")
    func reentrant() {
        let lifetime = Lifetime()
        let node = combine([a, b], sampledEvery: .seconds(1), on: scheduler), heard = Heard(node)
        node.listened(by: lifetime).with { [a] in if $0[0] < 4 { a.value = $0[0] + 1 } }
        scheduler.run()
        #expect(heard.values == [[1, 2], [2, 2], [3, 2], [4, 2]])
    }

    @Test("four threads set a hundred nodes: the last array has the last values, and values only grow")
    func threads() async throws {
        let nodes = (0..<100).map { _ in MutableNode(0) }, last = Scale.heavy(200)
        let queue = DispatchQueue(label: "sampled", attributes: .concurrent)
        let combined = combine(nodes, sampledEvery: .microseconds(500), on: queue), heard = Heard(combined)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for value in 1...last { for index in 0..<25 { nodes[index * 4 + thread].value = value } }
        }
        #expect(try await combined.whenUpToDate() == [Int](repeating: last, count: 100))
        #expect(heard.last == combined.value)
        let arrays = heard.values
        for (one, next) in zip(arrays, arrays.dropFirst()) {
            #expect(zip(one, next).allSatisfy { $0 <= $1 })
        }
    }

    @Test("the array has the order of the nodes, also after an input was pointed elsewhere, or linked anew")
    func order() throws {
        let node = combine([a, b], sampledEvery: .seconds(1), on: scheduler), heard = Heard(node)
        let edge = try #require(node.upstreamTransforms(from: a).first as? Transform<Int, [Int]>)
        scheduler.run()
        edge.from = MutableNode(7)
        scheduler.run()
        edge.to = nil
        edge.to = node
        scheduler.run()
        b.value = 8
        #expect(heard.values.first == [1, 2])
        #expect(heard.values.dropFirst().dropLast().allSatisfy { $0 == [7, 2] })
        #expect(heard.last == [7, 8])
    }

    @Test("an array that finds its graph busy is made by the scheduler all the same")
    func busyGraph() {
        let hand = HandScheduler(), node = combine([a, b], sampledEvery: .seconds(1), on: hand)
        a.value = 3
        let busy = BusyGraph(of: b, setting: 4)
        hand.take()()
        busy.end()
        #expect(node.value == [1, 2])
        #expect(
            eventually {
                hand.runAll()
                return node.value == [3, 4]
            })
    }

    @Test("a timer that fires too early is started again for the rest of the interval")
    func earlyTimer() throws {
        let hand = HandScheduler(reading: .zero), node = combine([a, b], sampledEvery: .seconds(1), on: hand)
        a.value = 3
        hand.reading = .milliseconds(400)
        hand.take()()
        try #require(hand.intervals == [.seconds(1), .milliseconds(600)])
        hand.reading = .seconds(1)
        hand.take()()
        #expect(node.value == [3, 2])
    }

    @Test("an array whose edge is cut before its turn comes leaves the combination up to date")
    func cutWhileWaiting() {
        let node = combine([a, b], sampledEvery: .seconds(1), on: scheduler), other = MutableNode<[Int]>()
        node.link(to: other)
        let heard = Recorder<[Int]>(), lifetime = Lifetime()
        node.listened(by: lifetime).with { [weak node, scheduler, a] array in
            heard.record(array)
            guard array == [0] else { return }
            // The node is in the middle of a delivery, so the array waits for its turn.
            scheduler.advance(by: .seconds(1))
            node?.removeUpstreamNode(a)
        }
        a.value = 3
        other.value = [0]
        scheduler.run()
        #expect(heard.events == [[1, 2], [0]])
        #expect(node.isUpToDate)
    }

    @Test("a timer that finds nothing to pass on leaves the combination up to date, also for a moment")
    func emptyTimer() {
        let node = combine([a, b], sampledEvery: .seconds(1), on: scheduler), answer = node.upToDate()
        scheduler.run()
        // Odd while the clock moves. The change before has been passed on by then.
        let phase = Atomic(0), isOver = Atomic(false), wrong = Atomic(0)
        let watcher = Worker {
            while !isOver.load(ordering: .acquiring) {
                let before = phase.load(ordering: .sequentiallyConsistent), isUpToDate = node.isUpToDate
                let after = phase.load(ordering: .sequentiallyConsistent)
                if before % 2 == 1, before == after, !isUpToDate { wrong.add(1, ordering: .relaxed) }
            }
        }
        for value in 1...Scale.scaled(200_000) {
            a.value = value
            phase.add(1, ordering: .sequentiallyConsistent)
            scheduler.advance(by: .seconds(1))
            phase.add(1, ordering: .sequentiallyConsistent)
        }
        isOver.store(true, ordering: .releasing)
        watcher.join()
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(answer.value == true)
    }

    @Test("a change goes through a chain of sampled combinations on a small stack, with an answer at its end")
    func chain() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                let clock = VirtualScheduler(), source = MutableNode(1)
                var end: Node<Int> = source
                for _ in 1...600 { end = combine([end], sampledEvery: .seconds(1), on: clock).map { $0[0] } }
                clock.run()
                let answer = end.upToDate()
                source.value = 2
                precondition(end.current == 2)
                clock.run()
                precondition(end.current == 2 && answer.current)
            }
        }
    }

    @Test("a timer whose release sets one of the nodes is released without a lock")
    func timerThatSets() {
        let parting = PartingScheduler(scheduler: scheduler) { [a] in a.update { $0 += 1 } }
        let table = combine([a, b], sampledEvery: .seconds(1), on: parting)
        b.value = 3
        scheduler.advance(by: .seconds(3))
        #expect(table.value?.last == 3)
        #expect(a.current > 1)
    }
}
