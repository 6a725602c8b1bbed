import ReactCore
import ReactOperators
import TestSupport
import Testing

/// A long chain that can be set.
private final class Chain: Sendable {
    let top = MutableNode<Int>()
    let end: Node<Int>
    init(_ length: Int) { end = (0..<length).reduce(top as Node<Int>) { end, _ in end.map { $0 + 1 } } }
}

/// Sets a chain before, between and after what it sends.
private final class Deep: Transform<Int, Int>, @unchecked Sendable {
    let chain: Chain
    let ends = Recorder<Int?>()
    let senders = Recorder<[AnyNode]>()

    init(_ chain: Chain) {
        self.chain = chain
        super.init(name: "Deep")
    }
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        for more in 0..<2 {
            chain.top.value = value + more
            ends.record(chain.end.value)
            self.senders.record(senders.senders)
            send(value + more, from: senders, context: context)
        }
        chain.top.value = value
        ends.record(chain.end.value)
    }
}

/// Sets a chain when it goes.
private final class Charge: Sendable {
    let number: Int
    let chain: Chain?
    init(_ number: Int, _ chain: Chain?) {
        self.number = number
        self.chain = chain
    }
    deinit { chain?.top.value = number }
}

/// What is being delivered goes on as if nothing had been, when whatever is called sets something that leads far down.
@Suite("Deep sets in mid-delivery") struct DeepSetsTests {
    /// What a very deep delivery took is given back after many that need little of it; so that what follows has to take it again.
    private let deepest = Chain(Self.depth)
    private static let depth = Scale.gate.isSmall ? 6_000 : 20_000
    private func beginSmall() {
        deepest.top.value = 0
        #expect(deepest.end.value == Self.depth)
        let flat = MutableNode<Int>()
        for value in 0..<256 { flat.value = value }
    }

    /// The lengths of a chain: by default, those around the end of a block of senders, and a few others.
    private static let depths = Scale.gate.isSmall ? [1, 2, 31, 61, 62, 63, 64, 65, 66, 70] : Array(1...70)

    @Test("a custom transform may set a long chain before, between and after it sends", arguments: [10, 300, 5_000])
    func transform(length: Int) {
        let listener = Lifetime()
        let log = Recorder<String>()
        let seen = Recorder<[AnyNode]>()
        let source = MutableNode<Int>()
        let above = source.map { $0 }
        let before = above.map { $0 }
        let target = Node<Int>()
        let deep = Deep(Chain(length))
        target.link(to: above, transform: deep)
        let after = above.map { $0 }
        before.log("before ", to: log, by: listener)
        after.log("after ", to: log, by: listener)
        let below = target.map { $0 }
        below.listened(by: listener).withSenderListAndContext { value, senders, context in
            log.record("target \(value) \(context ?? "-")")
            seen.record(senders.senders)
        }
        beginSmall()
        source.setValue(1, context: "context")
        #expect(log.events == ["before 1", "target 1 context", "target 2 context", "after 1"])
        #expect(deep.ends.events == [1 + length, 2 + length, 1 + length])
        #expect(deep.senders.events == [[above, source], [above, source]])
        #expect(seen.events == [[below, target, above, source], [below, target, above, source]])
    }

    @Test(
        "a listener may set a long chain: those after it see the same senders and context", arguments: [10, 300, 5_000])
    func listener(length: Int) {
        let listener = Lifetime()
        let chain = Chain(length)
        let seen = Recorder<[AnyNode]>()
        let contexts = Recorder<String>()
        let source = MutableNode<Int>()
        let middle = source.map { $0 }
        let end = middle.map { $0 }
        let pair = combine(end, source)
        for node in [source, middle, end] {
            node.listened(by: listener).withContext { value, context in
                chain.top.setValue(value, context: "of the chain")
                contexts.record("\(context ?? "-")")
            }
            node.listened(by: listener).withSenderListAndContext { _, senders, context in
                seen.record(senders.senders)
                contexts.record("\(context ?? "-")")
            }
        }
        pair.listened(by: listener).withSenderListAndContext { _, senders, context in
            seen.record(senders.senders)
            contexts.record("\(context ?? "-")")
        }
        beginSmall()
        source.setValue(1, context: "mine")
        #expect(seen.events == [[source], [middle, source], [end, middle, source], [pair, end, middle, source]])
        #expect(contexts.events == [String](repeating: "mine", count: 7))
        #expect(chain.end.value == 1 + length)
    }

    @Test("an operator's closure may set a long chain: its own value still goes round a ring once")
    func operatorInRing() throws {
        try withEvery("depth", in: Self.depths) { depth in
            let listener = Lifetime()
            let chain = Chain(300)
            let above = Chain(depth)
            let start = Node<Int>()
            let round = start.map { value in
                chain.top.value = value
                reuseMemory()
                return value + 1
            }
            let closing = try #require(round.upstreamTransforms.first as? Transform<Int, Int>)
            closing.to = start
            start.link(to: above.end)
            let heard = start.heard(by: listener)
            beginSmall()
            above.top.value = 0
            #expect(heard.events == [depth], "\(Trace.current)")
            #expect(chain.end.value == depth + 300, "\(Trace.current)")
            closing.cancel()
        }
    }

    @Test(
        "a value that a combination passed on goes round a ring once, however long that is",
        arguments: [10, 300, 5_000], [false, true])
    func combinationInRing(length: Int, setsAside: Bool) {
        let listener = Lifetime()
        let source = MutableNode<Int>()
        let sum = combine(source, Node(1)).mapEach { $0 + $1 }
        let end = (0..<length).reduce(sum) { end, _ in end.map { $0 } }
        let link = source.link(to: end)
        let heard = source.heard(by: listener)
        let heardAtEnd = end.heard(by: listener)
        // A set of its own, which comes from nowhere, makes no difference to where the sum came from.
        let aside = MutableNode<Int>()
        let heardAside = aside.map { $0 }.heard(by: listener)
        if setsAside { sum.listened(by: listener).with { aside.value = $0 } }
        beginSmall()
        source.value = 1
        #expect(heard.events == [1])
        #expect(heardAtEnd.events == [2])
        #expect(heardAside.events == (setsAside ? [2] : []))
        link.cancel()
    }

    @Test("a switch's values have their senders and context, though the switch set a long chain first")
    func switched() {
        withEvery("depth", in: Self.depths) { depth in
            let listener = Lifetime()
            let chain = Chain(300)
            let above = Chain(depth)
            let switched = above.end.switch { value in
                chain.top.value = value
                reuseMemory()
                return "key"
            }
            let branch = switched.case("key")
            let seen = Recorder<[AnyNode]>()
            let contexts = Recorder<String>()
            branch.listened(by: listener).withSenderListAndContext { _, senders, context in
                seen.record(senders.senders)
                contexts.record("\(context ?? "-")")
            }
            beginSmall()
            for turn in 0...1 { above.top.setValue(turn, context: "mine") }
            #expect(contexts.events == ["mine", "mine"], "\(Trace.current)")
            for senders in seen.events {
                #expect(senders.first == branch, "\(Trace.current)")
                #expect(senders.suffix(depth + 1).first == above.end, "\(Trace.current)")
                #expect(senders.last == above.top, "\(Trace.current)")
            }
        }
    }

    @Test(
        "the senders at the end of a chain are all of its nodes",
        arguments: [1, 62, 63, 64, 65, 127, 128, 1_000, Scale.gate.isSmall ? 4_000 : 17_000])
    func senders(length: Int) {
        let listener = Lifetime()
        let chain = Chain(length)
        let seen = Recorder<[AnyNode]>()
        chain.end.listened(by: listener).withSenderListAndContext { _, senders, _ in seen.record(senders.senders) }
        let nested = MutableNode<Int>()
        nested.listened(by: listener).with { chain.top.value = $0 }
        for node in [chain.top, nested, chain.top] {
            beginSmall()
            node.value = 1
        }
        #expect(seen.count == 3)
        for senders in seen.events {
            #expect(senders.count == length + 1)
            #expect(senders.first == chain.end)
            #expect(senders.last == chain.top)
            #expect(Set(senders).count == senders.count)
        }
    }

    @Test(
        "the deinit of a value may set a long chain when another takes its place, anywhere",
        arguments: [10, 300, 5_000])
    func valueGoes(length: Int) {
        let listener = Lifetime()
        let chain = Chain(length)
        let source = MutableNode<Charge>()
        let other = MutableNode<Charge>()
        let mapped = source.map { Charge($0.number * 10, chain) }
        let filtered = mapped.filter { _ in true }
        let pair = combine(mapped, source).mapEach { Charge($0.number + $1.number, chain) }
        let row = zip(mapped, other)
        let log = Recorder<String>()
        let nodes: [(String, Node<Charge>)] = [
            ("pair", pair), ("row", row.map { $0.0 }), ("filtered", filtered), ("mapped", mapped), ("source", source),
        ]
        for (name, node) in nodes { node.listened(by: listener).with { log.record("\(name) \($0.number)") } }
        for number in 1...3 {
            beginSmall()
            other.value = Charge(number, chain)
            source.value = Charge(number, chain)
            #expect(
                log.take() == [
                    "source \(number)", "mapped \(number * 10)", "filtered \(number * 10)", "row \(number * 10)",
                    "pair \(number * 11)",
                ]
            )
        }
    }
}
