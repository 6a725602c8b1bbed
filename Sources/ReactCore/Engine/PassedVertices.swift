// Checks if a value has passed a vertex, at every vertex that it may have passed before. Adds trail entries for values
// that are needed after the delivery has moved on.

extension Engine {
    /// Returns true if the called edge's value has passed `vertex`, which was idle.
    @usableFromInline func trailContainsIdle(_ vertex: Vertex) -> Bool {
        !isLastEpochEarlier(of: vertex) && trailContainsUnsettled(vertex)
    }
    /// Returns the same for a vertex of which `isLastEpochEarlier` is false.
    func trailContainsUnsettled(_ vertex: Vertex) -> Bool {
        let senders = passes[call.passes - 1].senders
        if vertex.lastEpoch <= Epoch.made, Epoch.isNew(vertex.lastEpoch, toValueSince: senders.since) { return false }
        return trail.path(senders.entry, contains: vertex)
    }
    /// Returns true if the last value that passed the idle `vertex` did so on the thread that noted the called
    /// edge's senders, and before that. Then the called edge's value has not passed it.
    @inline(__always) func isLastEpochEarlier(of vertex: Vertex) -> Bool {
        let since = passes[call.passes &- 1].since
        let lastEpoch = vertex.lastEpoch
        return Epoch.thread(of: lastEpoch ^ since) == 0 && lastEpoch &- 1 < since
    }
    /// Returns true if the edges that leave from `vertex` bring its value, as seen from the called edge: this thread is
    /// still delivering the value there, or has stored it since the called edge's value was set. An operator that finds
    /// the value at the same time does not bring it once more.
    func brings(valueOf vertex: Vertex) -> Bool {
        guard owns(vertex) else { return false }
        let isBeingDelivered =
            call.passes > 0 && vertex.turn & ~Vertex.pending == Vertex.busy && isOfThisTransaction(vertex.lastEpoch)
        return isBeingDelivered || hasStored(in: vertex)
    }
    /// Returns true if the edges that leave from `vertex` have brought its value since the called edge's value was set.
    package func hasBroughtValue(of vertex: Vertex) -> Bool {
        owns(vertex) && !vertex.isBusy && !vertex.isEmpty && hasStored(in: vertex)
    }
    /// Returns true if this thread has stored a value in `vertex` since the called edge's value was set.
    @usableFromInline func hasStored(in vertex: Vertex) -> Bool {
        let lastEpoch = vertex.lastEpoch
        return call.passes > 0 && isOfThisTransaction(lastEpoch)
            && lastEpoch > Epoch.fixed(passes[call.passes - 1].since)
    }
    /// Returns true if an epoch belongs to the transaction of this thread.
    func isOfThisTransaction(_ time: UInt64) -> Bool { time > finished && !isOthers(time) }
    /// Returns true if the called edge's value has passed `vertex`.
    func trailContains(_ vertex: Vertex) -> Bool {
        guard call.passes > 0 else { return false }
        return framesContain(vertex) || trail.path(passes[call.passes - 1].entry, contains: vertex)
    }
    /// Returns true if the called edge's value has passed `vertex` since its pass began.
    @inlinable @inline(__always) package func isComing(from vertex: Vertex) -> Bool {
        call.passes > 0 && framesContain(vertex)
    }
    @inlinable @inline(__always) func framesContain(_ vertex: Vertex) -> Bool {
        let wanted = Unmanaged.passUnretained(vertex).toOpaque()
        var frame = call.top - 1
        while frame.pointee.next != Frame.endTag {
            if frame.pointee.vertex.toOpaque() == wanted { return true }
            frame -= 1
        }
        return false
    }
    /// Returns true if the called edge's value has passed `vertex`. Checks the turn first, because a long trail takes
    /// longer.
    @inline(__always) func comesBack(to vertex: Vertex) -> Bool {
        vertex.isBusy ? trailContains(vertex) : hasTrail && trailContainsIdle(vertex)
    }
    /// The trail of the called edge's value, its source included. Adds the entries that are missing.
    @inline(__always) var senders: TrailPosition {
        guard call.passes > 0 else { return .none }
        return senders(of: passes + (call.passes - 1), upTo: call.top)
    }
    /// Returns the trail of the value in a call of a user's edge, whose pass began without senders. Other edges may be
    /// called inside that call.
    func senders(of call: UserCall) -> TrailPosition {
        senders(of: passes + (call.position.passes - 1), upTo: call.position.top)
    }
    @inline(__always)
    private func senders(of pass: UnsafeMutablePointer<Pass>, upTo top: UnsafeMutablePointer<Frame>) -> TrailPosition {
        let entry = (top - 1).pointee.entry
        return entry < 0 ? addEntries(of: pass, upTo: top) : TrailPosition(entry: entry, since: pass.pointee.since)
    }
    /// Adds an arrival from the called edge's source, and the trail entries that it needs. One entry stands for the
    /// source and for the arrivals before it, if this edge is the last of its source, so that no other edge asks for an
    /// entry of the source alone.
    ///
    /// Precondition: an edge is being called.
    @inline(__always) func noteArrival(at join: Join) {
        let pass = passes + (call.passes &- 1)
        let earlier = join.earlierArrivals
        let since = Epoch.earlier(pass.pointee.since, earlier.since)
        if notesTrail(to: join.vertex) { return noteTrail(to: join, from: pass, earlier.entry, since) }
        join.setArrivals(TrailPosition(entry: TrailPosition.notNoted, since: since))
    }
    /// True if a join at `vertex` notes the trail of its arrivals.
    @inline(__always) private func notesTrail(to vertex: Vertex) -> Bool {
        vertex.isAfterBackEdge || vertex.root._withUnsafeGuaranteedRef { $0.notesSenders }
    }
    @inline(never) private func noteTrail(
        to join: Join, from pass: UnsafeMutablePointer<Pass>, _ earlier: Trail.Index, _ since: UInt64
    ) {
        let last = call.top - 1
        if last.pointee.entry >= 0 || last.pointee.next != 0 {
            return join.setArrivals(TrailPosition(entry: trail.merge(senders.entry, earlier), since: since))
        }
        var before = (last - 1).pointee.entry
        if before < 0, (last - 1).pointee.next != Frame.endTag { before = addEntries(of: pass, upTo: last).entry }
        let entry = trail.append(last.pointee.vertex, after: before, and: earlier)
        join.setArrivals(TrailPosition(entry: entry, since: since))
    }
    /// Adds trail entries for the frames below `top`.
    @inline(never)
    private func addEntries(of pass: UnsafeMutablePointer<Pass>, upTo top: UnsafeMutablePointer<Frame>)
        -> TrailPosition
    {
        var frame = top
        while frame > pass.pointee.bottom, (frame - 1).pointee.entry < 0 { frame -= 1 }
        var entry = (frame - 1).pointee.entry
        while frame < top {
            entry = trail.append(frame.pointee.vertex, after: entry)
            frame.note(entry)
            frame += 1
        }
        return TrailPosition(entry: entry, since: pass.pointee.since)
    }
    /// Adds a trail entry for a value that comes from `source`, and has passed nothing before. The entry takes over the
    /// reference.
    @inline(__always) func addEntry(ofSource source: Unmanaged<Vertex>) -> TrailPosition {
        // The source's last epoch stays, so it says nothing of this entry.
        let isStranger = source._withUnsafeGuaranteedRef { $0.lastEpoch == 0 }
        return TrailPosition(
            entry: trail.append(Trail.TrailEntry(vertex: source, previous: -1)),
            since: isStranger ? Epoch.namingStrangers(epoch) : Epoch.loose(epoch))
    }
}
