import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// Combinations are up to date at rest, show no half of a batch, and make nothing twice.
    @Suite("Combinations", .serialized) struct CombiningTests {
        /// Inputs, and what a combination of all of them has shown.
        struct Inputs: Hashable, Sendable {
            var now: [Int]
            var shown: [[Int]]

            init(_ now: [Int], shown: [[Int]]? = nil) {
                self.now = now
                self.shown = shown ?? [now]
            }
            mutating func settle() { if shown.last != now { shown.append(now) } }
        }
        private func inputs(_ scene: Scene<Inputs>, _ count: Int) -> [MutableNode<Int>] { inputs(scene, of: count) }
        private func inputs<Model>(_ scene: Scene<Model>, of count: Int) -> [MutableNode<Int>] {
            (0..<count).map { scene.node("input \($0)", 0) }
        }
        /// Sets the inputs in one batch, one after the other.
        private func thread(
            _ name: String, in scene: Scene<Inputs>, _ inputs: [MutableNode<Int>], _ sets: [(input: Int, value: Int)]
        ) {
            scene.thread(
                name,
                { batch { for set in sets { inputs[set.input].value = set.value } } },
                parts: sets.map { set in { $0.now[set.input] = set.value } })
        }

        @Test("two threads set the two inputs of a combination")
        func twoInputs() throws {
            try explore("two inputs of a combination", Inputs([0, 0])) { scene in
                let inputs = inputs(scene, 2)
                let ear = Ear(scene.named("sum", combine(inputs[0], inputs[1])).mapEach { [$0, $1] })
                for index in 0...1 {
                    scene.thread("sets \(index)", setting: inputs[index], to: 1) { $0.now[index] = $1 }
                }
                scene.settles { $0.settle() }
                scene.sees { Inputs(inputs.map { $0.value! }, shown: ear.events) }
            }
        }
        @Test("a batch is not seen half while another thread sets a third input")
        func batchAndSet() throws {
            try explore("a batch and a set of a third input", Inputs([0, 0, 0])) { scene in
                let inputs = inputs(scene, 3)
                let ear = Ear(scene.named("all", Node.combine(inputs)))
                thread("batch", in: scene, inputs, [(0, 1), (1, 1)])
                scene.thread("sets", setting: inputs[2], to: 7) { $0.now[2] = $1 }
                scene.settles { $0.settle() }
                scene.sees { Inputs(inputs.map { $0.value! }, shown: ear.events) }
            }
        }
        @Test("neither of two batches that cross is seen half")
        func crossingBatches() throws {
            try explore("two batches that cross", Inputs([0, 0, 0, 0])) { scene in
                let inputs = inputs(scene, 4)
                let ear = Ear(scene.named("all", Node.combine(inputs)))
                thread("batch of 0 and 1", in: scene, inputs, [(0, 1), (1, 1)])
                thread("batch of 2 and 3", in: scene, inputs, [(2, 1), (3, 1)])
                scene.settles { $0.settle() }
                scene.sees { Inputs(inputs.map { $0.value! }, shown: ear.events) }
            }
        }
        @Test("two batches over the same nodes leave the combination up to date")
        func sameNodes() throws {
            try explore("two batches over the same nodes", Inputs([0, 0])) { scene in
                let inputs = inputs(scene, 2)
                let sum = scene.named("all", Node.combine(inputs))
                thread("batch up", in: scene, inputs, [(0, 1), (1, 1)])
                thread("batch down", in: scene, inputs, [(1, 2), (0, 2)])
                scene.sees {
                    [inputs.map { $0.value! }, sum.value!]
                } model: {
                    [$0.now, $0.now]
                }
            }
        }
        @Test("a combination of combinations shows no half of a batch")
        func combinationOfCombinations() throws {
            try explore("a batch above a combination of combinations", Inputs([0, 0, 0])) { scene in
                let inputs = inputs(scene, 3)
                let left = scene.named("left", combine(inputs[0], inputs[1])).mapEach { [$0, $1] }
                let right = scene.named("right", combine(inputs[1], inputs[2])).mapEach { $1 }
                let ear = Ear(scene.named("below", combine(left, right)).mapEach { $0 + [$1] })
                thread("batch", in: scene, inputs, [(0, 1), (2, 1)])
                scene.thread("sets", setting: inputs[1], to: 7) { $0.now[1] = $1 }
                scene.settles { $0.settle() }
                scene.sees { Inputs(inputs.map { $0.value! }, shown: ear.events) }
            }
        }
        @Test("the sets of a batch that wait for a busy graph are done together, after the batch's other graph")
        func restOfBatch() throws {
            try explore("a batch above two combinations, one of them shared", Inputs([0, 0, 0, 0])) { scene in
                let inputs = inputs(scene, 4)
                let shared = scene.named("shared", combine(inputs[0], inputs[1])).mapEach { [$0, $1] }
                let own = scene.named("own", combine(inputs[2], inputs[3])).mapEach { [$0, $1] }
                let ear = Ear(scene.named("below", combine(shared, own)).mapEach { $0 + $1 })
                thread("batch", in: scene, inputs, [(0, 1), (2, 1)])
                scene.thread("sets", setting: inputs[1], to: 7) { $0.now[1] = $1 }
                scene.settles { $0.settle() }
                scene.sees { Inputs(inputs.map { $0.value! }, shown: ear.events) }
            }
        }
        /// What goes round comes to no rest that a model of plain values would know of: that it ends is what is seen.
        @Test("batches that cross in a ring of two combinations end")
        func ringOfCombinations() throws {
            try explore("batches that cross in a ring", true) { scene in
                let inputs = inputs(scene, of: 3)
                let near = scene.named("near", combine(inputs[0], inputs[1])).mapEach { $0 + $1 }
                let far = scene.named("far", combine(near, inputs[2])).mapEach { $0 + $1 }
                inputs[1].link(to: far)
                scene.thread("batch of 0 and 1") {
                    batch {
                        inputs[0].value = 1
                        inputs[1].value = 10
                    }
                }
                scene.thread("batch of 1 and 2") {
                    batch {
                        inputs[1].value = 20
                        inputs[2].value = 100
                    }
                }
                scene.sees {
                    for edge in inputs[1].upstreamTransforms { edge.cancel() }
                    return !far.isEmpty
                }
            }
        }
        @Test("two sets above a combination of combinations: both rows are up to date")
        func twoRows() throws {
            try explore("two sets above a combination of combinations", Inputs([0, 0])) { scene in
                let inputs = inputs(scene, 2)
                let sum = scene.named("sum", combine(inputs[0], inputs[1])).mapEach { $0 + 10 * $1 }
                let below = scene.named("below", combine(sum, inputs[0])).mapEach { [$0, $1] }
                for index in 0...1 {
                    scene.thread("sets \(index)", setting: inputs[index], to: 1, 2) { $0.now[index] = $1 }
                }
                scene.sees {
                    below.value!
                } model: {
                    [$0.now[0] + 10 * $0.now[1], $0.now[0]]
                }
            }
        }
        @Test("a combination that is made while another thread is in a batch is up to date when that ends")
        func madeMeanwhile() throws {
            try explore("a batch and a combination that is made", [0, 0]) { scene in
                let inputs = (0...1).map { scene.node("input \($0)", 0) }
                let made = Locked<Node<[Int]>?>(nil)
                let first = Locked(false)
                scene.thread("batch", { batch { for input in inputs { input.value = 1 } } }, parts: [{ $0 = [1, 1] }])
                scene.thread("makes") {
                    made.value = Node.combine(inputs)
                    first.value = made.value?.value != nil
                }
                scene.sees {
                    [inputs.map { $0.value! }, made.value!.value ?? [], [first.value ? 1 : 0]]
                } model: {
                    [$0, $0, [1]]
                }
            }
        }
        @Test(
            "a combination that is made while another thread sets its input shows that with the old or the new value, and no mixture"
        )
        func madeInASet() throws {
            try explore("a set and a combination of a node with its copy", [0, 0]) { scene in
                let node = scene.node("node", 0)
                let copy = scene.named("copy", node.map { $0 })
                let ear = Ear<[Int]>()
                let made = Locked<Node<[Int]>?>(nil)
                scene.thread("sets", setting: node, to: 1) { $0 = [$1, $1] }
                scene.thread("makes") {
                    made.value = Node.combine([node, copy])
                    ear.listen(to: made.value!)
                }
                scene.sees {
                    [made.value!.value!, ear.events.first { $0[0] != $0[1] } ?? []]
                } model: {
                    [$0, []]
                }
            }
        }
        @Test("an input of a combination is cut while another thread is in a batch")
        func cutMeanwhile() throws {
            struct Model: Hashable, Sendable {
                var inputs = [0, 0]
                var slots = [0, 0]
                var isCut = false
                var shown = [[0, 0]]

                mutating func set(_ index: Int, _ value: Int) {
                    inputs[index] = value
                    if index == 0 || !isCut { slots[index] = value }
                }
            }
            try explore("a batch and an input that is cut", Model()) { scene in
                let inputs = (0...1).map { scene.node("input \($0)", 0) }
                let all = scene.named("all", Node.combine(inputs))
                let ear = Ear(all)
                let edge = all.upstreamTransforms[1]
                scene.thread(
                    "batch", { batch { for input in inputs { input.value = 1 } } },
                    parts: [{ $0.set(0, 1) }, { $0.set(1, 1) }])
                scene.thread("cuts") {
                    edge.cancel()
                } model: {
                    $0.isCut = true
                }
                // Cutting one of its transforms silences a combination: what is on its way may come or not.
                scene.sees {
                    [
                        inputs.map { $0.value! },
                        [ear.events.first { $0 != [0, 0] && $0 != [1, 1] } == nil ? 0 : 1],
                    ]
                } model: {
                    [$0.inputs, [0]]
                }
            }
        }
        @Test("a combination goes while two threads set its inputs, and the one beside it stays up to date")
        func combinationGoes() throws {
            try explore("two inputs and a combination that goes", Inputs([0, 0])) { scene in
                let inputs = inputs(scene, 2)
                let going = Locked<Node<[Int]>?>(Node.combine(inputs))
                let staying = scene.named("staying", Node.combine(inputs.reversed()))
                for index in 0...1 {
                    scene.thread("sets \(index)", setting: inputs[index], to: 1) { $0.now[index] = $1 }
                }
                scene.thread("lets go") {
                    going.value = nil
                }
                scene.sees {
                    staying.value!.reversed()
                } model: {
                    $0.now
                }
            }
        }
    }
}
