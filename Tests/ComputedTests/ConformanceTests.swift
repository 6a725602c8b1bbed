import ReactCore
import ReactOperators
import TestSupport
import Testing

/// The questions that the signal libraries ask of each other, each with a test of its own.
///
/// What does not apply here:
/// - *A computed that nobody reads is not computed* (laziness): here it is, as a node has a value at all times, and edges.
/// - *A computed that is read again without a change is not called*: reading `value` never calls anything here.
/// - *A computed that nobody hears any more is suspended*, and *is called again when somebody does*: the same.
/// - *An error is kept, and thrown to each reader*: a body may throw `NoValue` alone, and then waits; see `errors`.
/// - *A signal that is set to an equal value tells nobody*: a set is an event here, and arrives; see `equalSource`.
@Suite("Computed: the conformance questions of signal libraries") struct ConformanceTests {
    let calls = Recorder<String>()

    // MARK: Diamonds

    @Test("a diamond is made once, with both sides new")
    func diamond() {
        let a = MutableNode(1)
        let b = computed { read in try read(a) + 1 }
        let c = computed { read in try read(a) * 10 }
        let d = counted("d", calls) { read in "\(try read(b)) \(try read(c))" }
        #expect(d.value == "2 10")
        #expect(calls.take() == ["d"])
        a.value = 2
        #expect(d.value == "3 20")
        #expect(calls.take() == ["d"])
    }

    @Test("a diamond with a tail makes the tail once")
    func diamondWithTail() {
        let a = MutableNode(1)
        let b = computed { read in try read(a) }
        let c = computed { read in try read(a) }
        let d = computed { read in try read(b) + read(c) }
        let e = counted("e", calls) { read in try read(d) }
        _ = calls.take()
        a.value = 5
        #expect(e.value == 10)
        #expect(calls.take() == ["e"])
    }

    @Test("a jagged diamond, with sides of different length, is made once, the tails in the order of their height")
    func jaggedDiamond() {
        let a = MutableNode("a")
        let b = computed { read in try read(a) }
        let c = computed { read in try read(a) }
        let d = computed { read in try read(c) }
        let e = counted("e", calls) { read in try read(b) + " " + read(d) }
        let f = counted("f", calls) { read in try read(e) }
        let g = counted("g", calls) { read in try read(e) }
        _ = calls.take()
        a.value = "b"
        #expect([e, f, g].map(\.value) == ["b b", "b b", "b b"])
        #expect(calls.take() == ["e", "f", "g"])
    }

    @Test("a value that is an input of its own input's reader is read new from both ways")
    func valueBesideItsDerived() {
        let a = MutableNode(2)
        let b = computed { read in try read(a) - 1 }
        let c = counted("c", calls) { read in try read(a) + read(b) }
        _ = calls.take()
        a.value = 4
        #expect(c.value == 7)
        #expect(calls.take() == ["c"])
    }

    @Test("a chain of a thousand diamonds makes each once")
    func chainOfDiamonds() {
        let source = MutableNode(0)
        let calls = Locked(0)
        var last: Node<Int> = source
        for _ in 0..<1_000 {
            let (left, right, top) = (last.map { $0 + 1 }, last.map { $0 + 1 }, last)
            last = computed { read in
                calls.increment()
                return max(try read(left), try read(right)) + (try read(top)) * 0
            }
        }
        calls.value = 0
        source.value = 5
        #expect(last.value == 1_005)
        #expect(calls.value == 1_000)
    }

    @Test("one side of a diamond that does not change leaves the other's change alone")
    func oneSideStays() {
        let a = MutableNode("a")
        let b = computed { read in try read(a) }
        let c = computed { read in
            _ = try read(a)
            return "c"
        }
        let d = counted("d", calls) { read in try read(b) + " " + read(c) }
        _ = calls.take()
        a.value = "aa"
        #expect(d.value == "aa c")
        #expect(calls.take() == ["d"])
    }

    @Test("where neither side changes, what is made of both is not made again")
    func noSideChanges() {
        let a = MutableNode("a")
        let b = computed { read in try read(a).isEmpty }
        let c = computed { read in try read(a).count > 100 }
        let d = counted("d", calls) { read in try read(b) || read(c) }
        _ = calls.take()
        a.value = "aa"
        #expect(d.value == false)
        #expect(calls.take() == [])
    }

    // MARK: Dependencies that change

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

    @Test("conditional reads inside conditional reads depend on what was reached alone")
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
                node.value = node.name!
                #expect(calls.take() == (newOrder.contains(index) ? ["text"] : []))
                #expect(node.hasDownstreamNode == newOrder.contains(index))
            }
        }
    }

    @Test("the same nodes read in another order keep their edges")
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
        let nodes = (0..<500).map { MutableNode($0) }
        let sum = counted("sum", calls) { read in
            let start = try read(shift)
            var sum = 0
            for index in nodes.indices { sum += try read(nodes[(index + start) % nodes.count]) }
            for node in nodes { sum += try read(node) }
            return sum
        }
        #expect(sum.value == 499 * 500)
        shift.value = 250
        #expect(sum.upstreamTransforms.count == 501)
        _ = calls.take()
        for node in nodes { node.value! += 1 }
        #expect(sum.value == 499 * 500 + 1_000)
        #expect(calls.take().count == 500)
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

    @Test("three that stand in a ring by turns, through what is not set itself, settle")
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

    // MARK: Equal values, batches

    @Test("an equal result is not passed on")
    func equalResultStops() {
        let a = MutableNode(1)
        let isPositive = counted("isPositive", calls) { read in try read(a) > 0 }
        let text = counted("text", calls) { read in try read(isPositive) ? "+" : "-" }
        _ = calls.take()
        a.value = 2
        #expect(calls.take() == ["isPositive"])
        a.value = -2
        #expect(calls.take() == ["isPositive", "text"])
        #expect(text.value == "-")
    }

    @Test("a result that is not Equatable is passed on each time")
    func notEquatable() {
        struct Box: Sendable { let value: Int }
        let a = MutableNode(1)
        let box = computed { read in Box(value: try read(a) / 10) }
        let heard = Recorder<Int>()
        let lifetime = Lifetime()
        box.listened(by: lifetime).with { heard.record($0.value) }
        a.value = 2
        a.value = 30
        #expect(heard.take() == [0, 0, 3])
    }

    @Test("a source that is set to an equal value calls, and an equal result stops it there")
    func equalSource() {
        let a = MutableNode(1)
        let b = counted("b", calls) { read in try read(a) }
        let c = counted("c", calls) { read in try read(b) }
        _ = calls.take()
        a.value = 1
        #expect(calls.take() == ["b"])
        withExtendedLifetime(c) {}
    }

    @Test("a batch makes each once, whatever it sets")
    func batches() {
        let (a, b) = (MutableNode("a"), MutableNode("b"))
        let c = counted("c", calls) { read in try read(a) + read(b) }
        _ = calls.take()
        batch {
            a.value = "x"
            b.value = "y"
            a.value = "z"
        }
        #expect(c.value == "zy")
        #expect(calls.take() == ["c"])
    }

    @Test("nested batches wait for the outermost")
    func nestedBatches() {
        let a = MutableNode(1)
        let b = counted("b", calls) { read in try read(a) }
        _ = calls.take()
        batch {
            batch { a.value = 2 }
            #expect(calls.take() == [])
            #expect(b.value == 1)
            a.value = 3
        }
        #expect(b.value == 3)
        #expect(calls.take() == ["b"])
    }

    @Test("a set inside a batch that changes back calls once, and changes nothing downstream")
    func changesBack() {
        let a = MutableNode(1)
        let b = counted("b", calls) { read in try read(a) }
        let c = counted("c", calls) { read in try read(b) }
        _ = calls.take()
        batch {
            a.value = 2
            a.value = 1
        }
        #expect(calls.take() == ["b"])
        withExtendedLifetime(c) {}
    }

    @Test("a computed that is made inside a batch has its first value when the batch ends")
    func madeInsideABatch() {
        let a = MutableNode(1)
        var made: Node<Int>?
        batch {
            a.value = 2
            made = counted("made", calls) { read in try read(a) }
            #expect(made?.value == nil)
            a.value = 3
        }
        #expect(made?.value == 3)
        #expect(calls.take() == ["made"])
    }

    @Test("a computed that is made by the body of another has its value at once there")
    func madeInsideABody() {
        let a = MutableNode(1)
        let outer = computed { read in
            let inner = computed { read in try read(a) * 10 }
            return try read(inner) + read(a)
        }
        #expect(outer.value == 11)
        a.value = 2
        #expect(outer.value == 22)
        #expect(outer.upstreamNodes.count == 2)
    }

    // MARK: Reads

    @Test("a listener that reads what is computed sees the value before, and the computed's own listener the new one")
    func staleReads() {
        let a = MutableNode(1)
        let b = computed { read in try read(a) * 10 }
        let lifetime = Lifetime()
        let calls = calls
        a.listened(by: lifetime).with { calls.record("a \($0), b \(b.value!)") }
        b.listened(by: lifetime).with { calls.record("b \($0), a \(a.value!)") }
        _ = calls.take()
        a.value = 2
        #expect(calls.take() == ["a 2, b 10", "b 20, a 2"])
    }

    @Test("a set that a listener makes belongs to the outermost set: each is made once")
    func setsByListeners() {
        let (a, b) = (MutableNode(1), MutableNode(1))
        let lifetime = Lifetime()
        a.listened(by: lifetime).with { b.value = $0 * 10 }
        let sum = counted("sum", calls) { read in try read(a) + read(b) }
        _ = calls.take()
        a.value = 2
        #expect(sum.value == 22)
        #expect(calls.take() == ["sum"])
    }

    @Test("untracked reads make no edge, and are not waited for")
    func untracked() {
        let (a, b) = (MutableNode(1).named("a"), MutableNode(1).named("b"))
        let sum = counted("sum", calls) { read in try read(a) + (read.untracked(b) ?? 0) }
        #expect(sum.inputNames == ["a"])
        _ = calls.take()
        b.value = 10
        #expect(sum.value == 2)
        #expect(calls.take() == [])
        a.value = 2
        #expect(sum.value == 12)
    }

    @Test("a node without a value is waited for; the value stays meanwhile")
    func waits() {
        let (a, b) = (MutableNode(1), MutableNode<Int>())
        let sum = counted("sum", calls) { read in try read(a) + read(b) }
        #expect(sum.isEmpty)
        a.value = 2
        #expect(sum.isEmpty)
        b.value = 10
        #expect(sum.value == 12)
        b.clean()
        a.value = 3
        #expect(sum.value == 12)
        b.value = 20
        #expect(sum.value == 23)
    }

    @Test("ifAny reads a node without a value as nil, and hears when it has one, and when it is emptied")
    func ifAny() {
        let a = MutableNode<Int>()
        let text = computed { read in read.ifAny(a).map { "\($0)" } ?? "–" }
        #expect(text.value == "–")
        a.value = 1
        #expect(text.value == "1")
        a.clean()
        #expect(text.value == "–")
    }

    @Test("a nil that a node holds is read as a value")
    func optionals() {
        let a = MutableNode<Int?>()
        let isNil = computed { read in try read(a) == nil }
        #expect(isNil.isEmpty)
        a.setValue(nil)
        #expect(isNil.value == true)
        a.setValue(3)
        #expect(isNil.value == false)
    }

    // MARK: The graph

    @Test("the edges are real: walked from both ends, named, and cut when the node goes")
    func realEdges() {
        let a = MutableNode(1).named("a")
        var b: Node<Int>? = computed { read in try read(a) }.named("b")
        #expect(a.downstreamNodes.map(\.name) == ["b"])
        #expect(a.downstreamTransforms.map(\.name) == ["Computed"])
        #expect(b?.upstreamTransforms.first?.source === a)
        #expect(b?.upstreamTransforms.first?.destination === b)
        b = nil
        #expect(!a.hasDownstreamNode)
        #expect(a.downstreamTransforms.isEmpty)
    }

    @Test("an edge that is cut is not heard, until a call reads the node again")
    func cutEdges() {
        let (a, b) = (MutableNode(1), MutableNode(10))
        let sum = counted("sum", calls) { read in try read(a) + read(b) }
        sum.removeUpstreamNode(b)
        _ = calls.take()
        b.value = 20
        #expect(calls.take() == [])
        a.value = 2
        #expect(sum.value == 22)
        b.value = 30
        #expect(sum.value == 32)
    }

    @Test("context and sender list are those of the newest arrival")
    func travels() {
        let (a, b) = (MutableNode(1).named("a"), MutableNode(1).named("b"))
        let middle = b.map { $0 }.named("middle")
        let sum = computed { read in try read(a) + read(middle) }.named("sum")
        let lifetime = Lifetime()
        let calls = calls
        sum.listened(by: lifetime).withSenderListAndContext { value, senders, context in
            calls.record("\(value) \(senders.senders.compactMap(\.name)) \(context ?? "-")")
        }
        _ = calls.take()
        a.setValue(2, context: "A")
        b.setValue(2, context: "B")
        #expect(calls.take() == [#"3 ["sum", "a"] A"#, #"4 ["sum", "middle", "b"] B"#])
    }

    @Test("a call that is given up keeps the context for the next")
    func contextOfTheRetried() {
        let isDeep = MutableNode(false)
        let deep = computed { read in try read(isDeep) }
        let deeper = computed { read in try read(deep) }
        let text = computed { read in try read(isDeep) ? "\(try read(deeper))" : "no" }
        let lifetime = Lifetime()
        let calls = calls
        text.listened(by: lifetime).withContext { calls.record("\($0) \($1 ?? "-")") }
        _ = calls.take()
        isDeep.setValue(true, context: "typed")
        #expect(calls.take() == ["true typed"])
    }

    @Test("nothing is held that is no longer read")
    func nothingHeld() throws {
        try withLifetimeTracking { tracker in
            let current = MutableNode<Node<Tracked>>(Node(tracker.track("first")))
            let label = computed { read in try read(read(current)).label }
            #expect(label.value == "first")
            #expect(tracker.live == ["first"])
            current.value = Node(tracker.track("second"))
            #expect(label.value == "second")
            #expect(tracker.live == ["second"])
        }
    }

    @Test("a computed goes with its body and what that holds")
    func bodyGoes() throws {
        try withLifetimeTracking { tracker in
            let a = MutableNode(1)
            let held = tracker.track("held")
            var node: Node<String>? = computed { read in "\(held) \(try read(a))" }
            #expect(node?.value == "held 1")
            node = nil
            a.value = 2
        }
    }

    @Test("a computed that reads nothing holds its value, and nothing else")
    func readsNothing() throws {
        try withLifetimeTracking { tracker in
            let node: Node<Int>
            do {
                let held = tracker.track("held")
                node = computed { _ in held.label.count }
            }
            #expect(node.value == 4)
            #expect(tracker.live == [])
        }
    }

    @Test("a chain of 100,000 is made, set and let go of without a stack")
    func deep() {
        let source = MutableNode(0)
        var last: Node<Int> = source
        for _ in 0..<Scale.heavy(100_000) { last = { node in computed { read in try read(node) + 1 } }(last) }
        source.value = 1
        #expect(last.value == 1 + Scale.heavy(100_000))
    }

    // MARK: Misuse

    @Test("a body that throws its own error ends the process with a message that names the node")
    func errors() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            struct Failure: Error {}
            let a = MutableNode(1)
            let b = computed { read in
                if try read(a) == 2 { throw Failure() }
                return 0
            }.named("total")
            a.value = 2
            withExtendedLifetime(b) {}
        }
        expectMessage(result, "“total” threw Failure()")
    }

    @Test("reading itself ends the process with a message that names the node")
    func readsItself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let a = MutableNode(1)
            let own = Later<Int>()
            own.node = computed { read in try read(a) + (try own.node.map { try read($0) } ?? 0) }.named("own")
            a.value = 2
        }
        expectMessage(result, "reads itself: “own” → “own”")
    }

    @Test("a ring of two, and of three, ends the process with a message that names it")
    func rings() async {
        let two = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let isClosed = MutableNode(false)
            let later = Later<Int>()
            let a = computed { read in try read(isClosed) ? try read(later.node!) : 0 }.named("a")
            later.node = computed { read in try read(a) + 1 }.named("b")
            isClosed.value = true
        }
        expectMessage(two, "reads itself: “a” → “b” → “a”")
        let three = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let isClosed = MutableNode(false)
            let later = Later<Int>()
            let a = computed { read in try read(isClosed) ? try read(later.node!) : 0 }.named("a")
            let b = computed { read in try read(a) + 1 }.named("b")
            later.node = computed { read in try read(b) + 1 }.named("c")
            isClosed.value = true
        }
        expectMessage(three, "reads itself: “a” → “c” → “b” → “a”")
    }

    @Test("a reader that is used after its call ends the process with a message")
    func readerAfterTheCall() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let a = MutableNode(1)
            let kept = Locked<NodeReader?>(nil)
            let b = computed { read in
                kept.value = read
                return try read(a)
            }
            _ = try? kept.value!(b)
        }
        expectMessage(result, "a NodeReader was used outside of the call")
    }

    private func expectMessage(_ result: ExitTest.Result?, _ text: String) {
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(text), "\(message)")
    }
}
