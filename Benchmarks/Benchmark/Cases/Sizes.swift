// Large graphs beside small ones of one kind, to see the cost of memory.

let sizeCases = [
    Case(
        name: "size", size: "fan-out 100000", metric: .nanoseconds(per: "delivery"),
        baseline: Baseline(name: "of 1000") { fan(width: 1_000, depth: 0) }, goal: .ratio(1.5)
    ) { fan(width: 100_000, depth: 0) },
    Case(
        name: "size", size: "chain 1000000", metric: .nanoseconds(per: "hop"),
        baseline: Baseline(name: "of 1000") { fan(width: 1, depth: 1_000) }, goal: .ratio(1.5)
    ) { fan(width: 1, depth: 1_000_000) },
    Case(
        name: "size", size: "cellx 2500", metric: .nanoseconds(per: "cell"),
        baseline: Baseline(name: "of 10", prepare: cellxCases[0].prepare), goal: .ratio(1.4),
        prepare: cellxCases[2].prepare
    ),
]
