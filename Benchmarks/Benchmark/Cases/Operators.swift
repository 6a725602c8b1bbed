// Ten objects × 1,000 triggers: one of each operator's ordinary use, ten times over. A trigger sets one source, for
// combine, zip, merge and syncWith both sources in turn. Time per trigger and object.

import ReactCore
import ReactOperators

private let objects = 10
private let triggers = 1_000
/// 1 + 2 + … + 1,000, the sum that a listener of a source adds up.
private let triangular = triggers * (triggers + 1) / 2

let operatorCases = [listener, map, filter, flattenMap, combine, zip, merge, syncWith]

/// `build` makes the graph, and returns the sum that 1,000 triggers leave, and a run of them.
private func tenTimes(
    _ name: String,
    atMost ratio: Double,
    _ baseline: Baseline = .loop(),
    _ build: @escaping @Sendable (Probe) -> (expected: Int, run: () -> Void)
) -> Case {
    Case(
        name: name,
        size: "10",
        metric: .nanoseconds(per: "trigger"),
        baseline: baseline,
        goal: .ratio(ratio)
    ) {
        let probe = Probe()
        let (expected, run) = build(probe)
        return probe.timed(per: objects * triggers, expecting: expected, run)
    }
}

private let listener = tenTimes("listener", atMost: 1.3, .closures(objects)) { probe in
    let source = MutableNode(0)
    for _ in 0..<objects { probe.hear(source) }
    return (
        objects * triangular, { for value in 1...triggers { source.value = value } }
    )
}

private let map = tenTimes("map", atMost: 3.2) { probe in
    let source = MutableNode(0)
    for _ in 0..<objects { probe.hear(source.map { hidden($0 &+ 1) }) }
    return (
        objects * (triangular + triggers), { for value in 1...triggers { source.value = value } }
    )
}

/// Half of the values pass.
private let filter = tenTimes("filter", atMost: 2.5) { probe in
    let source = MutableNode(0)
    for _ in 0..<objects { probe.hear(source.filter { hidden($0) & 1 == 0 }) }
    let even = 2 * (triggers / 2) * (triggers / 2 + 1) / 2
    return (
        objects * even, { for value in 1...triggers { source.value = value } }
    )
}

/// Switches between two inner nodes that exist already.
private let flattenMap = tenTimes("flattenMap", atMost: 16) { probe in
    let source = MutableNode(0)
    let inner = (MutableNode(3), MutableNode(5))
    for _ in 0..<objects { probe.hear(source.flattenMap { $0 & 1 == 0 ? inner.0 : inner.1 }) }
    return (
        objects * triggers / 2 * (3 + 5), { for value in 1...triggers { source.value = value } }
    )
}

/// Ten combinations of the same two sources: two emissions per trigger.
private let combine = tenTimes("combine", atMost: 12) { probe in
    let (left, right) = (MutableNode(0), MutableNode(triggers))
    for _ in 0..<objects { probe.hear(left.combine(right)) }
    // As `left` is set, `right` still holds the value before, which is that of the last trigger at first.
    return (
        objects * (4 * triangular),
        {
            for value in 1...triggers {
                left.value = value
                right.value = value
            }
        }
    )
}

/// One emission per trigger.
private let zip = tenTimes("zip", atMost: 12) { probe in
    let (left, right) = (MutableNode(0), MutableNode(0))
    for _ in 0..<objects { probe.hear(left.zip(right)) }
    return (
        objects * 2 * triangular,
        {
            for value in 1...triggers {
                left.value = value
                right.value = value
            }
        }
    )
}

private let merge = tenTimes("merge", atMost: 6) { probe in
    let (left, right) = (MutableNode(0), MutableNode(0))
    for _ in 0..<objects { probe.hear(left.merge(right)) }
    return (
        objects * 2 * triangular,
        {
            for value in 1...triggers {
                left.value = value
                right.value = value
            }
        }
    )
}

/// Ten pairs, each kept the same both ways; a trigger sets first the one, then the other node of each pair.
private let syncWith = tenTimes("syncWith", atMost: 12) { probe in
    let pairs = (0..<objects).map { _ in (MutableNode(0), MutableNode(0)) }
    for (left, right) in pairs {
        left.sync(with: right)
        probe.hear(right)
    }
    return (
        objects * 2 * triangular,
        {
            for value in 1...triggers {
                for (left, right) in pairs {
                    left.value = value
                    right.value = value
                }
            }
        }
    )
}
