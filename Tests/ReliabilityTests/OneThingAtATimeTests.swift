import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

/// A connected graph does one thing at a time, whichever threads set it; other graphs go on meanwhile.
@Suite("One thing at a time", .serialized) struct OneThingAtATimeTests {
    let listener = Lifetime()

    @Test("listeners of one graph never run at the same time", arguments: [2, 8])
    func noOverlap(threads: Int) {
        let count = Scale.scaled(4_000)
        let nodes = (0..<threads).map { _ in MutableNode(0) }
        let all = Node.combine(nodes)
        let inside = Locked(0), overlaps = Locked(0), calls = Locked(0)
        @Sendable func hear(_: Any) {
            if inside.withLock({
                $0 += 1; return $0
            }) > 1 {
                overlaps.increment()
            }
            calls.increment()
            inside.withLock { $0 -= 1 }
        }
        for node in nodes { node.listened(by: listener).with { hear($0) } }
        all.listened(by: listener).with { hear($0) }
        concurrently(threads) { thread in for value in 1...count { nodes[thread].value = value } }
        waitForLate(at: all)
        #expect(overlaps.value == 0)
        #expect(calls.value == 2 * threads * count + threads + 1)
        #expect(all.current == Array(repeating: count, count: threads))
    }

    @Test("two writers that batch two nodes leave them equal, and no combination shows half of a batch")
    func twoWriters() {
        let count = Scale.scaled(20_000)
        let (a, b) = (MutableNode(0), MutableNode(0))
        let pair = combine(a, b).mapEach { [$0, $1] }
        let halves = Locked(0)
        pair.listened(by: listener).with { if $0[0] != $0[1] { halves.increment() } }
        a.listened(by: listener).with { _ in }
        concurrently(2) { thread in
            for value in 1...count {
                batch {
                    a.value = 2 * value + thread
                    b.value = 2 * value + thread
                }
            }
        }
        waitForLate(at: a)
        #expect(halves.value == 0)
        #expect(a.current == b.current && pair.current == [a.current, b.current])
    }

    @Test("of two graphs, the one goes on while a listener keeps the other busy, and its set returns current")
    func otherGraph() {
        let (busy, free) = (MutableNode(0), MutableNode(0))
        let double = combine(free.map { $0 * 2 }, free) { $0 + $1 }
        whileBusy(busy) {
            free.value = 1
            #expect(double.current == 3)
        }
    }

    @Test("a set beside a batch that stays open returns, is read at once, and arrives when the batch is over")
    func besideABatch() {
        let (a, b) = (MutableNode(0), MutableNode(0))
        let sum = combine(a, b) { $0 + $1 }
        let busy = BusyGraph(of: a, setting: 1)
        b.value = 10
        b.current += 1
        #expect(b.current == 11 && sum.current == 0)
        busy.end()
        #expect(sum.current == 12)
    }

    @Test("a late set of a node without a value is seen at once by isEmpty, as by value, and so is a late emptying")
    func emptyBesideABatch() {
        let (a, b) = (MutableNode(0), MutableNode<Int>())
        let sum = combine(a, b) { $0 + $1 }
        let busy = BusyGraph(of: a, setting: 1)
        b.value = 10
        #expect(b.value == 10 && !b.isEmpty && sum.isEmpty)
        b.clean()
        #expect(b.value == nil && b.isEmpty)
        busy.end()
        #expect(b.isEmpty && sum.value == 11)
    }

    @Test("in a batch that has left a set of a busy graph, tryUpdate changes a node of another one")
    func tryUpdateBesideLeftWork() {
        let (a, b, c) = (MutableNode(0), MutableNode(0), MutableNode(0))
        let busy = BusyGraph(of: a, setting: 1)
        var result: Int?
        batch {
            c.value = 1
            a.value = 2
            result = b.tryUpdate {
                $0 += 1
                return $0
            }
        }
        busy.end()
        #expect(result == 1 && a.value == 2)
    }

    @Test("work after a late set, which sets several nodes, leaves each of their graphs")
    func workAfterLateSets() {
        let (source, p, q) = (MutableNode(0), MutableNode(0), MutableNode(0))
        let (fromP, fromQ) = (p.map { $0 }, q.map { $0 }), works = Locked(0)
        source.listened(by: listener).with { value in
            AtOnceScheduler().schedule {
                p.value = value
                q.value = value
                works.increment()
            }
        }
        let busy = BusyGraph(of: source, setting: 1)
        source.value = 2
        source.value = 3
        busy.end()
        // One of each set, and one of listening. Those of two threads come in either order.
        #expect(eventually { works.value == 4 })
        p.value = 10
        q.value = 10
        #expect(fromP.value == 10 && fromQ.value == 10)
    }

    @Test("a listener may take the lock under which another thread sets the same graph")
    func lockOfAnother() {
        let (a, b) = (MutableNode(0), MutableNode(0))
        let sum = combine(a, b) { $0 + $1 }
        let lock = Locked(0), isInside = Latch(), isLocked = Latch()
        sum.listened(by: listener).with { value in
            guard value == 1 else { return }
            isInside.arrive()
            isLocked.wait()
            lock.increment()
        }
        let other = Worker {
            isInside.wait()
            lock.withLock { _ in
                isLocked.arrive()
                b.value = 10
            }
        }
        a.value = 1
        other.join()
        waitForLate(at: a)
        #expect(sum.current == 11 && lock.value == 1)
    }

    @Test(
        "a batch over two nodes of one graph is whole, though the graph is busy at its first set and free at its second"
    )
    func busyAtFirst() {
        for _ in 0..<Scale.scaled(100) {
            let (a, b, c) = (MutableNode(0), MutableNode(0), MutableNode(0))
            let all = combine(a, b, c).mapEach { [$0, $1, $2] }
            let halves = Locked(0)
            all.listened(by: listener).with { if $0[0] != $0[1] { halves.increment() } }
            concurrently(2) { thread in
                for value in 1...10 {
                    if thread == 0 {
                        c.value = value
                    } else {
                        batch {
                            a.value = value
                            b.value = value
                        }
                    }
                }
            }
            waitForLate(at: a)
            #expect(halves.value == 0 && all.current == [10, 10, 10])
        }
    }

    @Test("two graphs that are both busy are linked from both sides")
    func linkedWhileBusy() {
        let (a, b) = (MutableNode(0), MutableNode(0))
        let (fromA, fromB) = (Node<Int>(), Node<Int>())
        let (lineA, lineB) = (fromA.fork(), fromB.fork())
        concurrently(4) { thread in
            for value in 1...Scale.scaled(1_000) {
                switch thread {
                case 0: a.value = value
                case 1: b.value = value
                case 2: if value == 50 { fromA.link(to: a) }
                default: if value == 50 { fromB.link(to: b); fromB.link(to: a) }
                }
            }
        }
        waitForLate(at: a, b, fromA, fromB)
        #expect(lineA.current == a.current)
        a.value = -1
        #expect(lineA.current == -1 && lineB.current == -1)
    }

    @Test("threads that link, cut, set and let go in small graphs that merge leave nothing behind, and end right")
    func merges() {
        let first = SeededGenerator.announced().seed
        for seed in first..<first + UInt64(Scale.scaled(200)) {
            let sources = (0..<6).map { _ in MutableNode(0) }
            concurrently(4) { thread in
                var random = SeededGenerator(seed: seed &* 4 &+ UInt64(thread))
                var made: [Node<[Int]>] = []
                for step in 0..<60 {
                    let (one, other) = (sources[Int(random.next() % 6)], sources[Int(random.next() % 6)])
                    switch random.next() % 4 {
                    case 0: made.append(combine(one, other).mapEach { [$0, $1] })
                    case 1: if !made.isEmpty { made.removeFirst() }
                    case 2:
                        batch {
                            one.value = step; other.value = step
                        }
                    default: one.value = step
                    }
                }
            }
            for source in sources { waitForLate(at: source) }
            let sums = zip(sources, sources.dropFirst()).map { combine($0, $1) { $0 + $1 } }
            for (place, sum) in sums.enumerated() {
                #expect(sum.current == sources[place].current + sources[place + 1].current)
            }
            #expect(eventually { sources.allSatisfy { $0.downstreamNodes.count <= 2 } }, "seed \(seed)")
        }
    }

    /// Runs `body` while a listener on another thread keeps the node's graph busy.
    private func whileBusy(_ node: MutableNode<Int>, _ body: () -> Void) {
        let isInside = Latch(), mayEnd = Latch()
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            isInside.arrive()
            mayEnd.wait()
        }
        let worker = Worker { node.value = 1 }
        isInside.wait()
        body()
        mayEnd.arrive()
        worker.join()
    }
}
