/// One value that arrived at a join: its source, and the trail entry before the source. It takes 12 bytes, because most
/// joins have room for four.
///
/// A value made of arrivals has passed all vertices on their trails. Few readers ask for them, so an arrival becomes a
/// trail entry only when one does (see `JoinBase`).
///
/// Invariant: `source` is not retained. It exists while the edge of the arrival stays connected, and
/// `JoinBase.forget` runs when that edge is disconnected. If the trail already has an entry for the source,
/// `before` is that entry and there is no `source`.
struct InputOrigin {
    private let source: (low: UInt32, high: UInt32)
    private let before: Trail.Index

    @inline(__always) init(_ source: Unmanaged<Vertex>?, after before: Trail.Index) {
        let address = UInt(bitPattern: source?.toOpaque())
        self.source = (UInt32(truncatingIfNeeded: address), UInt32(truncatingIfNeeded: address >> 32))
        self.before = before
    }
    @inline(__always) var address: UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: UInt(source.high) << 32 | UInt(source.low))
    }
    @inline(__always) private var vertex: Unmanaged<Vertex>? { address.map { .fromOpaque($0) } }

    /// Appends an entry for the source to the trail, and returns its index.
    @inline(__always) func record(in visits: inout Trail) -> Trail.Index {
        vertex.map { visits.append($0, after: before) } ?? before
    }
    /// Appends entries for all arrivals, the newest last. Returns the index of the entry that stands for all of them.
    @inline(never) static func record(_ arrivals: UnsafeBufferPointer<InputOrigin>, in visits: inout Trail)
        -> Trail.Index
    {
        var all = Trail.Index(-1)
        for arrival in arrivals {
            if let source = arrival.vertex {
                all = visits.append(source, after: arrival.before, and: all)
            } else if all < 0 {
                all = arrival.before
            } else if arrival.before >= 0, arrival.before != all {
                all = visits.append(Trail.TrailEntry(vertex: nil, previous: arrival.before, other: all))
            }
        }
        return all
    }
}

/// A join as the engine sees it: a vertex at which several inputs meet, where one value is made of the arrivals. A join
/// also has a place in the firing order. Only `Join` knows how it fires.
///
/// A trail may have one entry that stands for all arrivals of which a value was made last. The thread of that trail
/// reads these arrivals without a lock, because they do not change until the trail has dropped the entry. The vertex's
/// lock guards everything else.
///
/// The trail does not retain the join, which saves a retain and a release per firing. An edge that leads here keeps it
/// alive. When such an edge is deallocated, the join retains itself until it is on no trail.
///
/// Unchecked, because of this rule.
@usableFromInline package class JoinBase: @unchecked Sendable {
    @usableFromInline final let vertex: Vertex
    /// The join's place in the firing order.
    final let rank: JoinRank
    /// Storage for the arrivals of two inputs.
    @exclusivity(unchecked) private final var ownRoom = (noArrival, noArrival, noArrival, noArrival)
    private static let noArrival = InputOrigin(nil, after: -1)
    /// Two halves of equal size. One has the arrivals since the last value was made; all of them are indices into one
    /// thread's trail. The other has the arrivals of which the last value was made, while they are on a trail. The
    /// halves swap only while nothing is on a trail.
    @exclusivity(unchecked) private final var room = UnsafeMutablePointer<InputOrigin>(bitPattern: 16)!
    /// An epoch before the first trail entry of all arrivals; see `TrailPosition`.
    @exclusivity(unchecked) private final var since = UInt64.max
    @exclusivity(unchecked) private final var arrivedCount: Int32 = 0
    @exclusivity(unchecked) private final var usedCount: Int32 = 0
    /// The capacity of one half.
    private final let capacity: Int32
    @exclusivity(unchecked) private final var isInSecondHalf = false
    @exclusivity(unchecked) final private(set) var isOnTrail = false

    /// Creates a join with the given number of inputs; 0 if that is not known.
    init(at vertex: Vertex, rank: JoinRank, inputs: Int) {
        self.vertex = vertex
        self.rank = rank
        // With one input, room for one arrival is enough, because only the newest one counts.
        capacity = inputs == 0 ? 2 : Int32(clamping: inputs)
        room = capacity > 2 ? .allocate(capacity: 2 * Int(capacity)) : ownPlace
    }
    deinit {
        assert(!isOnTrail, "a trail has a place that is gone: EasyReact's engine is at fault")
        if capacity > 2 { room.deallocate() }
    }
    /// The address of `ownRoom`. It stays valid while this object exists, because a class's stored property does not
    /// move.
    private final var ownPlace: UnsafeMutablePointer<InputOrigin> {
        func address(
            of room: UnsafeMutablePointer<(InputOrigin, InputOrigin, InputOrigin, InputOrigin)>
        ) -> UnsafeMutablePointer<InputOrigin> {
            UnsafeMutableRawPointer(room).assumingMemoryBound(to: InputOrigin.self)
        }
        return address(of: &ownRoom)
    }
    /// Fires the join, unless another holder has yet to fire it. Called when `engine` has nothing left to deliver.
    func fire(in engine: Engine, listedAt height: UInt32) { preconditionFailure("abstract") }
    /// Leaves the joins that `engine` has set aside to other threads.
    func leaveSetAside(in engine: Engine) { preconditionFailure("abstract") }
    /// The number of inputs, or 2 if that is not known.
    final var inputs: Int { Int(capacity) }

    // MARK: Arrivals. The lock is held.

    @inline(__always) private final var arrived: UnsafeMutablePointer<InputOrigin> {
        room + (isInSecondHalf ? inputs : 0)
    }
    @inline(__always) final var isFull: Bool { arrivedCount == capacity }
    final var hasArrivals: Bool { arrivedCount > 0 }
    /// Adds an arrival from `source`, after the trail entry `before`. Precondition: there is room.
    @inline(__always)
    final func append(_ source: Unmanaged<Vertex>?, after before: Trail.Index, since: UInt64) {
        arrived.advanced(by: Int(arrivedCount)).initialize(to: InputOrigin(source, after: before))
        arrivedCount &+= 1
        if since < self.since { self.since = since }
    }
    @inline(__always) final func keep(_ senders: TrailPosition) {
        append(nil, after: senders.visit, since: senders.since)
    }
    @inline(__always) final func forgetArrivals() {
        arrivedCount = 0
        since = .max
    }
    /// Makes room for one more arrival.
    @inline(__always) final func makeRoom(with visits: inout Trail) {
        if isFull { putTogether(with: &visits) }
    }
    /// Replaces all arrivals by one that stands for them. If there is room for only one, drops it, because the next
    /// arrival replaces it.
    @inline(never) private final func putTogether(with visits: inout Trail) {
        if arrivedCount == 1 { return forgetArrivals() }
        keep(takeArrivals(for: &visits))
    }
    /// Takes out all arrivals, and returns one trail entry that stands for them.
    @inline(__always) final func takeArrivals(for visits: inout Trail) -> TrailPosition {
        let since = since
        let visit: Trail.Index
        if arrivedCount > 1, !isOnTrail {
            isInSecondHalf.toggle()
            usedCount = arrivedCount
            isOnTrail = true
            visit = visits.append(Trail.TrailEntry(meetingAt: .passUnretained(self)))
        } else if arrivedCount == 1 {
            visit = arrived.pointee.record(in: &visits)
        } else {
            visit = InputOrigin.record(UnsafeBufferPointer(start: arrived, count: Int(arrivedCount)), in: &visits)
        }
        forgetArrivals()
        return TrailPosition(visit: visit, since: since)
    }

    // MARK: On a trail

    /// The arrivals of which the last value was made. The thread whose trail has them reads them without the lock.
    private final var used: UnsafeBufferPointer<InputOrigin> {
        UnsafeBufferPointer(start: room + (isInSecondHalf ? 0 : inputs), count: Int(usedCount))
    }
    /// Appends entries for the arrivals that the trail's one entry stands for. Returns the index of the entry that
    /// replaces it.
    final func record(in visits: inout Trail) -> Trail.Index { InputOrigin.record(used, in: &visits) }
    /// Drops arrivals after an edge from `source` was disconnected. If a trail still needs `source`, retains it until
    /// the trail ends. The lock is held.
    final func forget(from source: UnsafeRawPointer?) {
        forgetArrivals()
        guard isOnTrail, let source, used.contains(where: { $0.address == source }) else { return }
        keepOnTrail(Unmanaged<Vertex>.fromOpaque(source).takeUnretainedValue())
    }
    /// Retains this join until the trail ends, if it is on one. Called when an edge to it is deallocated. The lock is
    /// held.
    final func keepOnTrail() {
        if isOnTrail { keepOnTrail(self) }
    }
    private final func keepOnTrail(_ object: AnyObject) { vertex.coldStateLocked.retainedForTrail.append(object) }
    /// Takes the join off the trail when the trail ends. From then on, only its edges keep it alive. No lock is held.
    @inline(__always) final func leaveTrail() {
        let bits = vertex.lock()
        isOnTrail = false
        if let coldState = vertex.coldState, !coldState.retainedForTrail.isEmpty { return letGo(bits) }
        vertex.unlock(bits)
    }
    @inline(never) private final func letGo(_ bits: UInt32) {
        var old: [AnyObject] = []
        swap(&old, &vertex.coldStateLocked.retainedForTrail)
        vertex.unlock(bits)
        withExtendedLifetime(old) {}
    }
}

/// A holder of joins: the engine that has them in its queue, or a firing that waits for its turn.
@usableFromInline package class JoinHolder {
    /// Adds a join that was handed over. This holder already counts among the join's holders.
    func add(_ join: JoinBase) {}
    /// Tells this holder to search once more downstream of the joins that it has set aside. Called before joins are
    /// handed over to it, because edges may have been connected since its last search.
    func searchAgain() {}
}
