import Foundation
import ReactCore
import ReactOperators
import Testing

@testable import ReactGraph

/// What `why` and `whyNot` say of each operator, text for text.
///
/// Each is set 1, 1 and 3, beside a second node that is set once between. To add an operator, give it a line.
struct ExplainedOperator: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let build: @Sendable (Node<Int>, Node<Int>) -> AnyNode

    init(_ name: String, _ build: @escaping @Sendable (Node<Int>, Node<Int>) -> AnyNode) {
        testDescription = name
        self.build = build
    }

    static let all: [Self] = [
        Self("fork") { a, _ in a.fork() },
        Self("map") { a, _ in a.map { $0 * 10 } },
        Self("mapReplace") { a, _ in a.mapReplace("x") },
        Self("compactMap") { a, _ in a.compactMap { $0 < 3 ? $0 : nil } },
        Self("filter") { a, _ in a.filter { $0 < 3 } },
        Self("ignore") { a, _ in a.ignore(3) },
        Self("select") { a, _ in a.select(1) },
        Self("skip") { a, _ in a.skip(1) },
        Self("take") { a, _ in a.take(2) },
        Self("distinctUntilChanged") { a, _ in a.distinctUntilChanged() },
        Self("scan") { a, _ in a.scan(0) { $0 + $1 } },
        Self("scanWithIndex") { a, _ in a.scanWithIndex(0) { $0 + $1 + $2 } },
        Self("merge") { a, b in merge(a, b) },
        Self("combine") { a, b in combine(a, b) },
        Self("zip") { a, b in zip(a, b) },
        Self("flattenMap") { a, b in a.flattenMap { $0 == 1 ? b : Node(0) } },
        Self("switch") { a, _ in a.switch { $0 == 1 ? "one" : "other" }.case("one") },
        Self("link") { a, _ in
            let node = Node<Int>()
            node.link(to: a)
            return node
        },
    ]
}

@Suite("What why and why not say") struct WhyGoldenTests {
    /// Without what differs from run to run.
    private func steady(_ text: String) -> String {
        text.replacing(#/, on .*?, \d+ (ms|s|min) ago/#, with: "").replacing(#/ \([A-Za-z]+\.swift:\d+\)/#, with: "")
    }

    @Test("of each operator, text for text", arguments: ExplainedOperator.all)
    func texts(of subject: ExplainedOperator) throws {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let a = MutableNode<Int>().named("a"), b = MutableNode<Int>().named("b")
        let result = subject.build(a, b).named("result")
        let start = recorder.mark("start")
        var text = ""
        func ask(_ what: String) {
            let answers = [recorder.why(result), recorder.whyNot(result, since: start)].map { steady("\($0)") }
            text += "\(what)\n\(answers.joined(separator: "\n"))\n\n"
        }
        a.value = 1
        ask("a = 1")
        b.value = 2
        ask("b = 2")
        a.value = 1
        a.value = 3
        ask("a = 1, a = 3")
        try Golden.expect(text, is: "Recorder/\(subject.testDescription).txt")
    }
}
