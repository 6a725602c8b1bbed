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
        #expect("\(recorder.whyNot(both))".contains("has lost an input and waits for ever"))
        let late = a.withLatest(from: b).named(unique("late"))
        #expect("\(recorder.whyNot(late))".contains("waits for '\(a.name!)', which is empty"))
        b.clean()
        #expect(!"\(recorder.whyNot(late))".contains("waits for '\(b.name!)'"))
    }
}
