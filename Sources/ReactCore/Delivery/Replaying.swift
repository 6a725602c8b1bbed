import Synchronization

// How a newly linked edge catches up with its source's present value: at once, and before any later one.
//
// The linking thread delivers a copy, to this edge alone, and takes no turn of the source: who sets that meanwhile is
// not held up, and finds no set of its own delivered by someone else. What it has for the new edge it leaves in the edge's
// replay buffer, until the edge has caught up. (Who sets faster than that is slowed down: see `Propagation.pause`.)

extension Replay {
    /// Gives `edge` the value, and what came meanwhile. Where it does not hold the source, that is not put on the trail: then the edge
    /// never asks for senders.
    @inline(__always) consuming func perform(_ edge: AnyEdge, holdsSource: Bool = true) {
        if holdsSource { performHolding(edge) } else { performHeld(edge) }
    }
    private consuming func performHolding(_ edge: AnyEdge) { perform(edge, holding: true) }
    private consuming func performHeld(_ edge: AnyEdge) { perform(edge, holding: false) }
    @inline(__always) private consuming func perform(_ edge: AnyEdge, holding holdsSource: Bool) {
        ScheduleFaults.pause(at: .takeOverBegins)
        guard let propagation = Propagation.quick else {
            if !holdsSource { _ = source.retain() }
            return performRecorded(edge)
        }
        propagation._withUnsafeGuaranteedRef { propagation in
            propagation.beginUnrecorded()
            perform(edge, in: propagation, holdsSource: holdsSource, isRecorded: false)
            propagation.endUnrecorded()
        }
        target?.release()
        guard let value else {
            if holdsSource { source.release() }
            return
        }
        propagation._withUnsafeGuaranteedRef { $0.letGo(of: value) }
    }
    /// The same where something records, or the thread is new.
    @inline(never) private func performRecorded(_ edge: AnyEdge) {
        Propagation.currentUnretained._withUnsafeGuaranteedRef { propagation in
            propagation.begin()
            perform(edge, in: propagation, holdsSource: true, isRecorded: true)
            propagation.end()
        }
        target?.release()
        (value ?? source).release()
    }
    /// Where there is a value, the hold on the source goes on the trail, which keeps it until the outermost set is over.
    @inline(__always)
    private func perform(_ edge: AnyEdge, in propagation: Propagation, holdsSource: Bool, isRecorded: Bool) {
        propagation.replays &+= 1
        defer { propagation.replays &-= 1 }
        if let value {
            let pulse = propagation.runCount == 0 ? nil : propagation.pulseForReplay(from: source)
            let run = propagation.beginRun(
                holding: pulse, senders: holdsSource ? propagation.record(held: source) : .none)
            let sent = propagation.call(
                edge, with: value, isCleaning: false, isLate: false, self, isRecorded: isRecorded)
            propagation.drive(run, sent, isRecorded: isRecorded)
        }
        let outer = propagation.turn
        var time: UInt64 = 0
        while let late = nextLate(edge, in: propagation, &time) {
            let run = propagation.beginRun(context: late.context, senders: late.senders)
            propagation.turn.chain = late.chain
            source._withUnsafeGuaranteedRef { EndlessTurns.check(late.chain, at: $0) }
            let sent = propagation.call(
                edge, with: .passUnretained(late.value), isCleaning: late.isCleaning, isLate: true, self,
                isRecorded: isRecorded)
            propagation.drive(run, sent, isRecorded: isRecorded)
            withExtendedLifetime(late) {}
        }
        propagation.turn = outer
        if propagation.isOpenElsewhere(time) { target?._withUnsafeGuaranteedRef { $0.note(takenOver: time) } }
    }
    /// What was left for the edge. If nothing was, the edge has caught up: from now on it is called like any other, and `time` says
    /// when another thread set what the source holds.
    private func nextLate(_ edge: AnyEdge, in propagation: Propagation, _ time: inout UInt64) -> LateValue? {
        ScheduleFaults.pause(at: .mailboxIsToBeRead)
        return source._withUnsafeGuaranteedRef { source in
            source.locking { nextLate(edge, from: source, in: propagation, &time) }
        }
    }
    /// The same with the source, whose lock is held.
    @inline(__always) private func nextLate(
        _ edge: AnyEdge, from source: Vertex, in propagation: Propagation, _ time: inout UInt64
    ) -> LateValue? {
        let word = edge.link.load(ordering: .relaxed)
        guard LinkWord.isCurrent(word, number) else { return nil }
        if let rare = source.rare, let late = rare.takeLate(for: edge) {
            return unsafeDowncast(late, to: LateValue.self)
        }
        time = source.timeElsewhere(than: propagation)
        ScheduleFaults.pause(at: .linkIsRead, of: source.address)
        // A cut may come in this moment, under another lock: it stands.
        _ = edge.link.compareExchange(
            expected: word, desired: word & ~LinkWord.replaying, ordering: .acquiringAndReleasing)
        return nil
    }
}

extension Vertex.Rare {
    /// The next of what was left for `edge`; the buffer goes where that was the last. The lock is held.
    fileprivate func takeLate(for edge: AnyEdge) -> PendingUpdate? {
        guard let buffer = replayBuffers[ObjectIdentifier(edge)] else { return nil }
        if let late = buffer.entries.popFirst() { return late }
        replayBuffers[ObjectIdentifier(edge)] = nil
        return nil
    }
}

extension Relinked {
    /// Has `edge` catch up, where there is something to catch up with.
    @inline(__always) consuming func perform(_ edge: AnyEdge, holdsSource: Bool = true) {
        if case .made(let replay?) = consume self { replay.perform(edge, holdsSource: holdsSource) }
    }
}

extension AnyEdge {
    /// Has the edge leave from `node`, or from nowhere.
    final func setSource(_ node: consuming AnyNode?) {
        var other = consume node  // let go of when no lock is held
        let new = other.map { Unmanaged.passUnretained($0.vertex).toOpaque() }
        switch relink(if: { originVertex?.toOpaque() != new }, { _ in swap(&fromNode, &other) }) {
        case .refused: return
        case .made(let replay):
            other = nil
            sourceHasChanged()
            if let replay { replay.perform(self) }
        }
    }
}

extension Propagation {
    /// Delivers what was `sent` in the run `run`.
    @inline(__always) fileprivate func drive(_ run: Int, _ sent: Sent, isRecorded: Bool) {
        if isRecorded { drive(run, sent) } else { driveUnrecorded(run, sent) }
    }
    /// Calls one edge from outside its source's delivery.
    @inline(__always) fileprivate func call(
        _ edge: AnyEdge, with value: Unmanaged<Vertex>, isCleaning: Bool, isLate: Bool, _ replay: borrowing Replay,
        isRecorded: Bool
    ) -> Sent {
        let word = edge.link.load(ordering: .acquiring)
        let isThere = word & LinkWord.asks == 0 || edge.currentDestination != nil
        guard isThere, LinkWord.isCurrent(word, replay.number) else { return .nothing }
        let delivery = RawDelivery(
            caller: .propagation(self), edge: .passUnretained(edge), source: value, target: replay.target)
        if isRecorded, tape != nil {
            return callOnRecord(
                edge, delivery, replay.number, from: replay.source.takeUnretainedValue(), isCleaning: isCleaning,
                isLate: isLate)
        }
        return call(edge, delivery, replay.number, isCleaning: isCleaning)
    }
    @inline(__always)
    private func call(_ edge: AnyEdge, _ delivery: RawDelivery, _ number: UInt64, isCleaning: Bool) -> Sent {
        enterCall(number)
        return isCleaning ? edge.forwardEmpty(delivery) : edge.forward(delivery)
    }
    @inline(never) private func callOnRecord(
        _ edge: AnyEdge, _ delivery: RawDelivery, _ number: UInt64, from source: Vertex, isCleaning: Bool, isLate: Bool
    ) -> Sent {
        note(.replayed, detail: isLate ? 1 : 0, edge, from: source, isCleaning: isCleaning) {
            call(edge, delivery, number, isCleaning: isCleaning)
        }
    }
}
