import Synchronization

/// The result of a change of an edge.
enum Reconnected: ~Copyable {
    /// The condition was false, so nothing was changed.
    case refused
    /// The edge is connected in a region that the caller does not own, so nothing was changed.
    case elsewhere
    /// The ends were changed, and the edge is to be connected when its regions are one thread's.
    case toBeConnected
    /// The change was made. The edge has to catch up with `initial`, if there is one.
    case made(initial: InitialDelivery?)

    /// True if the ends were changed.
    var isChange: Bool {
        switch self {
        case .refused: false
        case .elsewhere: false
        case .toBeConnected: true
        case .made: true
        }
    }
}

// The one way to change an edge: in one step it ends the old connection, changes the ends, and begins a new connection.
// The owner of the edge's region does so.
//
// `reconnect` is a call. If it were compiled into each of its callers, `flattenMap` would take 6 % fewer instructions,
// and each program would be 25 kB larger.
extension AnyEdge {
    /// Changes the edge's ends in one step, under the edge's lock. It ends the old connection, and calls `changeEnds`.
    /// If both ends are set then, it begins a new connection.
    ///
    /// - Parameters:
    ///   - condition: Called under the lock. If it returns false, nothing is done.
    ///   - mayBeHalfConnected: True if an edge that leads nowhere afterwards can still be found at its source.
    ///   - catchesUp: True if the edge has to catch up with its source's value.
    ///   - holdsSource: True if the initial delivery holds the source. Otherwise the caller holds it until the edge has
    ///     caught up.
    ///   - owner: The owner of the regions that the change needs, which other threads may have changed meanwhile. 0 if
    ///     the caller has made sure of them.
    ///   - connects: False if the edge is to be connected later (see `connecting`).
    ///   - read: Called with the source, when the edge is in its list.
    ///   - changeEnds: Sets `fromNode`, `target`, or the listener. The replaced objects outlive the lock: they go to
    ///     the argument, or to the caller.
    /// - Returns: The result, with the initial delivery if there is one.
    final func reconnect(
        if condition: () -> Bool = { true }, mayBeHalfConnected: Bool = true, catchesUp: Bool = true,
        holdsSource: Bool = true, by owner: UInt = 0, connects: Bool = true,
        reading read: (Vertex) -> Void = { _ in },
        _ changeEnds: (inout DeferredReleases) -> Void
    ) -> Reconnected {
        var deferred = DeferredReleases()
        var result = Reconnected.refused
        var ended: UInt64?
        var concerned: [Vertex] = []
        lock.locking {
            guard condition() else { return }
            if owner != 0, !mayBeChanged(by: owner) { return result = .elsewhere }
            let old = knownTarget
            ended = endConnection(&deferred)
            changeEnds(&deferred)
            let new = knownTarget
            result = beginConnection(
                mayBeHalfConnected: mayBeHalfConnected, connects: connects && (owner == 0 || mayBeConnected(by: owner)),
                catchesUp, holdsSource: holdsSource, read, &deferred)
            if old?.toOpaque() != new?.toOpaque() { old?.join(&concerned) }
            new?.join(&concerned)
        }
        if let ended { didDisconnect(Connection(generation: ended)) }
        if !concerned.isEmpty { hasChanged(at: concerned) }
        return result
    }

    /// Lowers the vertices that may fall and are no joins, because joins fall when they fire: now, or, in a
    /// transaction, before joins fire. Tells those who ask.
    @inline(never) private func hasChanged(at vertices: [Vertex]) {
        let falling = vertices.filter { $0.mayFall && !$0.isJoin }
        if !falling.isEmpty { lower(falling) }
        let asked = vertices.filter(\.isAskedAbout)
        if !asked.isEmpty { tellAskers(downstreamOf: asked) }
    }

    /// Changes the ends so that the edge lacks at least one. The other end then no longer lists the edge.
    @inline(never) final func disconnect(
        if condition: () -> Bool = { true }, _ changeEnds: (inout DeferredReleases) -> Void
    ) {
        _ = reconnect(if: condition, mayBeHalfConnected: false, catchesUp: false, changeEnds)
    }

    /// Disconnects both ends.
    final func cut() { cut(if: { true }) }
    /// Disconnects both ends if `condition`, called under the lock, returns true.
    @inline(__always) final func cut(if condition: () -> Bool) {
        var old: AnyNode?  // let go of when no lock is held
        disconnect(if: condition) {
            leadNowhere(&$0)
            old = fromNode.take()
        }
        if old != nil { sourceHasChanged() }
    }

    /// Makes the edge lead to `vertex`, or nowhere. Only `reconnect` calls it.
    final func setTarget(_ vertex: Vertex?, _ deferred: inout DeferredReleases) {
        if let old = knownTarget {
            old._withUnsafeGuaranteedRef { vertex in
                // If the old target's handle is going, it has taken the edge out already.
                vertex.locking {
                    guard isListedAtDestination else { return }
                    vertex.upstream.remove(self, &deferred)
                    vertex.upstreamHasChanged()
                }
            }
            deferred.take(old.takeRetainedValue())
        }
        setSlot(AnyEdge.noSlot, at: .destination)
        guard let new = vertex.map(Unmanaged.passUnretained) else { return target.store(nil, ordering: .releasing) }
        new._withUnsafeGuaranteedRef { vertex in
            vertex.lock()
            // A vertex that has lost its handle has given up its upstream edges, and would never release this one.
            let isThere = vertex.hasHandle
            target.store(isThere ? new.retain() : nil, ordering: .releasing)
            if isThere { vertex.upstream.insert(.passRetained(self), at: .destination, &deferred) }
            vertex.unlock()
        }
    }

    // MARK: Who may change an edge. The lock is held.

    /// The vertex whose region's owner may change the edge. If the edge is connected, it is in that region.
    final var anchor: Unmanaged<Vertex>? { (isBorder ? nil : knownTarget) ?? knownSource }
    /// As above; `nil` if any thread may change the edge: one that has never been connected, or that is not connected
    /// any more and leads nowhere.
    final var anchorOfChange: Unmanaged<Vertex>? {
        if generation == 0 { return nil }
        if isConnected || awaitsRemoval { return anchor }
        return isBorder ? nil : knownTarget
    }
    @inline(never) private func mayBeChanged(by owner: UInt) -> Bool {
        anchorOfChange.map { $0._withUnsafeGuaranteedRef { $0.isOwned(by: owner) } } ?? true
    }
    /// Returns true if all regions are this owner's that a connection between the present ends needs.
    @inline(never) private func mayBeConnected(by owner: UInt) -> Bool {
        guard let source = knownSource?.takeUnretainedValue() else { return true }
        guard source.isOwned(by: owner) else { return false }
        guard !isBorder, let target = knownTarget else { return true }
        return target._withUnsafeGuaranteedRef { $0.isInRegion(of: source) }
    }

    // MARK: The old connection

    /// Ends the edge's connection, and returns its generation. Returns `nil` if the edge is not connected.
    @inline(__always) private func endConnection(_ deferred: inout DeferredReleases) -> UInt64? {
        // The source is alive: the edge holds its node, or is in its list, and is cut before the source goes.
        guard isListedAtSource, let source = knownSource else {
            stopDangling()
            if awaitsRemoval { connectionWord.store(generation | ConnectionState.cut, ordering: .releasing) }
            return nil
        }
        assert(
            source._withUnsafeGuaranteedRef { $0.region.owner != 0 },
            "an edge is cut in a graph that nobody owns: EasyReact's engine is at fault")
        let generation = generation
        let target = knownTarget
        let (wasBackEdge, wasOnCycle) = (isBackEdge, isOnCycle)
        if wasOnCycle { isOnCycle = false }
        connectionWord.store(generation | ConnectionState.cut, ordering: .releasing)
        willDisconnect()
        if let target, !isBorder { Heights.noteEnd(from: source, to: target) }
        // Once the edge is out of its list, a source that it does not hold may go at any time.
        if fromNode == nil { deferred.take(source.takeUnretainedValue()) }
        source._withUnsafeGuaranteedRef { source in
            if source.isBusy {
                removeInMidDelivery(from: source, to: target)
            } else {
                source.locking { source.changeEdges(leadingTo: target) { $0.remove(self, isBusy: false, &deferred) } }
                if source.ownerState != nil { discardCatchUpBuffer(at: source, &deferred) }
            }
        }
        setSlot(AnyEdge.noSlot, at: .source)
        if Observers.isOn { noteConnection(isCut: true, source, target, &deferred) }
        if wasBackEdge { BackEdges.forget(self) }
        if wasOnCycle { BackEdges.open(at: self, &deferred) }
        source._withUnsafeGuaranteedRef { $0.checkInvariants() }
        return generation
    }
    /// Takes the edge out while the delivery under way may still be about to call it. So the edge and its target are
    /// released after that delivery.
    @inline(never) private func removeInMidDelivery(from source: Vertex, to target: Unmanaged<Vertex>?) {
        var replaced = DeferredReleases()
        source.locking { source.changeEdges(leadingTo: target) { $0.remove(self, isBusy: true, &replaced) } }
        discardCatchUpBuffer(at: source, &replaced)
        if let target { replaced.take(target.takeUnretainedValue()) }
        source.deferReleases(replaced)
    }

    /// Drops the values that the edge would have caught up with.
    @inline(never) private func discardCatchUpBuffer(at source: Vertex, _ deferred: inout DeferredReleases) {
        if let buffer = source.ownerState?.catchUpBuffers.removeValue(forKey: ObjectIdentifier(self)) {
            deferred.take(buffer)
        }
    }

    // MARK: The new connection

    /// Connects the edge if both its ends are set. Returns the initial delivery, if one is needed.
    @inline(__always) private func beginConnection(
        mayBeHalfConnected: Bool, connects: Bool, _ catchesUp: Bool, holdsSource: Bool = true, _ read: (Vertex) -> Void,
        _ deferred: inout DeferredReleases
    ) -> Reconnected {
        guard let source = knownSource else { return .made(initial: nil) }
        guard isConnectable else {
            if mayBeHalfConnected { source._withUnsafeGuaranteedRef { dangle(from: $0) } }
            return .made(initial: nil)
        }
        guard connects else { return .toBeConnected }
        let generation = ConnectionState.next(after: knownWord)
        let target = knownTarget
        if let target, !isBorder { rise(target, above: source, &deferred) }
        let value = source._withUnsafeGuaranteedRef { source in
            if source.isBusy {
                insertInMidDelivery(at: source, generation, leadingTo: target)
            } else {
                // Most often this is the reference that was taken out of the old list just now.
                let held = Unmanaged.passRetained(deferred.giveBack(self) ?? self)
                source.locking {
                    source.changeEdges(leadingTo: target) {
                        $0.insert(held, number: generation, at: .source, &deferred)
                    }
                }
            }
            if asksForSenders { source.root._withUnsafeGuaranteedRef { $0.notesSenders = true } }
            read(source)
            return catchesUp && !source.isEmpty ? source.copyOfValue() : nil
        }
        let isBehind = value != nil || catchesUp && heedsSource
        connectionWord.store(generation | firstMode | (isBehind ? ConnectionState.catchingUp : 0), ordering: .releasing)
        if Observers.isOn || Connection.areNoted.load(ordering: .relaxed) {
            noteConnection(isCut: false, source, target, &deferred)
        }
        source._withUnsafeGuaranteedRef { $0.checkInvariants() }
        guard isBehind else { return .made(initial: nil) }
        return .made(
            initial: InitialDelivery(
                source: holdsSource ? source.retain() : source, value: value.map { .passRetained($0) },
                target: target?.retain(), generation: generation))
    }
    /// Inserts the edge into the list of a source that is delivering.
    @inline(never) private func insertInMidDelivery(
        at source: Vertex, _ generation: UInt64, leadingTo target: Unmanaged<Vertex>?
    ) {
        var replaced = DeferredReleases()
        source.locking {
            source.changeEdges(leadingTo: target) {
                $0.insert(.passRetained(self), number: generation, at: .source, isBusy: true, &replaced)
            }
        }
        if !replaced.isEmpty { source.deferReleases(replaced) }
    }
    /// Raises the target before the edge is connected, if it has to be higher, or flagged.
    @inline(__always) private func rise(
        _ target: Unmanaged<Vertex>, above source: Unmanaged<Vertex>, _ deferred: inout DeferredReleases
    ) {
        target._withUnsafeGuaranteedRef { target in
            source._withUnsafeGuaranteedRef { source in
                if Heights.suffice(from: source, to: target) || isBackEdge { return }
                Heights.raise(Heights.Constraint(edge: self, source: source, target: target), &deferred)
            }
        }
    }

    @inline(never) private func noteConnection(
        isCut: Bool, _ source: Unmanaged<Vertex>, _ target: Unmanaged<Vertex>?, _ deferred: inout DeferredReleases
    ) {
        if Observers.isOn, !isMark {
            Observers.current.noteConnection(of: self, isCut: isCut, source.takeUnretainedValue(), target, &deferred)
        }
        if !isCut, let target { didConnect(source, to: target) }
    }

    // MARK: Leading nowhere

    private func dangle(from source: Vertex) {
        guard !isHalfConnected else { return }
        flags.set(EdgeFlags.halfConnected)
        source.locking {
            let coldState = source.coldStateLocked
            let list = coldState.halfConnected ?? EdgeList(end: .source)
            coldState.halfConnected = list
            list.append(.passUnretained(self), number: 0)
        }
    }
}

extension Unmanaged<Vertex> {
    /// Adds the vertex to those that a change of the edge concerns.
    @inline(__always) fileprivate func join(_ concerned: inout [Vertex]) {
        if _withUnsafeGuaranteedRef({ $0.minds }) { add(to: &concerned) }
    }
    @inline(never) private func add(to others: inout [Vertex]) { others.append(takeUnretainedValue()) }
}

extension Vertex {
    /// Changes the list of the edges that leave from here to `target`, or to listeners if that is `nil`. The lock is
    /// held.
    @inline(__always) fileprivate final func changeEdges(
        leadingTo target: Unmanaged<Vertex>?, _ change: (inout EdgeStorage) -> Void
    ) {
        if target == nil { change(&listens) } else { change(&transforms) }
    }

    /// Keeps objects until the delivery under way is over.
    fileprivate final func deferReleases(_ replaced: consuming DeferredReleases) {
        madeOwnerState.deferred.take(replaced)
        turn |= Vertex.pending
    }

    /// The edges that leave from here to nodes: first the connected ones, then those that lead nowhere.
    final var downstreamEdges: [AnyEdge] {
        locking {
            var edges = transforms.all
            // An edge that is going is about to take itself out, and waits for the lock.
            coldState?.halfConnected?.forEach { edge in
                if let edge = Unmanaged.passUnretained(edge).whileAlive { edges.append(edge) }
            }
            return edges
        }
    }
}

/// The initial delivery that a newly connected edge needs: a copy of the value that its source held in the moment of
/// connecting.
struct InitialDelivery: ~Copyable {
    // The references are owned, and released by `perform`, which each receiver calls. (A `deinit` could do so. But
    // unoptimised code also calls it for a `Reconnected` without an initial delivery.)
    /// Held too, unless the caller of `reconnect` holds it.
    let source: Unmanaged<Vertex>
    /// A vertex apart from the graph that holds the copy; `nil` if the source was empty.
    let value: Unmanaged<Vertex>?
    let target: Unmanaged<Vertex>?
    /// The generation of the connection that the value is for.
    let generation: UInt64
}
