// The cost of a hop, in chains and fans of all sizes. Every stage is a map that keeps its value, and every end has a
// listener.

import ReactCore
import ReactOperators

let chainCases = [1, 10, 100, 1_000, 10_000].map { length in
    Case(
        name: "chain",
        size: "\(length)",
        metric: .nanoseconds(per: "hop"),
        baseline: .loop(length),
        goal: [10, 100, 1_000].contains(length) ? .ratio(2) : nil
    ) { fan(width: 1, depth: length) }
}

let fanOutCases = [1, 10, 1_000, 10_000].map { width in
    Case(
        name: "fan-out",
        size: "\(width)",
        metric: .nanoseconds(per: "delivery"),
        baseline: .closures(width),
        goal: [10, 1_000].contains(width) ? .ratio(1.3) : nil
    ) { fan(width: width, depth: 0) }
}

let gridCases = [1, 10, 100].flatMap { width in
    [1, 10, 100].map { depth in
        Case(
            name: "grid",
            size: "\(width)x\(depth)",
            metric: .nanoseconds(per: "hop"),
            baseline: .loop(depth, width: width)
        ) { fan(width: width, depth: depth) }
    }
}

/// `width` chains of `depth` maps from one source, a listener at the end of each; per hop, or per delivery if there is
/// none.
func fan(width: Int, depth: Int) -> Sample {
    let probe = Probe()
    let source = MutableNode(0)
    for _ in 0..<width { probe.hear(chain(of: depth, from: source)) }
    let hops = width * max(depth, 1)
    let sets = repetitions(of: hops)
    return probe.timed(per: hops * sets, expecting: width * (sets * (sets + 1) / 2 + sets * depth)) {
        for value in 1...sets { source.value = value }
    }
}

/// `length` maps in a row; the last of them.
func chain(of length: Int, from source: Node<Int>) -> Node<Int> {
    var last = source
    for _ in 0..<length { last = last.map { hidden($0 &+ 1) } }
    return last
}
