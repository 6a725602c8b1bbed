import ReactCore
import ReactOperators
import ReactScheduling
import Testing

@testable import ReactGraph

@Suite("Why not") struct WhyNotTests {
    /// Expects an answer that begins with `begin`, and tells that `value` came back round a ring to the node named "a".
    private func expectCameRound(_ value: Int, at a: AnyNode, _ recorder: GraphRecorder, _ begin: String) {
        let answer = recorder.whyNot(a).description
        let end = "\n    Link 'a' did not pass on \(value), which had passed 'a', and came back to 'a' round a ring"
        #expect(answer.hasPrefix(begin) && answer.contains(end), "\(answer)")
    }
    @Test("a set that comes round by many ways to where it stops is told to stop there once", arguments: [1, 30])
    func diamonds(count: Int) {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let source = MutableNode(1).named("source")
        let last = (0..<count).reduce(source as Node<Int>) { node, _ in
            combine(node.map { $0 }, node.map { $0 }).mapEach { left, _ in left }
        }
        let none = last.filter { _ in false }.named("none")
        source.value = 2
        #expect(recorder.whyNot(none).events.map(\.kind) == [.set, .stopped])
    }
    @Test("an input that was emptied is waited for, and one that was cut for ever")
    func emptiedInput() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let (a, b) = (MutableNode(1).named(unique("a")), MutableNode(2).named(unique("b")))
        let both = combine(a, b).named(unique("both"))
        a.clean()
        #expect("\(recorder.whyNot(both))".contains("Combine '\(both.name!)' waits for '\(a.name!)', which is empty"))
        both.removeUpstreamNode(b)
        #expect(
            "\(recorder.whyNot(both))".contains(
                "was made of 2 inputs and has lost 1 of them, so it does not change any more: make"))
        let late = a.withLatest(from: b).named(unique("late"))
        #expect("\(recorder.whyNot(late))".contains("waits for '\(a.name!)', which is empty"))
        b.clean()
        #expect(!"\(recorder.whyNot(late))".contains("waits for '\(b.name!)'"))
    }
    @Test("a value that a zip has used is not told as kept, wherever its row has come to") func usedByZip() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let (a, b) = (MutableNode<Int>().named("a"), MutableNode<Int>().named("b"))
        let pair = zip(a, b).named("pair"), none = pair.filter { _ in false }.named("none")
        a.value = 1
        b.value = 10
        a.value = 2
        let answer = recorder.whyNot(none).description.withoutPlaces
        #expect(answer.contains("Filter 'none' did not pass on (1, 10)"))
        #expect(!answer.contains("kept 1"))
        #expect(answer.contains("Zip 'pair' kept 2, to pair it with a later value of 'b'"))
    }
    @Test("a zip that kept values before the record began uses these first") func keptBefore() {
        let (a, b) = (MutableNode<Int>().named("a"), MutableNode<Int>().named("b"))
        let pair = zip(a, b).named("pair")
        a.value = 1
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let start = recorder.mark("start")
        a.value = 2
        b.value = 10
        #expect(pair.current == (1, 10))
        let answer = recorder.whyNot(pair, since: start).description.withoutPlaces
        #expect(answer.hasPrefix("'pair' was set once since 'start', but not when\n  'a' was set to 2 (was 1)"))
        #expect(answer.contains("Zip 'pair' kept 2"))
    }
    @Test(
        "a result that loses its value to an empty node counts as emptied, also where values are not kept",
        arguments: [true, false])
    func emptied(keepsValues: Bool) {
        let recorder = GraphRecorder(values: keepsValues, sites: false, onThisThreadOnly: true)
        let (which, full) = (MutableNode(1).named("which"), MutableNode(5)), empty = MutableNode<Int>()
        let result = which.flattenMap { $0 == 1 ? full : empty }.named("result")
        let start = recorder.mark("start")
        which.value = 2
        let answer = recorder.whyNot(result, since: start).description.withoutPlaces
        #expect(answer == "'result' was not set, only emptied once, since 'start'")
        #expect(recorder.why(result).description.contains("so 'result' became empty"))
    }
    @Test("the value that `take(until:)` finds at the beginning is not told to end it") func endedLater() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let (a, b) = (MutableNode(1).named("a"), MutableNode(2).named("b"))
        let until = a.take(until: b).named("until")
        let texts = recorder.events().map(\.description)
        #expect(!texts.contains { $0.contains("ended") })
        b.value = 3
        #expect(recorder.events().last?.description == "TakeUntil 'until' ended, because 'b' was set")
        withExtendedLifetime(until) {}
    }
    @Test("a value that came back to its node round a ring is told of that node, through every kind of ring")
    func rings() {
        func link(_ a: MutableNode<Int>) -> Any { a.link(to: a.map { $0 + 1 }.named("b")) }
        func combination(_ a: MutableNode<Int>) -> Any {
            a.link(to: combine(a, MutableNode(5)) { $0 + $1 }.named("sum"))
        }
        func sync(_ a: MutableNode<Int>) -> Any {
            let other = MutableNode(0)
            return (other, a.sync(with: other))
        }
        for make in [link, combination, sync] {
            let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
            let a = MutableNode(1).named("a")
            let ring = make(a)
            let start = recorder.mark("start")
            a.value = 2
            let line = recorder.events(since: start).last { $0.kind == .stopped }!.description
            #expect(line.hasSuffix("came back to 'a' round a ring"))
            let answer = recorder.whyNot(a).description
            #expect(
                answer.hasPrefix("'a' has not been set since it became 2:\n  'a' was set to 2 (was "), "\(answer)")
            #expect(answer.contains("    \(line)"), "\(answer)")
            #expect(!answer.contains("nothing leads to it"))
            let since = recorder.whyNot(a, since: start)
            #expect(since.description.contains("    \(line)"), "\(since)")
            #expect(since.events.map(\.kind) == [.set, .stopped])
            withExtendedLifetime(ring) {}
            a.removeUpstreamNodes()
        }
    }
    @Test("a value that came from elsewhere, and back round a ring, is told with the set that it came from")
    func ringBelowASource() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let source = MutableNode(1).named("source")
        let a = Node<Int>().named("a"), b = a.map { $0 * 10 }.named("b")
        a.link(to: source)
        let back = a.link(to: b)
        source.value = 2
        expectCameRound(20, at: a, recorder, "'a' has not been set since it became 2:\n  'source' was set to 2 (was 1)")
        #expect(
            recorder.whyNot(b).description
                == "'b' has not been set since it became 20: nothing upstream of it ('source') was set")
        back.cancel()
    }
    @Test("a value that waited on its way, and came back round a ring, is told of its node")
    func ringThroughAScheduler() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let clock = VirtualScheduler(), a = MutableNode(1).named("a")
        let back = a.link(to: a.delay(.seconds(1), on: clock).map { $0 + 1 })
        clock.run()
        a.value = 2
        clock.run()
        expectCameRound(3, at: a, recorder, "'a' has not been set since it became 2:\n  'a' was set to 2 (was 1)")
        back.cancel()
    }
    @Test("a value that came back round a ring through mapLatest is told of its node") func ringThroughWork() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let clock = VirtualScheduler(), a = MutableNode(1).named("a")
        let back = a.link(to: a.mapLatest(executorPreference: clock) { $0 + 1 }.compactMap { $0.finished })
        clock.run()
        a.value = 5
        clock.run()
        expectCameRound(6, at: a, recorder, "'a' has not been set since it became 5:\n  'a' was set to 5 (was 2)")
        back.cancel()
    }
    @Test("two parts of a whole that are kept in step with one focus tell the value that came back")
    func ringOfAFocus() {
        struct Form: Equatable, Sendable { var name = "", age = 0 }
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let form = MutableNode(Form()).named("form")
        let name = form.focus(\.name).named("name")
        name.value = "Ada"
        let line = recorder.events().last { $0.kind == .stopped }?.description
        if let line, line.contains("round a ring") {
            #expect(recorder.whyNot(name).description.contains("    \(line)"), "\(recorder.whyNot(name))")
        }
        #expect(!recorder.whyNot(name).description.contains("nothing leads to it"), "\(recorder.whyNot(name))")
    }
    @Test("a comparison of the program's own is told to call two values equal, and not the values to be so")
    func ownComparison() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let position = MutableNode(1.0).named("position")
        let steps = position.distinctUntilChanged { abs($0 - $1) < 0.5 }.named("steps")
        let plain = position.distinctUntilChanged().named("plain")
        position.value = 1.2
        let own = recorder.whyNot(steps).description
        #expect(
            own.contains(
                "Distinct 'steps' did not pass on 1.2: it passes on only a value that its comparison does not call equal to the one before"
            ), "\(own)")
        position.value = 1.2
        let equal = recorder.whyNot(plain).description
        #expect(
            equal.contains(
                "Distinct 'plain' did not pass on 1.2: it passes on only a value that differs from the one before"),
            "\(equal)")
    }
    @Test("a node that leads to a result by two edges is told as one cause") func twoEdges() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let rate = MutableNode(2).named("rate"), other = MutableNode(3).named("other")
        let square = combine(rate, rate) { $0 * $1 }.named("square")
        rate.value = 4
        #expect(recorder.events().last { $0.kind == .fired }?.description == "Combine gave 'square' 16 (was 4)")
        let all = combine(rate, other, rate) { $0 + $1 + $2 }.named("all")
        batch {
            other.value = 5
            rate.value = 6
        }
        let text = recorder.why(all).description
        #expect(
            text.hasSuffix("Combine gave 'all' 17 (was 11), with the value that 'other' had brought before"), "\(text)")
        withExtendedLifetime(square) {}
    }
    @Test("an empty node whose last value was a pulse is told so") func pulse() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let tap = MutableNode<Int>().named("tap"), taps = tap.pulses().named("taps")
        tap.value = 1
        #expect("\(recorder.whyNot(taps))".hasPrefix("'taps' has not been set since it was given a pulse"))
        #expect("\(recorder.why(tap))".hasPrefix("'tap' holds 1"))
    }
    @Test("a record takes four words, and gives each kind back") func kinds() {
        #expect(MemoryLayout<Record>.size == 32 && MemoryLayout<GraphEvent.Kind?>.size == 1)
        for kind in GraphEvent.Kind.allCases { #expect(Record(kind, first: .max >> 16).kind == kind) }
        for detail in [Record.Detail.transactionEnded, .timed, .time, .joined] {
            let record = Record(nil, detail: detail, first: .max >> 16)
            #expect(record.kind == nil && record.detail == detail && !record.holdsValue)
        }
    }
}
