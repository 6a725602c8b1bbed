import Synchronization

// How a newly linked edge catches up with its source's present value: at once, and before any later one.
//
// The linking thread delivers a copy, to this edge alone, and takes no turn of the source: who sets that meanwhile is
// not held up, and finds no set of its own delivered by someone else. What it has for the new edge it leaves in the edge's
// replay buffer, until the edge has caught up. (Who sets faster than that is slowed down: see `Propagation.pause`.)

extension Replay {
    /// Gives `edge` the value, and what came meanwhile.
    func perform(_ edge: AnyEdge) {
        ScheduleFaults.pause(at: .takeOverBegins)
        Propagation.currentUnretained._withUnsafeGuaranteedRef { propagation in
            propagation.begin()
            if let value {
                let run = propagation.beginRun(context: nil, senders: propagation.record(source))
                propagation.deliver(value, isCleaning: false, through: edge, self, in: run)
            }
            while let late = nextLate(edge) {
                let run = propagation.beginRun(context: late.context, senders: late.senders)
                propagation.deliver(late.value, isCleaning: late.isCleaning, through: edge, self, in: run)
            }
            propagation.end()
        }
    }
    /// What was left for the edge. If nothing was, the edge has caught up: from now on it is called like any other.
    private func nextLate(_ edge: AnyEdge) -> LateValue? {
        ScheduleFaults.pause(at: .mailboxIsToBeRead)
        return source.locking {
            let word = edge.link.load(ordering: .relaxed)
            guard LinkWord.isCurrent(word, number) else { return nil }
            if let late = edge.replayBuffer?.entries.popFirst() { return unsafeDowncast(late, to: LateValue.self) }
            edge.replayBuffer = nil
            // A cut may come in this moment, under another lock: it stands.
            _ = edge.link.compareExchange(
                expected: word, desired: word & ~LinkWord.replaying, ordering: .acquiringAndReleasing)
            return nil
        }
    }
}

extension Relinked {
    /// Has `edge` catch up, where there is something to catch up with.
    consuming func perform(_ edge: AnyEdge) {
        if case .made(let replay?) = consume self { replay.perform(edge) }
    }
}

/// A value that reached an edge while it was catching up with an earlier one.
private final class LateValue: PendingUpdate {
    let value: Vertex
    let isCleaning: Bool
    let context: ContextBox?
    let senders: SenderList

    init(value: Vertex, isCleaning: Bool, context: ContextBox?, senders: SenderList) {
        self.value = value
        self.isCleaning = isCleaning
        self.context = context
        self.senders = senders
    }
}

extension Propagation {
    /// Delivers through one edge, from outside its source's delivery, as the run `run`.
    fileprivate func deliver(
        _ value: Vertex, isCleaning: Bool, through edge: AnyEdge, _ replay: borrowing Replay, in run: Int
    ) {
        let word = edge.link.load(ordering: .acquiring)
        let isThere = word & LinkWord.asks == 0 || edge.currentDestination != nil
        guard isThere, LinkWord.isCurrent(word, replay.number) else { return drive(run) }
        let delivery = RawDelivery(
            caller: .propagation(self), edge: .passUnretained(edge), source: .passUnretained(value),
            target: replay.target.map { .passUnretained($0) })
        let sent = recordingReplay(edge, from: replay.source, to: replay.target) {
            enterCall(replay.number)
            return isCleaning ? edge.forwardEmpty(delivery) : edge.forward(delivery)
        }
        drive(run, sent)
    }
    /// Leaves the value under delivery for the thread that has the edge catch up; answers `false` if it has.
    @inline(never) func leaveForReplay(_ edge: AnyEdge, _ frame: UnsafeMutablePointer<Frame>) -> Bool {
        let vertex = frame.pointee.vertex.takeUnretainedValue()
        let late = LateValue(
            value: vertex.locking { vertex.copyOfValue() }, isCleaning: frame.pointee.isCleaning, context: context,
            senders: senderList)
        ScheduleFaults.pause(at: .mailboxIsToBeFilled)
        let number = call.number
        let waiting: Int? = vertex.locking {
            let word = edge.link.load(ordering: .relaxed)
            guard LinkWord.isCurrent(word, number), word & LinkWord.replaying != 0 else { return nil }
            let buffer = edge.replayBuffer ?? ReplayBuffer()
            edge.replayBuffer = buffer
            buffer.entries.append(late)
            return buffer.entries.count
        }
        guard let waiting else { return false }
        pause(after: waiting)
        return true
    }
}
