/// The heights that order joins: each join is higher than all joins upstream of it, so the lowest join fires first.
///
/// Heights rise as edges are connected. A plan says how far each vertex downstream is to rise. It looks at them in the
/// order of their old heights, in which no vertex comes before one upstream of it. So it looks at each once. Of
/// vertices with the same old height, the one that rises most comes first. O(n log n) for n vertices that rise.
///
/// **Locks.** Each vertex rises under its own lock, after everything downstream of it. It falls under the locks of its
/// sources and its own. So the invariant holds at each moment, and threads that change different graphs share nothing.
/// One lock for all graphs is taken for the rest: cycles, marks, and plans that another thread has disturbed.
///
/// A vertex falls again after an input that kept it at its height has gone or fallen: see `lower`. So heights do not
/// grow with the number of changes of a graph.
///
/// A height says how deep a vertex is, and nothing else. Two kinds of vertices are marked instead, because a join there
/// may have to wait for one upstream although its height is the lowest: those downstream of a late join
/// (see `JoinsHeldBack`), and those downstream of a back edge. A back edge, which would close a cycle through a join,
/// asks for no rise: see `BackEdges`. Marks stay when edges go. A mark only has a join search upstream before it fires
/// (`Join.waitsForUpstream`); what the search finds decides.
enum Heights {
    static let lock = Lock(())

    /// Returns true if an edge from `source` to `target` asks for no rise, and no mark. The source's lock is held, so
    /// that it does not rise meanwhile. The target does not fall while the edge is being connected: see `lower`.
    @inline(__always) static func suffice(from source: Vertex, to target: Vertex) -> Bool {
        target.height >= needed(at: target, above: source.height) && (source !== target || !target.isJoin)
            && source.marks & ~target.marks == 0
    }
    @inline(__always) static func needed(at target: Vertex, above height: UInt32) -> UInt32 {
        height + (target.isJoin ? 1 : 0)
    }

    /// Raises `target`, and vertices downstream of it, to the heights that `edge` from `source` asks for. If that would
    /// have to raise `source` itself, `edge` becomes a back edge.
    static func raise(_ target: Vertex, above source: Vertex, along edge: AnyEdge, _ deferred: inout DeferredReleases) {
        if target !== source, target.riseAsLast(above: source) { return }
        let constraint = HeightConstraint(edge: edge, source: source, target: target)
        let adjustment = HeightAdjustment(constraint)
        deferred.take(adjustment)
        if adjustment.plan() == nil, adjustment.commit(inRings: false), source.marks & ~target.marks == 0 { return }
        lock.locking {
            ScheduleFuzzing.pause(at: .structureIsLocked)
            raise(constraint, &deferred)
            mark(target, source.marks, &deferred)
        }
    }
    /// Marks a vertex and each vertex downstream of it. O(n) for n vertices that lack a mark.
    private static func mark(_ first: Vertex, _ marks: UInt32, _ deferred: inout DeferredReleases) {
        var waiting = [first]
        while let vertex = waiting.popLast() {
            deferred.take(vertex)
            // The mark is set under the lock under which the edges are read, so an edge that is connected later finds
            // the mark.
            waiting += vertex.locking {
                guard marks & ~vertex.marks != 0 else { return [] }
                vertex.add(marks: marks)
                return vertex.connectedTargets
            }
        }
    }

    /// A constraint on heights: an edge along which heights grow, or are to grow.
    struct HeightConstraint {
        let edge: AnyEdge
        let source: Vertex
        let target: Vertex
        /// The generation of a connected edge, which may be cut meanwhile. `nil` for an edge that is about to be
        /// connected, or whose cut makes `BackEdges` forget it.
        var generation: UInt64?

        var isAsked: Bool { generation.map { edge.isLinked(by: $0) } ?? true }
    }
    /// Fulfils a constraint. The lock of the heights is held.
    static func raise(_ constraint: HeightConstraint, _ deferred: inout DeferredReleases) {
        // Other threads connect and disconnect edges meanwhile. If that disturbs a plan, another one is made.
        while constraint.isAsked {
            let adjustment = HeightAdjustment(constraint)
            deferred.take(adjustment)
            if let way = adjustment.plan() {
                guard BackEdges.close(way, by: constraint) else { continue }
                return mark(constraint.target, Vertex.belowBackEdge, &deferred)
            }
            if adjustment.commit(inRings: true) { return }
        }
    }
}

// MARK: Falling

extension Heights {
    /// Marks `target` if a connection from `source` that has just ended may be the one that kept it at its height. The
    /// target's lock is held.
    @inline(__always) static func noteEnd(from source: Unmanaged<Vertex>, to target: Unmanaged<Vertex>) {
        let height = source._withUnsafeGuaranteedRef { $0.height }
        target._withUnsafeGuaranteedRef { if isKept($0, above: height), $0.hasHandle { $0.setMayFall() } }
    }
    /// Returns true if `target` may fall when an input at `height` goes or falls.
    @inline(__always) private static func isKept(_ target: Vertex, above height: UInt32) -> Bool {
        target.height > target.leastHeight && needed(at: target, above: height) == target.height
    }

    /// An edge that leads to a vertex, as it was found: with its source if it was connected.
    private struct Input {
        let edge: AnyEdge
        let generation: UInt64
        let source: Vertex?

        init(_ edge: AnyEdge) {
            self.edge = edge
            generation = edge.generation
            let source = edge.vertices.source
            self.source = edge.isLinked ? source : nil
        }
        var isUnchanged: Bool { edge.generation == generation && edge.isLinked == (source != nil) }
    }
    /// Lowers each of the vertices that may fall, once. Nobody holds their locks.
    @inline(never) static func lower(_ vertices: [Vertex]) {
        for vertex in vertices where vertex.mayFall { lower(vertex) }
    }
    /// Lowers a vertex to the lowest height that its inputs allow, and so each vertex downstream that this one kept at
    /// its height. Joins downstream are only marked. A join falls when it is about to fire and is on no list, because
    /// its height must not change while a list orders it.
    ///
    /// If an edge to the vertex is connected or cut meanwhile, or if a lock stays taken, the vertex stays as it is, and
    /// marked. A thread that connects an edge changes the edge's list or generation under the target's lock before it
    /// asks `suffice`. So the answer stays true until the edge is connected.
    ///
    /// O(edges that lead to the vertices that are looked at).
    ///
    /// - Parameters:
    ///   - first: The vertex, whose lock nobody holds.
    ///   - condition: Called with the lock of `first`. If it returns false, the vertex stays as it is, and marked.
    static func lower(_ first: Vertex, if condition: () -> Bool = { true }) {
        var waiting = [first]
        while let vertex = waiting.popLast() {
            vertex.clearMayFall()
            let edges = vertex.locking { vertex.upstream.all }
            Steps.count(edges.count)
            let inputs = edges.map { Input($0) }
            let switched = vertex.locking { vertex.coldState?.junction }?.vertex
            var targets: [Vertex] = []
            var wasDisturbed = true
            Vertex.lockingTogether(inputs.compactMap(\.source) + [vertex]) {
                guard inputs.count == vertex.upstream.count, inputs.allSatisfy(\.isUnchanged),
                    vertex !== first || condition()
                else { return }
                wasDisturbed = false
                var lowest = max(vertex.leastHeight, switched?.height ?? 0)
                for input in inputs where !input.edge.isBackEdge {
                    if let source = input.source { lowest = max(lowest, needed(at: vertex, above: source.height)) }
                }
                ScheduleFuzzing.pause(at: .heightsAreRead, of: vertex.address)
                let old = vertex.height
                guard lowest < old else { return }
                vertex.setHeight(lowest)
                targets = vertex.risingEdgesLocked.map(\.target).filter { isKept($0, above: old) }
            }
            if wasDisturbed { vertex.setMayFall() }
            for target in targets { if target.isJoin { target.setMayFall() } else { waiting.append(target) } }
        }
    }
}
extension Vertex {
    /// The lowest height that the vertex can have, even without inputs.
    fileprivate final var leastHeight: UInt32 { isJoin ? 1 : 0 }
}

/// One adjustment of heights downstream of an edge. It is planned first, and done afterwards, so that a cycle is found
/// before anything rises.
final class HeightAdjustment {
    private struct Step {
        /// The constraint that leads to this step.
        let constraint: Heights.HeightConstraint
        let height: UInt32
        var vertex: Vertex { constraint.target }

        /// Orders the steps by old height, and of equal ones the highest rise first. So no vertex rises before one
        /// upstream of it.
        func comesBefore(_ other: Step) -> Bool {
            (vertex.height, other.height) < (other.vertex.height, height)
        }
    }
    private let constraint: Heights.HeightConstraint
    private var planned: [ObjectIdentifier: Step] = [:]
    private var order: [Step] = []
    /// A binary heap.
    private var waiting: [Step] = []
    /// The edges that were looked at. They may have been cut meanwhile, so they are released with this object, when no
    /// lock is held.
    private var seen: [Heights.HeightConstraint] = []

    init(_ constraint: Heights.HeightConstraint) { self.constraint = constraint }

    /// Plans the rises. If `constraint` would close a cycle, returns a way from the edge's target to its source.
    func plan() -> [Heights.HeightConstraint]? {
        wait(for: constraint, above: constraint.source.height)
        while let step = next() {
            let id = ObjectIdentifier(step.vertex)
            guard step.height > step.vertex.height, planned[id] == nil else { continue }
            if step.vertex === constraint.source { return way(endingWith: step) }
            planned[id] = step
            order.append(step)
            let edges = step.vertex.risingEdges
            seen += edges
            for constraint in edges { wait(for: constraint, above: step.height) }
        }
        return nil
    }
    /// Raises the vertices as planned, each after those downstream of it. Stops, and returns false, if other threads
    /// have changed so much that one would rise above a vertex downstream. So it does at a cycle without a join, where
    /// no vertex can come last, unless `inRings`.
    func commit(inRings: Bool) -> Bool {
        order.reversed().allSatisfy { step in
            step.vertex.rise(to: step.height) { target, needed in
                inRings && planned[ObjectIdentifier(target)].map { $0.height >= needed } ?? false
            }
        }
    }
    private func way(endingWith last: Step) -> [Heights.HeightConstraint] {
        var way: [Heights.HeightConstraint] = []
        var step = last
        while step.constraint.edge !== constraint.edge {
            way.append(step.constraint)
            step = planned[ObjectIdentifier(step.constraint.source)]!
        }
        return way
    }

    private func wait(for constraint: Heights.HeightConstraint, above height: UInt32) {
        let needed = Heights.needed(at: constraint.target, above: height)
        guard needed > constraint.target.height else { return }
        waiting.append(Step(constraint: constraint, height: needed))
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
    /// The vertices to which edges lead from here along which heights grow. No lock is held.
    package final var risingTargets: [Vertex] { risingEdges.map(\.target) }
    /// The connected edges along which heights grow from here.
    final var risingEdges: [Heights.HeightConstraint] { locking { risingEdgesLocked } }
    /// Reads the connected edges along which heights grow from here. The lock is held.
    fileprivate final var risingEdgesLocked: [Heights.HeightConstraint] {
        var found: [Heights.HeightConstraint] = []
        transforms.forEach { edge in
            guard edge.isLinked, !edge.isBackEdge, let target = edge.target.load(ordering: .acquiring) else { return }
            found.append(
                Heights.HeightConstraint(
                    edge: edge, source: self, target: target.takeUnretainedValue(), generation: edge.generation))
        }
        return found
    }
    /// The vertices to which connected edges lead from here, back edges included. The lock is held.
    fileprivate final var connectedTargets: [Vertex] {
        var targets: [Vertex] = []
        transforms.forEach {
            if let target = $0.target.load(ordering: .acquiring) { targets.append(target.takeUnretainedValue()) }
        }
        return targets
    }
    /// Raises the vertex above `source`, and marks it, if no edge leads on from here. Then nothing else has to rise,
    /// and no cycle can come to be. Returns whether it did.
    fileprivate final func riseAsLast(above source: Vertex) -> Bool {
        locking {
            guard transforms.isEmpty else { return false }
            setHeight(max(height, Heights.needed(at: self, above: source.height)))
            add(marks: source.marks)
            return true
        }
    }
    /// Raises the vertex. Does nothing, and returns false, if a vertex downstream is lower than it needs to be then,
    /// unless `isToRise` returns true for that.
    fileprivate final func rise(to height: UInt32, unless isToRise: (Vertex, UInt32) -> Bool) -> Bool {
        locking {
            let isFree = risingEdgesLocked.allSatisfy {
                let needed = Heights.needed(at: $0.target, above: height)
                return $0.target.height >= needed || isToRise($0.target, needed)
            }
            if isFree, height > self.height { setHeight(height) }
            return isFree
        }
    }
}
