import ReactCore
import ReactOperators

/// User code that misbehaves inside a delivery.
let misbehaviour = Check(name: "misbehaving listeners") { round in
    try cuttingItself()
    try droppingTheSource()
    try settingAThousandTimes()
    try linkingARing()
    try nestingBatches()
    try manyAtOnce(round)
    round.tally.add(6, "kinds of misbehaviour")
}

/// A listener that cuts its own edge hears nothing more, and disturbs nobody.
private func cuttingItself() throws {
    let source = MutableNode(0)
    let lifetime = Lifetime()
    let (before, cut, after) = (Counter(), Counter(), Counter())
    let edge = Latest<(any Cancelable)?>(nil)
    source.listened(by: lifetime).with { _ in before.add(1) }
    edge.exchange(
        source.listened(by: lifetime).with { value in
            cut.add(1)
            if value == 3 { edge.value?.cancel() }
        }
    )
    source.listened(by: lifetime).with { _ in after.add(1) }
    for value in 1...10 { source.value = value }
    try expect(
        before.count == 11 && after.count == 11,
        "its neighbours heard \(before.count) and \(after.count) of 11"
    )
    try expect(cut.count == 4, "a listener that cut itself at the fourth value heard \(cut.count)")
    withExtendedLifetime(lifetime) {}
}

/// A listener may release the last reference to its node in mid-delivery.
private func droppingTheSource() throws {
    let alive = Tracked.alive
    let heard = Counter()
    do {
        let source = MutableNode(Tracked(0))
        let end = Latest<Node<Tracked>?>(source.map { Tracked($0.number + 1) })
        let lifetime = Latest<Lifetime?>(Lifetime())
        end.value!.listened(by: lifetime.value!).with { value in
            heard.add(1)
            if value.number == 6 {
                end.exchange(nil)
                lifetime.exchange(nil)
            }
        }
        for number in 1...10 { source.value = Tracked(number) }
    }
    try expect(heard.count == 6, "a listener that dropped everything at the sixth value heard \(heard.count)")
    try expect(Tracked.alive == alive, "\(Tracked.alive - alive) payloads are left over")
}

/// Sets from inside are queued, and delivered in order.
private func settingAThousandTimes() throws {
    let source = MutableNode(0)
    let lifetime = Lifetime()
    let heard = Latest<[Int]>([])
    source.listened(by: lifetime).with { value in
        heard.exchange(heard.value + [value])
        if value == 1 {
            for next in 2...1_000 { source.value = next }
        }
    }
    source.value = 1
    try expect(heard.value == Array(0...1_000), "a thousand sets from inside were heard as \(heard.value)")
    withExtendedLifetime(lifetime) {}
}

/// A ring that is closed in mid-delivery stops the value at the nodes that it has passed.
private func linkingARing() throws {
    let (first, second) = (MutableNode(0), MutableNode(0))
    let lifetime = Lifetime()
    second.link(to: first)
    let back = Latest<(any Cancelable)?>(nil)
    first.listened(by: lifetime).with { value in
        if value == 1 { back.exchange(first.link(to: second)) }
    }
    for value in 1...5 {
        first.value = value
        second.value = -value
    }
    try expect(first.value == -5 && second.value == -5, "the ring ended at \(first.value ?? 0), \(second.value ?? 0)")
    back.value?.cancel()
    withExtendedLifetime(lifetime) {}
}

/// A batch in a listener in a batch ends with the outermost.
private func nestingBatches() throws {
    let (left, right, trigger) = (MutableNode(0), MutableNode(0), MutableNode(0))
    let lifetime = Lifetime()
    let heard = Latest<[Int]>([])
    combine(left, right).listened(by: lifetime).with { heard.exchange(heard.value + [$0 - $1]) }
    trigger.listened(by: lifetime).with { value in
        batch {
            left.value = value
            batch { right.value = value }
        }
    }
    for value in 1...10 { batch { trigger.value = value } }
    try expect(heard.value == Array(repeating: 0, count: 12), "nested batches were seen as differences \(heard.value)")
    withExtendedLifetime(lifetime) {}
}

/// Listeners on four threads that attach, cut and set, all from inside. Listeners that stay miss nothing.
private func manyAtOnce(_ round: Round) throws {
    let sets = 300
    let nodes = (0..<3).map { _ in MutableNode(0) }
    let lifetime = Lifetime()
    let steady = nodes.map { _ in Counter() }
    let expected = nodes.map { _ in Counter() }
    let random = Lock(round.random())
    for (index, node) in nodes.enumerated() {
        node.listened(by: lifetime).with { value in
            steady[index].add(1)
            guard value > 0 else { return }
            let (target, action) = random.withLock { ($0.below(nodes.count), $0.below(4)) }
            switch action {
            case 0:
                expected[target].add(1)
                nodes[target].value = value - 1
            case 1: nodes[target].listened(by: lifetime).with { _ in }.cancel()
            case 2: nodes[target].listened(by: Lifetime()).with { _ in }
            default:
                expected[target].add(1)
                batch { nodes[target].value = value - 1 }
            }
        }
    }
    try onThreads(4) { thread in
        for _ in 0..<sets {
            let target = (thread + sets) % nodes.count
            expected[target].add(1)
            nodes[target].value = 5
        }
    }
    for index in nodes.indices {
        try expect(
            steady[index].count == expected[index].count + 1,
            "node \(index) delivered \(steady[index].count) of \(expected[index].count + 1) values"
        )
    }
    withExtendedLifetime(lifetime) {}
}
