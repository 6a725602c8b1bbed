import Synchronization

/// How the graph changes: linking and cutting edges, and the ranks that order joins.
///
/// One lock for the structure of all graphs, held for a few list operations, never while user code runs. Delivery does
/// not take it. Order: this lock, then a vertex's.
enum Structure {
    private struct State {
        /// Edges that would close a ring through a join, in the order in which they were linked.
        var uncounted: [Unmanaged<AnyEdge>] = []
    }
    private static let state = Lock(State())

    /// Runs `body` under the lock, and lets go of what it leaves in its argument afterwards.
    private static func change(_ body: (inout State, inout Remains) -> Void) {
        var remains = Remains()
        state.withLock {
            ScheduleFaults.pause(at: .structureIsLocked)
            body(&$0, &remains)
            ScheduleFaults.pause(at: .structureIsToBeUnlocked)
        }
        ScheduleFaults.pause(at: .structureIsUnlocked)
    }
    /// The same for those outside who have nothing to do with ranks.
    static func change(_ body: (inout Remains) -> Void) { change { _, remains in body(&remains) } }
    /// Reads the structure.
    static func read<R: Sendable>(_ body: () -> R) -> R {
        defer { ScheduleFaults.pause(at: .structureIsUnlocked) }
        return state.withLock { _ in
            ScheduleFaults.pause(at: .structureIsLocked)
            return body()
        }
    }

    static func source(of edge: AnyEdge) -> AnyNode? { read { edge.fromNode ?? edge.origin?.handle } }
    /// The edges that leave from `vertex` to nodes: those that are linked, then those that lead nowhere.
    static func downstream(of vertex: Vertex) -> [AnyEdge] {
        read {
            // Who delivers may be making the rare part now, under the vertex's lock alone.
            let rare = vertex.locking { vertex.rare }
            return vertex.transforms.all + (rare?.dangling.compactMap(\.edge) ?? [])
        }
    }

    // MARK: Changing edges

    /// Sets where a transform leaves from, and takes over that node's value if both ends are set.
    static func setSource(of edge: AnyEdge, to node: AnyNode?) {
        var old = node  // what is let go when no lock is held
        var changes = false
        change { state, remains in
            guard edge.fromNode !== node else { return }
            changes = true
            unlink(edge, &state, &remains)
            swap(&edge.fromNode, &old)
        }
        guard changes else { return }
        edge.didUnlink()
        withExtendedLifetime(old) {}
        edge.startOver()
        if node != nil { connect(edge) { $0.fromNode === node } }
    }
    /// Sets where a transform leaves from, as `setSource` does; but that node's value is not taken over: `read` is called
    /// with its vertex, in one with the linking and under the vertex's lock, so that no later value is missed or doubled.
    static func point(_ edge: AnyEdge, at node: AnyNode, reading read: (Vertex) -> Void) {
        var old: AnyNode? = node  // what is let go when no lock is held
        change { state, remains in
            guard edge.fromNode !== node else { return node.vertex.locking { read(node.vertex) } }
            unlink(edge, &state, &remains)
            swap(&edge.fromNode, &old)
            guard edge.isLinkable else {
                addDangling(edge, to: node.vertex)
                return node.vertex.locking { read(node.vertex) }
            }
            _ = link(edge, from: node.vertex, &state, &remains) { vertex in
                read(vertex)
                return false
            }
        }
    }
    /// Sets where a transform leads to, and takes over the source's value if both ends are set.
    static func setTarget(of edge: AnyTransform, to node: AnyNode?) {
        var changes = false
        change { state, remains in
            let old = edge.target.load(ordering: .relaxed)
            guard old?.toOpaque() != node.map({ Unmanaged.passUnretained($0.vertex).toOpaque() }) else { return }
            changes = true
            unlink(edge, &state, &remains)
            if let old {
                old.takeUnretainedValue().upstream.remove(edge, &remains)
                remains.take(old.takeUnretainedValue())
                old.release()
            }
            edge.target.store(node.map { .passRetained($0.vertex) }, ordering: .releasing)
            node?.vertex.upstream.insert(edge, at: .destination, &remains)
        }
        guard changes else { return }
        edge.didUnlink()
        connect(edge)
    }
    /// Sets both ends of a transform that has none yet, and takes over the source's value.
    /// Precondition: nobody else knows the transform.
    static func connect(_ edge: AnyTransform, from source: AnyNode, to node: AnyNode) {
        var takeOver: TakeOver?
        change { state, remains in
            edge.fromNode = source
            edge.target.store(.passRetained(node.vertex), ordering: .releasing)
            node.vertex.upstream.insert(edge, at: .destination, &remains)
            takeOver = link(edge, from: source.vertex, &state, &remains)
        }
        takeOver?.perform(edge)
    }
    /// Sets both ends of an edge that has none yet, unless nobody has the node of `target` any more; answers whether it did.
    /// The source's value is not taken over: `read` is called as in `point`.
    static func connect(
        _ edge: AnyEdge, from source: AnyNode, to target: Vertex, holdingSource: Bool = true,
        reading read: (Vertex) -> Void
    ) -> Bool {
        var isLinked = false
        change { state, remains in
            guard target.locking({ target.hasHandle }) else { return }
            isLinked = true
            if holdingSource { edge.fromNode = source }
            edge.target.store(.passRetained(target), ordering: .releasing)
            target.upstream.insert(edge, at: .destination, &remains)
            _ = link(edge, from: source.vertex, &state, &remains) { vertex in
                read(vertex)
                return false
            }
        }
        return isLinked
    }
    /// Links an edge whose two ends are set, and gives it its source's present value.
    static func connect(_ edge: AnyEdge, _ condition: (AnyEdge) -> Bool = { _ in true }) {
        var takeOver: TakeOver?
        var source: AnyNode?
        change { state, remains in
            guard condition(edge), edge.link.load(ordering: .relaxed) == 0 else { return }
            source = edge.fromNode
            guard let vertex = source?.vertex else { return }
            if edge.isLinkable {
                takeOver = link(edge, from: vertex, &state, &remains)
            } else {
                addDangling(edge, to: vertex)
            }
        }
        withExtendedLifetime(source) { takeOver?.perform(edge) }
    }
    /// Takes the edge out of its source's list; the ends stay as they are.
    static func disconnect(_ edge: AnyEdge) {
        var wasLinked = false
        change { state, remains in wasLinked = unlink(edge, &state, &remains) }
        if wasLinked { edge.didUnlink() }
    }
    /// Disconnects both ends, where `condition`, asked under the lock, holds.
    static func cut(_ edge: AnyEdge, if condition: () -> Bool = { true }) {
        var old: AnyNode?
        var isCut = false
        change { state, remains in
            guard condition() else { return }
            isCut = true
            unlink(edge, &state, &remains)
            old = edge.fromNode.take()
            if let target = edge.target.exchange(nil, ordering: .acquiringAndReleasing) {
                target.takeUnretainedValue().upstream.remove(edge, &remains)
                remains.take(target.takeUnretainedValue())
                target.release()
            }
        }
        guard isCut else { return }
        edge.didUnlink()
        if old != nil { edge.startOver() }
        withExtendedLifetime(old) {}
    }
    /// Called when a vertex loses its handle: takes its upstream edges out of their sources, and lets go of those downstream,
    /// which do not hold it.
    static func abandon(_ vertex: Vertex) {
        var edges = EdgeSlots()
        var downstream: [AnyEdge] = []
        change { state, remains in
            vertex.upstream.forEach { edge in
                unlink(edge, &state, &remains)
                if let target = edge.target.exchange(nil, ordering: .acquiringAndReleasing) {
                    remains.take(target.takeUnretainedValue())
                    target.release()
                }
            }
            swap(&edges, &vertex.upstream)
            downstream = vertex.transforms.all
        }
        for edge in downstream { cut(edge) }
        edges.removeEach { edge in
            edge.didUnlink()
            // Someone else holds the transform: it still leaves from its node.
            if !isKnownUniquelyReferenced(&edge) { connect(edge) }
        }
    }
    /// Called when an edge goes that leads nowhere.
    static func forget(_ edge: AnyEdge) {
        change { state, remains in removeDangling(edge) }
    }

    // MARK: Linking, under the lock

    private static func link(
        _ edge: AnyEdge, from source: Vertex, _ state: inout State, _ remains: inout Remains,
        takingOver: (Vertex) -> Bool = { _ in true }
    ) -> TakeOver? {
        removeDangling(edge)
        let target = edge.target.load(ordering: .relaxed)
        target?._withUnsafeGuaranteedRef { rank(edge, from: source, to: $0, &state) }
        edge.linkings &+= 1
        var link = Link.make(from: source, linking: edge.linkings) | edge.linkMarks

        var takeOver: TakeOver?
        var bits = source.lock()
        if bits & Vertex.busy == 0 {
            // Most often what has just been taken out elsewhere.
            source.insert(remains.giveBack(edge) ?? edge, isBusy: false, &remains)
        } else {
            var kept = Remains()
            source.insert(edge, isBusy: true, &kept)
            source.rareLocked.remains.take(kept)
            link |= Link.late
            source.rareLocked.late.append(ObjectIdentifier(edge))
            bits |= Vertex.pending
        }
        if takingOver(source), !source.holdsNothing {
            link |= Link.takingOver
            takeOver = TakeOver(
                source: source, value: source.copyOfValue(), target: target?.takeUnretainedValue(), link: link)
        }
        edge.link.store(link, ordering: .releasing)
        source.unlock(bits)
        source.checkInvariants()
        return takeOver
    }
    @discardableResult
    private static func unlink(_ edge: AnyEdge, _ state: inout State, _ remains: inout Remains) -> Bool {
        let link = edge.link.load(ordering: .relaxed)
        guard link != 0 else {
            removeDangling(edge)
            return false
        }
        let source = Link.source(of: link)
        let target = edge.target.load(ordering: .relaxed)
        if let target {
            // Under the target's lock: what is not stored by now never is.
            target._withUnsafeGuaranteedRef { $0.locking { edge.link.store(0, ordering: .releasing) } }
        } else {
            edge.link.store(0, ordering: .releasing)
        }
        source._withUnsafeGuaranteedRef { remove(edge, from: $0, to: target, &remains) }
        forgetRank(of: edge, &state)
        source._withUnsafeGuaranteedRef { $0.checkInvariants() }
        return true
    }
    /// Takes an edge that is linked no more out of its source's list.
    @inline(__always) private static func remove(
        _ edge: AnyEdge, from source: Vertex, to target: Unmanaged<Vertex>?, _ remains: inout Remains
    ) {
        let bits = source.lock()
        if bits & Vertex.busy == 0 {
            source.remove(edge, isBusy: false, &remains)
            source.unlock(bits)
        } else {
            var kept = Remains()
            source.remove(edge, isBusy: true, &kept)
            // The delivery under way may be about to call the edge, and that to lead to this target.
            if let target { kept.take(target.takeUnretainedValue()) }
            source.rareLocked.remains.take(kept)
            source.unlock(bits | Vertex.pending)
        }
    }
    private static func addDangling(_ edge: AnyEdge, to source: Vertex) {
        guard !edge.isDangling else { return }
        edge.isDangling = true
        let bits = source.lock()
        source.rareLocked.dangling.append(Vertex.WeakEdge(edge: edge, id: ObjectIdentifier(edge)))
        source.unlock(bits)
    }
    @inline(__always) private static func removeDangling(_ edge: AnyEdge) {
        if edge.isDangling { removeKnownDangling(edge) }
    }
    @inline(never) private static func removeKnownDangling(_ edge: AnyEdge) {
        guard let source = edge.fromNode?.vertex else { return }
        edge.isDangling = false
        let bits = source.lock()
        source.rare?.dangling.removeAll { $0.id == ObjectIdentifier(edge) }
        source.unlock(bits)
    }

    // MARK: Ranks, under the lock

    /// Makes ranks grow along a new edge, unless it would close a ring through a join.
    private static func rank(_ edge: AnyEdge, from source: Vertex, to target: Vertex, _ state: inout State) {
        edge.counts = raise(target, above: source)
        if !edge.counts { state.uncounted.append(.passUnretained(edge)) }
    }
    /// What is no longer closed by the edge that went may count now.
    @inline(__always) private static func forgetRank(of edge: AnyEdge, _ state: inout State) {
        if !state.uncounted.isEmpty { forgetUncounted(edge, &state) }
    }
    @inline(never) private static func forgetUncounted(_ edge: AnyEdge, _ state: inout State) {
        if !edge.counts {
            state.uncounted.removeAll { $0.toOpaque() == Unmanaged.passUnretained(edge).toOpaque() }
            return
        }
        state.uncounted.removeAll { uncounted in
            let edge = uncounted.takeUnretainedValue()
            guard let source = edge.origin, let target = edge.target.load(ordering: .relaxed) else {
                return true
            }
            edge.counts = raise(target.takeUnretainedValue(), above: source)
            return edge.counts
        }
    }
    /// Raises the rank of `target`, and of what is downstream of it, to what an edge from `source` asks for.
    /// Changes nothing, and returns `false`, where that would have to raise `source` itself.
    @inline(__always) private static func raise(_ target: Vertex, above source: Vertex) -> Bool {
        target.rank >= source.rank + (target.isJoin ? 1 : 0) || raiseAll(target, above: source)
    }
    @inline(never) private static func raiseAll(_ target: Vertex, above source: Vertex) -> Bool {
        var raised: [(vertex: Vertex, from: UInt32)] = []
        var waiting: [(vertex: Vertex, rank: UInt32)] = []
        func need(_ vertex: Vertex, after rank: UInt32) {
            let rank = rank + (vertex.isJoin ? 1 : 0)
            if rank > vertex.rank { waiting.append((vertex, rank)) }
        }
        need(target, after: source.rank)
        while let (vertex, rank) = waiting.popLast() {
            if rank <= vertex.rank { continue }
            if vertex === source {
                for (vertex, rank) in raised.reversed() { vertex.locking { vertex.setRank(rank) } }
                return false
            }
            raised.append((vertex, vertex.rank))
            vertex.locking { vertex.setRank(rank) }
            vertex.transforms.forEach { edge in
                if edge.counts, let next = edge.target.load(ordering: .relaxed) {
                    need(next.takeUnretainedValue(), after: rank)
                }
            }
        }
        return true
    }
}

extension Vertex {
    /// Adds an edge that leaves from here. The lock is held.
    @inline(__always) fileprivate func insert(_ edge: consuming AnyEdge, isBusy: Bool, _ remains: inout Remains) {
        if edge.leadsToListener {
            listens.insert(edge, at: .source, isBusy: isBusy, &remains)
        } else {
            transforms.insert(edge, at: .source, isBusy: isBusy, &remains)
        }
    }
    /// Takes an edge out that leaves from here, and what waits for it. The lock is held.
    @inline(__always) fileprivate func remove(_ edge: AnyEdge, isBusy: Bool, _ remains: inout Remains) {
        if edge.leadsToListener {
            listens.remove(edge, isBusy: isBusy, &remains)
        } else {
            transforms.remove(edge, isBusy: isBusy, &remains)
        }
        if let rare, let index = rare.mailboxes.firstIndex(where: { $0.edge == ObjectIdentifier(edge) }) {
            remains.take(rare.mailboxes.remove(at: index))
        }
    }
}
