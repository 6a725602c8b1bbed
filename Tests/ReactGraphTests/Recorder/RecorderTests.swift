import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@testable import ReactGraph

/// What is on record, apart from what other tests in the process do meanwhile.
extension GraphRecorder {
    func events(of nodes: AnyNode..., since moment: GraphMoment? = nil) -> [GraphEvent] {
        let names = Set(nodes.map(\.name))
        return events(since: moment).filter { event in event.node.map { names.contains($0.name) } ?? false }
    }
}

/// A name that nothing else in the process has.
func unique(_ name: String) -> String { "\(name)-\(UUID().uuidString.prefix(8))" }

@Suite("Recorder") struct RecorderTests {
    @Test("a set, its deliveries and its dropped values are on record in order, with values and causes")
    func recordsASet() throws {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let price = MutableNode(20).named(unique("price"))
        let cheap = price.filter { $0 < 25 }.named(unique("cheap"))
        let start = recorder.mark("start")
        price.value = 22
        price.value = 30
        let events = recorder.events(of: price, cheap, since: start)
        try #require(events.map(\.kind) == [.set, .stored, .set, .stopped])
        #expect(events.map(\.old) == ["20", "20", "22", nil])
        #expect(events.map(\.new) == ["22", "22", "30", "30"])
        #expect(events[1].causes == [events[0].moment])
        #expect(events[3].causes == [events[2].moment])
        #expect(
            events[3].reason?.contains("did not pass on 30: it passes on only values for which its condition") == true)
        #expect(events[3].edge?.name == "Filter")
        #expect(events.map(\.moment) == events.map(\.moment).sorted())
    }
    @Test("a recorder that has stopped records nothing more, and keeps its records")
    func stops() {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let node = MutableNode(1).named(unique("node"))
        node.value = 2
        recorder.stop()
        node.value = 3
        #expect(recorder.events(of: node).map(\.kind) == [.set])
        recorder.stop()
    }
    @Test("a ring keeps as many records as it has room for, and counts those that are gone")
    func evicts() {
        let recorder = GraphRecorder(capacity: 100, onThisThreadOnly: true)
        let node = MutableNode(0).named(unique("node"))
        for number in 1...1000 { node.value = number }
        let values = recorder.events(of: node).compactMap(\.new)
        #expect(values.count > 20 && values.count <= 100)
        #expect(values == (1001 - values.count...1000).map(String.init))
        #expect(recorder.evicted >= 900)
    }
    @Test("a ring may have room for as many records as there are") func unlimited() {
        let recorder = GraphRecorder(capacity: .max, onThisThreadOnly: true)
        let node = MutableNode(0).named(unique("node"))
        for number in 1...3000 { node.value = number }
        #expect(recorder.events(of: node).count == 3000)
        #expect(recorder.evicted == 0)
    }
    @Test("values that were replaced are held as long as their records, and no longer")
    func holdsValues() {
        final class Held: Sendable {}
        weak var first: Held?
        var recorder: GraphRecorder? = GraphRecorder(onThisThreadOnly: true)
        let node: MutableNode<Held>
        do {
            let held = Held()
            first = held
            node = MutableNode(held)
        }
        node.value = Held()
        #expect(first != nil)
        recorder = nil
        #expect(first == nil)
        #expect(recorder == nil)
    }
    @Test("values are released with records that are overwritten; sets by their deinit are on record as well")
    func letsGoOfValues() {
        final class Held: Sendable {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }
        let recorder = GraphRecorder(capacity: 16, onThisThreadOnly: true)
        let ends = MutableNode(0).named(unique("ends"))
        let node = MutableNode(Held {}).named(unique("node"))
        for _ in 0..<200 { node.value = Held { [ends] in ends.update { $0 += 1 } } }
        #expect(ends.value! > 150)
        #expect(!recorder.events(of: ends).isEmpty)
    }
    @Test("without values, only the present one is told") func withoutValues() {
        let recorder = GraphRecorder(values: false, onThisThreadOnly: true)
        let node = MutableNode(1).named(unique("node"))
        node.value = 2
        node.value = 3
        #expect(recorder.events(of: node).map(\.old) == [nil, nil])
        #expect(recorder.events(of: node).last?.new == "3")
    }
    @Test("without values, the graph as it was still tells a node that held a value from an empty one")
    func notKept() {
        let recorder = GraphRecorder(values: false, sites: false, onThisThreadOnly: true)
        let node = MutableNode(1).named("node")
        let moments = [2, nil, 3, 4].map { value in
            value.map { node.value = $0 } ?? node.clean()
            return recorder.mark("\(value ?? 0)")
        }
        let values = moments.map { recorder.graph(of: node, at: $0).nodes[0].value }
        #expect(values == ["not kept", nil, "not kept", "4"])
    }
    @Test("values of any size are told as they were") func largeValues() {
        struct Large: Sendable, CustomStringConvertible {
            var parts = (1, 2, 3, 4, 5)
            var name: String
            var description: String { name }
        }
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let node = MutableNode(Large(name: "one")).named(unique("node"))
        node.value = Large(name: "two")
        node.value = Large(name: "three")
        #expect(recorder.events(of: node).map(\.old) == ["one", "two"])
    }
    @Test("a redacted value is not told, nor any value derived from it") func redacted() {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let secret = MutableNode("a").named(unique("secret")).redacted()
        let same = secret.filter { _ in true }.named(unique("same"))
        secret.value = "classified-1"
        secret.value = "classified-2"
        let text = recorder.events(of: secret, same).map { "\($0) \($0.old ?? "") \($0.new ?? "")" }.joined()
        #expect(!text.contains("classified"))
        #expect(text.contains("redacted"))
        #expect(!recorder.why(same).description.contains("classified"))
        #expect(!recorder.page(of: same).contains("classified"))
        #expect(!recorder.trace().contains("classified"))
    }
    @Test("recorders keep to themselves, each with rings of its own") func several() {
        let first = GraphRecorder(capacity: 8, onThisThreadOnly: true)
        let node = MutableNode(0).named(unique("node"))
        node.value = 1
        let second = GraphRecorder(onThisThreadOnly: true)
        for number in 2...50 { node.value = number }
        first.stop()
        node.value = 51
        #expect(first.events(of: node).last?.old == "49")
        #expect(second.events(of: node).map(\.new).first == "2")
        #expect(second.events(of: node).last?.new == "51")
    }
    @Test("moments of one thread are in the order of their records") func moments() throws {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let moments = (0..<100).map { recorder.mark("\($0)") }
        #expect(moments == moments.sorted())
        #expect(Set(moments).count == 100)
        let decoded = try JSONDecoder().decode([GraphMoment].self, from: JSONEncoder().encode(moments))
        #expect(decoded == moments)
        let marks = recorder.events().filter { $0.kind == .mark }
        #expect(marks.map(\.moment) == moments)
        #expect(marks.compactMap(\.reason) == (0..<100).map(String.init))
    }
    @Test("a listener's set is caused by the value that it heard") func nestedSets() throws {
        let recorder = GraphRecorder(onThisThreadOnly: true), lifetime = Lifetime()
        let node = MutableNode(0).named(unique("node")), other = MutableNode(0).named(unique("other"))
        node.listened(by: lifetime).with { other.value = $0 * 10 }
        let start = recorder.mark("start")
        node.value = 1
        let events = recorder.events(of: node, other, since: start)
        try #require(events.map(\.kind) == [.set, .heard, .set])
        #expect(events[2].causes == [events[1].moment])
        #expect(events[2].edge == events[1].edge)
    }
    @Test("a set of the node that is delivering is on record as queued, with its deliveries") func queuedSets() throws {
        let recorder = GraphRecorder(onThisThreadOnly: true), lifetime = Lifetime()
        let node = MutableNode(0).named(unique("node"))
        node.listened(by: lifetime).with { [unowned node] in if $0 == 1 { node.value = 2 } }
        let start = recorder.mark("start")
        node.value = 1
        let events = recorder.events(of: node, since: start)
        try #require(events.map(\.kind) == [.set, .heard, .queued, .resumed, .set, .heard])
        #expect(events[2].causes == [events[1].moment])
        #expect(events[3].causes == [events[2].moment])
        #expect(events[4].causes == [events[3].moment])
    }
    @Test("a value that an edge brings to a node that is delivering is queued, and not refused") func queuedValues()
        throws
    {
        let recorder = GraphRecorder(onThisThreadOnly: true), lifetime = Lifetime()
        let a = MutableNode(0).named(unique("a")), b = MutableNode(0).named(unique("b"))
        let both = merge(a, b).named(unique("both"))
        both.listened(by: lifetime).with { [b] in if $0 == 1 { b.value = 2 } }
        let start = recorder.mark("start")
        a.value = 1
        let events = recorder.events(of: both, since: start)
        try #require(events.map(\.kind) == [.stored, .heard, .queued, .resumed, .stored, .heard])
        #expect(events[4].causes == [events[3].moment])
        #expect(recorder.why(both).events.first?.node?.name == a.name)
    }
    @Test("a node's memory may be used again: each keeps its own events") func usedAgain() {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        var names: [String] = []
        for number in 0..<20 {
            let name = unique("node\(number)")
            names.append(name)
            let node = MutableNode(0).named(name)
            node.value = number
        }
        let sets = recorder.events().filter { $0.kind == .set && names.contains($0.node?.name ?? "") }
        #expect(sets.map { $0.node?.name } == names)
        #expect(Set(sets.map { $0.node?.id }).count == 20)
    }
    @Test("a part holds the whole that it is focused on, which does not hold it") func focus() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let start = recorder.mark("start")
        struct Pair: Sendable { var left: Int, right: Int }
        let whole = MutableNode(Pair(left: 1, right: 2)).named(unique("whole"))
        let part = whole.focus(\.left).named(unique("part"))
        let holders = recorder.liveObjects(since: start).filter { $0.kind == .node }.map(\.holders)
        #expect(holders.map(\.count) == [1, 0])
        withExtendedLifetime(part) {}
    }
    @Test("a node that was made and not released is listed as living, with the place that made it and its holders")
    func living() throws {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let start = recorder.mark("start")
        let source = MutableNode(1).named(unique("source"))
        let kept = source.map { $0 + 1 }.named(unique("kept"))
        do { _ = source.map { $0 + 2 }.named(unique("gone")) }
        let residents = recorder.liveObjects(since: start)
        let node = try #require(residents.first { $0.label == "'\(source.name!)'" })
        #expect(node.holders.contains { $0.hasPrefix("Map '\(kept.name!)'") })
        #expect(!residents.contains { $0.label.contains("gone-") })
        #if os(Linux)
        #expect(node.place?.hasPrefix("RecorderTests.swift:") == true)
        #endif
    }
    @Test("a node that is older than the moment is named if it holds one made since") func olderHolder() throws {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let shown = Node<Int>().named(unique("shown")), link = LinkTransform<Int>()
        shown.link(to: MutableNode(1).named(unique("old")), transform: link)
        let start = recorder.mark("start")
        let new = MutableNode(2).named(unique("new"))
        link.from = new
        let residents = recorder.liveObjects(since: start)
        #expect(residents.map(\.label) == ["'\(new.name!)'"])
        // A recorder of another test may have had the places noted.
        #expect(residents.first?.holders.map { $0.hasPrefix("Link '\(shown.name!)'") } == [true])
        let fork = shown.fork()
        let edge = try #require(recorder.liveObjects(since: start).first { $0.kind == .edge })
        #expect(edge.label.hasPrefix("Fork of '\(shown.name!)'"))
        withExtendedLifetime(fork) {}
    }
    @Test("an edge that holds values until later is called for each that it takes, and for each that it sends")
    func costsOfHolding() throws {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let clock = VirtualScheduler()
        let search = MutableNode(0).named(unique("search"))
        let settled = search.throttle(.milliseconds(300), on: clock).named(unique("settled"))
        let lifetime = Lifetime(), start = recorder.mark("start")
        search.listened(by: lifetime).with(on: clock) { _ in }
        for number in 1...10 { search.value = number }
        let calls = {
            Dictionary(uniqueKeysWithValues: recorder.costliest(since: start).map { ($0.edge?.name, $0.calls) })
        }
        // A listener hears the value that is there, too.
        #expect(calls() == ["Throttle": 10, "Listen": 11])
        clock.advance(by: .seconds(1))
        #expect(calls() == ["Throttle": 11, "Listen": 11])
        withExtendedLifetime(settled) {}
    }
    @Test("the edges that are called most are the hottest, and equal values are wasted") func costs() throws {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let node = MutableNode(0).named(unique("node"))
        let double = node.map { $0 * 2 }.named(unique("double"))
        let start = recorder.mark("start")
        for number in 0..<50 { node.value = number / 10 }
        let hot = try #require(recorder.costliest(1000, since: start).first { $0.label.contains(double.name!) })
        #expect(hot.calls == 50)
        let wasted = try #require(recorder.redundantUpdates(1000, since: start).first { $0.node?.name == node.name })
        #expect(wasted.calls == 46)
        #expect(wasted.callsDownstream == 46)
    }
    @Test("a trace is JSON: a slice for each set and an arrow from each cause") func trace() throws {
        struct Trace: Decodable {
            struct Event: Decodable { let name: String, ph: String, ts: Double, tid: Int }
            let traceEvents: [Event]
        }
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let node = MutableNode("\"</script>").named(unique("node"))
        let other = node.map { $0 + "\u{1}" }.named(unique("other"))
        node.value = "\\"
        let trace = try JSONDecoder().decode(Trace.self, from: Data(recorder.trace().utf8)).traceEvents
        #expect(trace.contains { $0.ph == "X" && $0.name.contains(node.name!) })
        #expect(trace.contains { $0.ph == "X" && $0.name.contains(other.name!) })
        #expect(trace.filter { $0.ph == "s" }.count == trace.filter { $0.ph == "f" }.count)
    }
    @Test("a trace has an arrow of its own from each input to the combination that fired") func arrows() throws {
        struct Trace: Decodable {
            struct Event: Decodable { let ph: String, id: Int? }
            let traceEvents: [Event]
        }
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let a = MutableNode(1), b = MutableNode(2), sum = combine(a, b)
        batch {
            a.value = 2
            b.value = 3
        }
        let trace = try JSONDecoder().decode(Trace.self, from: Data(recorder.trace().utf8)).traceEvents
        let (starts, ends) = (trace.filter { $0.ph == "s" }.map(\.id), trace.filter { $0.ph == "f" }.map(\.id))
        // Two sets, two arrivals, and what fired for both of them.
        #expect(recorder.events().map(\.causes.count).reduce(0, +) == starts.count)
        #expect(Set(starts).count == starts.count && starts == ends)
        withExtendedLifetime(sum) {}
    }
    @Test("the trace's bar of a set ends after the bars inside it, and before the next one begins") func slices() {
        func moment(_ time: UInt64, _ position: UInt64) -> GraphMoment {
            GraphMoment(time: time, thread: 1, position: position)
        }
        // A set of which three things came within a tenth of a microsecond, and a slow one.
        let times = TraceTimes(
            [moment(1_000, 0), moment(1_000, 1), moment(1_050, 2), moment(1_000, 3), moment(1_150, 5)],
            ends: [moment(1_100, 4), moment(9_000, 6)])
        #expect(zip(times.begins, times.begins.dropFirst()).allSatisfy { $0 < $1 })
        #expect(times.ends[0] > times.begins[3] + 0.05 && times.ends[0] <= times.begins[4])
        #expect(times.ends[4] == 8)
    }
    @Test("the page holds all that it needs, and no text ends its script") func page() {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let node = MutableNode("</script><b>").named("</script>\u{2028}")
        node.value = "<!--"
        let page = recorder.page(of: node, title: "<title> & \"quotes\"")
        #expect(page.components(separatedBy: "</script>").count == 3)
        #expect(page.contains("&lt;title&gt; &amp; &quot;quotes&quot;"))
        #expect(!page.contains("<!--"))
        for word in ["src=", "@import", "fetch(", "https:"] { #expect(!page.contains(word), "\(word)") }
    }
    @Test("no text brings a tag into the page, not even one that begins in the middle of a character")
    func hostileTexts() {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        // A sign of Arabic numbers makes one character with what comes after it.
        let node = MutableNode("\u{600}<hostile>").named("\u{600}<hostile>")
        let page = recorder.page(of: node)
        #expect(!page.utf8.contains("<hostile".utf8))
        #expect(page.utf8.contains("&lt;hostile&gt;".utf8) && page.utf8.contains("\\u003chostile>".utf8))
    }
    // In a process of its own: it records all threads.
    @Test("threads record side by side while others ask") func threads() async {
        await #expect(processExitsWith: .success) {
            let sets = Scale.gate.isSmall ? 500 : 2000
            let recorder = GraphRecorder(capacity: sets, sites: !Scale.gate.isSmall)
            let nodes = (0..<4).map { MutableNode(0).named("node\($0)") }
            let sums = (0..<4).map { combine(nodes[$0], nodes[($0 + 1) % 4]).mapEach { $0 + $1 }.named("sum\($0)") }
            await withTaskGroup { group in
                for node in nodes {
                    group.addTask { for number in 1...sets { node.value = number } }
                }
                group.addTask {
                    for _ in 0..<5 {
                        _ = recorder.why(sums[0]).description
                        _ = recorder.events().count
                    }
                }
            }
            precondition(sums.allSatisfy { $0.value == 2 * sets })
            let moments = recorder.events().map(\.moment)
            precondition(recorder.evicted > 0 && moments == moments.sorted())
        }
    }
    @Test("a node that nothing has set says so") func nothingOnRecord() {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let node = MutableNode(1).named("lonely"), empty = MutableNode<Int>().named("void")
        #expect("\(recorder.why(node))" == "'lonely' holds 1: nothing on record has set it")
        #expect("\(recorder.why(empty))" == "'void' is empty: nothing on record has set it")
        #expect("\(recorder.whyNot(node))" == "'lonely' was not set: nothing leads to it")
    }
}
