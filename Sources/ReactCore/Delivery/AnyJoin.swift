/// What the delivery knows of a node that is made from several: when it fires. How it does, only `Join` knows.
///
/// Unchecked, because the one subclass is safe from any thread.
@usableFromInline package class AnyJoin: MeetingPlace, @unchecked Sendable {
    /// Whether it fires after all others, whatever their heights.
    final let isLast: Bool

    init(at vertex: Vertex, isLast: Bool, inputs: Int) {
        self.isLast = isLast
        super.init(at: vertex, inputs: inputs)
    }
    /// Fires, when `propagation` has nothing else left, unless another holder has yet to.
    func fire(in propagation: Propagation, listedAt height: UInt32) { preconditionFailure("abstract") }
    /// The same, on record where a tape is open.
    func fire(in propagation: Propagation, listedAt height: UInt32, recordingOn tape: Tape?) {
        preconditionFailure("abstract")
    }
}

/// Who has joins on a list: a propagation, or a firing that waits for its turn.
@usableFromInline package class JoinHolder {
    /// Adds a join that was handed over, and is held by this one already.
    func add(_ join: AnyJoin) {}
}
