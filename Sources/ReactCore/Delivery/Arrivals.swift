/// What arrived at a place where ways meet: where each came from, and what it had come through before that; and the same of what
/// something was made of.
///
/// What is made of it has come through all of that. Few ever ask; so it is not put on the trail when it arrives, nor when something
/// is made of it, but when somebody asks (see `MeetingPlace`).
///
/// Invariant: a source is not held; it is there while the edge stays linked by which the value arrived, and `MeetingPlace.forget` is
/// told when that goes. Where the trail holds it anyway, it is the last of what came before, and no source.
struct Arrivals {
    /// One of them, in twelve bytes: most places have room for four.
    struct Arrival {
        private let source: (low: UInt32, high: UInt32)
        let before: Visits.Index

        @inline(__always) init(_ source: Unmanaged<Vertex>?, after before: Visits.Index) {
            let address = UInt(bitPattern: source?.toOpaque())
            self.source = (UInt32(truncatingIfNeeded: address), UInt32(truncatingIfNeeded: address >> 32))
            self.before = before
        }
        @inline(__always) var address: UnsafeRawPointer? {
            UnsafeRawPointer(bitPattern: UInt(source.high) << 32 | UInt(source.low))
        }
        @inline(__always) var vertex: Unmanaged<Vertex>? { address.map { .fromOpaque($0) } }
    }
    /// The half of the room for what arrives; the other one is for what something was made of.
    private var arrived = UnsafeMutablePointer<Arrival>(bitPattern: 16)!
    /// A time before the first visit of all; see `Senders`.
    private(set) var since = UInt64.max
    let capacity: Int32
    private var end: Int32 = 0
    private var usedEnd: Int32 = 0
    private var isInSecondHalf = false

    /// Without any room yet.
    init(capacity: Int32) { self.capacity = capacity }
    /// Room for twice as many as the capacity. Set once.
    var room: UnsafeMutablePointer<Arrival> {
        get { isInSecondHalf ? used : arrived }
        set { arrived = newValue }
    }
    private var used: UnsafeMutablePointer<Arrival> { arrived + (isInSecondHalf ? -Int(capacity) : Int(capacity)) }

    @inline(__always) var isFull: Bool { end == capacity }
    @inline(__always) var count: Int { Int(end) }
    /// Adds what came from `source`, after the visit `before`. Precondition: it is not full.
    @inline(__always)
    mutating func append(_ source: Unmanaged<Vertex>?, after before: Visits.Index, since: UInt64) {
        arrived.advanced(by: count).initialize(to: Arrival(source, after: before))
        end &+= 1
        if since < self.since { self.since = since }
    }
    @inline(__always) mutating func removeAll() {
        end = 0
        since = .max
    }
    /// Puts all on record, the newest last; answers the visit that stands for all.
    @inline(__always) func record(in visits: inout Visits) -> Visits.Index {
        guard end == 1 else { return end == 0 ? -1 : Self.record(arrived, count, in: &visits) }
        let arrival = arrived.pointee
        return arrival.vertex.map { visits.append($0, after: arrival.before) } ?? arrival.before
    }
    @inline(never) private static func record(
        _ arrivals: UnsafeMutablePointer<Arrival>, _ count: Int, in visits: inout Visits
    ) -> Visits.Index {
        var all = Visits.Index(-1)
        for place in 0..<count {
            let arrival = arrivals[place]
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

    // MARK: What something was made of

    /// Has what arrived be what something is made of, and nothing have arrived.
    @inline(__always) mutating func use() {
        arrived = used
        isInSecondHalf.toggle()
        usedEnd = end
        removeAll()
    }
    @inline(__always) mutating func forgetUsed() { usedEnd = 0 }
    func haveUsed(_ source: UnsafeRawPointer) -> Bool {
        (0..<Int(usedEnd)).contains { used[$0].address == source }
    }
    /// Puts all that something was made of on record, as `record` does.
    func recordUsed(in visits: inout Visits) -> Visits.Index { Self.record(used, Int(usedEnd), in: &visits) }
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
    private static let noArrival = Arrivals.Arrival(nil, after: -1)
    /// What has arrived since something was made last, on record with one propagation; and what something was made of, while that is on a
    /// trail.
    @exclusivity(unchecked) final var arrivals: Arrivals
    @exclusivity(unchecked) final private(set) var isOnTrail = false

    /// A place where `inputs` ways meet; of 0, nobody knows how many.
    init(at vertex: Vertex, inputs: Int) {
        self.vertex = vertex
        // Of one input, the newest value alone tells.
        let capacity = inputs == 0 ? 2 : Int32(clamping: inputs)
        arrivals = Arrivals(capacity: capacity)
        arrivals.room = capacity > 2 ? .allocate(capacity: 2 * Int(capacity)) : ownPlace
    }
    deinit {
        assert(!isOnTrail, "a trail has a place that is gone: EasyReact's engine is at fault")
        if arrivals.capacity > 2 { arrivals.room.deallocate() }
    }
    /// Where `ownRoom` is, for as long as this is there: a class's property does not move.
    private final var ownPlace: UnsafeMutablePointer<Arrivals.Arrival> {
        typealias Room = (Arrivals.Arrival, Arrivals.Arrival, Arrivals.Arrival, Arrivals.Arrival)
        func address(of room: UnsafeMutablePointer<Room>) -> UnsafeMutablePointer<Arrivals.Arrival> {
            UnsafeMutableRawPointer(room).assumingMemoryBound(to: Arrivals.Arrival.self)
        }
        return address(of: &ownRoom)
    }

    /// Makes room for one arrival more. The lock is held.
    @inline(__always) final func makeRoom(with visits: inout Visits) {
        if arrivals.isFull { putTogether(with: &visits) }
    }
    /// Has all that has arrived take the room of one; or none, where that is all there is.
    @inline(never) private final func putTogether(with visits: inout Visits) {
        if arrivals.count == 1 { return arrivals.removeAll() }
        keep(takeArrivals(for: &visits))
    }
    /// The lock is held.
    @inline(__always) final func keep(_ senders: Senders) {
        arrivals.append(nil, after: senders.visit, since: senders.since)
    }
    /// Takes all that has arrived, as one visit. The lock is held.
    @inline(__always) final func takeArrivals(for visits: inout Visits) -> Senders {
        let since = arrivals.since
        if arrivals.count > 1, !isOnTrail {
            arrivals.use()
            isOnTrail = true
            return Senders(visit: visits.append(Visits.Visit(meetingAt: .passUnretained(self))), since: since)
        }
        let visit = arrivals.record(in: &visits)
        arrivals.removeAll()
        return Senders(visit: visit, since: since)
    }
    /// Puts on record what the visit stands for; answers the visit that does so then.
    final func record(in visits: inout Visits) -> Visits.Index { arrivals.recordUsed(in: &visits) }
    /// Forgets what may go now that an edge from `source` is linked no more. The lock is held.
    final func forget(from source: UnsafeRawPointer?) {
        arrivals.removeAll()
        guard isOnTrail, let source, arrivals.haveUsed(source) else { return }
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
        arrivals.forgetUsed()
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
