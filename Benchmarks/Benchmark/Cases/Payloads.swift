// A chain of ten maps that pass on values of all kinds, beside the loop over the same.

import ReactCore
import ReactOperators

private let length = 10
private let sets = 1_000

let payloadCases = [
    row("Int", 2, [1, 2]),
    row("small String", 2, ["one", "two"]),
    row("large String", 2, [String(repeating: "one", count: 20), String(repeating: "two", count: 20)]),
    row("array", 2, [[1, 2, 3], [4, 5, 6]]),
    row("class", 2, [Object(), Object()]),
    row("8 words", 2, [EightWords(), EightWords()]),
    row("2 references", 2, [TwoReferences(), TwoReferences()]),
    row("existential", 2, [1 as any Sendable, "two" as any Sendable]),
    row("optional", 2, [1 as Int?, nil as Int?]),
    Case(
        name: "payload", size: "unspecialised Int", metric: .nanoseconds(per: "hop"), baseline: floor([1, 2]),
        goal: .ratio(4)
    ) { chain([1, 2]) { unspecialised($0) } },
]

private final class Object: Sendable {}
private struct EightWords: Sendable {
    let words = (1, 2, 3, 4, 5, 6, 7, 8)
}
private struct TwoReferences: Sendable {
    let one = Object()
    let other = Object()
}

/// `values` are set in turn.
@inline(__always)
private func row<Value: Sendable>(_ name: String, _ ratio: Double, _ values: [Value]) -> Case {
    Case(
        name: "payload", size: name, metric: .nanoseconds(per: "hop"), baseline: floor(values), goal: .ratio(ratio)
    ) { chain(values) { $0.map { $0 } } }
}
@inline(__always)
private func floor<Value: Sendable>(_ values: [Value]) -> Baseline {
    Baseline(name: "loop") {
        let sum = Sum()
        let floor = PayloadFloor(length: length, of: values[0], { $0 }, hear: { _ in sum.add(1) })
        return timed(per: length * sets, sum, expecting: sets) {
            for index in 0..<sets { floor.set(values[index & 1]) }
        }
    }
}
@inline(__always)
private func chain<Value: Sendable>(_ values: [Value], _ map: (Node<Value>) -> Node<Value>) -> Sample {
    let probe = Probe()
    let source = MutableNode(values[0])
    var last: Node<Value> = source
    for _ in 0..<length { last = map(last) }
    let sum = probe.sum
    probe.listen(to: last).with { _ in sum.add(1) }
    return probe.timed(per: length * sets, expecting: sets) {
        for index in 0..<sets { source.value = values[index & 1] }
    }
}
/// A map that knows nothing of the type.
@inline(never) @_optimize(none)
private func unspecialised<Value: Sendable>(_ node: Node<Value>) -> Node<Value> { node.map { $0 } }
