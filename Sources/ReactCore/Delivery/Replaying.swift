import Synchronization

// How a newly linked edge catches up with its source's present value: at once, and before any later one.
//
// The linking thread delivers a copy, to this edge alone, and takes no turn of the source: who sets that meanwhile is
// not held up, and finds no set of its own delivered by someone else. What it has for the new edge it leaves in the edge's
// replay buffer, until the edge has caught up. (Who sets faster than that is slowed down: see `Propagation.pause`.)

extension Replay {
    /// Gives `edge` the value, and what came meanwhile. Where it does not hold the source, that is not put on the trail: then the edge
    /// never asks for senders.
    consuming func perform(_ edge: AnyEdge, holdsSource: Bool = true) {
        ScheduleFaults.pause(at: .takeOverBegins)
        Propagation.currentUnretained._withUnsafeGuaranteedRef { propagation in
            propagation.begin()
            perform(edge, in: propagation, holdsSource: holdsSource)
            propagation.end()
            target?.release()
            if let value { value.release() } else if holdsSource { source.release() }
        }
    }
    /// Where there is a value, the hold on the source goes on the trail, which keeps it until the outermost set is over.
    @inline(__always) private func perform(_ edge: AnyEdge, in propagation: Propagation, holdsSource: Bool) {
        propagation.replays &+= 1
        defer { propagation.replays &-= 1 }
        if let value {
            let pulse = propagation.runCount == 0 ? nil : propagation.pulseForReplay(from: source)
            let run = propagation.beginRun(
                holding: pulse, senders: holdsSource ? propagation.record(held: source) : .none)
            let sent = propagation.call(edge, with: value, isCleaning: false, isLate: false, self)
            propagation.drive(run, sent)
        }
        let outer = propagation.turn
        // The source's own count belongs to the thread that has its turn.
        var feedback = FeedbackCount()
        while let late = nextLate(edge) {
            let run = propagation.beginRun(context: late.context, senders: late.senders)
            propagation.turn.chain = late.chain
            if late.setter == ObjectIdentifier(propagation), feedback.isExceeded(in: propagation) {
                source._withUnsafeGuaranteedRef { $0.refuseFeedback() }
            }
            let sent = propagation.call(
                edge, with: .passUnretained(late.value), isCleaning: late.isCleaning, isLate: true, self)
            propagation.drive(run, sent)
            withExtendedLifetime(late) {}
        }
        propagation.turn = outer
    }
    /// What was left for the edge. If nothing was, the edge has caught up: from now on it is called like any other.
    @inline(__always) private func nextLate(_ edge: AnyEdge) -> LateValue? {
        ScheduleFaults.pause(at: .mailboxIsToBeRead)
        return source._withUnsafeGuaranteedRef { source in
            source.locking {
                let word = edge.link.load(ordering: .relaxed)
                guard LinkWord.isCurrent(word, number) else { return nil }
                if let rare = source.rare, let buffer = rare.replayBuffers[ObjectIdentifier(edge)] {
                    if let late = buffer.entries.popFirst() { return unsafeDowncast(late, to: LateValue.self) }
                    rare.replayBuffers[ObjectIdentifier(edge)] = nil
                }
                ScheduleFaults.pause(at: .linkIsRead, of: source.address)
                // A cut may come in this moment, under another lock: it stands.
                _ = edge.link.compareExchange(
                    expected: word, desired: word & ~LinkWord.replaying, ordering: .acquiringAndReleasing)
                return nil
            }
        }
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
        guard
            case .made(let replay) = relink(if: { originVertex?.toOpaque() != new }, { _ in swap(&fromNode, &other) })
        else { return }
        other = nil
        sourceHasChanged()
        if let replay { replay.perform(self) }
    }
}

extension Propagation {
    /// Calls one edge from outside its source's delivery.
    @inline(__always) fileprivate func call(
        _ edge: AnyEdge, with value: Unmanaged<Vertex>, isCleaning: Bool, isLate: Bool, _ replay: borrowing Replay
    ) -> Sent {
        let number = replay.number
        let word = edge.link.load(ordering: .acquiring)
        let isThere = word & LinkWord.asks == 0 || edge.currentDestination != nil
        guard isThere, LinkWord.isCurrent(word, number) else { return .nothing }
        let delivery = RawDelivery(
            caller: .propagation(self), edge: .passUnretained(edge), source: value, target: replay.target)
        @inline(__always) func bring() -> Sent {
            enterCall(number)
            return isCleaning ? edge.forwardEmpty(delivery) : edge.forward(delivery)
        }
        if !isObserved { return bring() }
        let source = replay.source.takeUnretainedValue()
        return callSeparately(isLate ? .buffered : .initial, edge, from: source, isEmptying: isCleaning, bring)
    }
}
