// How a delivery is recorded: a second copy of the loop, which tells what each call came to, and what the cold paths of the
// first one say when a tape is open.
//
// Where no tape is open, none of this runs, and no hop does more than without it:
// - the quick way to the propagation is shut while something records, so that a set of a node's goes by `change`;
// - what begins with `begin`, and so all but a plain set, opens the tape; `drive` then takes this loop;
// - `room` is none while a tape is open, so that an edge that sends asks `OutOfLine.admits`, which stages the record: the target
//   is locked, and still has the value that is to be replaced.

extension Propagation {
    var thread: UInt64 { now >> Propagation.clockBits }

    // MARK: Opening and closing

    /// Opens the tape where something records. Called when `depth` has grown.
    @inline(__always) func openTapeIfNeeded() {
        if tape != nil || Recording.isOn { openTape() }
    }
    @inline(never) private func openTape() {
        if let tape { return tape.follow() }
        let tape = closedTape ?? Tape(thread: thread)
        tape.open()
        tape.depth = depth
        (closedTape, self.tape) = (tape, tape)
        narrowRoom()
    }
    /// Closes the tape where it was opened. Called before `depth` falls.
    @inline(never) func closeTape() {
        guard let tape, tape.depth == depth else { return }
        if depth == 1 {
            while !joins.isEmpty || !inbox.isEmpty { settleRecorded() }
        }
        tape.tidy()
        // What went may have set nodes.
        if depth == 1 {
            while !joins.isEmpty || !inbox.isEmpty { settleRecorded() }
        }
        if depth == 1 { tape.write(Record(.ended, aux: UInt(Recording.now))) }
        self.tape = nil
        widenRoom()
        tape.close()
    }
    /// Records while a lock is held. A tape that has to be opened for that is closed with `deferred`: what it may let go of is
    /// the user's.
    func noteUnderLock(_ record: Record, _ deferred: inout Deferred) {
        if let tape { return tape.insert(record) }
        if let tape = tapeUnderLock { return tape._withUnsafeGuaranteedRef { $0.write(record) } }
        let tape = Tape(thread: thread, underLockOf: self)
        tape.open()
        tape.write(record)
        tapeUnderLock = .passUnretained(tape)
        deferred.take(tape)
    }

    // MARK: The loop

    /// `serve`, telling what each call came to.
    @inline(never) func serveRecorded(_ own: Int, _ first: Sent) {
        tape?.commit()
        var sent = first
        call.runs = runCount
        while true {
            if let edge = sent.edge {
                sent = callRecorded(edge, sent.number)
            } else if lastFrame.pointee.next != Frame.endMark {
                sent = advance()
            } else {
                endRun()
                if runCount < own { return }
                call.runs = runCount
            }
        }
    }
    private func callRecorded(_ edge: Unmanaged<AnyEdge>, _ number: UInt64) -> Sent {
        let source = lastFrame.pointee.vertex
        return Unmanaged.passUnretained(tape.unsafelyUnwrapped)._withUnsafeGuaranteedRef { tape in
            tape.tidy()
            return recording(edge, from: source, with: tape) { call(edge, number) }
        }
    }
    /// Records what a call of `edge` comes to.
    @inline(__always) func recording(
        _ edge: Unmanaged<AnyEdge>, from source: Unmanaged<Vertex>, with tape: Tape, _ call: () -> Sent
    ) -> Sent {
        let isListening = edge._withUnsafeGuaranteedRef { edge in
            if edge.knownTo.load(ordering: .relaxed) != Recording.generation { enter(edge, source) }
            return edge.leadsToListener
        }
        let outer = (tape.calling, tape.source, tape.outcome)
        (tape.calling, tape.source, tape.outcome) = (edge.address, source.address, .nothing)
        self.call.number = 0
        // On record before the call, as the cause of what the listener sets.
        if isListening { tape.write(Record(.heard, first: source.address, edge: edge.address)) }
        let began = tape.isToTime() ? Recording.now : 0
        let place = top - frames
        let sent = call()
        if tape.outcome == .stored, top - frames != place {
            tape.commit()
        } else if !isListening || self.call.number == 0 {
            noteRefusal(edge, source, tape)
        }
        if began != 0 {
            let now = Recording.now
            tape.write(Record(.timed, target: UInt(now - began), edge: edge.address, aux: UInt(now)))
        }
        (tape.calling, tape.source, tape.outcome) = outer
        return sent
    }
    @inline(never) private func enter(_ edge: AnyEdge, _ source: Unmanaged<Vertex>) {
        RecordedObjects.enter(edge)
        RecordedObjects.enter(source.takeUnretainedValue())
        if let target = edge.target.load(ordering: .acquiring) { RecordedObjects.enter(target.takeUnretainedValue()) }
    }
    /// Records that the called edge passed nothing on, unless something else was recorded of it.
    @inline(never) private func noteRefusal(_ edge: Unmanaged<AnyEdge>, _ source: Unmanaged<Vertex>, _ tape: Tape) {
        let wasStaged = tape.outcome == .stored
        if wasStaged { tape.cancelStaged() }
        guard wasStaged || tape.outcome != .noted else { return }
        edge._withUnsafeGuaranteedRef { edge in
            let target = edge.target.load(ordering: .acquiring)
            let refusal: Record.Refusal
            if call.number == 0 || !edge.isLinked(by: call.number) {
                refusal = .wasCut
            } else if tape.outcome == .cameRound {
                refusal = .cameRound
            } else if edge.missingInputs != nil, let target, cameThrough(target.takeUnretainedValue()) {
                refusal = .cameRound
            } else if let missing = edge.missingInputs {
                tape.noteTimeIfShared()
                return tape.write(
                    Record(
                        .arrived, first: source.address, target: target?.address ?? 0,
                        edge: edge.recordAddress, aux: UInt(missing)))
            } else {
                refusal = edge.isWaitingForOthers ? .waitsForOthers : .notPassedOn
            }
            tape.write(
                Record(
                    .stopped, detail: refusal.rawValue, first: source.address, target: target?.address ?? 0,
                    edge: edge.recordAddress))
        }
    }

    // MARK: What the cold paths say

    /// The called edge is about to store a value in `vertex`, whose lock is held.
    func stageStored(in vertex: Vertex) {
        guard let tape else { return }
        tape.stage(
            Record(.stored, first: tape.source, target: vertex.address, edge: tape.calling), holdingValueOf: vertex)
        tape.outcome = .stored
    }
    /// What was staged comes to nothing: the turn that was taken brings no value.
    @usableFromInline func cancelStaged(at vertex: Vertex, givenAnother: Bool) {
        guard let tape, tape.outcome == .stored else { return }
        tape.cancelStaged()
        tape.outcome = .nothing
        if givenAnother { noteTurn(of: vertex, by: tape.calling) }
    }
    @usableFromInline @inline(never) func noteCameRound() {
        if let tape { tape.outcome = .cameRound }
    }
    /// The value that is stored next is brought by an edge, or, where that is 0, set.
    func noteTurn(of vertex: Vertex, by edge: UInt) {
        guard let tape else { return }
        RecordedObjects.enter(vertex)
        tape.origin = (edge, tape.source)
        if edge != 0 { tape.outcome = .noted }
    }
    /// `vertex`, whose lock is held, is about to be given a value, or emptied, when its turn has come.
    func noteChange(of vertex: Vertex, isCleaning: Bool) {
        guard let tape else { return }
        let origin = tape.origin
        tape.origin = (0, 0)
        if origin.edge == 0 {
            tape.stage(
                Record(
                    isCleaning ? .cleaned : .set, first: tape.calling, target: vertex.address, edge: UInt(Recording.now)
                ),
                holdingValueOf: vertex)
        } else {
            tape.stage(
                Record(
                    isCleaning ? .emptied : .stored, first: origin.source, target: vertex.address, edge: origin.edge),
                holdingValueOf: vertex)
        }
        tape.commit()
    }
    /// The called edge's value, or a set, has to wait until `vertex` has been served.
    func noteQueued(at vertex: Vertex, by edge: UInt) {
        guard let tape else { return }
        tape.write(
            Record(
                .queued, first: edge == 0 ? tape.calling : tape.source, target: vertex.address, edge: edge,
                aux: UInt(Recording.now)))
    }
    /// Begins, where something records, for a set that may have to wait; answers whether it did.
    func beginRecordedSet(of vertex: Vertex) -> Bool {
        guard Recording.isOn else { return false }
        begin()
        RecordedObjects.enter(vertex)
        return true
    }
    func noteResumed(at vertex: Vertex, by edge: UInt, from source: UInt) {
        guard let tape else { return }
        tape.write(Record(.resumed, first: source, target: vertex.address, edge: edge, aux: UInt(Recording.now)))
        tape.origin = (edge, source)
    }
    func noteBatch(_ kind: Record.Kind) {
        tape?.write(Record(kind, aux: UInt(Recording.now)))
    }
    /// Calls an edge for a copy of its source's value.
    @inline(__always)
    func recordingReplay(_ edge: AnyEdge, from source: Vertex, to target: Vertex?, _ call: () -> Sent) -> Sent {
        if tape == nil { return call() }
        return note(.replayed, edge, from: source, call)
    }
    /// Calls an edge that sends a value later than it came.
    @inline(__always) func recordingLate(_ edge: AnyEdge, _ call: () -> Sent) -> Sent {
        if tape == nil { return call() }
        return note(.late, edge, from: nil, call)
    }
    @inline(never)
    private func note(_ kind: Record.Kind, _ edge: AnyEdge, from source: Vertex?, _ call: () -> Sent) -> Sent {
        guard let tape, let source = source ?? edge.source?.vertex else { return call() }
        RecordedObjects.enter(edge)
        let word = kind == .late ? wordOfHold : edge.target.load(ordering: .acquiring)?.address ?? 0
        wordOfHold = 0
        tape.write(
            Record(
                kind, first: source.address, target: word, edge: edge.recordAddress, aux: UInt(Recording.now)))
        return recording(.passUnretained(edge), from: .passUnretained(source), with: tape, call)
    }
    /// A combination that fires makes no value.
    @inline(never) func noteFiredNothing(_ vertex: Vertex) {
        tape?.cancelStaged()
        noteComputed(vertex, .waits)
    }
    /// The body of a node that is computed was called, and has made no value.
    @inline(never) func noteComputed(_ vertex: Vertex, _ end: Record.ComputedEnd) {
        tape?.insert(Record(.computed, detail: end.rawValue, target: vertex.address, aux: UInt(Recording.now)))
    }

    // MARK: Joins

    private func settleRecorded() {
        while let entry = nextJoin() {
            guard let tape else { return }
            entry.join._withUnsafeGuaranteedRef { $0.fire(in: self, listedAt: entry.height, recordingOn: tape) }
        }
        endWave()
    }
}
