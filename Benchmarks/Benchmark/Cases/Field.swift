// The cases by which the field compares its libraries: built once, one thousand iterations a sample, best of ten, every
// write in a batch. The goal is the time of alien-signals 3.2.1 on Node 24.19, on the machine of the goals.

import ReactCore
import ReactOperators

private let iterations = 1_000

let fieldCases = [deep, broad, diamond, triangle, mux, repeated, avoidable]

/// `build` makes the graph, and returns the sum after an iteration, and the writes. The baseline is a loop with the
/// same number of hops: `writes` times `hops`.
private func fieldCase(
    _ name: String,
    writes: Int,
    hops: Int,
    atMost microseconds: Double?,
    _ build: @escaping @Sendable (Probe) -> (expected: Int, iteration: () -> Void)
) -> Case {
    Case(
        name: "field",
        size: name,
        metric: .microseconds(per: "iteration"),
        baseline: .iteration(of: writes, hops: hops),
        goal: microseconds.map { .value($0) },
        samples: 10
    ) {
        let probe = Probe()
        let (expected, iteration) = build(probe)
        return probe.timed(per: iterations, in: .microseconds, expecting: iterations * expected) {
            for _ in 0..<iterations { iteration() }
        }
    }
}

/// 0 + 1 + … + (count − 1).
private func triangular(_ count: Int) -> Int { count * (count - 1) / 2 }

/// A chain of 50 maps and a listener, 50 writes.
private let deep = fieldCase("deep", writes: 50, hops: 50, atMost: 60) { probe in
    let head = MutableNode(0)
    probe.hear(chain(of: 50, from: head))
    return (
        triangular(50) + 50 * 50, { for value in 0..<50 { batch { head.value = value } } }
    )
}

/// 50 branches of head + j, then + 1, then a listener; 50 writes.
private let broad = fieldCase("broad", writes: 50, hops: 100, atMost: 197) { probe in
    let head = MutableNode(0)
    for j in 0..<50 { probe.hear(head.map { hidden($0 &+ j) }.map { hidden($0 &+ 1) }) }
    return (
        50 * (triangular(50) + triangular(50) + 50), { for value in 0..<50 { batch { head.value = value } } }
    )
}

/// Five branches of head + 1, combined into a sum; 500 writes.
private let diamond = fieldCase("diamond", writes: 500, hops: 6, atMost: 101) { probe in
    let head = MutableNode(0)
    let branches = (0..<5).map { _ in head.map { hidden($0 &+ 1) } }
    probe.hear(Node.combine(branches).map { hidden($0.reduce(0, &+)) })
    return (
        5 * (triangular(500) + 500), { for value in 0..<500 { batch { head.value = value } } }
    )
}

/// The head and nine successive + 1 of it, combined into a sum; 100 writes.
private let triangle = fieldCase("triangle", writes: 100, hops: 10, atMost: 38) { probe in
    let head = MutableNode(0)
    var rows: [Node<Int>] = [head]
    for _ in 0..<9 { rows.append(rows[rows.count - 1].map { hidden($0 &+ 1) }) }
    probe.hear(Node.combine(rows).map { hidden($0.reduce(0, &+)) })
    return (
        10 * triangular(100) + 100 * triangular(10), { for value in 0..<100 { batch { head.value = value } } }
    )
}

/// 100 heads combined into an array, 100 picks of it, + 1, a listener each; heads 0–9 written twice, i and then 2 i.
private let mux = fieldCase("mux", writes: 20, hops: 200, atMost: 106) { probe in
    let heads = (0..<100).map { _ in MutableNode(0) }
    let all = Node.combine(heads)
    for index in 0..<100 { probe.hear(all.map { hidden($0[index]) }.map { hidden($0 &+ 1) }) }
    // Every write delivers all hundred picks. Before write i, heads 0–9 add up to 2 × (0 + … + 9), less the losses of
    // the heads written since. After the first round they add up to half of it.
    var sum = 0
    var values = (0..<10).map { 2 * $0 }
    for factor in 1...2 {
        for index in 0..<10 {
            values[index] = factor * index
            sum += values.reduce(0, +) + 100
        }
    }
    for (index, head) in heads.prefix(10).enumerated() { head.value = 2 * index }
    return (
        sum,
        {
            for factor in 1...2 {
                for index in 0..<10 { batch { heads[index].value = factor * index } }
            }
        }
    )
}

/// One map that adds the value up 30 times, 100 writes.
private let repeated = fieldCase("repeated", writes: 100, hops: 1, atMost: 13) { probe in
    let head = MutableNode(0)
    probe.hear(head.map { value in hidden((0..<30).reduce(0) { sum, _ in sum &+ value }) })
    return (
        30 * triangular(100), { for value in 0..<100 { batch { head.value = value } } }
    )
}

/// Head → a value that stays the same, by distinct → 3 maps with busy work; 1,000 writes, of which one passes.
private let avoidable = fieldCase("avoidable", writes: 1_000, hops: 1, atMost: nil) { probe in
    let head = MutableNode(0)
    let constant = head.map { hidden($0 / 1_000) }.distinctUntilChanged()
    probe.count(constant.map { busyWork($0) }.map { busyWork($0) }.map { busyWork($0) })
    var written = 0
    return (
        1,
        {
            for _ in 0..<1_000 {
                written += 1
                batch { head.value = written }
            }
        }
    )
}

/// Returns its argument after some work.
private func busyWork(_ value: Int) -> Int { hidden((0..<100).reduce(value) { $0 ^ $1 }) }
