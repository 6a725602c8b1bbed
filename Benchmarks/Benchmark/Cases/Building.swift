// The cost of building a graph, of releasing it, and of keeping it.

import HeapProbe
import ReactCore
import ReactOperators

let buildingCases = [1_000, 100_000].flatMap { length in
    [
        row("build", length, building),
        row("drop", length, dropping),
        row("build+drop", length, buildingAndDropping, goal: length == 1_000 ? .ratio(10) : nil),
    ]
}

private func row(
    _ name: String,
    _ length: Int,
    _ measure: @escaping @Sendable (Int, @escaping Builder) -> Sample,
    goal: Goal? = nil
) -> Case {
    Case(
        name: name,
        size: "\(length)",
        metric: .nanoseconds(per: "stage"),
        baseline: Baseline(name: "loop", comesFirst: true) { measure(length, loop) },
        goal: goal
    ) { measure(length, maps) }
}

let heapCases =
    heap_bytes_in_use() == 0
    ? []
    : [
        Case(
            name: "heap",
            size: "map",
            metric: .bytes(per: "stage"),
            baseline: Baseline(name: "loop") { heap(10_000, loop) },
            goal: .value(260)
        ) { heap(10_000, maps) },
        Case(name: "heap", size: "combine", metric: .bytes(per: "stage")) { heap(10_000, combinations) },
        Case(name: "heap", size: "combine by function", metric: .bytes(per: "stage"), goal: .value(800)) {
            heap(10_000, combinationsByFunction)
        },
        Case(name: "heap", size: "listener", metric: .bytes(per: "listener"), goal: .value(230)) {
            heap(10_000, listeners)
        },
        Case(name: "heap", size: "computed", metric: .bytes(per: "node"), goal: .value(660)) {
            heap(10_000, computedNodes)
        },
        Case(name: "heap", size: "effect", metric: .bytes(per: "effect"), goal: .value(880)) {
            heap(10_000, effects)
        },
    ]

/// Something of `length` stages, to be held by the caller.
private typealias Builder = @Sendable (_ length: Int) -> AnyObject

private func maps(_ length: Int) -> AnyObject { chain(of: length, from: MutableNode(0)) }
private func loop(_ length: Int) -> AnyObject { LoopFloor(length: length, addingTo: unheard.pointer) }
private let unheard = Sum()

private func combinations(_ length: Int) -> AnyObject {
    let source = MutableNode(0)
    var last: Node<Int> = source
    for _ in 0..<length { last = last.combine(source).mapEach { hidden($0 &+ $1) } }
    return last
}

private func combinationsByFunction(_ length: Int) -> AnyObject {
    let source = MutableNode(0)
    var last: Node<Int> = source
    for _ in 0..<length { last = combine(last, source) { hidden($0 &+ $1) } }
    return last
}

private func listeners(_ count: Int) -> AnyObject {
    let probe = Probe()
    let source = MutableNode(0)
    for _ in 0..<count { probe.hear(source) }
    return probe
}

private func computedNodes(_ length: Int) -> AnyObject {
    var last: Node<Int> = MutableNode(0)
    for _ in 0..<length { last = computed { [last] read in hidden(try read(last) &+ 1) } }
    return last
}

private func effects(_ count: Int) -> AnyObject {
    let source = MutableNode(0), lifetime = Lifetime()
    for _ in 0..<count { lifetime.effect { read in _ = try read(source) } }
    return lifetime
}

private func building(_ length: Int, _ build: @escaping Builder) -> Sample {
    Sample(of: length) {
        var built: AnyObject?
        let elapsed = time { built = build(length) }
        return withExtendedLifetime(built) { elapsed }
    }
}

private func dropping(_ length: Int, _ build: @escaping Builder) -> Sample {
    Sample(of: length) {
        var built: AnyObject? = build(length)
        withExtendedLifetime(built) {}
        return time { built = nil }
    }
}

private func buildingAndDropping(_ length: Int, _ build: @escaping Builder) -> Sample {
    Sample(of: length) {
        time { withExtendedLifetime(build(length)) {} }
    }
}

/// The growth of the heap during the building.
private func heap(_ length: Int, _ build: @escaping Builder) -> Sample {
    Sample(of: length) {
        let before = heap_bytes_in_use()
        let built = build(length)
        let after = heap_bytes_in_use()
        return withExtendedLifetime(built) { Double(after - before) }
    }
}
