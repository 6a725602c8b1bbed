import ReactCore

/// No deadlock: nodes in a ring whose listeners each set the next one, set from four threads. Every set arrives.
let settingRings = Check(name: "setting rings") { round in
    var random = round.random()
    let size = 2 + random.below(9)
    let threads = 4
    let setsPerThread = 500
    let hopsPerSet = 1 + random.below(3 * size)
    let nodes = (0..<size).map { _ in MutableNode<Int>() }
    let lifetime = Lifetime()
    let heard = Counter()
    for (index, node) in nodes.enumerated() {
        let next = nodes[(index + 1) % size]
        node.listened(by: lifetime).with { hopsLeft in
            heard.add(1)
            if hopsLeft > 0 { next.value = hopsLeft - 1 }
        }
    }

    try onThreads(threads) { thread in
        var random = round.random(thread: thread + 1)
        for _ in 0..<setsPerThread { nodes[random.below(size)].value = hopsPerSet }
    }

    let sets = threads * setsPerThread * (hopsPerSet + 1)
    try expect(heard.count == sets, "\(heard.count) of \(sets) sets were heard in a ring of \(size)")
    withExtendedLifetime(lifetime) {}
    round.tally.add(1, "rings")
    round.tally.add(sets, "sets")
}
