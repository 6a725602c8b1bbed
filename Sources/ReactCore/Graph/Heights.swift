/// The heights that order joins: each join is higher than all upstream of it, so that the lowest fires first.
///
/// Heights rise as edges are linked. If an edge asks for no rise, or its target leads nowhere yet, linking takes no lock but its ends'.
/// Otherwise one lock for all graphs is held while everything downstream rises, each vertex once: in the order of the old heights,
/// in which no vertex comes before one upstream of it, and of one old height the vertex that rises most comes first.
/// O(n log n) for n vertices that rise.
///
/// Heights never fall: a height that is larger than it need be orders just as well.
///
/// An edge that would close a ring through a join asks for no rise: see `Rings`. Heights do not order what is downstream of
/// such an edge; so every vertex there is marked, and a marked join looks for joins upstream that are to fire (`Join.waitsForUpstream`).
enum Heights {
    static let lock = Lock(())

    /// Whether an edge from `source` to `target` asks for no rise, and no mark. The source's lock is held, so that it does not rise
    /// meanwhile; heights never fall.
    @inline(__always) static func suffice(from source: Vertex, to target: Vertex) -> Bool {
        target.height >= needed(at: target, above: source.height) && (source !== target || !target.isJoin)
            && (!source.isNearRing || target.isNearRing)
    }
    @inline(__always) static func needed(at target: Vertex, above height: UInt32) -> UInt32 {
        height + (target.isJoin ? 1 : 0)
    }

    /// Raises `target`, and what is downstream of it, to what an edge from `source` asks for; or has `edge` close a ring, where
    /// that would have to raise `source` itself.
    static func raise(_ target: Vertex, above source: Vertex, along edge: AnyEdge, _ deferred: inout Deferred) {
        if raiseLast(target, above: source) { return }
        lock.locking {
            ScheduleFaults.pause(at: .structureIsLocked)
            raise(Rise(edge: edge, source: source, target: target), &deferred)
            if source.isNearRing { markNearRing(target, &deferred) }
        }
    }
    /// Marks a vertex and everything downstream of it that is not marked yet. O(n) for n vertices that are marked.
    private static func markNearRing(_ first: Vertex, _ deferred: inout Deferred) {
        var waiting = [first]
        while let vertex = waiting.popLast() {
            deferred.take(vertex)
            // In one with the look at the edges: an edge that is linked after this finds the mark.
            waiting += vertex.locking {
                guard !vertex.isNearRing else { return [] }
                vertex.becomeNearRing()
                return vertex.risingEdgesLocked.map(\.target)
            }
        }
    }
    /// Raises a vertex that leads nowhere; answers whether it does.
    private static func raiseLast(_ target: Vertex, above source: Vertex) -> Bool {
        guard source !== target else { return false }
        return target.locking {
            guard target.transforms.isEmpty else { return false }
            let needed = needed(at: target, above: source.height)
            if needed > target.height { target.setHeight(needed) }
            if source.isNearRing { target.becomeNearRing() }
            return true
        }
    }

    /// An edge along which heights grow, or are to.
    struct Rise {
        let edge: AnyEdge
        let source: Vertex
        let target: Vertex
        /// The linking of an edge that is there already, and may be cut meanwhile; `nil` for one that is about to be linked, or whose
        /// cut has `Rings` forget it.
        var number: UInt64?

        var isAsked: Bool { number.map { edge.isLinked(by: $0) } ?? true }
    }
    /// The same under the lock.
    static func raise(_ rise: Rise, _ deferred: inout Deferred) {
        // Others link and cut while this goes on: where they did so in the way of a plan, there is more to do.
        var rises = [rise]
        while let rise = rises.popLast() {
            let ascent = Ascent(rise)
            deferred.take(ascent)
            guard rise.isAsked else { continue }
            if let way = ascent.plan() {
                if Rings.close(way, by: rise) { markNearRing(rise.target, &deferred) } else { rises.append(rise) }
            } else {
                ascent.commit(&rises)
            }
        }
    }
}

/// What one rise asks of everything downstream: planned first, and then done, so that a ring is found before anything rises.
final class Ascent {
    private struct Step {
        /// What the step comes by.
        let rise: Heights.Rise
        let height: UInt32
        var vertex: Vertex { rise.target }

        /// What has risen is upstream of what rises later.
        func comesBefore(_ other: Step) -> Bool {
            (vertex.height, other.height) < (other.vertex.height, height)
        }
    }
    private let rise: Heights.Rise
    private var planned: [ObjectIdentifier: Step] = [:]
    private var order: [Step] = []
    /// A binary heap.
    private var waiting: [Step] = []
    /// What was looked at. It may have been cut meanwhile: so it goes with this, when no lock is held.
    private var seen: [Heights.Rise] = []

    init(_ rise: Heights.Rise) { self.rise = rise }

    /// Finds out what has to rise; answers a way from the edge's target to its source, if it would close a ring.
    func plan() -> [Heights.Rise]? {
        wait(for: rise, above: rise.source.height)
        while let step = next() {
            let id = ObjectIdentifier(step.vertex)
            guard step.height > step.vertex.height, planned[id] == nil else { continue }
            if step.vertex === rise.source { return way(endingWith: step) }
            planned[id] = step
            order.append(step)
            let edges = step.vertex.risingEdges
            seen += edges
            for rise in edges { wait(for: rise, above: step.height) }
        }
        return nil
    }
    /// Raises all that was planned. Where an edge was linked meanwhile along which heights fall then, also when its target has risen as
    /// planned, that is to rise next.
    func commit(_ rises: inout [Heights.Rise]) {
        for step in order {
            step.vertex.rise(to: step.height) { rise in
                let needed = Heights.needed(at: rise.target, above: step.height)
                if planned[ObjectIdentifier(rise.target)]?.height ?? 0 < needed { rises.append(rise) }
            }
        }
    }
    private func way(endingWith last: Step) -> [Heights.Rise] {
        var way: [Heights.Rise] = []
        var step = last
        while step.rise.edge !== rise.edge {
            way.append(step.rise)
            step = planned[ObjectIdentifier(step.rise.source)]!
        }
        return way
    }

    private func wait(for rise: Heights.Rise, above height: UInt32) {
        let needed = Heights.needed(at: rise.target, above: height)
        guard needed > rise.target.height else { return }
        waiting.append(Step(rise: rise, height: needed))
        Heap.insertLast(of: &waiting, count: waiting.count) { $0.comesBefore($1) }
    }
    private func next() -> Step? {
        guard let first = waiting.first else { return nil }
        Heap.removeFirst(of: &waiting, count: waiting.count) { $0.comesBefore($1) }
        waiting.removeLast()
        return first
    }
}

extension Vertex {
    /// The edges along which heights grow from here, as they are linked now.
    final var risingEdges: [Heights.Rise] { locking { risingEdgesLocked } }
    /// The lock is held.
    fileprivate final var risingEdgesLocked: [Heights.Rise] {
        var found: [Heights.Rise] = []
        forEachRisingEdge { found.append($0) }
        return found
    }
    /// Raises the vertex, and names the edges along which heights fall then.
    fileprivate final func rise(to height: UInt32, falling: (Heights.Rise) -> Void) {
        locking {
            if height > self.height { setHeight(height) }
            forEachRisingEdge { if !Heights.suffice(from: self, to: $0.target) { falling($0) } }
        }
    }
    /// The lock is held.
    private final func forEachRisingEdge(_ body: (Heights.Rise) -> Void) {
        transforms.forEach { edge in
            guard edge.isLinked, !edge.closesRing, let target = edge.target.load(ordering: .acquiring) else { return }
            body(
                Heights.Rise(
                    edge: edge, source: self, target: target.takeUnretainedValue(), number: edge.linkingNumber))
        }
    }
}
