import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// What is cut receives nothing more, and what it received before stays.
    @Suite("Sets while something is cut", .serialized) struct CuttingTests {
        /// A target that follows a source for a while.
        struct Followed: Hashable, Sendable {
            var source = 1
            var target: Int? = 1
            var isLinked = true
            /// What the target held when the cut had returned.
            var left: Int?

            mutating func set(_ value: Int) {
                source = value
                if isLinked { target = value }
            }
        }
        private func cutting(
            _ name: String, by cut: @escaping @Sendable (any Cancelable, AnyEdge, MutableNode<Int>) -> Void
        ) throws {
            try explore(name, Followed()) { scene in
                let source = scene.node("source", 1)
                let target = scene.node("target", of: Int.self)
                let link = target.link(to: source)
                let edge = target.upstreamTransforms[0]
                let left = Locked<Int?>(nil)
                scene.thread("sets", setting: source, to: 2, 3) { $0.set($1) }
                scene.thread("cuts") {
                    cut(link, edge, target)
                } model: {
                    $0.isLinked = false
                }
                .then {
                    left.value = target.value
                } model: {
                    $0.left = $0.target
                }
                scene.sees {
                    Followed(source: source.value!, target: target.value, isLinked: false, left: left.value)
                }
            }
        }

        @Test("a link is cancelled while its source is set: nothing comes after that")
        func cancelLink() throws { try cutting("a set and a cancel of a link") { link, _, _ in link.cancel() } }
        @Test("a transform is cut while its source is set: nothing comes after that")
        func cutEdge() throws { try cutting("a set and a cut") { _, edge, _ in edge.cancel() } }
        @Test("a target loses its edge's end while the source is set: nothing comes after that")
        func disconnectTo() throws {
            try cutting("a set and an end taken away") { _, edge, _ in (edge as? Transform<Int, Int>)?.to = nil }
        }
        @Test(
            "an operator's edge is cut while its source is set: nothing comes after that",
            arguments: ExploredOperator.simple)
        func cutOperator(_ tested: ExploredOperator) throws {
            struct Model: Hashable, Sendable {
                var seen = [1]
                var isLinked = true
                /// What the operator's node held when the cut had returned.
                var left: Int?

                mutating func set(_ value: Int) { if isLinked { seen.append(value) } }
            }
            try explore("a set and a cut: \(tested.name)", Model()) { scene in
                let source = scene.node("source", 1)
                let result = scene.named("result", tested.attach(source))
                let left = Locked<Int?>(nil)
                scene.thread("sets", setting: source, to: 2, 3) { $0.set($1) }
                scene.thread("cuts") {
                    result.upstreamTransforms[0].cancel()
                } model: {
                    $0.isLinked = false
                }
                .then {
                    left.value = result.value
                } model: {
                    $0.left = tested.outputs($0.seen).last
                }
                scene.sees {
                    [result.value, left.value]
                } model: {
                    [tested.outputs($0.seen).last, $0.left]
                }
            }
        }
        @Test("the end of a take(until:) is reached while its source is set: nothing comes after that")
        func takeUntil() throws {
            struct Model: Hashable, Sendable {
                var last = 1
                var isOver = false
                /// What the result held when the end had been set.
                var left: Int?
            }
            try explore("a set and the end of a take(until:)", Model()) { scene in
                let source = scene.node("source", 1), end = scene.node("end", of: Int.self)
                let result = scene.named("result", source.take(until: end))
                let left = Locked<Int?>(nil)
                scene.thread("sets", setting: source, to: 2) { if !$0.isOver { $0.last = $1 } }
                scene.thread("ends") {
                    end.value = 0
                } model: {
                    $0.isOver = true
                }
                .then {
                    left.value = result.value
                } model: {
                    $0.left = $0.last
                }
                scene.sees {
                    [result.value, left.value]
                } model: {
                    [$0.last, $0.left]
                }
            }
        }
        @Test("a result is emptied while the edge is cut: nothing comes after that")
        func cutWhileEmptied() throws {
            struct Model: Hashable, Sendable {
                var now: Int? = 1
                var isLinked = true
                /// What the result held when the cut had returned, if it held anything.
                var left: [Int?] = []
            }
            try explore("a result is emptied and a cut", Model()) { scene in
                let outer = scene.node("outer", Node(1) as Node<Int>)
                let result = scene.named("result", outer.flatten())
                let edge = result.upstreamTransforms.first { $0.name == "Flatten" }!
                let left = Recorder<Int?>()
                scene.thread("empties") {
                    outer.value = Node<Int>()
                } model: {
                    if $0.isLinked { $0.now = nil }
                }
                scene.thread("cuts") {
                    edge.cancel()
                } model: {
                    $0.isLinked = false
                }
                .then {
                    left.record(result.value)
                } model: {
                    $0.left = [$0.now]
                }
                scene.sees {
                    [result.value] + left.events
                } model: {
                    [$0.now] + $0.left
                }
            }
        }
        @Test("a link is cancelled while source and target are set: nothing waits in the target's queue")
        func cancelWithQueue() throws {
            try CuttingTests.cancelling("a set, a set of the target, and a cancel", settingTargetTo: 3...3)
        }
        /// A link is cancelled while its source is set, and its target to each of `values`.
        static func cancelling(_ name: String, settingTargetTo values: ClosedRange<Int>) throws {
            try explore(name, CutTarget(target: 1)) { scene in
                let source = scene.node("source", 1)
                let target = scene.node("target", 0)
                let link = target.link(to: source)
                let left = Recorder<Int>()
                scene.thread("sets the source", setting: source, to: 2) { if $0.isLinked { $0.target = $1 } }
                    .thenCuts(target, left: left) { link.cancel() }
                scene.sets("sets the target", target, values) { $0.target = $1 }
                scene.sees { CutTarget(target: target.value!, isLinked: false, left: left.last) }
            }
        }
        @Test("a listening is cancelled while its node is set")
        func cancelListening() throws {
            try explore("a set and a cancel of a listening", Heard(1)) { scene in
                let node = scene.node("node", 1)
                let ear = Ear<Int>()
                let listening = ear.listen(to: node)
                scene.thread("sets", setting: node, to: 2, 3) { $0.set($1) }
                scene.thread("cancels") {
                    listening.cancel()
                } model: {
                    $0.listens = false
                }
                scene.sees { Heard(node.value, heard: ear.events, listens: false) }
            }
        }
        @Test("a lifetime goes while its node is set")
        func lifetimeGoes() throws {
            try explore("a set and a lifetime that goes", Heard(1)) { scene in
                let node = scene.node("node", 1)
                let ear = Ear(node)
                scene.thread("sets", setting: node, to: 2, 3) { $0.set($1) }
                scene.thread("lets go") {
                    ear.close()
                } model: {
                    $0.listens = false
                }
                scene.sees { Heard(node.value, heard: ear.events, listens: false) }
            }
        }
        @Test("a lifetime goes while its listening is given another one: that one hears, unless the end came first")
        func anotherLifetime() throws {
            /// Who listens, and how often it was heard.
            struct Model: Hashable, Sendable {
                var isLinked = true
                var isOther = false
                var heard = 1
            }
            try explore("a lifetime that goes and another listener", Model()) { scene in
                let node = scene.node("node", 1)
                let (first, other) = (Locked<Lifetime?>(Lifetime()), Lifetime())
                let heard = Recorder<Int>()
                node.listened(by: first.value!).with { heard.record($0) }
                let edge = node.listenEdges[0] as! ListenEdge<Int>
                scene.thread("lets go") {
                    first.value = nil
                } model: {
                    if !$0.isOther { $0.isLinked = false }
                }
                scene.thread("gives it another") {
                    edge.to = other
                } model: {
                    $0.isOther = true
                    if $0.isLinked { $0.heard += 1 }
                }
                scene.sees { Model(isLinked: edge.from != nil, isOther: edge.to === other, heard: heard.events.count) }
            }
        }
        @Test("a listener that is any object goes while its node is set, and another one comes")
        func objectGoes() throws {
            final class Plain: Sendable {}
            try explore("a set and a listener that goes", [Heard(1), Heard(1, listens: false)]) { scene in
                let node = scene.node("node", 1)
                let listeners = [Locked<Plain?>(Plain()), Locked<Plain?>(Plain())]
                let recorders = [Recorder<Int>(), Recorder<Int>()]
                let listen: @Sendable (Int) -> Void = { index in
                    node.listened(by: listeners[index].value!).with { [recorder = recorders[index]] in
                        recorder.record($0)
                    }
                }
                listen(0)
                scene.thread("sets", setting: node, to: 2, 3) { for index in 0...1 { $0[index].set($1) } }
                scene.thread("lets go") {
                    listeners[0].value = nil
                } model: {
                    $0[0].listens = false
                }
                scene.thread("attaches") {
                    listen(1)
                } model: {
                    $0[1].attach()
                }
                scene.sees {
                    [
                        Heard(node.value, heard: recorders[0].events, listens: false),
                        Heard(node.value, heard: recorders[1].events),
                    ]
                }
            }
        }
        @Test("the last handle of a node downstream goes while its source is set", arguments: ExploredOperator.all)
        func handleGoes(_ tested: ExploredOperator) throws {
            struct Model: Hashable, Sendable {
                var source = 1
                var isThere = true
                /// How many values the listener of another node has heard.
                var other = [1]
            }
            try explore("a set and a last handle that goes: \(tested.name)", Model()) { scene in
                let source = scene.node("source", 1)
                let result = Locked<Node<Int>?>(tested.attach(source))
                let ear = Ear(source.map { $0 })
                for value in 2...3 {
                    scene.thread("sets \(value)") {
                        source.value = value
                    } model: {
                        $0.source = value
                        $0.other.append(value)
                    }
                }
                scene.thread("lets go") {
                    result.value = nil
                } model: {
                    $0.isThere = false
                }
                scene.sees { Model(source: source.value!, isThere: false, other: ear.events) }
            }
        }
        @Test("a value of the node itself goes with it: nothing is left over")
        func nothingIsLeft() throws {
            try explore("a set and a chain that goes", [String]()) { scene in
                let tracker = LifetimeTracker()
                let source = Locked<MutableNode<Tracked>?>(MutableNode(tracker.track("first")))
                let end = Locked<Node<Tracked>?>(source.value!.map { $0 }.map { $0 })
                scene.thread("sets") {
                    source.value?.value = tracker.track("second")
                }
                .then {
                    source.value = nil
                }
                scene.thread("lets go") {
                    end.value = nil
                }
                scene.sees { tracker.live }
            }
        }
    }
}
