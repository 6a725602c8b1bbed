import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// A node's graph goes from one thread to another, and nothing is lost, twice or out of order on the way.
    @Suite("Turns that are handed on", .serialized) struct HandingOnTests {
        private typealias Inputs = CombiningTests.Inputs

        @Test("two threads set a node faster than a third delivers: all hear one order, and nothing is lost")
        func setting() throws {
            try explore("three threads that hand a node on", Heard(0)) { scene in
                let node = scene.node("node", 0)
                let ear = Ear(node)
                scene.sets("sets once", node, 1...1) { $0.set($1) }
                scene.sets("sets", node, 10...14) { $0.set($1) }
                scene.sets("sets too", node, 20...21) { $0.set($1) }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        /// Both threads let the other run where the turn can go over, so that it takes two pre-emptions to be in its way.
        @Test("a waiter that withdraws in the moment in which it is given the turn has it")
        func withdrawing() throws {
            try explore("a waiter that withdraws", Heard(0)) { scene in
                let node = scene.node("node", 0)
                let ear = Ear(node)
                let lifetime = Lifetime()
                node.listened(by: lifetime).with { _ in Point.wait() }
                scene.sets("sets once", node, 1...1) { $0.set($1) }
                scene.sets("sets", node, 10...12) { $0.set($1) }
                scene.sees { withExtendedLifetime(lifetime) { Heard(node.value, heard: ear.events) } }
            }
        }
        @Test("a listener's set, while its node is set on and on, is delivered in its place")
        func settingBack() throws {
            struct Model: Hashable, Sendable {
                var heard: [Int] = []
                /// A listener's set comes after what was queued before it.
                var heardSorted: [Int] { heard.sorted() }

                mutating func set(_ value: Int) { heard += value % 2 == 1 ? [value, value + 1] : [value] }
            }
            try explore("a listener that sets its node, which is handed on", Model()) { scene in
                let node = scene.node("node", of: Int.self)
                let ear = Ear(node)
                let lifetime = Lifetime()
                node.listened(by: lifetime).with { [weak node] in if $0 % 2 == 1 { node?.value = $0 + 1 } }
                scene.sets("sets once", node, 1...1) { $0.set($1) }
                scene.sets("sets", node, 10...14) { $0.set($1) }
                scene.sees {
                    withExtendedLifetime(lifetime) { ear.events.sorted() }
                } model: {
                    $0.heardSorted
                }
            }
        }
        @Test("values that are queued in the middle of the graph are handed on there, in order")
        func inTheMiddle() throws {
            try explore("a node between others that is handed on", Heard(0)) { scene in
                let above = scene.node("above", of: Int.self)
                let node = scene.node("node", 0)
                node.link(to: above)
                let ear = Ear(node.map { $0 })
                scene.sets("sets above", above, 1...2) { $0.set($1) }
                scene.sets("sets", node, 10...13) { $0.set($1) }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("a batch is not seen half by a combination with a node that is handed on")
        func combining() throws {
            try explore("a batch beside a node that is handed on", Inputs([0, 0, 0])) { scene in
                let inputs = (0...2).map { scene.node("input \($0)", 0) }
                let ear = Ear(scene.named("all", Node.combine(inputs)))
                scene.thread(
                    "batch",
                    {
                        batch {
                            inputs[0].value = 1
                            inputs[1].value = 1
                        }
                    }, parts: [{ $0.now[0] = 1 }, { $0.now[1] = 1 }])
                scene.sets("sets once", inputs[2], 1...1) { $0.now[2] = $1 }
                scene.sets("sets", inputs[2], 10...13) { $0.now[2] = $1 }
                scene.settles { $0.settle() }
                scene.sees { Inputs(inputs.map { $0.value! }, shown: ear.events) }
            }
        }
        @Test("a batch over a node that is handed on leaves the combination up to date")
        func combiningInBatch() throws {
            try explore("a batch over a node that is handed on", [0, 0]) { scene in
                let inputs = (0...1).map { scene.node("input \($0)", 0) }
                let all = scene.named("all", Node.combine(inputs))
                scene.thread(
                    "batch",
                    {
                        batch {
                            inputs[0].value = 1
                            inputs[1].value = 1
                        }
                    }, parts: [{ $0[0] = 1 }, { $0[1] = 1 }])
                scene.sets("sets", inputs[0], 10...13) { $0[0] = $1 }
                scene.sees {
                    [inputs.map { $0.value! }, all.value!]
                } model: {
                    [$0, $0]
                }
            }
        }
        @Test("a combination that is left to whoever has the turn is made in the end")
        func combiningBelow() throws {
            try explore("combinations below a node that is handed on", [0, 0]) { scene in
                let node = scene.node("node", 0)
                let other = scene.node("other", 0)
                let sum = scene.named("sum", combine(node, other).mapEach { $0 + $1 })
                let below = scene.named("below", combine(sum, node).mapEach { [$0, $1] })
                scene.sets("sets", node, 1...1) { $0[0] = $1 }
                scene.sets("sets on", node, 10...12) { $0[0] = $1 }
                scene.sets("sets the other", other, 100...100) { $0[1] = $1 }
                scene.sees {
                    below.value!
                } model: {
                    [$0[0] + $0[1], $0[0]]
                }
            }
        }
        @Test("a listener that is attached while a node is handed on hears its value, and every later one")
        func attaching() throws {
            try explore("a node that is handed on, and a listener", Heard(0, listens: false)) { scene in
                let node = scene.node("node", 0)
                let ear = Ear<Int>()
                scene.sets("sets once", node, 1...1) { $0.set($1) }
                scene.sets("sets", node, 10...12) { $0.set($1) }
                scene.thread("attaches") {
                    ear.listen(to: node)
                } model: {
                    $0.attach()
                }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("an operator that is attached while a node is handed on ends with the last value")
        func attachingOperators() throws {
            try explore("a node that is handed on, and a map and a combination of it", 0) { scene in
                let node = scene.node("node", 0)
                let made = Locked<[Node<Int>]>([])
                scene.sets("sets once", node, 1...1) { $0 = $1 }
                scene.sets("sets", node, 10...12) { $0 = $1 }
                scene.thread("attaches") {
                    let copy = node.map { $0 }
                    made.value = [copy, combine(node, copy).mapEach { node, _ in node }]
                }
                scene.sees {
                    made.value.map { $0.value! }
                } model: {
                    [$0, $0]
                }
            }
        }
        @Test("a link is cancelled while its target is handed on: nothing comes after that")
        func cutting() throws {
            try CuttingTests.cancelling("a target that is handed on, and its link cut", settingTargetTo: 10...13)
        }
    }
}
