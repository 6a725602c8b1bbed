import Foundation
import ReactCore
import ReactTables
import TestSupport
import Testing

@Suite("Rows of nodes") struct RowsOfNodesTests {
    @Test("rows follow nodes that come and go, are emptied, and change in batches")
    func flatten() {
        let nodes = [MutableNode(1), MutableNode(2), MutableNode<Int>()], lifetime = Lifetime()
        let table = MutableNode<Table<String, Node<Int>>>(["a": nodes[0], "c": nodes[2]])
        let heard = table.flattenRows().heard(by: lifetime)
        table.update { $0["b"] = nodes[1] }
        nodes[2].value = 3
        nodes[0].clean()
        batch {
            table.update { $0["a"] = nodes[1] }
            nodes[1].value = 9
            table.update { $0["c"] = nil }
        }
        nodes[0].value = 7
        nodes[2].value = 8
        batch {
            nodes[1].value = 1
            nodes[1].value = 9
        }
        table.clean()
        nodes[1].value = 4
        #expect(
            heard.events == [
                ["a": 1], ["a": 1, "b": 2], ["a": 1, "b": 2, "c": 3], ["b": 2, "c": 3], ["a": 9, "b": 9],
                ["a": 4, "b": 4],
            ])
    }
    @Test("a cut edge leaves the nodes, and a re-pointed one follows the new ones")
    func cut() throws {
        try withLifetimeTracking { tracker in
            let node = MutableNode(1), other = MutableNode(2)
            let table = MutableNode<Table<Int, Node<Int>>>([1: node])
            let rows = table.flattenRows()
            var edge = rows
            while let up = edge.upstreamTransforms.first?.source as? Node<Table<Int, Int>> { edge = up }
            let transform = try #require(
                edge.upstreamTransforms.lazy.compactMap { $0 as? Transform<Table<Int, Node<Int>>, Table<Int, Int>> }
                    .first)
            transform.from = MutableNode([1: other] as Table<Int, Node<Int>>)
            #expect(rows.value == [1: 2] && !node.hasDownstreamNode)
            other.value = 5
            #expect(rows.value == [1: 5])
            transform.from = nil
            other.value = 6
            #expect(rows.value == [1: 5] && !other.hasDownstreamNode)
            _ = tracker.track("nothing")
        }
    }
    @Test("four threads set nodes and exchange them, and the last rows are theirs")
    func threads() {
        for _ in 0..<Scale.scaled(50) {
            let nodes = (0..<8).map { MutableNode($0) }
            let table = MutableNode<Table<Int, Node<Int>>>(Table((0..<4).map { ($0, nodes[$0] as Node<Int>) }))
            let rows = table.flattenRows()
            concurrently(4) { thread in
                var random = SeededGenerator(seed: UInt64(thread))
                for step in 0..<50 {
                    let (key, node) = (Int(random.next() % 4), nodes[Int(random.next() % 8)])
                    if step % 3 == 0 { table.update { $0[key] = node } } else { node.value = Int(random.next() % 100) }
                }
            }
            #expect(rows.value == table.current.mapRows { $0.value! })
        }
    }
    @Test("a batch that changes rows back passes no equal table on")
    func equal() {
        let node = MutableNode(1), lifetime = Lifetime()
        let heard = Node.rows(of: [(1, node)]).heard(by: lifetime)
        batch {
            node.value = 2
            node.value = 1
        }
        #expect(heard.count == 1)
    }
    @Test("the first table waits for another thread's batch that has set a node")
    func wholeBatches() {
        // The table waits for ten milliseconds at most, so only batches of less than five say something.
        var halvesOfShortBatches = 0
        for _ in 0..<20 {
            let duration = Recorder<Duration>()
            let nodes = [MutableNode(0), MutableNode(0)], isHalf = Latch(), isMade = Latch()
            let worker = Worker {
                batch {
                    nodes[0].value = 1
                    let begin = ContinuousClock.now
                    isHalf.arrive()
                    // A table that does not wait is made meanwhile, and one that waits is not.
                    for _ in 0..<2_000 where !isMade.isOpen { sched_yield() }
                    nodes[1].value = 1
                    duration.record(ContinuousClock.now - begin)
                }
            }
            isHalf.wait()
            // Empty if the batch has lasted for longer than a link waits.
            let table = Node.rows(of: [(0, nodes[0]), (1, nodes[1])]).value
            isMade.arrive()
            worker.join()
            if table?[0] != table?[1], duration.events[0] < .milliseconds(5) { halvesOfShortBatches += 1 }
        }
        #expect(halvesOfShortBatches == 0)
    }
}
