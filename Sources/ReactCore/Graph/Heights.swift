/// The heights that order joins: each join is higher than all joins upstream of it, so the lowest join fires first.
///
/// Heights rise as edges are connected. If an edge asks for no rise, connecting it takes only the locks of its ends.
/// Otherwise one lock for all graphs is held while everything downstream rises, each vertex once. The vertices rise in
/// the order of their old heights, in which no vertex comes before one upstream of it. Of vertices with the same old
/// height, the one that rises most comes first. O(n log n) for n vertices that rise.
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
        lock.locking {
            ScheduleFuzzing.pause(at: .structureIsLocked)
            raise(HeightConstraint(edge: edge, source: source, target: target), &deferred)
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
        // Other threads connect and disconnect edges meanwhile. If that disturbs a plan, there is more to do.
        var constraints = [constraint]
        while let constraint = constraints.popLast() {
            let adjustment = HeightAdjustment(constraint)
            deferred.take(adjustment)
            guard constraint.isAsked else { continue }
            if let way = adjustment.plan() {
                if BackEdges.close(way, by: constraint) {
                    mark(constraint.target, Vertex.belowBackEdge, &deferred)
                } else {
                    constraints.append(constraint)
                }
            } else {
                adjustment.commit(&constraints)
            }
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
    /// Lowers each of the vertices. Nobody holds their locks.
    @inline(never) static func lower(_ vertices: [Vertex]) { for vertex in vertices { lower(vertex) } }
    /// Lowers a vertex to the lowest height that its inputs allow, and so each vertex downstream that this one kept at
    /// its height. Joins downstream are only marked. A join falls when it is about to fire and is on no list, because
    /// its height must not change while a list orders it.
    ///
    /// If an edge to the vertex is connected or cut meanwhile, the vertex stays as it is, and marked. A thread that
    /// connects an edge changes the edge's list or generation under the target's lock before it asks `suffice`. So the
    /// answer stays true until the edge is connected.
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
            let inputs = edges.map { Input($0) }
            let switched = vertex.locking { vertex.coldState?.junction }?.vertex
            var targets: [Vertex] = []
            let wasDisturbed = lock.locking {
                var lowest = max(vertex.leastHeight, switched?.height ?? 0)
                for input in inputs {
                    guard let source = input.source, !source.locking({ input.edge.isBackEdge }) else { continue }
                    lowest = max(lowest, needed(at: vertex, above: source.height))
                }
                return vertex.locking {
                    guard inputs.count == vertex.upstream.count, inputs.allSatisfy(\.isUnchanged),
                        vertex !== first || condition()
                    else { return true }
                    let old = vertex.height
                    guard lowest < old else { return false }
                    vertex.setHeight(lowest)
                    targets = vertex.risingEdgesLocked.map(\.target).filter { isKept($0, above: old) }
                    return false
                }
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
    /// Raises all vertices as planned. An edge that was connected meanwhile may ask for more than its target's planned
    /// height. Such an edge is added to `constraints`.
    func commit(_ constraints: inout [Heights.HeightConstraint]) {
        for step in order {
            step.vertex.rise(to: step.height) { constraint in
                let needed = Heights.needed(at: constraint.target, above: step.height)
                if planned[ObjectIdentifier(constraint.target)]?.height ?? 0 < needed { constraints.append(constraint) }
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
    /// Reads the edges along which heights grow from here. The lock is held.
    fileprivate final var risingEdgesLocked: [Heights.HeightConstraint] {
        var found: [Heights.HeightConstraint] = []
        forEachRisingEdge { found.append($0) }
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
    /// Raises the vertex, and calls `falling` with each edge along which heights fall now.
    fileprivate final func rise(to height: UInt32, falling: (Heights.HeightConstraint) -> Void) {
        locking {
            if height > self.height { setHeight(height) }
            forEachRisingEdge { if !Heights.suffice(from: self, to: $0.target) { falling($0) } }
        }
    }
    /// Calls `body` with each connected edge that is no back edge. The lock is held.
    private final func forEachRisingEdge(_ body: (Heights.HeightConstraint) -> Void) {
        transforms.forEach { edge in
            guard edge.isLinked, !edge.isBackEdge, let target = edge.target.load(ordering: .acquiring) else { return }
            body(
                Heights.HeightConstraint(
                    edge: edge, source: self, target: target.takeUnretainedValue(), generation: edge.generation))
        }
    }
}
