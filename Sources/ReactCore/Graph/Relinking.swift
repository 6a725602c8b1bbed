import Synchronization

/// What a newly linked edge has to catch up with: the value that its source held in the moment of linking.
struct Replay: ~Copyable {
    let source: Vertex
    /// A vertex apart from the graph that holds the value; `nil` where there was none.
    let value: Vertex?
    /// Held for as long as the value is on its way there.
    let target: Vertex?
    /// The linking that the value is for.
    let number: UInt64
}

/// What became of a transaction.
enum Relinked: ~Copyable {
    /// Its condition did not hold: nothing was changed.
    case refused
    /// It was made. The edge catches up with what is in `replay`, if that is there.
    case made(replay: Replay?)
}

// The one way in which an edge changes: a transaction that ends the old linking, changes the ends, and begins a new linking.
extension AnyEdge {
    /// Changes the edge's ends, in one step: the old linking is over before `changeEnds` is called, and a new one has begun,
    /// where both ends are set then, when the edge's lock is let go of.
    ///
    /// - Parameters:
    ///   - condition: Asked under the lock; where it does not hold, nothing is done.
    ///   - mayDangle: Whether an edge that leads nowhere then is still to be found at its source.
    ///   - replays: Whether the edge is to catch up with the value that its source holds.
    ///   - read: Called with the source and under its lock, in one with the linking.
    ///   - changeEnds: Sets `fromNode`, `target`, or what `isLinkable` asks. What it replaces outlives the lock: it goes to the
    ///     argument, or to the caller.
    /// - Returns: What became of it, and what the edge has to catch up with.
    final func relink(
        if condition: () -> Bool = { true }, mayDangle: Bool = true, replays: Bool = true,
        reading read: (Vertex) -> Void = { _ in },
        _ changeEnds: (inout Deferred) -> Void
    ) -> Relinked {
        var deferred = Deferred()
        var result = Relinked.refused
        var ended: UInt64?
        lock.withLock { _ in
            ScheduleFaults.pause(at: .structureIsLocked)
            guard condition() else { return }
            ended = endLinking(&deferred)
            changeEnds(&deferred)
            result = beginLinking(mayDangle: mayDangle, replays, read, &deferred)
            ScheduleFaults.pause(at: .structureIsToBeUnlocked)
        }
        ScheduleFaults.pause(at: .structureIsUnlocked)
        if let ended { linkingHasEnded(Linking(number: ended)) }
        return result
    }

    /// Disconnects both ends.
    final func cut() {
        var old: AnyNode?  // let go of when no lock is held
        _ = relink {
            leadNowhere(&$0)
            old = fromNode.take()
        }
        if old != nil { sourceHasChanged() }
    }

    /// Leads the edge to `vertex`, or nowhere. For `relink` alone.
    final func setTarget(_ vertex: Vertex?, _ deferred: inout Deferred) {
        if let old = target.load(ordering: .relaxed) {
            old._withUnsafeGuaranteedRef { vertex in
                // Where the old one's handle is going, that has taken the edge out already.
                vertex.locking { if isListedAtDestination { vertex.upstream.remove(self, &deferred) } }
            }
            deferred.take(old.takeRetainedValue())
        }
        setSlot(AnyEdge.noSlot, at: .destination)
        guard let vertex else { return target.store(nil, ordering: .releasing) }
        target.store(.passRetained(vertex), ordering: .releasing)
        vertex.locking {
            // Who has lost its handle has given up its upstream edges, and would never let go of this one.
            if vertex.hasHandle { vertex.upstream.insert(self, at: .destination, &deferred) }
        }
        if !isListedAtDestination, let held = target.exchange(nil, ordering: .acquiringAndReleasing) {
            deferred.take(held.takeRetainedValue())
        }
    }

    // MARK: The old linking

    /// Ends the linking that the edge is in, and answers its number, if it is in one.
    private func endLinking(_ deferred: inout Deferred) -> UInt64? {
        guard isLinked, let source = originVertex else {
            stopDangling()
            return nil
        }
        // It is there until the ends change: the edge holds its node, or is told when that goes.
        return source._withUnsafeGuaranteedRef { endLinking(from: $0, &deferred) }
    }
    @inline(__always) private func endLinking(from source: Vertex, _ deferred: inout Deferred) -> UInt64 {
        let number = linkingNumber
        let target = self.target.load(ordering: .relaxed)
        if let target {
            // Under the target's lock: what is not stored by now never is.
            target._withUnsafeGuaranteedRef { target in
                target.locking {
                    link.store(number | LinkWord.cut, ordering: .releasing)
                    linkingEnds()
                }
            }
        } else {
            link.store(number | LinkWord.cut, ordering: .releasing)
        }
        let (closed, kept) = remove(from: source, to: target, &deferred)
        if Recording.isOn { note(.cut, source, target, &deferred) }
        if closed { Rings.forget(self, from: source) }
        if kept { Rings.open(at: self, &deferred) }
        source.checkInvariants()
        return number
    }
    /// Takes the edge out of its source's list; answers whether it closed a ring, and whether it kept some.
    private func remove(
        from source: Vertex, to target: Unmanaged<Vertex>?, _ deferred: inout Deferred
    ) -> (closed: Bool, kept: Bool) {
        let bits = source.lock()
        let rings = (closesRing, keepsRing)
        keepsRing = false
        guard bits & Vertex.busy == 0 else {
            removeInMidDelivery(from: source, to: target)
            source.unlock(bits | Vertex.pending)
            return rings
        }
        source.remove(self, isBusy: false, &deferred)
        if let buffer = replayBuffer.take() { deferred.take(buffer) }
        source.unlock(bits)
        return rings
    }
    /// The same where the delivery under way may be about to call the edge, and that to lead to this target. The lock is held.
    @inline(never) private func removeInMidDelivery(from source: Vertex, to target: Unmanaged<Vertex>?) {
        var replaced = Deferred()
        source.remove(self, isBusy: true, &replaced)
        if let buffer = replayBuffer.take() { replaced.take(buffer) }
        if let target { replaced.take(target.takeUnretainedValue()) }
        source.rareLocked.deferred.take(replaced)
    }

    // MARK: The new linking

    /// Links the edge, where both its ends are set.
    private func beginLinking(
        mayDangle: Bool, _ replays: Bool, _ read: (Vertex) -> Void, _ deferred: inout Deferred
    ) -> Relinked {
        guard let source = originVertex else { return .made(replay: nil) }
        var replay: Replay?
        source._withUnsafeGuaranteedRef { source in
            if isLinkable {
                replay = beginLinking(from: source, replays, read, &deferred)
            } else if mayDangle {
                dangle(from: source)
            }
        }
        return .made(replay: replay)
    }
    /// Puts the edge into its source's list, by a new linking; answers what it has to catch up with.
    @inline(__always) private func beginLinking(
        from source: Vertex, _ replays: Bool, _ read: (Vertex) -> Void, _ deferred: inout Deferred
    ) -> Replay? {
        let number = LinkWord.next(after: link.load(ordering: .relaxed))
        let target = self.target.load(ordering: .relaxed)
        var bits = lockWithHeights(source, target, &deferred)
        if bits & Vertex.busy == 0 {
            // Most often what has just been taken out elsewhere.
            source.insert(deferred.giveBack(self) ?? self, number, isBusy: false, &deferred)
        } else {
            var replaced = Deferred()
            source.insert(self, number, isBusy: true, &replaced)
            if !replaced.isEmpty {
                source.rareLocked.deferred.take(replaced)
                bits |= Vertex.pending
            }
        }
        read(source)
        let value = replays && !source.holdsNothing ? source.copyOfValue() : nil
        let catchesUp = value != nil || replays && heedsSource
        link.store(number | firstMode | (catchesUp ? LinkWord.replaying : 0), ordering: .releasing)
        source.unlock(bits)
        if Recording.isOn { note(.linked, source, target, &deferred) }
        source.checkInvariants()
        guard catchesUp else { return nil }
        return Replay(source: source, value: value, target: target?.takeUnretainedValue(), number: number)
    }
    /// Locks the source, in a moment in which heights grow along the edge, or need not.
    private func lockWithHeights(
        _ source: Vertex, _ target: Unmanaged<Vertex>?, _ deferred: inout Deferred
    ) -> UInt32 {
        guard let target else { return source.lock() }
        return target._withUnsafeGuaranteedRef { target in
            while true {
                let bits = source.lock()
                if Heights.suffice(from: source, to: target) || closesRing { return bits }
                source.unlock(bits)
                Heights.raise(target, above: source, along: self, &deferred)
            }
        }
    }

    // MARK: Leading nowhere

    private func dangle(from source: Vertex) {
        guard !isDangling else { return }
        isDangling = true
        source.locking {
            let rare = source.rareLocked
            let list = rare.dangling ?? EdgeList(end: .source)
            rare.dangling = list
            list.append(.passUnretained(self), number: 0)
        }
    }
}

extension Vertex {
    /// Adds an edge that leaves from here. The lock is held.
    @inline(__always) fileprivate final func insert(
        _ edge: consuming AnyEdge, _ number: UInt64, isBusy: Bool, _ deferred: inout Deferred
    ) {
        if edge.leadsToListener {
            listens.insert(edge, number: number, at: .source, isBusy: isBusy, &deferred)
        } else {
            transforms.insert(edge, number: number, at: .source, isBusy: isBusy, &deferred)
        }
    }
    /// Takes an edge out that leaves from here. The lock is held.
    @inline(__always) fileprivate final func remove(_ edge: AnyEdge, isBusy: Bool, _ deferred: inout Deferred) {
        if edge.leadsToListener {
            listens.remove(edge, isBusy: isBusy, &deferred)
        } else {
            transforms.remove(edge, isBusy: isBusy, &deferred)
        }
    }

    /// Called when the handle goes: takes the upstream edges out of their sources, and cuts those downstream that do not hold it.
    /// Where someone else holds one that led here, answers what it leaves from.
    final func abandon() -> Vertex? {
        var sourceOfHeld: Vertex?
        var downstream: [AnyEdge] = []
        let edges = locking {
            // These do not hold the node: others would have kept it.
            if !transforms.isEmpty { downstream = transforms.all }
            return upstream.removeAll()
        }
        for edge in downstream { edge.cut() }
        edges.consumeEach { edge in
            _ = edge.relink(if: { edge.leads(to: self) }, mayDangle: false) { edge.setTarget(nil, &$0) }
            if !isKnownUniquelyReferenced(&edge) {
                // It still leaves from its node.
                _ = edge.relink { _ in }
                sourceOfHeld = edge.locking { edge.originVertex?.takeUnretainedValue() }
            }
        }
        return sourceOfHeld
    }

    /// The edges that leave from here to nodes: those that are linked, then those that lead nowhere.
    final var downstreamEdges: [AnyEdge] {
        locking {
            var edges = transforms.all
            // An edge that is going is about to take itself out, and waits for the lock.
            rare?.dangling?.forEach { edge in
                if let edge = Unmanaged.passUnretained(edge).whileAlive { edges.append(edge) }
            }
            return edges
        }
    }
}
