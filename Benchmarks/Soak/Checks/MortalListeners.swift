import ReactCore
import ReactOperators

/// Listeners of any kind that die on other threads in mid-delivery: lifetimes, `Listener` conformers, plain objects.
/// Their contents go with them.
let mortalListeners = Check(name: "mortal listeners") { round in
    let sets = 10_000
    let listenersPerThread = 1_500
    let source = MutableNode(0)
    let mapped = source.map { $0 }
    let heard = Counter()
    let alive = Tracked.alive
    let permanent = Lifetime()
    let steady = Counter()
    mapped.listened(by: permanent).with { _ in steady.add(1) }

    try onThreads(4) { thread in
        if thread < 2 {
            for value in 1...sets { source.value = value }
            return
        }
        var random = round.random(thread: thread)
        var listeners: [AnyObject] = []
        for _ in 0..<listenersPerThread {
            let held = Tracked()
            let node = random.below(2) == 0 ? source : mapped
            let listener: AnyObject =
                switch random.below(3) {
                case 0: Lifetime()
                case 1: Screen()
                default: Plain()
                }
            node.listened(by: listener).with { _ in heard.add(held.number + 1) }
            listeners.append(listener)
            if listeners.count > 8 { listeners.remove(at: random.below(listeners.count)) }
        }
    }

    try expect(
        steady.count == 2 * sets + 1,
        "the listener that stayed heard \(steady.count) of \(2 * sets + 1) values"
    )
    // The contents of plain objects follow, at the latest, when somebody listens.
    for node in [source, mapped] { node.listened(by: permanent).with { _ in }.cancel() }
    try expect(Tracked.alive == alive, "\(Tracked.alive - alive) dead listeners still hold something")
    for node in [source, mapped] {
        try expect(
            node.listenEdges.count == (node === mapped ? 1 : 0),
            "\(node.listenEdges.count) edges are left over"
        )
    }
    withExtendedLifetime(permanent) {}
    round.tally.add(2 * listenersPerThread, "listeners")
    round.tally.add(2 * sets, "sets")
}

private final class Screen: Listener { let lifetime = Lifetime() }
private final class Plain {}
