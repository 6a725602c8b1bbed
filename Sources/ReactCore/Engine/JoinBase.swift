/// One value that arrived at a join: its source, and the trail entry before the source.
///
/// A value made of arrivals has passed all vertices on their trails. So when the join fires, each arrival becomes an
/// entry of the trail.
///
/// Invariant: `source` is not retained. It exists while the edge of the arrival stays connected, and
/// `JoinBase.forgetArrivals` runs when that edge is disconnected. If the trail already has an entry for the source,
/// `before` is that entry and there is no `source`.
struct InputOrigin {
    let source: Unmanaged<Vertex>?
    let before: Trail.Index

    /// Returns the index of a trail entry that stands for this arrival, and for the arrivals behind `others`. Appends
    /// it, unless there is one.
    func record(in trail: inout Trail, with others: Trail.Index) -> Trail.Index {
        if let source { return trail.append(source, after: before, and: others) }
        guard others >= 0, before >= 0, before != others else { return max(before, others) }
        return trail.append(Trail.TrailEntry(vertex: nil, previous: before, other: others))
    }
}

/// A join as the engine sees it: a vertex at which several inputs meet, where one value is made of the arrivals. A join
/// also has a place in the firing order. Only `Join` knows how it fires.
///
/// Unchecked, because the vertex's lock guards its fields.
@usableFromInline package class JoinBase: @unchecked Sendable {
    @usableFromInline package final let vertex: Vertex
    /// The join's place in the firing order.
    final let rank: JoinRank
    /// The number of inputs, or 2 if that is not known.
    final let inputs: Int
    /// The number of arrivals that are kept, at least two, so that a value made of several returns to none of their
    /// senders. One if the join passes on its last arrival alone, as `withLatest` and `settled` do.
    @exclusivity(unchecked) private(set) final var room: Int
    /// The arrivals since the last value was made. All of them are indices into one thread's trail.
    @exclusivity(unchecked) private final var arrived: UnsafeMutablePointer<InputOrigin>
    @exclusivity(unchecked) private final var arrivedCount = 0
    /// The earliest beginning of the arrivals, if there are any; see `TrailPosition`.
    @exclusivity(unchecked) private final var since: UInt64 = 0

    /// Creates a join with the given number of inputs; 0 if that is not known.
    init(at vertex: Vertex, rank: JoinRank, inputs: Int) {
        self.vertex = vertex
        self.rank = rank
        self.inputs = inputs == 0 ? 2 : inputs
        room = rank == .late || rank == .last ? 1 : max(2, inputs)
        arrived = .allocate(capacity: room)
    }
    deinit { arrived.deallocate() }
    /// Fires the join, unless another holder has yet to fire it. Called when `engine` has nothing left to deliver.
    func fire(in engine: Engine, listedAt height: UInt32) { preconditionFailure("abstract") }
    /// Lists the join for the last time in the firing phase, if it still waits for a value that it misses.
    func endWaiting(in engine: Engine) { preconditionFailure("abstract") }
    /// Leaves the joins that `engine` has set aside to other threads.
    func leaveSetAside(in engine: Engine) { preconditionFailure("abstract") }

    // MARK: Arrivals. The lock is held.

    @inline(__always) final var isFull: Bool { arrivedCount == room }
    final var hasArrivals: Bool { arrivedCount > 0 }
    /// Adds an arrival from `source`, after the trail entry `before`. Precondition: there is room.
    @inline(__always) final func append(_ source: Unmanaged<Vertex>?, after before: Trail.Index, since: UInt64) {
        (arrived + arrivedCount).initialize(to: InputOrigin(source: source, before: before))
        if arrivedCount == 0 { self.since = since } else if since != self.since { note(since) }
        arrivedCount &+= 1
    }
    @inline(never) private final func note(_ since: UInt64) { self.since = Epoch.earlier(since, self.since) }
    /// Makes room for an arrival of each of `inputs` inputs. Otherwise, each further arrival would be merged with those
    /// before, which takes two entries of the trail.
    package final func makeRoom(forInputs inputs: Int) {
        guard inputs > room else { return }
        room = max(inputs, 2 * room)
        let larger = UnsafeMutablePointer<InputOrigin>.allocate(capacity: room)
        larger.update(from: arrived, count: arrivedCount)
        arrived.deallocate()
        arrived = larger
    }
    final func keep(_ senders: TrailPosition) { append(nil, after: senders.entry, since: senders.since) }
    @inline(__always) final func forgetArrivals() { arrivedCount = 0 }
    /// Makes room for one more arrival: replaces all arrivals by one that stands for them. If there is room for only
    /// one, drops it, because the next arrival replaces it.
    @inline(__always) final func makeRoom(with trail: inout Trail) {
        guard isFull else { return }
        if room == 1 { forgetArrivals() } else { keep(takeArrivals(for: &trail)) }
    }
    /// Takes out all arrivals, and returns one trail entry that stands for them.
    @inline(__always) final func takeArrivals(for trail: inout Trail) -> TrailPosition {
        guard arrivedCount > 0 else { return .none }
        var entry = Trail.Index(-1)
        for place in 0..<arrivedCount { entry = arrived[place].record(in: &trail, with: entry) }
        defer { forgetArrivals() }
        return TrailPosition(entry: entry, since: since)
    }
}
