// How a delivery is recorded: a second copy of the loop, which tells what each call came to, and what the cold paths of the
// first one say when a tape is open.
//
// Where no tape is open, none of this runs, and next to nothing does more than without it:
// - the quick way to the propagation is shut while something records, so that a node is set by `setRecorded`, or by `change`;
// - what finds that way shut begins with `begin`, which opens the tape; `drive` then takes this loop;
// - `room` is none while a tape is open, so that an edge that sends asks `OutOfLine.admits`, which stages the record: the target
//   is locked, and still has the value that is to be replaced. So is `usualRoom`, so that whoever looks whether there is a place
//   for a frame comes to what is recorded by the same look (`prepareChange`);
// - what is entered and left looks once, and calls a function that is given little or nothing.

extension Propagation {
    var thread: UInt64 { Clock.thread(of: now) }

    // MARK: Opening and closing

    /// Opens the tape. Called when `depth` has grown.
    @inline(never) func openTape() {
        if let tape { return tape.follow() }
        let tape = closedTape ?? Tape(thread: thread, after: formerThreads)
        tape.open()
        tape.depth = depth
        (closedTape, self.tape) = (tape, tape)
        setUsualRoom(isNone: true)
    }
    /// Closes the tape where it was opened. Called before `depth` falls.
    @inline(never) func closeTape() {
        guard let tape, tape.depth == depth else { return }
        settleAllRecorded(on: tape)
        tape.tidy()
        // What went may have set nodes.
        settleAllRecorded(on: tape)
        if depth == 1 { tape.write(Record(.ended, aux: UInt(Recording.now))) }
        self.tape = nil
        setUsualRoom(isNone: false)
        tape.close()
    }
    /// Records while a lock is held. A tape that has to be opened for that goes with `deferred`: what it may let go of is the user's.
    func noteUnderLock(_ record: Record, _ deferred: inout Deferred) {
        if let tape { return tape.insert(record) }
        let tape = Tape(thread: thread, after: formerThreads)
        tape.open()
        tape.write(record)
        tape.closeRings()
        deferred.take(tape)
    }

    // MARK: The loop

    /// `driveQuickly`, telling what each call came to. Precondition: a tape is open.
    @inline(never) func driveRecorded(_ own: Int, _ sent: Sent) {
        Unmanaged.passUnretained(tape.unsafelyUnwrapped)._withUnsafeGuaranteedRef { tape in
            tape.commit()
            tape.resumingCall {
                let calling = tape.calling
                serve(own, sent) { edge, number in
                    let sent =
                        tape.looksClosely()
                        ? callClosely(edge, number, tape) : callRecorded(edge, number, tape)
                    tape.calling = calling
                    return sent
                }
            }
        }
    }
    /// Calls an edge, and times it.
    @inline(never)
    private func callClosely(_ edge: Unmanaged<AnyEdge>, _ number: UInt64, _ tape: Tape) -> Sent {
        tape.lookClosely()
        return timing(edge, tape) { callRecorded(edge, number, tape) }
    }
    @inline(__always)
    private func callRecorded(_ edge: Unmanaged<AnyEdge>, _ number: UInt64, _ tape: Tape) -> Sent {
        let end = top
        let frame = end - 1
        // Read in this order: see `call`.
        let target = edge._withUnsafeGuaranteedRef { $0.target.load(ordering: .acquiring) }
        guard edge._withUnsafeGuaranteedRef({ $0.link.load(ordering: .acquiring) == number }) else {
            return callUnlessPlain(edge, number, tape)
        }
        let source = frame.pointee.vertex
        let isListening = beginCall(of: edge, from: source, isCleaning: frame.pointee.isCleaning, tape)
        call.top = end
        call.number = number
        let sent = edge._withUnsafeGuaranteedRef { pass(from: frame, to: $0, target) }
        if tape.outcome != .stored, !isListening { noteOutcome(edge, source, tape) }
        return sent
    }
    /// The same for an edge that was cut, that is catching up, or whose listener has to be asked for: what is left for the one who has
    /// it catch up is on record there.
    @inline(never)
    private func callUnlessPlain(_ edge: Unmanaged<AnyEdge>, _ number: UInt64, _ tape: Tape) -> Sent {
        let held = edge.takeUnretainedValue()
        let target = held.target.load(ordering: .acquiring)
        let source = lastFrame.pointee.vertex
        call.number = 0
        guard mayCall(held, number) else {
            if call.number == 0 { return record(edge, from: source, isCleaning: true, with: tape) { .nothing } }
            return .nothing
        }
        return record(edge, from: source, isCleaning: lastFrame.pointee.isCleaning, with: tape) {
            call.number = number
            return pass(from: lastFrame, to: held, target)
        }
    }
    /// Records what a call of `edge` comes to.
    private func record(
        _ edge: Unmanaged<AnyEdge>, from source: Unmanaged<Vertex>, isCleaning: Bool = false, with tape: Tape,
        _ call: () -> Sent
    ) -> Sent {
        let isListening = beginCall(of: edge, from: source, isCleaning: isCleaning, tape)
        self.call.number = 0
        let sent = call()
        if tape.outcome != .stored, !isListening || self.call.number == 0 { noteOutcome(edge, source, tape) }
        return sent
    }
    /// Begins to record a call; answers whether it is a listener's.
    @inline(__always) private func beginCall(
        of edge: Unmanaged<AnyEdge>, from source: Unmanaged<Vertex>, isCleaning: Bool, _ tape: Tape
    ) -> Bool {
        let isListening = edge._withUnsafeGuaranteedRef { edge in
            if edge.knownTo != tape.generation { RecordedObjects.enter(edge, from: source.takeUnretainedValue()) }
            return edge.leadsToListener
        }
        (tape.calling, tape.source, tape.outcome) = (edge.address, source.address, .nothing)
        // On record before the call, as the cause of what the listener sets. That a node is emptied is not heard.
        if isListening, !isCleaning { tape.write(Record(.heard, first: source.address, edge: edge.address)) }
        return isListening
    }
    private func timing(_ edge: Unmanaged<AnyEdge>, _ tape: Tape, _ call: () -> Sent) -> Sent {
        let began = Recording.now
        let sent = call()
        let now = Recording.now
        tape.write(Record(.timed, target: UInt(now - began), edge: edge.address, aux: UInt(now)))
        return sent
    }
    /// Records what the called edge has staged, if that has come to something; or else that it passed nothing on, unless something
    /// else was recorded of it.
    @inline(never) private func noteOutcome(_ edge: Unmanaged<AnyEdge>, _ source: Unmanaged<Vertex>, _ tape: Tape) {
        if tape.outcome == .staged {
            if top - frames != tape.stagedDepth { return tape.commit() }
            tape.cancelStaged()
        } else if tape.outcome == .noted {
            return
        }
        edge._withUnsafeGuaranteedRef { edge in
            let target = edge.target.load(ordering: .acquiring)
            let refusal: Record.Refusal
            if call.number == 0 || !edge.isLinked(by: call.number) {
                refusal = .wasCut
            } else if tape.outcome == .cameRound || edge.missingInputCount != nil && comesBack(to: target) {
                refusal = .cameRound
            } else if let missing = edge.missingInputCount {
                tape.noteTimeIfShared()
                return tape.write(
                    Record(
                        .arrived, first: source.address, target: target?.address ?? 0,
                        edge: edge.recordAddress, aux: UInt(missing)))
            } else {
                refusal = edge.waitingCount != nil ? .waitsForOthers : .notPassedOn
            }
            tape.write(
                Record(
                    .stopped, detail: refusal.rawValue, first: source.address, target: target?.address ?? 0,
                    edge: edge.recordAddress))
        }
    }
    /// Asked like this, and not of the trail at once, it takes no longer the more the trail has of what was combined before.
    private func comesBack(to target: Unmanaged<Vertex>?) -> Bool {
        guard let target = target?.takeUnretainedValue() else { return false }
        let bits = target.lock()
        defer { target.unlock(bits) }
        return cameThrough(target, bits)
    }

    // MARK: What the cold paths say

    /// The called edge stores a value in `vertex`, whose lock is held.
    @inline(__always) func noteStored(in vertex: Vertex) {
        guard let tape = tape.map({ Unmanaged.passUnretained($0) }) else { return }
        tape._withUnsafeGuaranteedRef { tape in
            tape.outcome = .stored
            tape.write(
                Record(.stored, first: tape.source, target: vertex.address, edge: tape.calling), holdingValueOf: vertex)
        }
    }
    /// The called edge has the turn of `vertex`, whose lock is held, and may be about to store a value.
    @inline(__always) func stageStored(in vertex: Vertex) {
        guard let tape else { return }
        tape.stage(
            Record(.stored, first: tape.source, target: vertex.address, edge: tape.calling), holdingValueOf: vertex)
        tape.outcome = .staged
        tape.stagedDepth = top - frames
    }
    /// What was staged comes to nothing: the turn that was taken brings no value, or another one is recorded.
    func cancelStaged(givenAnother: Bool) {
        guard let tape, tape.outcome == .staged else { return }
        tape.cancelStaged()
        tape.outcome = givenAnother ? .noted : .nothing
    }
    @usableFromInline @inline(never) func noteCameRound() {
        if let tape { tape.outcome = .cameRound }
    }
    /// The turn of `vertex` was taken for what an edge brings, or, where that is 0, for a set.
    func noteTurn(of vertex: Vertex, by edge: UInt) {
        guard let tape else { return }
        RecordedObjects.enter(vertex)
        if edge != 0 { tape.outcome = .noted }
    }
    /// What comes before a change where the stack has no room: it is recorded, or there is a larger stack. `vertex`, whose lock is held,
    /// is given a value, or emptied, by an edge as that is linked now; or, where there is none, by the program.
    @inline(never)
    func prepareChange(
        of vertex: Vertex, isCleaning: Bool = false, by edge: EdgeChoice? = nil, isStaged: Bool = false
    ) {
        if isStaged { cancelStaged(givenAnother: true) }
        if let tape {
            let record: Record
            if let edge = edge?.edge.takeUnretainedValue() {
                record = Record(
                    isCleaning ? .emptied : .stored, first: edge.originVertex?.address ?? 0, target: vertex.address,
                    edge: edge.recordAddress)
            } else {
                record = Record(
                    isCleaning ? .cleaned : .set, first: tape.calling, target: vertex.address, edge: UInt(Recording.now)
                )
            }
            tape.write(record, holdingValueOf: vertex)
        }
        makeRoom()
    }
    /// The called edge's value, or a set, has to wait until `vertex` has been served.
    func noteQueued(at vertex: Vertex, by edge: UInt) {
        guard let tape else { return }
        tape.write(
            Record(
                .queued, first: edge == 0 ? tape.calling : tape.source, target: vertex.address, edge: edge,
                aux: UInt(Recording.now)))
        if edge != 0 { tape.outcome = .noted }
    }
    /// Begins, where something records, for a set that may have to wait; answers whether it did.
    func beginRecordedSet(of vertex: Vertex) -> Bool {
        guard Recording.isOn else { return false }
        begin()
        RecordedObjects.enter(vertex)
        return true
    }
    /// The called edge passes on the value of `vertex`, which it follows from now on.
    @inline(never) func noteSwitched(to vertex: Vertex) {
        guard let tape else { return }
        RecordedObjects.enter(vertex)
        tape.insert(
            Record(
                .switched, first: tape.source, target: vertex.address, edge: tape.calling, aux: UInt(Recording.now)))
    }
    /// Calls an edge that is given a value out of its turn, or sends one.
    @inline(never)
    func note(
        _ kind: Record.Kind, detail: UInt8 = 0, _ edge: AnyEdge, from source: Vertex?, isCleaning: Bool = false,
        _ call: () -> Sent
    ) -> Sent {
        guard let tape, let source = source ?? edge.source?.vertex else { return call() }
        RecordedObjects.enter(edge, from: source)
        let word = kind == .late ? wordOfHold : edge.target.load(ordering: .acquiring)?.address ?? 0
        wordOfHold = 0
        tape.write(
            Record(
                kind, detail: detail, first: source.address, target: word, edge: edge.recordAddress,
                aux: UInt(Recording.now)))
        return tape.resumingCall {
            let edge = Unmanaged.passUnretained(edge), source = Unmanaged.passUnretained(source)
            func recorded() -> Sent { record(edge, from: source, isCleaning: isCleaning, with: tape, call) }
            return tape.looksClosely() ? timing(edge, tape, recorded) : recorded()
        }
    }
    /// A combination that fires makes no value.
    @inline(never) func prepareToFireNothing(_ vertex: Vertex) {
        tape?.cancelStaged()
        noteComputed(vertex, .waits)
        makeRoom()
    }
    /// The body of a node that is computed was called, and has made no value.
    @inline(never) func noteComputed(_ vertex: Vertex, _ end: Record.ComputedEnd) {
        tape?.insert(Record(.computed, detail: end.rawValue, target: vertex.address, aux: UInt(Recording.now)))
    }

    // MARK: Joins

    /// Fires all joins, where the outermost set is about to end.
    private func settleAllRecorded(on tape: Tape) {
        guard depth == 1 else { return }
        while !joins.isEmpty || !inbox.isEmpty {
            while let entry = nextJoin() {
                entry.join._withUnsafeGuaranteedRef { $0.fire(in: self, listedAt: entry.height, recordingOn: tape) }
            }
            endWave()
        }
    }
}
