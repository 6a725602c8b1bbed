/// A value that reached an edge while it was catching up with an earlier one.
final class LateValue: PendingUpdate {
    let value: Vertex
    let isCleaning: Bool
    let context: ContextBox?
    let senders: SenderList
    /// As in `Update`.
    let chain: Int

    init(value: Vertex, isCleaning: Bool, context: ContextBox?, senders: SenderList, chain: Int) {
        self.value = value
        self.isCleaning = isCleaning
        self.context = context
        self.senders = senders
        self.chain = chain
    }
}

extension Propagation {
    /// Leaves the value under delivery for the thread that has the edge catch up; answers `false` if it has.
    @inline(never) func leaveForReplay(_ edge: AnyEdge, _ frame: UnsafeMutablePointer<Frame>) -> Bool {
        let vertex = frame.pointee.vertex.takeUnretainedValue()
        let late = LateValue(
            value: vertex.locking { vertex.copyOfValue() }, isCleaning: frame.pointee.isCleaning,
            context: contextForReplay(from: vertex), senders: senderList, chain: turn.chain + 1)
        ScheduleFaults.pause(at: .mailboxIsToBeFilled)
        let number = call.number
        let waiting: Int? = vertex.locking {
            let word = edge.link.load(ordering: .relaxed)
            guard LinkWord.isCurrent(word, number), word & LinkWord.replaying != 0 else { return nil }
            let buffer = vertex.rareLocked.replayBuffers[ObjectIdentifier(edge), default: ReplayBuffer()]
            vertex.rareLocked.replayBuffers[ObjectIdentifier(edge)] = buffer
            buffer.entries.append(late)
            return buffer.entries.count
        }
        guard let waiting else { return false }
        // Who has an edge catch up itself may be the one that is waited for.
        if replays == 0 { pause(after: waiting) }
        return true
    }
}
