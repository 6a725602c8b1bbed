import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@testable import ReactGraph

/// What an operator is made of, to be explained.
struct ExplainedInputs: Sendable {
    struct Odd: Error, CustomStringConvertible { var description: String { "odd" } }

    let a = MutableNode<Int>().named("a")
    let b = MutableNode<Int>().named("b")
    let clock = VirtualScheduler()
    let lifetime = Lifetime()

    var results: Node<Result<Int, Odd>> { a.map { $0 < 3 ? .success($0) : .failure(Odd()) } }
}

/// What `why` and `whyNot` say of each operator, text for text.
///
/// The first input is set 1, 1 and 3, the second once between; where the operator waits for its clock, a second goes by then.
/// To add an operator, give it a line.
struct ExplainedOperator: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let build: @Sendable (ExplainedInputs) -> AnyNode

    init(_ name: String, _ build: @escaping @Sendable (ExplainedInputs) -> AnyNode) {
        testDescription = name
        self.build = build
    }

    static let all: [Self] = [
        Self("fork") { $0.a.fork() },
        Self("map") { $0.a.map { $0 * 10 } },
        Self("mapReplace") { $0.a.mapReplace("x") },
        Self("compactMap") { $0.a.compactMap { $0 < 3 ? $0 : nil } },
        Self("collect") { $0.a.collect(count: 2) },
        Self("pulses") { $0.a.pulses() },
        Self("filter") { $0.a.filter { $0 < 3 } },
        Self("ignore") { $0.a.ignore(3) },
        Self("select") { $0.a.select(1) },
        Self("skip") { $0.a.skip(1) },
        Self("take") { $0.a.take(2) },
        Self("takeUntil") { $0.a.take(until: $0.b) },
        Self("starting") { $0.a.starting(with: 0) },
        Self("changes") { $0.a.changes() },
        Self("distinctUntilChanged") { $0.a.distinctUntilChanged() },
        Self("scan") { $0.a.scan(0) { $0 + $1 } },
        Self("scanWithIndex") { $0.a.scanWithIndex(0) { $0 + $1 + $2 } },
        Self("settled") { $0.a.settled() },
        Self("successes") { $0.results.successes() },
        Self("failures") { $0.results.failures() },
        Self("transformed") { $0.a.transformed("Doubled") { value, send in if value < 3 { send(value * 2) } } },
        Self("merge") { merge($0.a, $0.b) },
        Self("combine") { combine($0.a, $0.b) },
        Self("mapEach") { combine($0.a, $0.b).mapEach { $0 + $1 } },
        Self("zip") { zip($0.a, $0.b) },
        Self("withLatest") { $0.a.withLatest(from: $0.b) },
        Self("flattenMap") { inputs in inputs.a.flattenMap { $0 == 1 ? inputs.b : Node(0) } },
        Self("flatten") { inputs in inputs.a.map { $0 == 1 ? inputs.b : Node(0) }.flatten() },
        Self("flatMapMerging") { inputs in inputs.a.flatMapMerging { $0 == 1 ? inputs.b : Node(0) } },
        Self("switch") { $0.a.switch { $0 == 1 ? "one" : "other" }.case("one") },
        Self("default") { $0.a.switch { $0 == 1 ? "one" : nil }.default() },
        Self("if") { inputs in
            let node = Node<Int>()
            inputs.a.if { $0 < 3 }.then { node.link(to: $0) }
            return node
        },
        Self("switchMap") { $0.a.switchMap { ($0 == 1 ? "one" : "other", $0 * 2) }.case("one") },
        Self("selector") { $0.a.selector()(1) },
        Self("focus") { $0.a.focus(\.self) },
        Self("sync") { inputs in
            let node = MutableNode<Int>()
            inputs.lifetime.hold(node.sync(with: inputs.a))
            return node
        },
        Self("link") { inputs in
            let node = Node<Int>()
            node.link(to: inputs.a)
            return node
        },
        Self("computed") { inputs in computed { read in try read(inputs.a) < 3 ? read(inputs.b) : 0 } },
        Self("computed, the same") { inputs in computed { read in try read(inputs.a) > 0 } },
        Self("effect") { inputs in
            inputs.lifetime.effect { [a = inputs.a, b = inputs.b] read in _ = try read(a) + read(b) }
            return inputs.a.downstreamNodes[0]
        },
        Self("throttle") { $0.a.throttle(.milliseconds(300), on: $0.clock) },
        Self("debounce") { $0.a.debounce(.milliseconds(1500), on: $0.clock) },
        Self("sample") { $0.a.sample(every: .milliseconds(300), on: $0.clock) },
        Self("delay") { $0.a.delay(.milliseconds(300), on: $0.clock) },
        Self("deliver") { $0.a.deliver(on: $0.clock) },
        Self("collect every") { $0.a.collect(every: .milliseconds(300), on: $0.clock) },
        Self("combine sampled") { combine([$0.a, $0.b], sampledEvery: .milliseconds(300), on: $0.clock) },
        Self("timeout") { $0.a.timeout(.milliseconds(600), on: $0.clock) },
        Self("upToDate") { $0.a.debounce(.milliseconds(300), on: $0.clock).named("waiting").upToDate() },
        Self("ticks") { Node.ticks(every: .milliseconds(600), on: $0.clock) },
        Self("after") { Node.after(.milliseconds(600), on: $0.clock) },
        Self("mapLatest") { $0.a.mapLatest(executorPreference: $0.clock, tenfold) },
        Self("mapFirst") { $0.a.mapFirst(executorPreference: $0.clock, tenfold) },
        Self("mapInOrder") { $0.a.mapInOrder(executorPreference: $0.clock, tenfold) },
    ]
}

@Sendable private func tenfold(_ value: Int) async throws -> Int {
    await Task.yield()
    return value * 10
}

@Suite("Answers of why and why not") struct WhyGoldenTests {
    /// Parts of `switch` and `if`, and what listens.
    private static let others: Set = ["case", "then", "else"]

    @Test("are asked of every operator that the sources declare")
    func everyOperator() {
        let asked = ExplainedOperator.all.map { String($0.testDescription.prefix { $0 != " " && $0 != "," }) }
        let declared = Declared.operators.union(Declared.timeOperators).subtracting(Self.others)
        #expect(declared.subtracting(asked) == [])
    }
    @Test("of each operator, text for text", arguments: ExplainedOperator.all)
    func texts(of subject: ExplainedOperator) throws {
        try Golden.expect(answers(of: subject), is: "Recorder/\(subject.testDescription).txt")
    }
    private func answers(of subject: ExplainedOperator) -> String {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let inputs = ExplainedInputs()
        let (a, b) = (inputs.a, inputs.b)
        let result = subject.build(inputs).named("result")
        let start = recorder.mark("start")
        var text = ""
        func ask(_ what: String) {
            let answers = [recorder.why(result), recorder.whyNot(result, since: start)].map(\.description.steady)
            text += "\(what)\n\(answers.joined(separator: "\n"))\n\n"
        }
        a.value = 1
        ask("a = 1")
        b.value = 2
        ask("b = 2")
        a.value = 1
        a.value = 3
        ask("a = 1, a = 3")
        if inputs.clock.pendingCount > 0 {
            inputs.clock.advance(by: .seconds(1))
            ask("a second later")
        }
        return text
    }
}
