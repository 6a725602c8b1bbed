import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

/// An operator, ready to be applied to a node of numbers.
struct PulsedOperator: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Node<Int>, VirtualScheduler) -> Node<String>

    init<Output>(_ name: String, _ apply: @escaping @Sendable (Node<Int>, VirtualScheduler) -> Node<Output>) {
        testDescription = name
        self.apply = { apply($0, $1).map { String(describing: $0) } }
    }

    private static let passingAtOnce = [
        Self("map") { node, _ in node.map { $0 * 2 } },
        Self("fork and mapReplace") { node, _ in node.fork().mapReplace("x") },
        Self("filter") { node, _ in node.filter { $0 > 0 } },
        Self("compactMap") { node, _ in node.compactMap { Int?($0) } },
        Self("ignore") { node, _ in node.ignore(7) },
        Self("withLatest") { node, _ in node.withLatest(from: Node("x")).map { "\($0.0)\($0.1)" } },
        Self("if, then") { node, _ in node.if { $0 > 0 }.thenNode },
        Self("if, else") { node, _ in node.if { $0 < 0 }.elseNode },
        Self("switch") { node, _ in node.switch { $0 > 2 }.map { $0.key ?? false } },
        Self("switch and case") { node, _ in node.switch { _ in "a" }.case("a") },
        Self("switch and default") { node, _ in node.switch { _ in String?.none }.default() },
        Self("skip") { node, _ in node.skip(0) },
        Self("take") { node, _ in node.take(2) },
        Self("take(until:)") { node, _ in node.take(until: Node<Int>()) },
        Self("take(while:)") { node, _ in node.take(while: { $0 > 0 }) },
        Self("skip(while:)") { node, _ in node.skip(while: { $0 < 0 }) },
        Self("distinctUntilChanged") { node, _ in node.distinctUntilChanged() },
        Self("changes") { node, _ in node.changes().map(\.new) },
        Self("focus") { node, _ in node.focus(\.self) },
        Self("settled") { node, _ in node.settled() },
        Self("merge") { node, _ in merge(node, Node()) },
        Self("merge of two ways") { node, _ in merge(node.map { $0 * 2 }, node) },
        Self("take(1) of two ways") { node, _ in merge(node.filter { $0 > 1 }, node).take(2) },
        Self("many in a row") {
            $0.settled().switch { $0 > 0 }.case(true).distinctUntilChanged().delay(.seconds(1), on: $1)
                .withLatest(from: Node(7)).map(\.0).skip(0).settled().deliver(on: $1).changes().map(\.new)
        },
    ]
    static let passing =
        passingAtOnce + TimeOperator.plain.map { waiting in Self(waiting.name) { waiting.apply(to: $0, on: $1) } }
    static let keeping = [
        Self("scan") { node, _ in node.scan(0) { $0 + $1 } },
        Self("scan(into:)") { node, _ in node.scan(into: 0) { $0 += $1 } },
        Self("collect") { node, _ in node.collect(count: 1) },
        Self("combine") { node, _ in combine(node, Node("x")).map { "\($0.0)\($0.1)" } },
        Self("zip") { node, _ in zip(node, node).map { "\($0.0)\($0.1)" } },
        Self("flattenMap") { node, _ in node.flattenMap { Node($0) } },
        Self("computed") { node, _ in
            let result: Node<String> = computed { read in "\(try read(node))" }
            return result
        },
        Self("combine, then settled") { node, _ in
            combine(node, Node("x")).map { "\($0.0)\($0.1)" }.settled()
        },
    ]
}

@Suite("Pulses through operators")
struct PulsesThroughOperatorsTests {
    private let listener = Lifetime()

    private func hear(_ node: Node<String>) -> Recorder<String> {
        let heard = Recorder<String>()
        node.listened(by: listener).with { heard.record($0) }
        return heard
    }

    @Test("a pulse is heard behind an operator, and leaves its empty node empty", arguments: PulsedOperator.passing)
    func emptyBefore(_ op: PulsedOperator) {
        let node = MutableNode<Int>(), scheduler = VirtualScheduler()
        let result = op.apply(node, scheduler)
        let heard = hear(result)
        for count in 1...2 {
            node.pulse(3)
            scheduler.run()
            let isHeard = op.testDescription == "distinctUntilChanged" || heard.count >= count
            #expect(isHeard || ["focus", "many in a row"].contains(op.testDescription))
            #expect(result.isEmpty)
        }
        #expect(hear(result).events == [])
    }

    @Test("a pulse is heard behind an operator, whose node holds its old value then", arguments: PulsedOperator.passing)
    func fullBefore(_ op: PulsedOperator) throws {
        let node = MutableNode(1), scheduler = VirtualScheduler()
        let result = op.apply(node, scheduler)
        scheduler.run()
        let before = try #require(result.value)
        let heard = hear(result)
        #expect(heard.take() == [before])
        node.pulse(3)
        scheduler.run()
        #expect(!heard.take().isEmpty)
        #expect(result.value == before)
        #expect(hear(result).events == [before])
    }

    @Test("an operator that makes something of a pulse keeps it", arguments: PulsedOperator.keeping)
    func kept(_ op: PulsedOperator) {
        let node = MutableNode<Int>(), scheduler = VirtualScheduler()
        let result = op.apply(node, scheduler)
        node.pulse(3)
        scheduler.run()
        #expect(result.value != nil)
        #expect(node.isEmpty)
    }

    @Test("a set that comes during a pulse stays")
    func setDuringPulse() {
        let event = MutableNode<Int>(), state = MutableNode(1)
        let both = merge(state, event).distinctUntilChanged()
        let heard = both.map { "\($0)" }
        both.listened(by: listener).with { if $0 == 3 { state.value = 2 } }
        event.pulse(3)
        #expect(both.value == 2)
        #expect(heard.value == "2")
    }

    @Test("a pulse in the middle of another one leaves the value from before both")
    func pulseInPulse() {
        let outer = MutableNode<Int>(), inner = MutableNode<Int>(), state = MutableNode(1)
        let all = merge(state, outer, inner).settled(), now = merge(state, outer, inner)
        let heard = hear(now.map { "\($0)" })
        outer.listened(by: listener).with { inner.pulse($0 * 10) }
        now.listened(by: listener).with { if $0 == 2 { inner.pulse(7) } }
        outer.pulse(2)
        #expect(heard.events == ["1", "2", "7", "20"] || heard.events == ["1", "20", "2", "7"])
        #expect(now.value == 1)
        #expect(all.value == 1)
        state.value = 5
        outer.pulse(2)
        #expect(now.value == 5)
    }

    @Test("a pulse and a set in one batch: the newer of the two decides settled's value")
    func batches() {
        let event = MutableNode<Int>(), state = MutableNode(1)
        let last = merge(state, event).settled()
        let heard = hear(last.map { "\($0)" })
        batch {
            event.pulse(3)
            state.value = 2
        }
        #expect(last.value == 2)
        batch {
            state.value = 4
            event.pulse(5)
        }
        #expect(heard.events == ["1", "2", "5"])
        #expect(last.value == 2)
    }

    @Test("the value from before a pulse is let go of when a set has replaced it")
    func letGo() throws {
        try withLifetimeTracking { tracker in
            let event = MutableNode<Tracked>(), state = MutableNode(tracker.track("old"))
            let both = merge(state, event), listener = Lifetime()
            both.listened(by: listener).with { if $0.label == "event" { state.value = tracker.track("new") } }
            event.pulse(tracker.track("event"))
            #expect(both.value?.label == "new")
            // A recorder of another test may hold values for a moment.
            #expect(eventually { tracker.live == ["new"] })
            listener.cancel()
        }
    }

    @Test("pulses of four threads leave the value that was there before")
    func threads() {
        let event = MutableNode<Int>(), state = MutableNode(-1)
        let both = merge(state, event.map { $0 }, event).settled().distinctUntilChanged()
        let count = event.scan(0) { count, _ in count + 1 }
        concurrently(4) { thread in for value in 0..<200 { event.pulse(thread * 1_000 + value) } }
        waitForLate(at: event)
        #expect(count.value == 800)
        #expect(event.isEmpty)
        #expect(both.value == -1)
    }
}

@Suite("pulses()")
struct PulsesOfStateTests {
    private let listener = Lifetime()

    @Test("pulses passes each value on, and neither its node nor nodes derived from it have the value afterwards")
    func passesOn() {
        let state = MutableNode(1)
        let events = state.pulses()
        let derived = events.map { $0 * 10 }.settled()
        let count = events.scan(0) { count, _ in count + 1 }
        let heard = Recorder<String>()
        derived.listened(by: listener).withContext { heard.record("\($0) \($1 ?? "-")") }
        #expect(events.isEmpty && derived.isEmpty)
        state.value = 2
        state.setValue(2, context: "c")
        #expect(heard.events == ["20 -", "20 c"])
        #expect(events.isEmpty && derived.isEmpty)
        #expect(count.value == 2)
        #expect(state.value == 2)
        #expect(events.upstreamTransforms.map(\.name) == ["Pulses"])
        #expect(!events.isMutable)
    }

    @Test("pulses in a chain need no stack, and the sender list leads back to the source")
    func chain() {
        let state = MutableNode<Int>()
        var last: Node<Int> = state
        for _ in 0..<2_000 { last = last.pulses() }
        let heard = Recorder<Bool>()
        last.listened(by: listener).withSenderListAndContext { [unowned state] _, senders, _ in
            heard.record(senders.contains(state))
        }
        state.value = 1
        #expect(heard.events == [true])
        #expect(last.isEmpty)
        #expect(state.value == 1)
    }

    @Test("a pulse that pulses passes on leaves nothing either")
    func ofPulses() {
        let event = MutableNode<Int>()
        let events = event.pulses()
        let heard = Recorder<Int>()
        events.listened(by: listener).with { heard.record($0) }
        event.pulse(1)
        event.pulse(1)
        #expect(heard.events == [1, 1])
        #expect(event.isEmpty && events.isEmpty)
    }

    @Test("a listener of pulses that sets the state again hears that, too, in order")
    func reentrant() {
        let state = MutableNode(0)
        let events = state.pulses()
        let heard = Recorder<Int>()
        events.listened(by: listener).with { if $0 == 1 { state.value = 2 } }
        events.listened(by: listener).with { heard.record($0) }
        state.value = 1
        #expect(heard.events == [1, 2])
        #expect(events.isEmpty)
        #expect(state.value == 2)
    }
}
