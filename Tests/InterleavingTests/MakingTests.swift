import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// What is attached while other threads are in the middle of sets and batches takes part in each as a whole, or not at all.
    @Suite("Combinations that are made meanwhile", .serialized) struct MakingTests {
        /// Two batches of two inputs, and something that is made of these meanwhile: at first it shows what they held at one moment,
        /// and from then on whole batches alone. The moment is `whole` where the inputs themselves are combined: in the middle of no
        /// batch. What `prepare` makes of the inputs is there before.
        private func making(
            _ name: String, whole: Bool = false, of prepare: @escaping ([Node<Int>]) -> [Node<Int>] = { $0 },
            _ make: @escaping @Sendable ([Node<Int>]) -> Node<[Int]>
        ) throws {
            try explore(name, [0, 0]) { scene in
                let inputs = (0...1).map { scene.node("input \($0)", 0) }
                let prepared = prepare(inputs)
                let ear = Ear<[Int]>()
                let made = Locked<Node<[Int]>?>(nil)
                let batches = scene.thread(
                    "batch of 1", { batch { for input in inputs { input.value = 1 } } }, parts: [])
                batches.then({ batch { for input in inputs { input.value = 2 } } }, parts: [{ $0 = [2, 2] }])
                scene.thread("makes") {
                    made.value = make(prepared)
                    ear.listen(to: made.value!)
                }
                scene.sees {
                    let moments = [[0, 0], [1, 1], [2, 2]] + (whole ? [] : [[1, 0], [2, 1], [0, 1], [1, 2]])
                    let shown = ear.events
                    let isWrong = { (place: Int) in
                        place == 0 ? !moments.contains(shown[0]) : shown[place][0] != shown[place][1]
                    }
                    return [made.value!.value!, shown.indices.first(where: isWrong).map { shown[$0] } ?? []]
                } model: {
                    [$0, []]
                }
            }
        }
        @Test(
            "a combination that is made while another thread is in batches shows whole batches, from the first value on"
        )
        func ofInputs() throws {
            try making("batches and a combination of their inputs", whole: true) { Node.combine($0) }
        }
        @Test(
            "a combination of a node and its copy, made while another thread sets the node, shows no two different values"
        )
        func ofNodeAndCopy() throws {
            try making("batches and a combination of a node with its copy", whole: true) {
                [$0[0], $0[0].map { $0 }]
            } _: {
                Node.combine($0)
            }
        }
        @Test(
            "a combination of copies that is made while another thread is in batches shows a moment, and then whole batches"
        )
        func ofCopies() throws {
            try making("batches and a combination of copies of their inputs") { inputs in
                Node.combine([inputs[0].map { $0 }, inputs[1].map { $0 }])
            }
        }
        @Test(
            "a combination of combinations that is made while another thread is in batches shows a moment, and then whole batches"
        )
        func ofCombinations() throws {
            // One input may have been reached by the other thread and not been made anew, and the other be made of that thread's newest
            // value.
            try making("batches and a combination of combinations of their inputs") { inputs in
                let other = MutableNode(0)
                let left = combine(inputs[0], other).mapEach { left, _ in left }
                return Node.combine([left, combine(other, inputs[1]).mapEach { $1 }])
            }
        }
        @Test(
            "a combination of an older and a newer combination of nodes that a batch sets shows a moment, and then whole batches"
        )
        func ofOlderAndNewer() throws {
            try making("batches and a combination of an older and a newer combination") { inputs in
                [combine(inputs[0], MutableNode(0)).mapEach { left, _ in left }, inputs[1]]
            } _: {
                Node.combine([$0[0], combine(MutableNode(0), $0[1]).mapEach { $1 }])
            }
        }
        /// A combination of a node that another thread sets, made meanwhile of what `prepare` makes of it beforehand.
        private func atOnce(
            _ name: String, sets: Int, of prepare: @escaping (Node<Int>) -> [Node<Int>],
            making make: @escaping @Sendable ([Node<Int>]) -> Node<Int> = { combine($0[0], $0[1]) { left, _ in left } }
        ) throws {
            try explore(name, [sets, 0]) { scene in
                let source = scene.node("source", 0)
                let inputs = prepare(source)
                let made = Locked<(node: Node<Int>, wasEmpty: Bool)?>(nil)
                let setting = scene.thread("sets", { source.value = 1 }, parts: [])
                for value in 1..<sets { setting.then({ source.value = value + 1 }, parts: []) }
                scene.thread("makes") {
                    let node = make(inputs)
                    made.value = (node, node.isEmpty)
                }
                scene.sees { [made.value!.node.value!, made.value!.wasEmpty ? 1 : 0] }
            }
        }
        @Test("a combination of nodes that another thread sets all the time has its first value at once")
        func atOnce() throws {
            try atOnce("sets and a combination of the node", sets: 3) { [$0, MutableNode(10)] }
        }
        @Test("a combination of a copy of a node that another thread sets all the time has its first value at once")
        func ofCopyAtOnce() throws {
            try atOnce("sets and a combination of a copy", sets: 3) { [$0.map { $0 }, MutableNode(10)] }
        }
        @Test("a combination waits for no set of another thread's that has come to all that it will come to")
        func besideCombinationAtOnce() throws {
            try atOnce("a set and a combination with one beside it", sets: 1) {
                [$0, combine(MutableNode(10), MutableNode(20)) { $0 + $1 }]
            }
        }
        @Test("a computed of a copy of a node that another thread sets all the time has its first value at once")
        func computedAtOnce() throws {
            try atOnce("sets and a computed of the node and a copy", sets: 2) {
                [$0.map { $0 }, $0]
            } making: { nodes in
                computed { read in max(try read(nodes[0]), try read(nodes[1])) }
            }
        }
        @Test("a computed that is made in a batch, of nodes that another thread sets, has its first value at once")
        func computedInABatchAtOnce() throws {
            try atOnce("sets and a computed made in a batch", sets: 2) {
                [$0.map { $0 }, $0]
            } making: { nodes in
                batch { computed { read in max(try read(nodes[0]), try read(nodes[1])) } }
            }
        }
        @Test("a computed that is made while another thread is in batches shows whole batches, from the first value on")
        func computedOfInputs() throws {
            try making("batches and a computed of their inputs", whole: true) { nodes in
                computed { read in [try read(nodes[0]), try read(nodes[1])] }
            }
        }
        @Test(
            "a computed of a node and its copy that is made while another thread sets the node begins with a whole value"
        )
        func computedOfNodeAndCopy() throws {
            try explore("sets and a computed of a copy and the node", [0]) { scene in
                let source = scene.node("source", 0), copy = source.map { $0 }
                let first = Locked<Int?>(nil)
                let setting = scene.thread("sets", { source.value = 1 }, parts: [])
                for value in 2...3 { setting.then({ source.value = value }, parts: []) }
                scene.thread("makes") { first.value = computed { read in try read(copy) - read(source) }.value }
                scene.sees { [first.value!] }
            }
        }
        @Test("a node that is newly computed of an older and a newer combination shows whole batches")
        func computedOfOlderAndNewer() throws {
            try making("batches and what comes to be computed of an older and a newer combination") { inputs in
                [combine(inputs[0], MutableNode(0)).mapEach { left, _ in left }, inputs[1]]
            } _: { nodes in
                let newer = combine(MutableNode(0), nodes[1]).mapEach { $1 }
                let isShown = MutableNode(false)
                let computed = computed { read in
                    try read(isShown) ? [try read(nodes[0]), try read(newer)] : [0, 0]
                }
                isShown.value = true
                return computed
            }
        }
        @Test("a value goes round a ring through a combination once, while another thread attaches to it")
        func attachedRing() throws {
            try explore("a ring through a combination that is attached to", [1, 101]) { scene in
                let source = scene.node("source", 0)
                let constant = MutableNode(100)
                let node = scene.named("node", Node<Int>())
                node.link(to: source)
                let passed = scene.named("passed", node.map { $0 })
                let sum = scene.named("sum", combine(passed, constant).mapEach { $0 + $1 })
                let back = node.link(to: sum)
                let ear = Ear<Int>()
                source.value = 1
                ear.listen(to: node)
                scene.thread("sets", setting: source, to: 2) { $0 = [$1] }
                    .then {
                        source.value = 3
                    } model: {
                        $0.append(3)
                    }
                scene.thread("attaches") {
                    for node in [node, passed, sum] {
                        node.listened(by: Lifetime()).with { _ in }.cancel()
                        _ = node.map { $0 }
                    }
                }
                scene.sees {
                    defer { back.cancel() }
                    return Array(ear.events.dropFirst())
                }
            }
        }
    }
}
