import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// Heights rise and fall while other threads link and cut: combinations fire once, after all upstream of them, all the
    /// same.
    @Suite("Heights that change meanwhile", .serialized) struct HeightsTests {
        /// A node below five combinations in a row.
        private static func deep() -> Node<Int> {
            let other = MutableNode(0)
            return (0..<5).reduce(MutableNode(0) as Node<Int>) { node, _ in combine(node, other).mapEach { $0 + $1 } }
        }
        /// A node below `length` combinations in a row, each with `other`.
        private static func row(of length: Int, with other: Node<Int>) -> Node<Int> {
            (0..<length).reduce(other) { node, _ in combine(node, other).mapEach { $0 + $1 } }
        }

        @Test("an edge that is linked between two nodes that are about to rise raises its target as far as it needs")
        func linkedInBetween() throws {
            try explore("a rise, and a link between two that are to rise", [0]) { scene in
                let (risen, other) = (scene.node("risen", 0), scene.node("other", 0))
                let between = scene.named("between", Node<Int>())
                between.link(to: risen)
                // It is as high as the combination that it is to follow.
                between.link(to: combine(risen, other).mapEach { $0 + $1 })
                let first = scene.named("first", combine(between, other).mapEach { $0 + $1 })
                let upper = scene.named("upper", combine(risen, other).mapEach { $0 + $1 })
                let second = scene.named("second", combine(between, other).mapEach { $0 + $1 })
                let deep = Self.deep()
                scene.thread("raises") { risen.link(to: deep) }
                scene.thread("links") { between.link(to: upper) }
                scene.sees {
                    let ears = [Ear(first), Ear(second)]
                    other.value = 1
                    return ears.map { $0.events.count }
                } model: { _ in
                    [2, 2]
                }
            }
        }

        @Test("a node that falls stays above a node that is linked to it meanwhile, also where it has other links")
        func linkedInAFall() throws {
            try exploreFall("a link is cut, and another is made meanwhile") { scene, _, high in
                scene.thread("cuts") { high.cancel() }
            }
        }

        @Test("a combination that falls as it fires stays above a node that is linked to it meanwhile")
        func combinationLinkedInAFall() throws {
            try exploreFall("a combination falls, and gets a higher input meanwhile") { scene, source, high in
                high.cancel()
                scene.thread("sets") { source.value = 1 }
            }
        }
        /// Explores a thread that makes an input of a combination fall, beside one that links the input to a higher node.
        /// The input follows a source as well, and at first, by the last argument of `falls`, a node that is higher still.
        /// If `ofInput` is true, an input of the input is linked instead, and so rises.
        private func exploreFall(
            _ name: String, ofInput: Bool = false,
            _ falls: @escaping (Scene<[Int]>, MutableNode<Int>, any Cancelable) -> Void
        ) throws {
            try explore(name, [0]) { scene in
                let (source, other) = (scene.node("source", 0), scene.node("other", 0))
                let input = ofInput ? scene.named("input", Node<Int>()) : nil
                input?.link(to: source)
                let relay = scene.named("relay", Node<Int>())
                relay.link(to: input ?? source)
                let high = relay.link(to: Self.deep())
                let sum = scene.named("sum", combine(relay, other).mapEach { $0 + $1 })
                let upper = scene.named("upper", Self.row(of: 3, with: other))
                falls(scene, source, high)
                scene.thread("links") { (input ?? relay).link(to: upper) }
                scene.sees {
                    let ear = Ear(sum)
                    other.value = 1
                    return [ear.events.count]
                } model: { _ in
                    [2]
                }
            }
        }

        @Test("a node that falls stays above an input that rises meanwhile")
        func inputRisesInAFall() throws {
            try exploreFall("a link is cut, and another input rises meanwhile", ofInput: true) { scene, _, high in
                scene.thread("cuts") { high.cancel() }
            }
        }

        @Test("two nodes that rise at once raise a combination of both as far as the higher one needs")
        func twoRises() throws {
            try explore("two rises that meet", [0]) { scene in
                let other = scene.node("other", 0)
                let inputs = ["low", "high"].map { scene.named($0, Node<Int>()) }
                let sum = scene.named("sum", combine(inputs[0], inputs[1], other).mapEach { $0 + $1 + $2 })
                let last = scene.named("last", combine(sum, other).mapEach { $0 + $1 })
                for (place, input) in inputs.enumerated() {
                    let row = scene.named("row", Self.row(of: 2 + place, with: other))
                    scene.thread("raises \(place)") { input.link(to: row) }
                }
                scene.sees {
                    let ears = [Ear(sum), Ear(last)]
                    other.value = 1
                    return ears.map { $0.events.count }
                } model: { _ in
                    [2, 2]
                }
            }
        }

        @Test("an edge that is linked in the middle of a rise, and closes a ring then, may be cut before that is noted")
        func cutWhileClosing() throws {
            try explore("a rise, and a link that closes a ring meanwhile and is cut", [0]) { scene in
                let (risen, other) = (scene.node("risen", 0), scene.node("other", 0))
                let below = scene.named("below", Node<Int>())
                let link = below.link(to: risen)
                let upper = scene.named("upper", combine(below, other).mapEach { $0 + $1 })
                let deep = Self.deep()
                scene.thread("raises") { risen.link(to: deep) }
                scene.thread("links and cuts") { risen.link(to: upper).cancel() }
                scene.sees {
                    link.cancel()
                    return [risen, below].map { $0.upstreamTransforms.count }
                } model: { _ in
                    [1, 0]
                }
            }
        }
    }
}
