/// A value that reached an edge while it was catching up with an earlier one.
final class LateValue: PendingUpdate {
    let value: Vertex
    let isCleaning: Bool
    let context: ContextBox?
    let senders: SenderList
    /// As in `Update`.
    let chain: Int
    /// The thread that has left it.
    let setter: ObjectIdentifier

    /// What is under delivery in `frame`.
    init(of frame: Frame, in propagation: Propagation) {
        let vertex = frame.vertex.takeUnretainedValue()
        value = vertex.locking { vertex.copyOfValue() }
        isCleaning = frame.isCleaning
        context = propagation.contextForReplay(from: vertex)
        senders = propagation.senderList
        chain = propagation.turn.chain + 1
        setter = ObjectIdentifier(propagation)
    }
}

extension Propagation {
    /// Leaves the value under delivery for the thread that has the edge catch up; answers `false` if it has, and is to be called.
    @inline(never) func leaveForReplay(_ edge: AnyEdge, _ frame: UnsafeMutablePointer<Frame>) -> Bool {
        let vertex = frame.pointee.vertex.takeUnretainedValue()
        let late = LateValue(of: frame.pointee, in: self)
        ScheduleFaults.pause(at: .mailboxIsToBeFilled)
        let number = call.number
        var isFarBehind = false
        let hasCaughtUp = vertex.locking {
            let word = edge.link.load(ordering: .relaxed)
            guard LinkWord.isCurrent(word, number) else {
                // Nobody is to call the edge.
                call.number = 0
                return false
            }
            guard word & LinkWord.replaying != 0 else { return true }
            let buffer = vertex.rareLocked.replayBuffers[ObjectIdentifier(edge), default: ReplayBuffer()]
            vertex.rareLocked.replayBuffers[ObjectIdentifier(edge)] = buffer
            buffer.entries.append(late)
            if buffer.entries.count > Vertex.mostWaiting { buffer.isFarBehind = true }
            isFarBehind = buffer.isFarBehind
            return false
        }
        // Who has an edge catch up itself may be the one that is waited for.
        if isFarBehind, replays == 0 { pause(behind: edge, number) }
        return !hasCaughtUp
    }
    /// Slows this thread down, which sets faster than another has an edge catch up: until it has, or for the longest pause. So that
    /// comes to an end, unless one call takes longer than such a pause.
    private func pause(behind edge: AnyEdge, _ number: UInt64) {
        guard !ScheduleFaults.handsOn() else { return }
        let begin = ContinuousClock.now, end = begin + .microseconds(pauses.left(of: Vertex.longestPause))
        var time = begin
        while time < end {
            Waiting.sleep(microseconds: 50)
            time = ContinuousClock.now
            let word = edge.link.load(ordering: .relaxed)
            guard LinkWord.isCurrent(word, number), word & LinkWord.replaying != 0 else { break }
        }
        pauses.use(Int((time - begin) / .microseconds(1)))
        // It is full again when the outermost set is over.
        lastDuties.insert(.serve)
    }
}

/// The time that one outermost set may pause for others, however many edges it finds behind, and nodes busy.
struct PauseBudget: Equatable {
    private var microseconds = Vertex.longestPause

    func left(of wanted: Int) -> Int { min(wanted, microseconds) }
    mutating func use(_ used: Int) { microseconds = max(microseconds - used, 0) }
}
