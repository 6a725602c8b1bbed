import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// Two threads reach one combination. The one that comes second waits, or is late, and nothing shows half of its
    /// transaction.
    @Suite("Combinations that two threads reach", .serialized) struct LeavingTests {
        private typealias Inputs = CombiningTests.Inputs

        @Test("an input that a batch's listener sets late is not missed by a combination that two threads reach")
        func lateInput() throws {
            try explore("a batch and a listener below a combination left to another thread", Inputs([0, 0, 0])) {
                scene in
                let (left, third, right) = (scene.node("left", 0), scene.node("third", 0), scene.node("right", 0))
                let late = scene.node("late", 0)
                let shared = scene.named("shared", combine(left, third)).mapEach { [$0, $1] }
                // It has the height of `shared`, and fires after it.
                let own = scene.named("own", combine(right, Node(0)))
                let lifetime = Lifetime()
                own.listened(by: lifetime).with { right, _ in late.value = right }
                let ear = Ear(scene.named("all", combine(shared, late)).mapEach { $0 + [$1] })
                scene.thread("batch") {
                    batch {
                        left.value = 1
                        right.value = 1
                    }
                } model: {
                    ($0.now[0], $0.now[2]) = (1, 1)
                }
                scene.thread("sets", setting: third, to: 7) { $0.now[1] = $1 }
                scene.settles { $0.settle() }
                scene.sees {
                    withExtendedLifetime(lifetime) { Inputs([left, third, late].map { $0.value! }, shown: ear.events) }
                }
            }
        }
        @Test("a combination of two that are left goes with both, though other threads hold them")
        func twoHeirs() throws {
            try explore("a batch above two combinations, each shared with another thread", Inputs([0, 0, 0, 0])) {
                scene in
                let inputs = (0...3).map { scene.node("input \($0)", 0) }
                let left = scene.named("left", combine(inputs[0], inputs[1])).mapEach { [$0, $1] }
                let right = scene.named("right", combine(inputs[2], inputs[3])).mapEach { [$0, $1] }
                let ear = Ear(scene.named("below", combine(left, right)).mapEach { $0 + $1 })
                scene.thread("batch") {
                    batch {
                        inputs[0].value = 1
                        inputs[2].value = 1
                    }
                } model: {
                    ($0.now[0], $0.now[2]) = (1, 1)
                }
                for index in [1, 3] {
                    scene.thread("sets \(index)", setting: inputs[index], to: 7) { $0.now[index] = $1 }
                }
                scene.settles { $0.settle() }
                scene.sees { Inputs(inputs.map { $0.value! }, shown: ear.events) }
            }
        }
        @Test("nodes downstream of an edge that is pointed at a shared combination are left with it")
        func repointing() throws {
            try exploreFollowing("a batch whose listener re-points an edge at a shared combination") { scene in
                let moved = scene.named("moved", Node(0).map { $0 })
                let edge = moved.upstreamTransforms[0] as! Transform<Int, Int>
                return (moved, { edge.from = $0 })
            }
        }
        @Test("nodes downstream of a flatten that is pointed at a shared combination are left with it")
        func flattening() throws {
            try exploreFollowing("a batch whose listener makes a flatten follow a shared combination") { scene in
                let choice = scene.node("choice", Node(0))
                return (choice.flatten(), { choice.value = $0 })
            }
        }
        /// Explores a batch whose listener makes a node follow a combination that is shared with another thread.
        /// `makeFollower` returns the node, and what makes it follow another one.
        private func exploreFollowing(
            _ name: String,
            _ makeFollower: @escaping (Scene<[Int]>) -> (follower: Node<Int>, follow: @Sendable (Node<Int>) -> Void)
        ) throws {
            try explore(name, [1, 1]) { scene in
                let (left, third, right) = (scene.node("left", 0), scene.node("third", 0), scene.node("right", 0))
                let shared = scene.named("shared", combine(left, third).mapEach { left, _ in left })
                let (follower, follow) = makeFollower(scene)
                let lifetime = Lifetime()
                scene.named("own", combine(right, Node(0))).listened(by: lifetime).with { right, _ in
                    if right == 1 { follow(shared) }
                }
                let ear = Ear(scene.named("all", combine(follower, right)).mapEach { [$0, $1] })
                scene.thread("batch") {
                    batch {
                        left.value = 1
                        right.value = 1
                    }
                }
                scene.thread("sets") {
                    third.value = 7
                }
                scene.sees {
                    withExtendedLifetime(lifetime) { ear.events.first { $0[0] != $0[1] } ?? ear.events.last! }
                }
            }
        }
        @Test("a computed node that begins to read a shared combination is left with it")
        func reading() throws {
            try explore("batches above a shared combination and a body that begins to read it", [1, 1, 1, 1]) { scene in
                let inputs = (0...3).map { scene.node("input \($0)", 0) }
                let shared = scene.named("shared", combine(inputs[0], inputs[1]).mapEach { [$0, $1] })
                let made = computed { read in
                    let others = [try read(inputs[2]), try read(inputs[3])]
                    return others == [0, 0] ? [0, 0, 0, 0] : try read(shared) + others
                }
                let ear = Ear(scene.named("made", made))
                for (one, other) in [(0, 2), (1, 3)] {
                    scene.thread("batch of \(one) and \(other)") {
                        batch {
                            inputs[one].value = 1
                            inputs[other].value = 1
                        }
                    }
                }
                scene.sees { ear.events.first { $0[0] != $0[2] || $0[1] != $0[3] } ?? ear.events.last! }
            }
        }
    }
}
