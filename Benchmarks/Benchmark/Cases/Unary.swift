// Operators of one node, beside `map`, and those that branch: one source with ten of each, a listener each, as in
// Operators.swift.

import ReactCore
import ReactOperators

private let objects = 10
private let triggers = 1_000
private let triangular = triggers * (triggers + 1) / 2

let unaryCases = [
    beside(mapping, 1.8, "scan") { probe, source in probe.hear(source.scan(0) { hidden($1 &+ ($0 & 0)) }) },
    beside(mapping, 1.8, "distinctUntilChanged") { probe, source in probe.hear(source.distinctUntilChanged()) },
    beside(mapping, 1.6, "take") { probe, source in probe.hear(source.take(.max)) },
    beside(mapping, 1.6, "skip") { probe, source in probe.hear(source.skip(1)) },
    // The goals in hops are a third of earlier figures, on a machine where a hop of the loop took 18 ns.
    beside(.loop(), 7.7, "switch…case") { probe, source in
        let switched = source.switch { hidden($0) & 1 }
        probe.hear(switched.case(0))
        probe.hear(switched.case(1))
    },
    beside(.loop(), 7.7, "if") { probe, source in
        source.if { hidden($0) & 1 == 0 }.then { probe.hear($0) }.else { probe.hear($0) }
    },
    beside(.loop(), 7.7, "custom Transform") { probe, source in
        let result = Node<Int>()
        result.link(to: source, transform: Passing())
        probe.hear(result)
    },
]

/// An operator as users write them.
private final class Passing: Transform<Int, Int>, @unchecked Sendable {
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        send(hidden(value), from: senders, context: context)
    }
}

private func beside(
    _ baseline: Baseline, _ ratio: Double, _ name: String, _ build: @escaping @Sendable (Probe, Node<Int>) -> Void
) -> Case {
    Case(
        name: name, size: "10", metric: .nanoseconds(per: "trigger"), baseline: baseline, goal: .ratio(ratio)
    ) { tenTimes(build) }
}
private func tenTimes(_ build: (Probe, Node<Int>) -> Void) -> Sample {
    let probe = Probe()
    let source = MutableNode(0)
    for _ in 0..<objects { build(probe, source) }
    return probe.timed(per: objects * triggers, expecting: objects * triangular) {
        for value in 1...triggers { source.value = value }
    }
}
private let mapping = Baseline(name: "map") {
    tenTimes { probe, source in probe.hear(source.map { hidden($0) }) }
}
