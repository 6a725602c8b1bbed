import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// What is computed is up to date at rest, and no call sees half of what another thread sets.
    @Suite("Computed nodes", .serialized) struct ComputedTests {
        /// A choice, two values, and what was made of them: none of the values, or both.
        struct Choice: Hashable, Sendable {
            var choice: Int
            var pair = [0, 0]
            var shown: [[Int]]

            init(_ choice: Int, pair: [Int] = [0, 0], shown: [[Int]]? = nil) {
                self.choice = choice
                self.pair = pair
                self.shown = shown ?? [[]]
                if shown == nil { self.shown = [made] }
            }
            var made: [Int] { choice == 0 ? [] : pair }
            mutating func settle() { if shown.last != made { shown.append(made) } }
        }
        private func changingRead(
            _ name: String, from start: Int, to end: Int,
            reading nodes: @escaping @Sendable ([MutableNode<Int>]) -> [Node<Int>]
        ) throws {
            try explore(name, Choice(start)) { scene in
                let choice = scene.node("choice", start)
                let pair = [scene.node("first", 0), scene.node("second", 0)]
                let read = nodes(pair)
                let made = computed { reader in
                    guard try reader(choice) == 1 else { return [Int]() }
                    return try read.map { try reader($0) }
                }
                let ear = Ear(scene.named("made", made))
                scene.thread("chooses", setting: choice, to: end) { $0.choice = $1 }
                scene.thread(
                    "sets both", { batch { for node in pair { node.value = 1 } } },
                    parts: [{ $0.pair[0] = 1 }, { $0.pair[1] = 1 }])
                scene.settles { $0.settle() }
                scene.sees { Choice(choice.value!, pair: pair.map { $0.value! }, shown: ear.events) }
            }
        }

        @Test("a read is added while another thread sets the nodes that are read: no half of a batch is seen")
        func readComes() throws {
            try changingRead("a read that comes, and a batch", from: 0, to: 1) { $0 }
        }
        @Test("a read is dropped while another thread sets the nodes that are read: no half of a batch is seen")
        func readGoes() throws {
            try changingRead("a read that goes, and a batch", from: 1, to: 0) { $0 }
        }
        @Test("a read of a node derived from the values is added while another thread sets them")
        func readOfMapsComes() throws {
            try changingRead("a read of maps that comes, and a batch", from: 0, to: 1) { $0.map { $0.map { $0 } } }
        }
        @Test("two threads set the values that a computed node reads: its last call is up to date")
        func twoSets() throws {
            try explore("two sets of what is computed of both", CombiningTests.Inputs([0, 0])) { scene in
                let inputs = [scene.node("first", 0), scene.node("second", 0)]
                let ear = Ear(scene.named("both", computed { read in try inputs.map { try read($0) } }))
                for index in 0...1 {
                    scene.thread("sets \(index)", setting: inputs[index], to: 1) { $0.now[index] = $1 }
                }
                scene.settles { $0.settle() }
                scene.sees { .init(inputs.map { $0.value! }, shown: ear.events) }
            }
        }
        @Test("a computed node that is about to stop reading another closes no ring, at any moment")
        func waysThatTurn() throws {
            try explore("two that are computed of one another in turns", ["x": 0, "y": 0, "a": 0]) { scene in
                let x = scene.node("x", 0), y = scene.node("y", 0), c = scene.node("c", 5)
                let other = Locked<Node<Int>?>(nil)
                let a = scene.named("a", computed { read in try read(x) == 1 ? read(other.value!) : 0 })
                other.value = scene.named("b", computed { read in try read(y) == 1 ? read(c) : read(a) })
                scene.thread("has b leave a", setting: y, to: 1) { $0["y"] = $1 }
                scene.thread("then has a read b") {
                    if y.value == 1 { x.value = 1 }
                } model: {
                    if $0["y"] == 1 { $0["x"] = 1 }
                }
                scene.settles { $0["a"] = $0["x"] == 1 ? 5 : 0 }
                scene.sees {
                    other.value = nil
                    return ["x": x.value!, "y": y.value!, "a": a.value!]
                }
            }
        }

        @Test("a pulse and a set of two threads: after both, the body reads the value that the node has again")
        func pulse() throws {
            try explore("a pulse and a set that a body reads", [1, 10, 7]) { scene in
                let tap = MutableNode<Int>(), base = scene.node("base", 1), factor = scene.node("factor", 10)
                let merged = merge(tap, base)
                let made = scene.named("made", computed { read in try read(merged) * read(factor) })
                scene.thread("pulses") { tap.pulse(5) }
                scene.thread("sets", setting: factor, to: 20) { $0[1] = $1 }
                scene.sees {
                    let set = factor.value!
                    factor.value = 7
                    return [merged.value!, set, made.value!]
                }
            }
        }
        @Test("a computed goes while its input is set: nothing is left behind")
        func goes() throws {
            try explore("a set, and a computed that goes", [1, 0]) { scene in
                let source = scene.node("source", 1)
                let made = Locked<Node<Int>?>(computed { read in try read(source) * 10 })
                scene.thread("sets", setting: source, to: 2) { $0[0] = $1 }
                scene.thread("lets go") { made.value = nil }
                scene.sees { [source.value!, source.downstreamTransforms.count] }
            }
        }
    }
}
