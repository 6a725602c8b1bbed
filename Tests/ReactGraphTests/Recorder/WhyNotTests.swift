import ReactCore
import ReactOperators
import Testing

@testable import ReactGraph

@Suite("Why not") struct WhyNotTests {
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
    @Test("an input that was emptied is not waited for while its value is there, one that was cut is for ever")
    func emptiedInput() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let (a, b) = (MutableNode(1).named(unique("a")), MutableNode(2).named(unique("b")))
        let both = combine(a, b).named(unique("both"))
        a.clean()
        #expect(!"\(recorder.whyNot(both))".contains("waits for"))
        both.removeUpstreamNode(b)
        #expect("\(recorder.whyNot(both))".contains("has lost an input, so it will not change any more"))
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
}
