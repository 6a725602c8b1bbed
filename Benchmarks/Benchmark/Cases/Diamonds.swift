// Values that part and meet again. They must come out once per set, with all their parts of that set.

import ReactCore
import ReactOperators

let diamondCases =
    Diamond(name: "diamond", size: 10, count: 1, goal: .ratio(40), build: wide, result: { 10 * ($0 + 1) }).cases
    + [1, 10, 100, 1_000].flatMap { count in
        Diamond(
            name: "diamonds",
            size: count,
            count: count,
            build: { inARow(count, from: $0) },
            result: { $0 + count }
        ).cases
    }

/// One graph that parts and meets, and its result for a value.
private struct Diamond: Sendable {
    let name: String
    let size: Int
    let count: Int
    var goal: Goal?
    let build: @Sendable (Node<Int>) -> Node<Int>
    let result: @Sendable (Int) -> Int

    var cases: [Case] {
        let sets = repetitions(of: 20 * count)
        return [
            Case(
                name: name,
                size: "\(size)",
                metric: .nanoseconds(per: name == "diamonds" ? "diamond" : "set"),
                baseline: .loop(),
                goal: goal
            ) {
                let probe = Probe()
                let source = MutableNode(0)
                probe.hear(build(source))
                return probe.timed(per: count * sets, expecting: (1...sets).reduce(0) { $0 + result($1) }) {
                    for value in 1...sets { source.value = value }
                }
            },
            Case(name: name, size: "\(size)", metric: .count(of: "emissions/set"), goal: .value(1)) {
                let probe = Probe()
                let source = MutableNode(0)
                probe.count(build(source))
                return probe.summed(per: sets) {
                    for value in 1...sets { source.value = value }
                }
            },
        ]
    }
}

/// Ten maps of the source, combined into their sum.
private func wide(from source: Node<Int>) -> Node<Int> {
    Node.combine((0..<10).map { _ in source.map { hidden($0 &+ 1) } }).map { hidden($0.reduce(0, &+)) }
}

/// Each takes the greater of two maps of the one before it. A library without order emits 2ⁿ times.
private func inARow(_ count: Int, from source: Node<Int>) -> Node<Int> {
    var last = source
    for _ in 0..<count {
        last = last.map { hidden($0 &+ 1) }.combine(last.map { hidden($0 &+ 1) }).mapEach { hidden(max($0, $1)) }
    }
    return last
}
