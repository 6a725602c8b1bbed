import ReactCore
import ReactOperators
import TestSupport
import Testing

// Dependencies that come, go, and come back.
extension ConformanceTests {
    @Test("only the branch that was read is depended on")
    func conditional() {
        let isOn = MutableNode(true).named("isOn")
        let (a, b) = (MutableNode("a").named("a"), MutableNode("b").named("b"))
        let shown = counted("shown", calls) { read in try read(isOn) ? try read(a) : try read(b) }
        #expect(shown.inputNames == ["isOn", "a"])
        _ = calls.take()
        b.value = "bb"
        #expect(calls.take() == [])
        isOn.value = false
        #expect(shown.value == "bb")
        #expect(shown.inputNames == ["isOn", "b"])
        #expect(!a.hasDownstreamNode)
        _ = calls.take()
        a.value = "aa"
        #expect(calls.take() == [])
    }

    @Test("conditional reads inside conditional reads depend only on the nodes that were read")
    func conditionalInsideConditional() {
        let (p, q) = (MutableNode(false).named("p"), MutableNode(false).named("q"))
        let (a, b, c) = (MutableNode(1).named("a"), MutableNode(2).named("b"), MutableNode(3).named("c"))
        let inner = computed { read in try read(q) ? try read(a) : try read(b) }.named("inner")
        let outer = computed { read in try read(p) ? try read(inner) : try read(c) }.named("outer")
        #expect(outer.value == 3)
        #expect(outer.inputNames == ["p", "c"])
        p.value = true
        #expect(outer.value == 2)
        #expect(outer.inputNames == ["p", "inner"])
        batch {
            q.value = true
            a.value = 10
        }
        #expect(outer.value == 10)
        #expect(inner.inputNames == ["q", "a"])
        p.value = false
        #expect(outer.inputNames == ["p", "c"])
    }

    @Test("dependencies that go and come back in another order are each heard again")
    func otherOrder() {
        let order = MutableNode([0, 1, 2])
        let nodes = ["a", "b", "c"].map { MutableNode($0).named($0) }
        let text = counted("text", calls) { read in try read(order).map { try read(nodes[$0]) }.joined() }
        for (newOrder, expected) in [([2, 0], "ca"), ([1, 2, 0], "bca"), ([0], "a"), ([], ""), ([2, 1, 0], "cba")] {
            order.value = newOrder
            #expect(text.value == expected)
            _ = calls.take()
            for (index, node) in nodes.enumerated() {
                node.value = "another"
                node.value = node.name!
                #expect(calls.take() == (newOrder.contains(index) ? ["text", "text"] : []))
                #expect(node.hasDownstreamNode == newOrder.contains(index))
            }
        }
    }

    @Test("nodes that are read again in another order keep their edges")
    func reorderedReadsKeepEdges() {
        let isReversed = MutableNode(false)
        let (a, b) = (MutableNode("a"), MutableNode("b"))
        let text = computed { read in
            try read(isReversed) ? try read(b) + read(a) : try read(a) + read(b)
        }
        let edges = text.upstreamTransforms
        isReversed.value = true
        #expect(text.value == "ba")
        #expect(text.upstreamTransforms == edges)
    }

    @Test("a dependency that is read twice has one edge, and makes one call")
    func readTwice() {
        let (a, b) = (MutableNode(2), MutableNode(3))
        let sum = counted("sum", calls) { read in try read(a) + read(b) + read(a) * read(a) }
        #expect(sum.value == 9)
        #expect(sum.upstreamTransforms.count == 2)
        _ = calls.take()
        a.value = 3
        #expect(sum.value == 15)
        #expect(calls.take() == ["sum"])
        #expect(sum.upstreamTransforms.count == 2)
    }

    @Test("hundreds of dependencies, read in an order that changes and twice each, are all heard")
    func hundreds() {
        let shift = MutableNode(0)
        let count = Scale.gate.isSmall ? 200 : 500
        let nodes = (0..<count).map { MutableNode($0) }
        let sum = counted("sum", calls) { read in
            let start = try read(shift)
            var sum = 0
            for index in nodes.indices { sum += try read(nodes[(index + start) % nodes.count]) }
            for node in nodes { sum += try read(node) }
            return sum
        }
        #expect(sum.value == (count - 1) * count)
        shift.value = count / 2
        #expect(sum.upstreamTransforms.count == count + 1)
        _ = calls.take()
        for node in nodes { node.value! += 1 }
        #expect(sum.value == (count - 1) * count + 2 * count)
        #expect(calls.take().count == count)
        batch { for node in nodes { node.value! -= 1 } }
        #expect(calls.take() == ["sum"])
    }

    @Test("a dependency that stands deeper than before is waited for")
    func deeperThanBefore() {
        let isDeep = MutableNode(false)
        let source = MutableNode(1)
        let deep = (0..<20).reduce(source as Node<Int>) { node, _ in computed { read in try read(node) + 1 } }
        let seen = Recorder<Int>()
        let shown = computed { read in
            let made = try read(isDeep) ? try read(deep) + read(source) * 100 : 0
            seen.record(made)
            return made
        }
        batch {
            isDeep.value = true
            source.value = 2
        }
        #expect(shown.value == 222)
        #expect(seen.take() == [0, 222])
        source.value = 3
        #expect(seen.take() == [323])
    }

    @Test("two that read each other by turns swap their places as often as asked")
    func swappedDirections() {
        let forward = MutableNode(true)
        let (x, y) = (Later<Int>(), Later<Int>())
        let a = counted("a", calls) { read in
            guard try read(forward), let y = y.node else { return 1 }
            return try read(y) + 1
        }
        let b = counted("b", calls) { read in
            guard try !read(forward), let x = x.node else { return 10 }
            return try read(x) + 10
        }
        (x.node, y.node) = (a, b)
        for turn in 0..<200 {
            forward.value = !turn.isMultiple(of: 2)
            #expect([a.value, b.value] == (turn.isMultiple(of: 2) ? [1, 11] : [11, 10]))
        }
        #expect(calls.take().count <= 2 + 200 * 3)
        x.node = nil
        y.node = nil
    }

    @Test("three computed nodes that close a ring by turns, through nodes that are not set, settle")
    func swappedThroughOthers() {
        let choice = MutableNode(0)
        let places = (0..<3).map { _ in Later<Int>() }
        let turned = computed { read in try read(choice) % 3 }
        let nodes = (0..<3).map { index in
            computed { read in
                // Whose turn it is stands on its own; the others read the one before them.
                let own = try read(turned) == index
                guard !own, let before = places[(index + 2) % 3].node else { return 0 }
                return try read(before) + 1
            }.named("\(index)")
        }
        for (place, node) in zip(places, nodes) { place.node = node }
        for turn in 1...60 {
            choice.value = turn
            #expect((0..<3).map { nodes[(turn + $0) % 3].value } == [0, 1, 2])
        }
        for place in places { place.node = nil }
    }
}
