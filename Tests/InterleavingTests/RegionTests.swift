import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// Graphs that become one while others set them.
    @Suite("Graphs that are linked", .serialized) struct RegionTests {
        /// Two graphs, and a node in each that may follow the other graph.
        private struct Linked: Hashable, Sendable {
            var a = 1, b = 2
            var inA: Int?, inB: Int?
            var isLinkedA = false, isLinkedB = false

            mutating func linkA() { (isLinkedA, inA) = (true, b) }
            mutating func linkB() { (isLinkedB, inB) = (true, a) }
            mutating func set(a: Int, b: Int) {
                (self.a, self.b) = (a, b)
                if isLinkedA { inA = b }
                if isLinkedB { inB = a }
            }
        }
        @Test("two threads link two graphs from both sides, while a third sets both in a batch")
        func bothSides() throws {
            try explore("two graphs that are linked from both sides, and a batch", Linked()) { scene in
                let a = scene.node("a", 1), b = scene.node("b", 2)
                let inA = MutableNode<Int>(), inB = MutableNode<Int>()
                let pairs = [combine(a, inA), combine(b, inB)]
                scene.thread("links a") {
                    inA.link(to: b)
                } model: {
                    $0.linkA()
                }
                scene.thread("links b") {
                    inB.link(to: a)
                } model: {
                    $0.linkB()
                }
                scene.thread("sets") {
                    batch {
                        a.value = 10
                        b.value = 20
                    }
                } model: {
                    $0.set(a: 10, b: 20)
                }
                scene.sees {
                    withExtendedLifetime(pairs) {
                        Linked(
                            a: a.current, b: b.current, inA: inA.value, inB: inB.value,
                            isLinkedA: inA.upstreamNodes == [b], isLinkedB: inB.upstreamNodes == [a])
                    }
                }
            }
        }
        @Test("two threads batch two nodes while a third makes a combination of them: no firing is half")
        func twoWriters() throws {
            struct Model: Hashable, Sendable {
                var a = 0, b = 0, isHalf = false
            }
            try explore("two batches, and a combination that is made", Model()) { scene in
                let a = scene.node("a", 0), b = scene.node("b", 0)
                let kept = Locked<[AnyNode]>([]), isHalf = Locked(false), lifetime = Lifetime()
                for value in 1...2 {
                    scene.thread("batches \(value)") {
                        batch {
                            a.value = value
                            b.value = value
                        }
                    } model: {
                        ($0.a, $0.b) = (value, value)
                    }
                }
                scene.thread("combines") {
                    let pair = combine(a, b)
                    pair.listened(by: lifetime).with { if $0 != $1 { isHalf.value = true } }
                    kept.withLock { $0.append(pair) }
                } model: { _ in
                }
                scene.sees { Model(a: a.current, b: b.current, isHalf: isHalf.value) }
            }
        }
        @Test("a graph that a batch has found busy is not linked to the batch's other graph before the batch is over")
        func linkAmidBatch() throws {
            struct Model: Hashable, Sendable {
                var a = 0, inA = 0, isHalf = false
            }
            try explore("a batch over two graphs, and a link by the owner of one", Model()) { scene in
                let a = scene.node("a", 0), b = scene.node("b", 0), other = scene.node("other", 0)
                let inA = scene.named("in a", MutableNode(0)), pair = scene.named("pair", combine(a, inA, other))
                let isHalf = Locked(false), lifetime = Lifetime()
                pair.listened(by: lifetime).with { a, inA, _ in if a == 0, inA == 1 { isHalf.value = true } }
                scene.thread("batches") {
                    batch {
                        b.value = 1
                        a.value = 1
                    }
                }
                scene.thread("links") {
                    batch {
                        other.value = 1
                        inA.link(to: b)
                    }
                }
                scene.sees {
                    withExtendedLifetime(lifetime) { Model(a: a.current, inA: inA.current, isHalf: isHalf.value) }
                } model: { _ in
                    Model(a: 1, inA: 1)
                }
            }
        }
    }
}
