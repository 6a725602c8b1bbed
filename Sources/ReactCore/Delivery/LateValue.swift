/// A buffered value: it reached an edge during the edge's initial delivery.
final class LateValue: PendingUpdate {
    let value: Vertex
    let isCleaning: Bool
    let context: ContextBox?
    let senders: SenderList
    /// The length of the chain of sets; see `Update.chain`.
    let chain: Int
    /// The propagation of the thread that left the value.
    let setter: ObjectIdentifier

    /// Copies the value that `frame` delivers.
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
    /// Leaves the value under delivery to the thread that makes the edge's initial delivery. Returns false if that is
    /// over, and the edge must be called.
    @inline(never) func leaveForReplay(_ edge: AnyEdge, _ frame: UnsafeMutablePointer<Frame>) -> Bool {
        let vertex = frame.pointee.vertex.takeUnretainedValue()
        let late = LateValue(of: frame.pointee, in: self)
        ScheduleFaults.pause(at: .mailboxIsToBeFilled)
        let number = call.number
        var isFarBehind = false
        let hasCaughtUp = vertex.locking {
            let word = edge.link.load(ordering: .relaxed)
            guard LinkWord.isCurrent(word, number) else {
                // The edge was disconnected, so no thread calls it.
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
        // A thread that itself makes an initial delivery must not pause: the other thread may wait for it.
        if isFarBehind, replays == 0 { pause(behind: edge, number) }
        return !hasCaughtUp
    }
    /// Pauses this thread, because it sets faster than another thread can make the edge's initial delivery. The pause
    /// ends when the edge has caught up, or after the longest pause. So an initial delivery ends, unless one call of
    /// the edge takes longer than such a pause.
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
        // The budget is refilled when the outermost transaction is over.
        lastDuties.insert(.serve)
    }
}

/// The time that one outermost transaction may pause for other threads, in all: at edges that are far behind, and at
/// busy nodes.
struct PauseBudget: Equatable {
    private var microseconds = Vertex.longestPause

    func left(of wanted: Int) -> Int { min(wanted, microseconds) }
    mutating func use(_ used: Int) { microseconds = max(microseconds - used, 0) }
}
