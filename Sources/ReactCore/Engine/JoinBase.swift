/// A join as the engine sees it: a vertex at which several inputs meet, where one value is made of the arrivals. A join
/// also has a place in the firing order. Only `Join` knows how it fires.
///
/// Unchecked, because only the owner of the region uses its fields.
@usableFromInline package class JoinBase: @unchecked Sendable {
    @usableFromInline package final let vertex: Vertex
    /// The join's place in the firing order.
    final let rank: JoinRank
    /// The trail of the arrivals since the last value was made: a place in the trail of the region's owner.
    @exclusivity(unchecked) private final var arrivals = TrailPosition.none
    /// The number of inputs, or 2 if that is not known.
    final let inputs: Int32

    /// Creates a join with the given number of inputs; 0 if that is not known.
    init(at vertex: Vertex, rank: JoinRank, inputs: Int) {
        self.vertex = vertex
        self.rank = rank
        self.inputs = inputs == 0 ? 2 : Int32(truncatingIfNeeded: inputs)
    }
    /// Fires the join. Called when `engine` has nothing left to deliver.
    func fire(in engine: Engine, listedAt height: UInt32) { preconditionFailure("abstract") }
    /// Lists the join for the last time in the firing phase, if it still waits for a value that it misses.
    func endWaiting(in engine: Engine) { preconditionFailure("abstract") }

    // MARK: Arrivals

    /// False if the join passes on its last arrival alone, as `withLatest` and `settled` do.
    @inline(__always) final var keepsAllArrivals: Bool { rank != .late && rank != .last }
    /// The arrivals that a value is made of together with the next one.
    @inline(__always) final var earlierArrivals: TrailPosition { keepsAllArrivals ? arrivals : .none }
    final var hasArrivals: Bool { arrivals.since != TrailPosition.none.since }
    /// Notes that all arrivals are now those behind `senders`.
    @inline(__always) final func keep(_ senders: TrailPosition) { arrivals = senders }
    @inline(__always) final func forgetArrivals() { arrivals = .none }
    /// Takes out all arrivals.
    @inline(__always) final func takeArrivals() -> TrailPosition {
        defer { forgetArrivals() }
        return arrivals
    }
}
