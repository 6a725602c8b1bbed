// The cost of each further input: combinations and zips of three to six by types, of ten as packs, of eight as arrays,
// and combinations by a function.

import ReactCore
import ReactOperators

private let triggers = 1_000
private let triangular = triggers * (triggers + 1) / 2

let inputCases =
    [
        Case(name: "combine of 2", size: "by types", metric: .nanoseconds(per: "emission")) { sample(combiningTwo) },
        Case(name: "zip of 2", size: "by types", metric: .nanoseconds(per: "emission")) { sample(zippingTwo) },
    ]
    + (3...6).map { count in
        // Only one of the inputs changes.
        row("combine of \(count)", "by types", beside: combiningTwo, hops: Double(count - 2)) { combining(count, $0) }
    } + [
        row("combine of 10", "pack", beside: combiningTwo, hops: 8) { combining(10, $0) },
        row("combine of 8", "array", beside: combiningTwo, hops: 6) { combining(8, $0) },
        row("combine by function", "2", beside: combiningTwo, hops: 0) { probe in
            let (left, right) = (MutableNode(0), MutableNode(1))
            probe.hear(ReactOperators.combine(left, right) { hidden($0 &+ ($1 & 0)) })
            return { left.value = $0 }
        },
        row("combine by function", "3", beside: combiningTwo, hops: 1) { probe in
            let (first, second, third) = (MutableNode(0), MutableNode(1), MutableNode(2))
            probe.hear(ReactOperators.combine(first, second, third) { hidden($0 &+ ($1 & $2 & 0)) })
            return { first.value = $0 }
        },
        row("combine by function", "10", beside: combiningTwo, hops: 8) { probe in
            let n = Nodes()
            probe.hear(
                combine(n.a, n.b, n.c, n.d, n.e, n.f, n.g, n.h, n.i, n.j) { a, _, _, _, _, _, _, _, _, j in
                    hidden(a &+ (j & 0))
                })
            return { n.a.value = $0 }
        },
    ]
    + (3...6).map { count in
        // All inputs change.
        row("zip of \(count)", "by types", beside: zippingTwo, hops: 3 * Double(count - 2)) { zipping(count, $0) }
    } + [
        row("zip of 10", "pack", beside: zippingTwo, hops: 24) { zipping(10, $0) },
        row("zip of 8", "array", beside: zippingTwo, hops: 18) { zipping(8, $0) },
    ]

/// Builds a graph, and returns the work of one trigger. The result is the trigger's value.
private typealias Build = @Sendable (Probe) -> (Int) -> Void

private func row(
    _ name: String, _ size: String, beside two: @escaping Build, hops: Double, _ build: @escaping Build
) -> Case {
    let baseline = Baseline(name: hops == 0 ? "two" : "two + \(format(hops)) hops") {
        let two = sample(two)
        let loop = Baseline.loop().prepare()
        return Sample { try two() + hops * loop() }
    }
    return Case(
        name: name, size: size, metric: .nanoseconds(per: "emission"), baseline: baseline, goal: .ratio(1)
    ) { sample(build) }
}
private func sample(_ build: Build) -> Sample {
    let probe = Probe()
    let trigger = build(probe)
    return probe.timed(per: triggers, expecting: triangular) { for value in 1...triggers { trigger(value) } }
}

private let combiningTwo: Build = { probe in
    let (left, right) = (MutableNode(0), MutableNode(1))
    probe.hear(left.combine(right).map { hidden($0.0) })
    return { left.value = $0 }
}
private let zippingTwo: Build = { probe in
    let (left, right) = (MutableNode(0), MutableNode(0))
    probe.hear(left.zip(right).map { hidden($0.1) })
    return { value in
        left.value = value
        right.value = value
    }
}
private func combining(_ count: Int, _ probe: Probe) -> (Int) -> Void {
    let n = Nodes()
    switch count {
    case 3: probe.hear(combine(n.a, n.b, n.c).map { hidden($0.0) })
    case 4: probe.hear(combine(n.a, n.b, n.c, n.d).map { hidden($0.0) })
    case 5: probe.hear(combine(n.a, n.b, n.c, n.d, n.e).map { hidden($0.0) })
    case 6: probe.hear(combine(n.a, n.b, n.c, n.d, n.e, n.f).map { hidden($0.0) })
    case 10:
        let all = combine(n.a, n.b, n.c, n.d, n.e, n.f, n.g, n.h, n.i, n.j)
        probe.hear(all.map { hidden($0.0) })
    default: probe.hear(Node.combine([n.a, n.b, n.c, n.d, n.e, n.f, n.g, n.h]).map { hidden($0[0]) })
    }
    return { n.a.value = $0 }
}
private func zipping(_ count: Int, _ probe: Probe) -> (Int) -> Void {
    let n = Nodes()
    switch count {
    case 3: probe.hear(zip(n.a, n.b, n.c).map { hidden($0.2) })
    case 4: probe.hear(zip(n.a, n.b, n.c, n.d).map { hidden($0.3) })
    case 5: probe.hear(zip(n.a, n.b, n.c, n.d, n.e).map { hidden($0.4) })
    case 6: probe.hear(zip(n.a, n.b, n.c, n.d, n.e, n.f).map { hidden($0.5) })
    case 10:
        let all = zip(n.a, n.b, n.c, n.d, n.e, n.f, n.g, n.h, n.i, n.j)
        probe.hear(all.map { hidden($0.9) })
    default: probe.hear(Node.zip([n.a, n.b, n.c, n.d, n.e, n.f, n.g, n.h]).map { hidden($0[7]) })
    }
    return { n.set(count, to: $0) }
}

/// Nodes that are set by name, because a loop over an array would retain each of them.
private struct Nodes {
    let a = MutableNode(0), b = MutableNode(0), c = MutableNode(0), d = MutableNode(0)
    let e = MutableNode(0), f = MutableNode(0), g = MutableNode(0), h = MutableNode(0)
    let i = MutableNode(0), j = MutableNode(0)

    func set(_ count: Int, to value: Int) {
        a.value = value
        b.value = value
        c.value = value
        if count > 3 { d.value = value }
        if count > 4 { e.value = value }
        if count > 5 { f.value = value }
        if count > 6 { (g.value, h.value) = (value, value) }
        if count > 8 { (i.value, j.value) = (value, value) }
    }
}
