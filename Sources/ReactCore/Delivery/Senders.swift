// Where a value came through: asked at every node that it may have come by before, and put on record for what needs it
// after the delivery has moved on.

extension Propagation {
    /// Whether the value that the called edge carries came through `vertex`, which was idle.
    @usableFromInline func cameThroughIdle(_ vertex: Vertex) -> Bool {
        if isPastVisit(of: vertex) { return false }
        let senders = runs[call.runs - 1].senders
        // A list that a user has added to (`since` is 0) may name a vertex that nothing ever came by.
        if senders.since != 0, vertex.visited == 0 { return false }
        return visits.path(senders.visit, contains: vertex)
    }
    /// Whether the last to come by `vertex`, which is idle, was the thread that the called edge's senders were recorded on, and before
    /// it recorded them.
    @inline(__always) func isPastVisit(of vertex: Vertex) -> Bool {
        let since = runs[call.runs &- 1].since
        let visited = vertex.visited
        return Clock.thread(of: visited ^ since) == 0 && visited &- 1 < since
    }
    /// Whether the value that the called edge carries came through `vertex`.
    func cameThrough(_ vertex: Vertex) -> Bool {
        guard call.runs > 0 else { return false }
        return framesContain(vertex) || visits.path(runs[call.runs - 1].visit, contains: vertex)
    }
    /// Whether it came through `vertex` since its run began.
    @inlinable @inline(__always) func isComing(from vertex: Vertex) -> Bool {
        call.runs > 0 && framesContain(vertex)
    }
    @inlinable @inline(__always) func framesContain(_ vertex: Vertex) -> Bool {
        let wanted = Unmanaged.passUnretained(vertex).toOpaque()
        var frame = call.top - 1
        while frame.pointee.next != Frame.endMark {
            if frame.pointee.vertex.toOpaque() == wanted { return true }
            frame -= 1
        }
        return false
    }
    /// Whether the value that the called edge carries came through `vertex`, whose lock is held.
    @inline(__always) func cameThrough(_ vertex: Vertex, _ bits: UInt32) -> Bool {
        bits & Vertex.busy != 0 ? cameThrough(vertex) : hasTrail && cameThroughIdle(vertex)
    }
    /// What the value that the called edge carries came through, its source included: on record from now on.
    @inline(__always) var senders: Senders {
        guard call.runs > 0 else { return .none }
        return senders(of: runs + (call.runs - 1), upTo: call.top)
    }
    /// The same for an edge whose code is being called by a run without senders, where something else may be called inside it.
    func senders(of call: CustomCall) -> Senders {
        senders(of: runs + (call.runs - 1), upTo: call.top.unsafelyUnwrapped)
    }
    @inline(__always)
    private func senders(of run: UnsafeMutablePointer<Run>, upTo top: UnsafeMutablePointer<Frame>) -> Senders {
        let visit = (top - 1).pointee.visit
        return visit < 0 ? recordVisits(of: run, upTo: top) : Senders(visit: visit, since: run.pointee.since)
    }
    /// Notes where the value arrived from, and what it came through before, where that is at hand: off the record where this edge is the
    /// source's last, for nobody else asks for the source's visit then.
    ///
    /// Precondition: an edge is being called, and there is room.
    @inline(__always) func noteArrivalAtHand(at place: MeetingPlace) -> Bool {
        let since = runs[call.runs &- 1].since
        let last = call.top - 1
        let visit = last.pointee.visit
        if visit >= 0 {
            place.append(nil, after: visit, since: since)
            return true
        }
        guard last.pointee.next == 0 else { return false }
        let before = (last - 1).pointee.visit
        guard before >= 0 || (last - 1).pointee.next == Frame.endMark else { return false }
        place.append(last.pointee.vertex, after: before, since: since)
        return true
    }
    /// The same where what it came through may have to be put on record.
    @inline(never) func noteArrival(at place: MeetingPlace) {
        if noteArrivalAtHand(at: place) { return }
        let run = runs + (call.runs &- 1)
        let last = call.top - 1
        guard last.pointee.next == 0 else {
            return place.append(nil, after: senders.visit, since: run.pointee.since)
        }
        let before = recordVisits(of: run, upTo: last).visit
        place.append(last.pointee.vertex, after: before, since: run.pointee.since)
    }
    /// Puts the frames below `top` on record.
    @inline(never)
    private func recordVisits(of run: UnsafeMutablePointer<Run>, upTo top: UnsafeMutablePointer<Frame>) -> Senders {
        var frame = top
        while frame > run.pointee.bottom, (frame - 1).pointee.visit < 0 { frame -= 1 }
        var visit = (frame - 1).pointee.visit
        while frame < top {
            visit = visits.append(frame.pointee.vertex, after: visit)
            frame.note(visit)
            frame += 1
        }
        return Senders(visit: visit, since: run.pointee.since)
    }
    /// The same as users get it.
    var senderList: SenderList { senderList(senders) }
    /// Puts senders on record that were noted elsewhere or earlier.
    func record(_ senders: SenderList) -> Senders {
        guard let path = senders.path else { return .none }
        // Another thread's time cannot be put beside one of this thread's, as a join does with those of all that arrives.
        let since = isOthers(senders.since) ? Clock.elsewhere : senders.since
        return Senders(visit: visits.append(Visits.Visit(path)), since: since)
    }
    /// Puts on record that a value comes from `source`, and from nowhere before. The hold on it goes there.
    @inline(__always) func record(held source: Unmanaged<Vertex>) -> Senders {
        // The source's own mark is for whoever delivers there: it is left alone, and so tells nothing of this visit.
        Senders(visit: visits.append(Visits.Visit(vertex: source, previous: -1)), since: 0)
    }
    func senderList(_ senders: Senders) -> SenderList {
        SenderList(path: visits.path(senders.visit), since: senders.since)
    }
    /// What the called edge's value brought along.
    var context: ContextBox? { call.runs > 0 ? runs[call.runs - 1].context?.takeUnretainedValue() : nil }
    /// Whether that is nothing.
    var hasContext: Bool { call.runs > 0 && runs[call.runs - 1].context != nil }
    /// The same, the other way round. Precondition: an edge is being called.
    @inline(__always) var bringsNothingElse: Bool { runs[call.runs &- 1].context == nil }
}
