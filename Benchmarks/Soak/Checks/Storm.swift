import HeapProbe
import ReactCore
import ReactGraph
import ReactOperators

/// Threads link, cut, re-point, listen, cancel, drop listeners, drop nodes and take snapshots while others set. In the
/// end of each storm nothing is left over, and over twenty of them the heap does not grow by more than 1 %.
///
/// The first storms fill caches of the library, the runtime and the C library. The check therefore looks for twenty in
/// a row after which the heap is never more than 1 % larger than before them. With a leak there are none.
let storms = Check(name: "storms") { round in
    let enough = 20
    let atMost = 300
    var before = 0
    var calm = -1
    for index in 0..<atMost where calm < enough {
        try storm(round, index)
        calm += 1
        let now = heap_bytes_in_use()
        if Double(now) > 1.01 * Double(before) {
            before = now
            calm = 0
        }
        round.tally.add(1, "storms")
    }
    try expect(calm == enough, "after \(atMost) storms the heap still grows: it is \(before) bytes now")
}

private func storm(_ round: Round, _ index: Int) throws {
    let alive = Tracked.alive
    let obituary = Obituary()
    do {
        let playground = Playground(obituary)
        let sequence = Round(seed: round.seed &+ UInt64(index) << 32, tally: round.tally)
        try onThreads(4) { thread in
            var random = sequence.random(thread: thread)
            for step in 0..<400 { playground.play(step, &random) }
        }
        round.tally.add(4 * 400, "steps")
        playground.dropEverything()
        for case let node as AnyNode in obituary.survivors { node.removeUpstreamNodes() }
    }
    // The listenings of plain objects are swept when somebody listens.
    Node(0).listened(by: Lifetime()).with { _ in }
    let survivors = obituary.survivors
    try expect(survivors.isEmpty, "\(survivors.count) of \(obituary.count) nodes and edges are left over")
    try expect(Tracked.alive == alive, "\(Tracked.alive - alive) values are left over")
    round.tally.add(obituary.count, "nodes and edges, all gone in the end")
}

/// Nodes, edges and listeners in slots that all threads share. The thread that fills a slot drops the old contents.
private final class Playground: Sendable {
    private struct Slots {
        var sources: [MutableNode<Tracked>] = []
        var derived: [Node<Tracked>] = []
        var listeners: [AnyObject & Sendable] = []
        var cancelables: [any Cancelable] = []
        var links: [LinkTransform<Tracked>] = []
    }
    private static let size = 12
    private let slots = Lock(Slots())
    private let obituary: Obituary

    init(_ obituary: Obituary) {
        self.obituary = obituary
        for index in 0..<Self.size {
            let source = obituary.watch(MutableNode(Tracked(index)))
            let derived = obituary.watch(source.map { Tracked($0.number + 1) })
            let link = obituary.watch(LinkTransform<Tracked>())
            slots.withLock { slots in
                slots.sources.append(source)
                slots.derived.append(derived)
                slots.listeners.append(Lifetime())
                slots.cancelables.append(BlockCancelable {})
                slots.links.append(link)
            }
        }
    }

    /// One step of one thread. Slots are read and written under the lock. The library is called, and old contents are
    /// released, outside it.
    func play(_ step: Int, _ random: inout Random) {
        let source = pick(\.sources, &random)
        switch random.below(20) {
        case 0..<7: source.value = Tracked(step)
        case 7: source.update { $0 = Tracked($0.number + 1) }
        case 8: link(source, to: any(&random), &random)
        case 9: put(derive(&random), in: \.derived, &random)
        case 10: pick(\.cancelables, &random).cancel()
        case 11: source.removeUpstreamNodes()
        case 12: source.removeDownstreamNode(pick(\.derived, &random))
        case 13: repoint(&random)
        case 14: put(listener(&random), in: \.listeners, &random)
        case 15, 16: listen(to: any(&random), &random)
        case 17: any(&random).stopListening(by: pick(\.listeners, &random))
        case 18: put(obituary.watch(MutableNode(Tracked(step))), in: \.sources, &random)
        default: snapshot(any(&random))
        }
    }

    private func derive(_ random: inout Random) -> Node<Tracked> {
        let (one, other) = (any(&random), any(&random))
        let node =
            switch random.below(7) {
            case 0: one.map { Tracked($0.number + 1) }
            case 1: one.filter { $0.number.isMultiple(of: 2) }
            case 2: one.combine(other).map { Tracked($0.0.number + $0.1.number & 0xFFFF) }
            case 3: one.zip(other).map { $0.0 }
            case 4: one.merge(other)
            case 5: one.flattenMap { _ in other }
            default: one.scan(Tracked()) { sum, next in Tracked((sum.number + next.number) & 0xFFFF) }
            }
        return obituary.watch(node)
    }

    private func link(_ target: Node<Tracked>, to source: Node<Tracked>, _ random: inout Random) {
        guard target !== source else { return }
        put(target.link(to: source), in: \.cancelables, &random)
    }

    private func repoint(_ random: inout Random) {
        let link = pick(\.links, &random)
        let target = pick(\.sources, &random)
        let source = any(&random)
        guard source !== target else { return }
        link.from = source
        link.to = target
    }

    private func listener(_ random: inout Random) -> AnyObject & Sendable {
        switch random.below(3) {
        case 0: Lifetime()
        case 1: Screen()
        default: Plain()
        }
    }

    private func listen(to node: Node<Tracked>, _ random: inout Random) {
        let target = pick(\.sources, &random)
        let sets = Counter()
        let listening = node.listened(by: pick(\.listeners, &random)).with { [weak target] value in
            // Some listeners set, but not for ever: rings of them would never end.
            if value.number.isMultiple(of: 8), sets.add(1) < 20 { target?.value = Tracked(value.number + 1) }
        }
        put(listening, in: \.cancelables, &random)
    }

    private func snapshot(_ node: Node<Tracked>) {
        _ = node.graph.edges.count
        _ = node.upstreamNodes.count + node.downstreamTransforms.count + node.listenEdges.count
        _ = node.valueDescription
    }

    /// Drops everything. The rest is in rings, which hold themselves until they are cut.
    func dropEverything() {
        let all = slots.withLock { slots in
            defer { slots = Slots() }
            return slots
        }
        withExtendedLifetime(all) {}
    }

    private func any(_ random: inout Random) -> Node<Tracked> {
        random.below(2) == 0 ? pick(\.sources, &random) : pick(\.derived, &random)
    }
    private func pick<T: Sendable>(_ kind: KeyPath<Slots, [T]> & Sendable, _ random: inout Random) -> T {
        let index = random.below(Self.size)
        return slots.withLock { $0[keyPath: kind][index] }
    }
    private func put<T: Sendable>(
        _ new: T,
        in kind: WritableKeyPath<Slots, [T]> & Sendable,
        _ random: inout Random
    ) {
        let index = random.below(Self.size)
        let old = slots.withLock { slots in
            let old = slots[keyPath: kind][index]
            slots[keyPath: kind][index] = new
            return old
        }
        withExtendedLifetime(old) {}
    }
}

private final class Screen: Listener, Sendable { let lifetime = Lifetime() }
private final class Plain: Sendable {}
