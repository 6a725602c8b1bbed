// The field's cases by `computed` and `effect` alone, as signal libraries have them. The goal is 2.5 times the time of
// alien-signals 3.2.1 on Node 24.19, on the machine that the goals of the field's cases were set on.

import ReactCore
import ReactOperators

private let iterations = 100

let signalCases = [deep, broad, diamond, triangle, mux, repeated]

/// `build` makes the graph, and returns the sum that the effects see in an iteration, and the writes. The baseline is a
/// loop with the same number of hops: `writes` times `hops`.
private func signalCase(
    _ name: String, writes: Int, hops: Int, atMost microseconds: Double,
    _ build: @escaping @Sendable (Probe) -> (expected: Int, iteration: () -> Void)
) -> Case {
    Case(
        name: "signals", size: name, metric: .microseconds(per: "iteration"),
        baseline: .iteration(of: writes, hops: hops), goal: .value(microseconds), samples: 10
    ) {
        let probe = Probe()
        let (expected, iteration) = build(probe)
        iteration()  // the first write of each iteration then differs from the last one
        return probe.timed(per: iterations, in: .microseconds, expecting: iterations * expected) {
            for _ in 0..<iterations { iteration() }
        }
    }
}

extension Probe {
    /// Adds up the values of `node` by an effect.
    fileprivate func react(to node: Node<Int>) {
        let sum = sum
        lifetime.effect { read in sum.add(try read(node)) }
    }
}

/// Returns a computed that is one more than `node`.
private func next(_ node: Node<Int>) -> Node<Int> { computed { read in hidden(try read(node) &+ 1) } }

/// Returns a computed that adds up `nodes`.
private func total(_ nodes: [Node<Int>]) -> Node<Int> {
    computed { read in hidden(try nodes.reduce(0) { try $0 &+ read($1) }) }
}

/// 0 + 1 + … + (count − 1).
private func triangular(_ count: Int) -> Int { count * (count - 1) / 2 }

/// A chain of 50, 50 writes.
private let deep = signalCase("deep", writes: 50, hops: 51, atMost: 150) { probe in
    let head = MutableNode(0)
    probe.react(to: (0..<50).reduce(head as Node<Int>) { node, _ in next(node) })
    return (triangular(50) + 50 * 50, { for value in 0..<50 { head.value = value } })
}

/// 50 branches of head + j, then + 1, an effect each; 50 writes.
private let broad = signalCase("broad", writes: 50, hops: 150, atMost: 493) { probe in
    let head = MutableNode(0)
    for j in 0..<50 { probe.react(to: next(computed { read in hidden(try read(head) &+ j) })) }
    return (
        50 * (triangular(50) + triangular(50) + 50), { for value in 0..<50 { head.value = value } }
    )
}

/// Five branches of head + 1, and their sum; 500 writes.
private let diamond = signalCase("diamond", writes: 500, hops: 7, atMost: 253) { probe in
    let head = MutableNode(0)
    probe.react(to: total((0..<5).map { _ in next(head) }))
    return (5 * (triangular(500) + 500), { for value in 0..<500 { head.value = value } })
}

/// The head and nine successive + 1 of it, and their sum; 100 writes.
private let triangle = signalCase("triangle", writes: 100, hops: 11, atMost: 95) { probe in
    let head = MutableNode(0)
    var rows: [Node<Int>] = [head]
    for _ in 0..<9 { rows.append(next(rows[rows.count - 1])) }
    probe.react(to: total(rows))
    return (10 * triangular(100) + 100 * triangular(10), { for value in 0..<100 { head.value = value } })
}

/// 100 heads in an array, 100 picks of it, + 1, an effect each; heads 0–9 written twice, i + 1 and then 2 i.
private let mux = signalCase("mux", writes: 20, hops: 102, atMost: 265) { probe in
    let heads = (0..<100).map { _ in MutableNode(0) }
    let all = computed { read in try heads.map { try read($0) } }
    for index in 0..<100 { probe.react(to: next(computed { read in hidden(try read(all)[index]) })) }
    // Each write that changes a head runs one effect. Head 1 is always written 2.
    let sum = (0..<10).filter { $0 != 1 }.reduce(0) { $0 + ($1 + 2) + (2 * $1 + 1) }
    return (
        sum,
        {
            for index in 0..<10 { heads[index].value = index + 1 }
            for index in 0..<10 { heads[index].value = 2 * index }
        }
    )
}

/// One computed that reads the head 30 times, 100 writes.
private let repeated = signalCase("repeated", writes: 100, hops: 2, atMost: 33) { probe in
    let head = MutableNode(0)
    probe.react(
        to: computed { read in
            var sum = 0
            for _ in 0..<30 { sum &+= try read(head) }
            return hidden(sum)
        })
    return (30 * triangular(100), { for value in 0..<100 { head.value = value } })
}
