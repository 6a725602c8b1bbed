import HeapProbe
import ReactCore
import ReactOperators
import Synchronization
import TestSupport
import Testing

@testable import ReactGraph

#if os(macOS) || os(Linux)
/// What a step costs does not depend on what has nothing to do with it. The sizes are such that the right way takes no time to
/// speak of, and a way that goes through everything for each step never ends: its process is ended (see `limitWork`).
@Suite("Growth", .serialized) struct GrowthTests {
    @Test("linking the top of a ladder, each rung of which combines the two before it, visits each rung once")
    func ladder() async {
        await #expect(processExitsWith: .success) {
            let count = Scale.gate.isSmall ? 4_000 : 10_000
            let one = MutableNode(1)
            let head = Node<Int>()
            var (before, last): (Node<Int>, Node<Int>) = (head, combine(head, one).map { $0.0 })
            for _ in 0..<count { (before, last) = (last, combine(before, last).map { $0.0 }) }
            let below = (0..<count).reduce(one as Node<Int>) { below, _ in combine(below, one).map { $0.0 } }
            limitWork(toSeconds: 2, at: Scale.gate)
            head.link(to: below.filter { _ in false })
            one.value = 2
            withExtendedLifetime(last) {}
        }
    }

    @Test("linking above long and short ways that part and meet again visits each combination once")
    func longAndShortWays() async {
        await #expect(processExitsWith: .success) {
            let count = Scale.gate.isSmall ? 1_600 : 4_000
            let one = MutableNode(1)
            let head = Node<Int>()
            let end = (0..<count).reduce(head) { end, _ in
                let long = combine(combine(end, one).map { $0.0 }, one).map { $0.0 }
                let short = combine(end, one).map { $0.0 }
                return combine(long, short).map { $0.0 }
            }
            let below = (0..<3 * count).reduce(one as Node<Int>) { below, _ in combine(below, one).map { $0.0 } }
            limitWork(toSeconds: 2, at: Scale.gate)
            head.link(to: below.filter { _ in false })
            withExtendedLifetime(end) {}
        }
    }

    @Test("a set costs as much when two threads take turns as when one sets alone")
    func turns() async {
        await #expect(processExitsWith: .success) {
            let count = Scale.gate.isSmall ? 8_000 : 20_000
            let (a, b) = (MutableNode(0), MutableNode(0))
            let above = (0..<count).reduce(a as Node<Int>) { end, _ in end.map { $0 } }
            let sum = combine(above, b).mapEach { $0 + $1 }
            let last = (0..<count).reduce(sum) { end, _ in end.map { $0 } }
            limitWork(toSeconds: 2, at: Scale.gate)
            for turn in 1...6 {
                if turn.isMultiple(of: 2) { a.value = turn } else { Worker { a.value = turn }.join() }
                precondition(last.value == turn)
            }
        }
    }

    @Test("recording an arrival at a combination costs as much below thousands of combinations as at the top")
    func recordedLattice() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder(sites: false)
            let size = Scale.gate.isSmall ? 30 : 100
            let tops = (0..<size).map { MutableNode($0) }
            var row: [Node<Int>] = tops
            for _ in 0..<size {
                row = row.indices.map { combine(row[$0], row[($0 + 1) % row.count]) { $0 &+ $1 } }
            }
            limitWork(toSeconds: Scale.gate.isSmall ? 3 : 20)
            batch { for top in tops { top.value = 1 } }
            precondition(!recorder.events().isEmpty)
        }
    }

    @Test("to make and to drop an operator costs as much beside thousands of rings through combinations as alone")
    func ringsElsewhere() async {
        await #expect(processExitsWith: .success) {
            limitWork(toSeconds: 2, at: Scale.gate)
            let links = CancelableBag()
            var kept: [AnyNode] = []
            let count = Scale.gate.isSmall ? 3_000 : 4_000
            for _ in 0..<count {
                let (a, b) = (MutableNode(1), MutableNode(1))
                let sum = combine(a, b).mapEach { ($0 + $1) % 100 }
                links.add(a.link(to: sum))
                kept += [a, b, sum]
            }
            let other = MutableNode(1)
            for _ in 0..<2 * count { _ = other.map { $0 } }
            links.cancel()
            withExtendedLifetime(kept) {}
        }
    }

    @Test(
        "to begin a listening costs as much beside thousands of plain objects that listen as alone",
        .disabled(if: Scale.isSanitized, "the weak references of what listened are no leak, but are taken for one"))
    func plainListenersElsewhere() async {
        await #expect(processExitsWith: .success) {
            let node = MutableNode(0), count = Scale.gate.isSmall ? 2_000 : 4_000
            let objects = (0..<count).map { _ in PlainObject() }
            for object in objects { node.listened(by: object).with { _ in } }
            limitWork(toSeconds: 2, at: Scale.gate)
            let other = MutableNode(0)
            for _ in 0..<5 * count { other.listened(by: Lifetime()).with { _ in } }
            withExtendedLifetime(objects) {}
        }
    }

    @Test(
        "transforms that are held, and whose nodes go, are left by these at a cost each that does not grow with their number"
    )
    func danglingTransforms() async {
        await #expect(processExitsWith: .success) {
            limitWork(toSeconds: 2, at: Scale.gate)
            let source = MutableNode(0)
            var nodes = (0..<(Scale.gate.isSmall ? 16_000 : 40_000)).map { index in source.map { $0 + index } }
            let transforms = source.downstreamTransforms
            nodes = []
            precondition(source.downstreamTransforms.count == transforms.count && nodes.isEmpty)
            source.value = 1
        }
    }

    @Test(
        "a batch's memory does not grow with the number of times that it sets a node", .disabled(if: Scale.isSanitized))
    func memoryOfABatch() async {
        await #expect(processExitsWith: .success) {
            let times = Scale.gate.isSmall ? 50_000 : 200_000
            let (step, other) = (MutableNode(0), MutableNode(0))
            let sum = combine(step.map { $0 }, other).mapEach { $0 + $1 }
            func set(_ times: Int) { for turn in 1...times { step.value = turn } }
            set(100)
            let grown = batch {
                set(100)
                let before = heap_bytes_in_use()
                set(times)
                return heap_bytes_in_use() - before
            }
            precondition(grown < 1 << 20, "\(grown) bytes")
            precondition(sum.value == times)
        }

    }

    @Test(
        "a lifetime's memory does not grow with the connections that were made by it and cancelled since",
        .disabled(if: Scale.isSanitized))
    func cancelledConnections() async {
        await #expect(processExitsWith: .success) {
            let model = MutableNode(1), field = MutableNode<Int>(), screen = Lifetime()
            @inline(never) func connect(_ count: Int) {
                for _ in 0..<count {
                    Node<Int>().link(to: model).cancelled(by: screen).cancel()
                    field.sync(with: model).cancelled(by: screen).cancel()
                    model.listened(by: screen).with { _ in }.cancel()
                }
                // All are held at a time, and then cancelled.
                let nodes = (0..<count).map { _ in Node<Int>() }
                for link in nodes.map({ $0.link(to: model).cancelled(by: screen) }) { link.cancel() }
            }
            connect(100)
            let before = heap_bytes_in_use()
            connect(2_000)
            let grown = heap_bytes_in_use() - before
            precondition(grown < 10_000, "\(grown) bytes")
        }
    }

    @Test(
        "a recorder's memory does not grow with the number of times that a thread links and cuts",
        .disabled(if: Scale.isSanitized))
    func memoryOfLinking() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder(capacity: 1_024, sites: false)
            let source = MutableNode<Int>()
            func link(_ times: Int) { for _ in 0..<times { _ = source.map { $0 + 1 } } }
            if Scale.gate.isSmall { ObjectRegistry.goneLimit.store(5_000, ordering: .relaxed) }
            // By then as many nodes that have gone are remembered as ever are.
            link(Scale.gate.scaled(160_000))
            let before = heap_bytes_in_use()
            link(Scale.gate.scaled(60_000))
            let after = heap_bytes_in_use()
            precondition(after < before + Scale.gate.scaled(1 << 20), "\(before) bytes, and then \(after)")
            precondition(recorder.evicted > 0)
        }
    }

    private final class PlainObject: Sendable {}
}
#endif
