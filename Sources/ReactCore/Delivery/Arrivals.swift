/// One value that arrived at a place where ways meet: where it came from, and what it had come through before that. In twelve bytes, for
/// most places have room for four.
///
/// What is made of it has come through all of that. Few ever ask; so it is not put on the trail when it arrives, nor when something
/// is made of it, but when somebody asks (see `MeetingPlace`).
///
/// Invariant: a source is not held; it is there while the edge stays linked by which the value arrived, and `MeetingPlace.forget` is
/// told when that goes. Where the trail holds it anyway, it is the last of what came before, and no source.
struct Arrival {
    private let source: (low: UInt32, high: UInt32)
    private let before: Visits.Index

    @inline(__always) init(_ source: Unmanaged<Vertex>?, after before: Visits.Index) {
        let address = UInt(bitPattern: source?.toOpaque())
        self.source = (UInt32(truncatingIfNeeded: address), UInt32(truncatingIfNeeded: address >> 32))
        self.before = before
    }
    @inline(__always) var address: UnsafeRawPointer? {
        UnsafeRawPointer(bitPattern: UInt(source.high) << 32 | UInt(source.low))
    }
    @inline(__always) private var vertex: Unmanaged<Vertex>? { address.map { .fromOpaque($0) } }

    /// Puts it on record.
    @inline(__always) func record(in visits: inout Visits) -> Visits.Index {
        vertex.map { visits.append($0, after: before) } ?? before
    }
    /// Puts all on record, the newest last; answers the visit that stands for all.
    @inline(never) static func record(_ arrivals: UnsafeBufferPointer<Arrival>, in visits: inout Visits) -> Visits.Index
    {
        var all = Visits.Index(-1)
        for arrival in arrivals {
            if let source = arrival.vertex {
                all = visits.append(source, after: arrival.before, and: all)
            } else if all < 0 {
                all = arrival.before
            } else if arrival.before >= 0, arrival.before != all {
                all = visits.append(Visits.Visit(vertex: nil, previous: arrival.before, other: all))
            }
        }
        return all
    }
}

/// A place where ways meet, and something is made of what arrives: what a join is to the trail.
///
/// A trail may have one visit that stands for all of which something was made last. The thread whose trail that is reads that
/// without a lock: it changes no more until the trail has let go of it. All else is guarded by the lock of the vertex.
///
/// A trail does not hold the place, for a retain and a release each time: of what has arrived the edge is linked by which it came last.
/// When that goes, it has the place hold itself until it is on no trail.
///
/// Unchecked, because of that.
@usableFromInline package class MeetingPlace: @unchecked Sendable {
    @usableFromInline final let vertex: Vertex
    /// The room for the arrivals of two inputs.
    @exclusivity(unchecked) private final var ownRoom = (noArrival, noArrival, noArrival, noArrival)
    private static let noArrival = Arrival(nil, after: -1)
    /// What has arrived since something was made last, on record with one propagation; and in the other half what something was made of,
    /// while that is on a trail. The halves change places only while nothing is.
    @exclusivity(unchecked) private final var room = UnsafeMutablePointer<Arrival>(bitPattern: 16)!
    /// A time before the first visit of all that has arrived; see `Senders`.
    @exclusivity(unchecked) private final var since = UInt64.max
    @exclusivity(unchecked) private final var arrivedCount: Int32 = 0
    @exclusivity(unchecked) private final var usedCount: Int32 = 0
    /// Of one half.
    private final let capacity: Int32
    @exclusivity(unchecked) private final var isInSecondHalf = false
    @exclusivity(unchecked) final private(set) var isOnTrail = false

    /// A place where `inputs` ways meet; of 0, nobody knows how many.
    init(at vertex: Vertex, inputs: Int) {
        self.vertex = vertex
        // Of one input, the newest value alone tells.
        capacity = inputs == 0 ? 2 : Int32(clamping: inputs)
        room = capacity > 2 ? .allocate(capacity: 2 * Int(capacity)) : ownPlace
    }
    deinit {
        assert(!isOnTrail, "a trail has a place that is gone: EasyReact's engine is at fault")
        if capacity > 2 { room.deallocate() }
    }
    /// Where `ownRoom` is, for as long as this is there: a class's property does not move.
    private final var ownPlace: UnsafeMutablePointer<Arrival> {
        func address(
            of room: UnsafeMutablePointer<(Arrival, Arrival, Arrival, Arrival)>
        ) -> UnsafeMutablePointer<Arrival> {
            UnsafeMutableRawPointer(room).assumingMemoryBound(to: Arrival.self)
        }
        return address(of: &ownRoom)
    }
    /// How many ways meet, where that is known.
    final var inputs: Int { Int(capacity) }

    // MARK: What arrives. The lock is held.

    @inline(__always) private final var arrived: UnsafeMutablePointer<Arrival> {
        room + (isInSecondHalf ? inputs : 0)
    }
    @inline(__always) final var isFull: Bool { arrivedCount == capacity }
    final var hasArrivals: Bool { arrivedCount > 0 }
    /// Adds what came from `source`, after the visit `before`. Precondition: it is not full.
    @inline(__always)
    final func append(_ source: Unmanaged<Vertex>?, after before: Visits.Index, since: UInt64) {
        arrived.advanced(by: Int(arrivedCount)).initialize(to: Arrival(source, after: before))
        arrivedCount &+= 1
        if since < self.since { self.since = since }
    }
    @inline(__always) final func keep(_ senders: Senders) { append(nil, after: senders.visit, since: senders.since) }
    @inline(__always) final func forgetArrivals() {
        arrivedCount = 0
        since = .max
    }
    /// Makes room for one arrival more.
    @inline(__always) final func makeRoom(with visits: inout Visits) {
        if isFull { putTogether(with: &visits) }
    }
    /// Has all that has arrived take the room of one; or none, where that is all there is.
    @inline(never) private final func putTogether(with visits: inout Visits) {
        if arrivedCount == 1 { return forgetArrivals() }
        keep(takeArrivals(for: &visits))
    }
    /// Takes all that has arrived, as one visit.
    @inline(__always) final func takeArrivals(for visits: inout Visits) -> Senders {
        let since = since
        let visit: Visits.Index
        if arrivedCount > 1, !isOnTrail {
            isInSecondHalf.toggle()
            usedCount = arrivedCount
            isOnTrail = true
            visit = visits.append(Visits.Visit(meetingAt: .passUnretained(self)))
        } else if arrivedCount == 1 {
            visit = arrived.pointee.record(in: &visits)
        } else {
            visit = Arrival.record(UnsafeBufferPointer(start: arrived, count: Int(arrivedCount)), in: &visits)
        }
        forgetArrivals()
        return Senders(visit: visit, since: since)
    }

    // MARK: What is on a trail

    /// What something was made of. Read by the one whose trail it is on, without the lock.
    private final var used: UnsafeBufferPointer<Arrival> {
        UnsafeBufferPointer(start: room + (isInSecondHalf ? 0 : inputs), count: Int(usedCount))
    }
    /// Puts on record what the visit stands for; answers the visit that does so then.
    final func record(in visits: inout Visits) -> Visits.Index { Arrival.record(used, in: &visits) }
    /// Forgets what may go now that an edge from `source` is linked no more. The lock is held.
    final func forget(from source: UnsafeRawPointer?) {
        forgetArrivals()
        guard isOnTrail, let source, used.contains(where: { $0.address == source }) else { return }
        keepOnTrail(Unmanaged<Vertex>.fromOpaque(source).takeUnretainedValue())
    }
    /// Called when an edge goes that leads here. The lock is held.
    final func keepOnTrail() {
        if isOnTrail { keepOnTrail(self) }
    }
    private final func keepOnTrail(_ object: AnyObject) { vertex.rareLocked.keptOnTrail.append(object) }
    /// Called when the trail ends. No lock is held. From then on nothing holds the place but its edges.
    @inline(__always) final func leaveTrail() {
        let bits = vertex.lock()
        isOnTrail = false
        if let rare = vertex.rare, !rare.keptOnTrail.isEmpty { return letGo(bits) }
        vertex.unlock(bits)
    }
    @inline(never) private final func letGo(_ bits: UInt32) {
        var old: [AnyObject] = []
        swap(&old, &vertex.rareLocked.keptOnTrail)
        vertex.unlock(bits)
        withExtendedLifetime(old) {}
    }
}
