import ReactCore
import ReactScheduling
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// A node that follows a sequence, whose elements come while others set and end it.
    @Suite("Following a sequence", .serialized) struct FollowTests {
        /// A node that follows all values of another; its task goes on where `run` is called.
        private final class Following: Sendable {
            let copy: MutableNode<Int>
            let ear: Ear<Int>
            private let executor = HandExecutor(), lifetime = Locked<Lifetime?>(Lifetime())
            private let following: any Cancelable

            init(_ source: Node<Int>, _ scene: Scene<some Hashable & Sendable>) {
                copy = scene.node("copy", of: Int.self)
                ear = Ear(copy)
                let values = source.values(buffering: .all)
                following = copy.follow(values, in: lifetime.value!, executorPreference: executor)
                executor.run()
            }
            deinit { end() }
            func run() { executor.run() }
            // The runtime holds a lock of its own while it cancels the task.
            func cancel() { Point.alone { following.cancel() } }
            func letLifetimeGo() { Point.alone { lifetime.value = nil } }
            func end() {
                cancel()
                run()
            }
            var isOver: Bool { copy.upstreamTransforms.isEmpty }
        }

        @Test("sets against the task that follows: the node has them all, in order, and ends with the last")
        func sets() throws {
            try explore("sets and a following", [1]) { scene in
                let node = scene.node("node", 1)
                let following = Following(node, scene)
                scene.thread("sets 2", setting: node, to: 2) { $0.append($1) }
                scene.thread("sets 3", setting: node, to: 3) { $0.append($1) }
                scene.thread("follows") {
                    following.run()
                }
                .then {
                    following.run()
                }
                scene.sees {
                    following.run()
                    defer { following.end() }
                    return following.copy.value == node.value ? following.ear.events : []
                }
            }
        }
        @Test(
            "a set and the task that follows against its end: it releases both nodes, and the set value came first",
            arguments: [false, true])
        func end(withLifetime: Bool) throws {
            let how = withLifetime ? "a lifetime that goes" : "a cancel"
            try explore("a set, a following and \(how)", true) { scene in
                let node = scene.node("node", 1)
                let following = Following(node, scene)
                let left = Recorder<Int>()
                scene.thread("sets") {
                    node.value = 2
                }
                scene.thread("ends it") {
                    if withLifetime { following.letLifetimeGo() } else { following.cancel() }
                }
                .then {
                    left.record(following.copy.upstreamTransforms.count)
                }
                scene.thread("follows") {
                    following.run()
                }
                scene.sees {
                    following.run()
                    return following.isOver && left.events == [0] && !node.hasListener
                        && [1, 2].starts(with: following.ear.events)
                }
            }
        }
    }
}
