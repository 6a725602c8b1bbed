/// The heights that order joins: each join is higher than all joins upstream of it, so the lowest join fires first.
///
/// Heights rise as edges are connected, and fall after an input has gone that kept a vertex at its height (see
/// `lower`). So they do not grow with the number of changes of a graph. All of it is the work of the owner of the
/// region. Borders ask for nothing: a value that passes one begins a transaction of its own.
///
/// A height says how deep a vertex is, and nothing else. Two kinds of vertices are flagged instead, because a join
/// there may have to wait for one upstream although its height is the lowest: those downstream of a join that fires
/// after effects (see `JoinsHeldBack`), and those downstream of a back edge. A back edge, which would close a cycle
/// through a join, asks for no rise: see `BackEdges`. Flags stay when edges go. A flag only has a join search upstream
/// before it fires (`Join.waitsForUpstream`); the search decides.
enum Heights {
    /// Returns true if an edge from `source` to `target` asks for no rise, and no flag.
    @inline(__always) static func suffice(from source: Vertex, to target: Vertex) -> Bool {
        target.height >= needed(at: target, above: source.height) && (source !== target || !target.isJoin)
            && source.inheritedFlags & ~target.inheritedFlags == 0
    }
    @inline(__always) static func needed(at target: Vertex, above height: UInt32) -> UInt32 {
        height + (target.isJoin ? 1 : 0)
    }

    /// An edge along which heights grow, or are to grow.
    struct Constraint {
        let edge: AnyEdge
        let source: Vertex
        let target: Vertex
    }
    /// Raises the target of an edge that is about to be connected, and vertices downstream of it, to the heights that
    /// the edge asks for. If that would have to raise its source itself, it becomes a back edge.
    ///
    /// `deferred` takes the objects that were looked at, because a lock is held.
    static func raise(_ constraint: Constraint, _ deferred: inout DeferredReleases) {
        let (source, target) = (constraint.source, constraint.target)
        if target !== source, target.riseAsLast(above: source) { return }
        fulfil(constraint, &deferred)
        flagDownstream(target, source.inheritedFlags, &deferred)
    }
    /// Raises vertices for an edge that is a back edge, or may become one.
    static func fulfil(_ constraint: Constraint, _ deferred: inout DeferredReleases) {
        let rise = HeightRise(constraint)
        deferred.take(rise)
        if let way = rise.plan() {
            BackEdges.close(way, by: constraint)
            flagDownstream(constraint.target, Vertex.afterBackEdge, &deferred)
        } else {
            rise.commit()
            if constraint.edge.isBackEdge { constraint.edge.isBackEdge = false }
        }
    }
    /// Sets flags of a vertex and of each vertex downstream of it. O(n) for n vertices that lack one.
    private static func flagDownstream(_ first: Vertex, _ inheritedFlags: UInt32, _ deferred: inout DeferredReleases) {
        var waiting = [first]
        while let vertex = waiting.popLast() {
            guard inheritedFlags & ~vertex.inheritedFlags != 0 else { continue }
            deferred.take(vertex)
            vertex.add(inheritedFlags: inheritedFlags)
            vertex.forEachTarget { _, target in waiting.append(target) }
        }
    }
}

// MARK: Falling

extension Heights {
    /// Marks `target` if a connection from `source` that has just ended may be the one that kept it at its height.
    @inline(__always) static func noteEnd(from source: Unmanaged<Vertex>, to target: Unmanaged<Vertex>) {
        let height = source._withUnsafeGuaranteedRef { $0.height }
        target._withUnsafeGuaranteedRef { if isRaised($0, above: height), $0.losesHighestInput() { $0.setMayFall() } }
    }
    /// Returns true if `target` may fall when an input at `height` goes or falls.
    @inline(__always) private static func isRaised(_ target: Vertex, above height: UInt32) -> Bool {
        target.height > target.leastHeight && needed(at: target, above: height) == target.height
    }
    /// Lowers each of the vertices that may fall, once. Nobody holds a lock.
    @inline(never) static func lower(_ vertices: [Vertex]) {
        for vertex in vertices where vertex.mayFall { lower(vertex) }
    }
    /// Lowers a vertex to the lowest height that its inputs allow, and so each vertex downstream that this one kept at
    /// its height. Joins downstream are only marked. A join falls when it is about to fire and is on no list, because
    /// its height must not change while a list orders it.
    ///
    /// O(edges that lead to the vertices that are looked at). A vertex that several inputs keep at its height is looked
    /// at again only when as many have gone: so to cut n inputs one by one takes O(n).
    static func lower(_ first: Vertex) {
        var waiting = [first]
        while let vertex = waiting.popLast() {
            vertex.clearMayFall()
            let (edges, junction) = vertex.locking { (vertex.upstream.all, vertex.coldState?.junction) }
            Steps.count(edges.count)
            let old = vertex.height
            var lowest = max(vertex.leastHeight, junction?.vertex?.height ?? 0), highestInputs = 0
            for edge in edges where edge.isConnected && !edge.isBackEdge && !edge.isBorder {
                guard let source = edge.vertices.source else { continue }
                let height = needed(at: vertex, above: source.height)
                lowest = max(lowest, height)
                if height == old { highestInputs += 1 }
            }
            guard lowest < old else {
                if highestInputs > 1 { vertex.madeOwnerState.highestInputs = highestInputs }
                continue
            }
            vertex.setHeight(lowest)
            vertex.forEachTarget { edge, target in
                guard !edge.isBackEdge, isRaised(target, above: old), target.losesHighestInput() else { return }
                if target.isJoin { target.setMayFall() } else { waiting.append(target) }
            }
        }
    }
}
extension Vertex {
    /// The lowest height that the vertex can have, even without inputs.
    fileprivate final var leastHeight: UInt32 { isJoin ? 1 : 0 }
    /// Notes that one of the highest inputs has gone or fallen. Returns false if others are known to be as high.
    fileprivate final func losesHighestInput() -> Bool {
        guard let ownerState, ownerState.highestInputs > 1 else { return true }
        ownerState.highestInputs -= 1
        return false
    }
}

/// One rise of vertices downstream of an edge. It is planned first, and done afterwards, so that a cycle is found
/// before anything rises.
///
/// A plan looks at the vertices in the order of their old heights, in which no vertex comes before one upstream of it.
/// So it looks at each once. Of vertices with the same old height, the one that rises most comes first. O(n log n) for
/// n vertices that rise.
final class HeightRise {
    private struct PlannedRise {
        /// The constraint that asks for this rise.
        let constraint: Heights.Constraint
        let height: UInt32
        var vertex: Vertex { constraint.target }

        func comesBefore(_ other: PlannedRise) -> Bool {
            (vertex.height, other.height) < (other.vertex.height, height)
        }
    }
    private let constraint: Heights.Constraint
    private var planned: [ObjectIdentifier: PlannedRise] = [:]
    /// A binary heap.
    private var waiting: [PlannedRise] = []

    init(_ constraint: Heights.Constraint) { self.constraint = constraint }

    /// Plans the rises. If `constraint` would close a cycle, returns a way from the edge's target to its source.
    func plan() -> [Heights.Constraint]? {
        enqueue(constraint, above: constraint.source.height)
        while let rise = next() {
            let vertex = rise.vertex
            guard rise.height > vertex.height, planned[ObjectIdentifier(vertex)] == nil else { continue }
            if vertex === constraint.source { return way(endingWith: rise) }
            planned[ObjectIdentifier(vertex)] = rise
            vertex.forEachTarget { edge, target in
                guard !edge.isBackEdge else { return }
                enqueue(Heights.Constraint(edge: edge, source: vertex, target: target), above: rise.height)
            }
        }
        return nil
    }
    func commit() { for rise in planned.values { rise.vertex.setHeight(rise.height) } }
    private func way(endingWith last: PlannedRise) -> [Heights.Constraint] {
        var way: [Heights.Constraint] = []
        var rise = last
        while rise.constraint.edge !== constraint.edge {
            way.append(rise.constraint)
            rise = planned[ObjectIdentifier(rise.constraint.source)]!
        }
        return way
    }
    private func enqueue(_ constraint: Heights.Constraint, above height: UInt32) {
        let needed = Heights.needed(at: constraint.target, above: height)
        guard needed > constraint.target.height else { return }
        waiting.append(PlannedRise(constraint: constraint, height: needed))
        Heap.insertLast(of: &waiting, count: waiting.count) { $0.comesBefore($1) }
    }
    private func next() -> PlannedRise? {
        guard let first = waiting.first else { return nil }
        Heap.removeFirst(of: &waiting, count: waiting.count) { $0.comesBefore($1) }
        waiting.removeLast()
        return first
    }
}

extension Vertex {
    /// Calls `body` with each connected edge that leads from here to a node within the set that brings a value, and
    /// with that node's vertex.
    final func forEachTarget(_ body: (AnyEdge, Vertex) -> Void) {
        transforms.forEach { edge in
            guard edge.isConnected, !edge.isBorder, let target = edge.target.load(ordering: .acquiring) else { return }
            body(edge, target.takeUnretainedValue())
        }
    }
    /// The vertices to which edges lead from here along which heights grow.
    package final var risingTargets: [Vertex] {
        var targets: [Vertex] = []
        forEachTarget { edge, target in if !edge.isBackEdge { targets.append(target) } }
        return targets
    }
    /// Raises the vertex above `source`, and flags it, if no edge leads on from here. Then nothing else has to rise,
    /// and no cycle can come to be. Returns whether it did.
    fileprivate final func riseAsLast(above source: Vertex) -> Bool {
        guard transforms.isEmpty else { return false }
        setHeight(max(height, Heights.needed(at: self, above: source.height)))
        add(inheritedFlags: source.inheritedFlags)
        return true
    }
}
