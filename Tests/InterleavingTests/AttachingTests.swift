import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// What is attached sees the present value, then every later one, once and in order.
    @Suite("Sets while something is attached", .serialized) struct AttachingTests {
        @Test("a set and an attach: the listener hears the present value, then every later one")
        func listener() throws {
            try explore("a set and an attach", Heard(1, listens: false)) { scene in
                let node = scene.node("node", 1)
                let ear = Ear<Int>()
                scene.thread("sets", setting: node, to: 2, 3) { $0.set($1) }
                scene.thread("attaches") {
                    ear.listen(to: node)
                } model: {
                    $0.attach()
                }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("a set, and a listener that ends in its first call: it is not called again")
        func endsInItsFirstCall() throws {
            try explore("a set, and a listener that ends in its first call", Heard(1, listens: false)) { scene in
                let node = scene.node("node", 1)
                let heard = Recorder<Int>(), lifetime = Lifetime()
                scene.thread("sets", setting: node, to: 2) { $0.set($1) }
                scene.thread("attaches") {
                    node.listened(by: lifetime).with {
                        heard.record($0)
                        lifetime.cancel()
                    }
                } model: {
                    $0.attach()
                    $0.listens = false
                }
                scene.sees { Heard(node.value, heard: heard.events, listens: false) }
            }
        }
        @Test("two threads set while a third attaches")
        func listenerOfTwo() throws {
            try explore("two sets and an attach", Heard(1, listens: false)) { scene in
                let node = scene.node("node", 1)
                let ear = Ear<Int>()
                scene.thread("sets 2", setting: node, to: 2) { $0.set($1) }
                scene.thread("sets 3", setting: node, to: 3) { $0.set($1) }
                scene.thread("attaches") {
                    ear.listen(to: node)
                } model: {
                    $0.attach()
                }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("two listeners are attached while a thread sets")
        func twoListeners() throws {
            try explore("a set and two attaches", [Heard(1, listens: false), Heard(1, listens: false)]) { scene in
                let node = scene.node("node", 1)
                let ears = [Ear<Int>(), Ear<Int>()]
                scene.thread("sets", setting: node, to: 2) { for index in 0...1 { $0[index].set($1) } }
                for (index, ear) in ears.enumerated() {
                    scene.thread("attaches \(index)") {
                        ear.listen(to: node)
                    } model: {
                        $0[index].attach()
                    }
                }
                scene.sees { ears.map { Heard(node.value, heard: $0.events) } }
            }
        }
        @Test("a clean and an attach")
        func cleanAndListener() throws {
            try explore("a clean and an attach", Heard(1, listens: false)) { scene in
                let node = scene.node("node", 1)
                let ear = Ear<Int>()
                scene.thread("cleans") {
                    node.clean()
                } model: {
                    $0.set(nil)
                }
                .then {
                    node.value = 2
                } model: {
                    $0.set(2)
                }
                scene.thread("attaches") {
                    ear.listen(to: node)
                } model: {
                    $0.attach()
                }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("an operator that is attached while its source is set misses nothing", arguments: ExploredOperator.all)
        func attach(_ tested: ExploredOperator) throws {
            try explore("a set and an operator: \(tested.name)", Attached()) { scene in
                let node = scene.node("source", 1)
                let result = Locked<Node<Int>?>(nil)
                let ear = Ear<Int>()
                scene.thread("sets", setting: node, to: 2, 3) { $0.set($1) }
                scene.thread("attaches") {
                    result.value = tested.attach(node)
                } model: {
                    $0.seen = [$0.value]
                }
                .then {
                    ear.listen(to: result.value!)
                } model: {
                    $0.heardFrom = tested.outputs($0.seen!).count
                }
                scene.sees {
                    Seen(value: node.value, result: result.value!.value, heard: ear.events, merges: tested.merges)
                } model: { model in
                    let outputs = tested.outputs(model.seen!)
                    return Seen(
                        value: model.value, result: outputs.last,
                        heard: Array(outputs.dropFirst(max(0, model.heardFrom! - 1))), merges: tested.merges)
                }
            }
        }
        struct Attached: Hashable, Sendable {
            var value = 1
            /// What the operator has seen of its source.
            var seen: [Int]?
            /// How many outputs there were when the listener came.
            var heardFrom: Int?

            mutating func set(_ value: Int) {
                self.value = value
                seen?.append(value)
            }
        }
        struct Seen: Hashable {
            let value: Int?
            let result: Int?
            let heard: [Int]

            init(value: Int?, result: Int?, heard: [Int], merges: Bool) {
                self.value = value
                self.result = result
                self.heard = merges ? heard.suffix(1) : heard
            }
        }
    }
}
