import ReactCore
import ReactGraph
import ReactOperators
import TestSupport

/// Nodes, edges and listeners in places that all threads share, and what a thread may do to them at random. What falls out of
/// a place is dropped by whichever thread has put something else there.
final class Playground: Sendable {
    private struct Places {
        var sources: [MutableNode<Tracked>] = []
        var derived: [Node<Tracked>] = []
        var listeners: [AnyObject & Sendable] = []
        var cancelables: [any Cancelable] = []
        var links: [LinkTransform<Tracked>] = []
        /// Every node there was. Some are in rings in the end, and hold themselves.
        var everyNode: [WeakNode] = []
    }
    private struct WeakNode { weak var node: AnyNode? }
    private static let size = 10
    private let places = Locked(Places())
    private let tracker: LifetimeTracker

    init(_ tracker: LifetimeTracker) {
        self.tracker = tracker
        for _ in 0..<Self.size {
            let source = watched(MutableNode(tracker.track("source")))
            let derived = watched(source.map { $0 })
            places.withLock { places in
                places.sources.append(source)
                places.derived.append(derived)
                places.listeners.append(Lifetime())
                places.cancelables.append(BlockCancelable {})
                places.links.append(LinkTransform())
            }
        }
    }

    /// Does one thing. The library is called, and what fell out is let go of, outside the lock.
    func play(_ random: inout SeededGenerator) {
        let source = pick(\.sources, &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: source.value = tracker.track("set")
        case 6: source.update { [tracker] in $0 = tracker.track("updated") }
        case 7: batch { (0..<3).forEach { _ in pick(\.sources, &random).value = tracker.track("batched") } }
        case 8: link(source, to: anyNode(&random), &random)
        case 9: put(watched(operated(&random)), in: \.derived, &random)
        case 10: pick(\.cancelables, &random).cancel()
        case 11: source.removeUpstreamNodes()
        case 12: source.removeDownstreamNode(pick(\.derived, &random))
        case 13: repoint(pick(\.links, &random), &random)
        case 14: put(listener(&random), in: \.listeners, &random)
        case 15, 16: listen(to: anyNode(&random), &random)
        case 17: anyNode(&random).stopListening(by: pick(\.listeners, &random))
        case 18: put(watched(MutableNode(tracker.track("new"))), in: \.sources, &random)
        default: lookAt(anyNode(&random))
        }
    }

    /// Drops everything, and cuts the rings that are left.
    func close() {
        func dropAll() -> [WeakNode] {
            let all = places.withLock { places in
                defer { places = Places() }
                return places
            }
            return all.everyNode
        }
        let nodes = dropAll()
        for weak in nodes { weak.node?.removeUpstreamNodes() }
        // What plain objects listened with is swept when somebody listens.
        Node(0).listened(by: Lifetime()).with { _ in }
    }

    private func operated(_ random: inout SeededGenerator) -> Node<Tracked> {
        let (one, other) = (anyNode(&random), anyNode(&random))
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: one.map { $0 }
        case 1: one.filter { $0.label != "set" }
        case 2: combine(one, other).mapEach { $1 }
        case 3: combine(one.map { $0 }, one, other).mapEach { one, _, _ in one }
        case 4: one.zip(other).map { $0.0 }
        case 5: one.merge(other)
        case 6: one.flattenMap { _ in other }
        default: one.scan(tracker.track("scan")) { _, next in next }
        }
    }

    private func link(_ target: Node<Tracked>, to source: Node<Tracked>, _ random: inout SeededGenerator) {
        guard target !== source else { return }
        put(target.link(to: source), in: \.cancelables, &random)
    }

    private func repoint(_ link: LinkTransform<Tracked>, _ random: inout SeededGenerator) {
        let (source, target) = (anyNode(&random), pick(\.sources, &random))
        guard source !== target else { return }
        link.from = source
        link.to = target
    }

    private func listener(_ random: inout SeededGenerator) -> AnyObject & Sendable {
        ListenerKind.allCases.randomElement(using: &random)!.make()
    }

    private func listen(to node: Node<Tracked>, _ random: inout SeededGenerator) {
        let target = pick(\.sources, &random)
        let sets = Locked(0)
        let listening = node.listened(by: pick(\.listeners, &random)).with { [weak target, tracker] value in
            // Some listeners set, but not for ever: rings of them would never end.
            if value.label == "batched", sets.increment() < 10 { target?.value = tracker.track("set by a listener") }
        }
        put(listening, in: \.cancelables, &random)
    }

    private func lookAt(_ node: Node<Tracked>) {
        _ = node.graph.edges.count + node.upstreamNodes.count + node.downstreamTransforms.count + node.listenEdges.count
        _ = node.valueDescription
    }

    private func watched<Value>(_ node: Node<Value>) -> Node<Value> {
        places.withLock { $0.everyNode.append(WeakNode(node: node)) }
        return node
    }
    private func watched<Value>(_ node: MutableNode<Value>) -> MutableNode<Value> {
        places.withLock { $0.everyNode.append(WeakNode(node: node)) }
        return node
    }
    private func anyNode(_ random: inout SeededGenerator) -> Node<Tracked> {
        Bool.random(using: &random) ? pick(\.sources, &random) : pick(\.derived, &random)
    }
    private func pick<T: Sendable>(_ kind: KeyPath<Places, [T]> & Sendable, _ random: inout SeededGenerator) -> T {
        let index = Int.random(in: 0..<Self.size, using: &random)
        return places.withLock { $0[keyPath: kind][index] }
    }
    private func put<T: Sendable>(
        _ new: T, in kind: WritableKeyPath<Places, [T]> & Sendable, _ random: inout SeededGenerator
    ) {
        let index = Int.random(in: 0..<Self.size, using: &random)
        let old = places.withLock { places in
            let old = places[keyPath: kind][index]
            places[keyPath: kind][index] = new
            return old
        }
        withExtendedLifetime(old) {}
    }
}
