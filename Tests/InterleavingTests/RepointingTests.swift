import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// An edge follows its present source alone, and feeds its present target alone.
    @Suite("Edges that are re-pointed", .serialized) struct RepointingTests {
        /// One edge, its possible ends, and what they hold.
        struct Ends: Hashable, Sendable {
            var sources: [Int]
            var targets: [Int?]
            var from: Int?
            var to: Int?

            mutating func set(_ source: Int, _ value: Int) {
                sources[source] = value
                if from == source { send() }
            }
            /// The end is another one, and then the source's value follows; unless another change comes between.
            static func point(from source: Int?) -> [(inout Ends) -> Void] {
                [{ $0.from = source }, { if $0.from == source { $0.send() } }]
            }
            static func point(to target: Int?) -> [(inout Ends) -> Void] {
                [{ $0.to = target }, { if $0.to == target { $0.send() } }]
            }
            private mutating func send() {
                if let from, let to { targets[to] = sources[from] }
            }
        }
        /// Two or three sources, two targets, and an edge between the first ones.
        private final class Stage: Sendable {
            let sources: [MutableNode<Int>]
            let targets: [MutableNode<Int>]
            let edge = LinkTransform<Int>()

            init(_ scene: Scene<Ends>, sources: Int = 2) {
                self.sources = (0..<sources).map { scene.node("source \($0)", $0 * 10) }
                targets = (0..<2).map { scene.node("target \($0)", of: Int.self) }
                edge.from = self.sources[0]
                edge.to = targets[0]
                scene.sees { [self] in
                    Ends(
                        sources: self.sources.map { $0.value! }, targets: targets.map(\.value),
                        from: self.sources.firstIndex { $0 === edge.from }, to: targets.firstIndex { $0 === edge.to })
                }
            }
        }
        private let model = Ends(sources: [0, 10], targets: [0, nil], from: 0, to: 0)

        @Test("an edge is pointed at another source while the old one is set")
        func fromAndOldSource() throws {
            try explore("a set of the old source and a re-pointed from", model) { scene in
                let stage = Stage(scene)
                scene.thread("sets", setting: stage.sources[0], to: 1, 2) { $0.set(0, $1) }
                scene.thread("re-points", { stage.edge.from = stage.sources[1] }, parts: Ends.point(from: 1))
            }
        }
        @Test("an edge is pointed at another source while that is set")
        func fromAndNewSource() throws {
            try explore("a set of the new source and a re-pointed from", model) { scene in
                let stage = Stage(scene)
                scene.thread("sets", setting: stage.sources[1], to: 11, 12) { $0.set(1, $1) }
                scene.thread("re-points", { stage.edge.from = stage.sources[1] }, parts: Ends.point(from: 1))
            }
        }
        @Test("an edge is pointed at another target while its source is set")
        func toAndSource() throws {
            try explore("a set and a re-pointed to", model) { scene in
                let stage = Stage(scene)
                scene.thread("sets", setting: stage.sources[0], to: 1, 2) { $0.set(0, $1) }
                scene.thread("re-points", { stage.edge.to = stage.targets[1] }, parts: Ends.point(to: 1))
            }
        }
        @Test("two threads point one edge at two sources")
        func fromAndFrom() throws {
            let model = Ends(sources: [0, 10, 20], targets: [0, nil], from: 0, to: 0)
            try explore("two re-pointed froms", model) { scene in
                let stage = Stage(scene, sources: 3)
                scene.thread("re-points to 1", { stage.edge.from = stage.sources[1] }, parts: Ends.point(from: 1))
                scene.thread("re-points to 2", { stage.edge.from = stage.sources[2] }, parts: Ends.point(from: 2))
            }
        }
        @Test("one thread points an edge at another source, the other at another target")
        func fromAndTo() throws {
            try explore("a re-pointed from and a re-pointed to", model) { scene in
                let stage = Stage(scene)
                scene.thread("re-points from", { stage.edge.from = stage.sources[1] }, parts: Ends.point(from: 1))
                scene.thread("re-points to", { stage.edge.to = stage.targets[1] }, parts: Ends.point(to: 1))
                scene.thread("sets", setting: stage.sources[1], to: 11) { $0.set(1, $1) }
            }
        }
        @Test("two threads point one edge at two targets")
        func toAndTo() throws {
            try explore("two re-pointed tos", model) { scene in
                let stage = Stage(scene)
                scene.thread("re-points to 1", { stage.edge.to = stage.targets[1] }, parts: Ends.point(to: 1))
                scene.thread("takes away", { stage.edge.to = nil }, parts: Ends.point(to: nil))
                scene.thread("sets", setting: stage.sources[0], to: 1) { $0.set(0, $1) }
            }
        }
        @Test("an edge is re-pointed by one thread and cut by the other")
        func fromAndCut() throws {
            try explore("a re-pointed from and a cut", model) { scene in
                let stage = Stage(scene)
                scene.thread("re-points", { stage.edge.from = stage.sources[1] }, parts: Ends.point(from: 1))
                scene.thread("cuts") {
                    stage.edge.cancel()
                } model: {
                    $0.from = nil
                    $0.to = nil
                }
            }
        }
        @Test("an edge is re-pointed by a listener of its target, and cut: values that wait there never arrive")
        func fromInListenerAndCut() throws {
            try explore("a re-pointed from in a listener, and a cut", CutTarget(target: 0)) { scene in
                let sources = [0, 10].enumerated().map { scene.node("source \($0)", $1) }
                let target = scene.node("target", of: Int.self)
                let edge = LinkTransform<Int>()
                edge.from = sources[0]
                edge.to = target
                let (lifetime, left) = (Lifetime(), Recorder<Int>())
                target.listened(by: lifetime).with { if $0 == 5 { edge.from = sources[1] } }
                scene.thread(
                    "sets the target", { target.value = 5 },
                    parts: [{ $0.target = 5 }, { if $0.isLinked { $0.target = 10 } }])
                scene.thread("cuts") {
                    edge.cancel()
                } model: {
                    $0.isLinked = false
                }
                .thenLooks(at: target, left)
                scene.sees {
                    lifetime.cancel()
                    return CutTarget(target: target.value!, isLinked: edge.to != nil, left: left.last)
                }
            }
        }
        /// An operator's edge, the sources that it may follow, and what it has made of them.
        private struct Operated: Hashable, Sendable {
            var values = [1, 5, 7]
            var from = 0
            /// What the operator has seen of its present source.
            var seen = [1]
            var result: Int?

            init(_ tested: ExploredOperator) { result = tested.outputs(seen).last }

            mutating func point(to source: Int, _ tested: ExploredOperator) {
                from = source
                seen = [values[source]]
                if let last = tested.outputs(seen).last { result = last }
            }
            mutating func set(_ source: Int, _ value: Int, _ tested: ExploredOperator) {
                values[source] = value
                guard from == source else { return }
                seen.append(value)
                // What the operator drops leaves the result as it is.
                let outputs = tested.outputs(seen)
                if outputs.count > tested.outputs(seen.dropLast()).count { result = outputs.last }
            }
        }
        /// One thread for each of `targets`, which points the operator's edge there, while another one sets a source to each of
        /// `values`.
        private func operating(
            _ name: String, _ tested: ExploredOperator, pointingTo targets: [Int], setting source: Int,
            to values: [Int]
        ) throws {
            try explore("\(name): \(tested.name)", Operated(tested)) { scene in
                let sources = [1, 5, 7].enumerated().map { scene.node("source \($0)", $1) }
                let result = scene.named("result", tested.attach(sources[0]))
                let edge = result.upstreamTransforms[0] as! Transform<Int, Int>
                for index in targets {
                    scene.thread("re-points to \(index)") {
                        edge.from = sources[index]
                    } model: {
                        $0.point(to: index, tested)
                    }
                }
                let line = scene.thread("sets") {
                    sources[source].value = values[0]
                } model: {
                    $0.set(source, values[0], tested)
                }
                for value in values.dropFirst() {
                    line.then {
                        sources[source].value = value
                    } model: {
                        $0.set(source, value, tested)
                    }
                }
                scene.sees {
                    [sources.firstIndex { $0 === edge.from }, result.value]
                } model: {
                    [$0.from, $0.result]
                }
            }
        }
        @Test(
            "two threads re-point the edge of an operator with a state: it has that of its last source",
            arguments: ExploredOperator.simple)
        func operatorFrom(_ tested: ExploredOperator) throws {
            try operating("two re-pointed froms", tested, pointingTo: [1, 2], setting: 1, to: [6])
        }
        @Test(
            "an operator's edge is pointed at another source while the old one is set: nothing of that comes after",
            arguments: ExploredOperator.simple)
        func operatorFromAndOldSource(_ tested: ExploredOperator) throws {
            try operating(
                "a set of the old source and a re-pointed from", tested, pointingTo: [1], setting: 0, to: [2, 3])
        }
        @Test("two threads re-point one input of a combination: it is made of the one that stays")
        func combination() throws {
            struct Model: Hashable, Sendable {
                var from = 0
                var sum = 101
            }
            try explore("two re-pointed inputs of a combination", Model()) { scene in
                let sources = (0..<3).map { scene.node("source \($0)", $0 + 1) }
                let other = scene.node("other", 100)
                let pair = scene.named("pair", Node.combine([sources[0], other]))
                let sum = pair.map { $0.reduce(0, +) }
                let edge = pair.upstreamTransforms(from: sources[0])[0] as! Transform<Int, [Int]>
                for index in 1...2 {
                    scene.thread("re-points to \(index)") {
                        edge.from = sources[index]
                    } model: {
                        $0.from = index
                        $0.sum = 100 + index + 1
                    }
                }
                scene.sees { Model(from: sources.firstIndex { $0 === edge.source } ?? -1, sum: sum.value ?? -1) }
            }
        }
    }
}
