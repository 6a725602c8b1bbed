/// What arrived at a place where ways meet: where each came from, and what it had come through before that.
///
/// What is made of it has come through all of that. Few ever ask; so it is not put on the trail when it arrives, nor when something
/// is made of it, but when somebody asks (see `MeetingPlace`).
///
/// Invariant: a source is not held; it is there while the edge stays linked by which the value arrived, and `MeetingPlace.forget` is
/// told when that goes. Where the trail holds it anyway, it is the last of what came before, and no source.
struct Arrivals {
    fileprivate struct Arrival {
        let source: Unmanaged<Vertex>?
        let before: Visits.Index
    }
    fileprivate var arrivals: UnsafeMutablePointer<Arrival>
    private var end: Int32 = 0
    private let capacity: Int32
    /// A time before the first visit of all; see `Senders`.
    private(set) var since = UInt64.max

    /// With room for as many that are used.
    init(capacity: Int) {
        self.capacity = Int32(clamping: capacity)
        arrivals = .allocate(capacity: 2 * capacity)
    }
    func deallocate(_ used: Used) { min(arrivals, used.arrivals).deallocate() }
    /// What something was made of.
    struct Used {
        fileprivate var arrivals: UnsafeMutablePointer<Arrival>
        private var end: Int32 = 0

        init(roomOf other: Arrivals) { arrivals = other.arrivals + Int(other.capacity) }
        /// Has what arrived be what is used, and nothing have arrived.
        @inline(__always) mutating func take(_ new: inout Arrivals) {
            swap(&arrivals, &new.arrivals)
            end = new.end
            new.removeAll()
        }
        @inline(__always) mutating func removeAll() { end = 0 }
        func contain(_ source: UnsafeRawPointer) -> Bool {
            (0..<Int(end)).contains { arrivals[$0].source.map { UnsafeRawPointer($0.toOpaque()) } == source }
        }
        /// Puts all on record, the newest last; answers the visit that stands for all.
        func record(in visits: inout Visits) -> Visits.Index { Arrivals.record(arrivals, Int(end), in: &visits) }
    }

    @inline(__always) var isFull: Bool { end == capacity }
    @inline(__always) var count: Int { Int(end) }
    /// Adds what came from `source`, after the visit `before`. Precondition: it is not full.
    @inline(__always)
    mutating func append(_ source: Unmanaged<Vertex>?, after before: Visits.Index, since: UInt64) {
        arrivals.advanced(by: count).initialize(to: Arrival(source: source, before: before))
        end &+= 1
        if since < self.since { self.since = since }
    }
    @inline(__always) mutating func removeAll() {
        end = 0
        since = .max
    }
    /// Puts all on record, the newest last; answers the visit that stands for all.
    @inline(__always) func record(in visits: inout Visits) -> Visits.Index {
        guard end == 1 else { return end == 0 ? -1 : Self.record(arrivals, count, in: &visits) }
        let arrival = arrivals.pointee
        return arrival.source.map { visits.append($0, after: arrival.before) } ?? arrival.before
    }
    @inline(never) fileprivate static func record(
        _ arrivals: UnsafeMutablePointer<Arrival>, _ count: Int, in visits: inout Visits
    ) -> Visits.Index {
        var all = Visits.Index(-1)
        for place in 0..<count {
            let arrival = arrivals[place]
            if let source = arrival.source {
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
    /// What has arrived since something was made last; on record with one propagation.
    @exclusivity(unchecked) final var arrivals: Arrivals
    /// What something was made of, while it is on a trail.
    @exclusivity(unchecked) private final var used: Arrivals.Used
    @exclusivity(unchecked) final private(set) var isOnTrail = false
    /// Whether the place holds itself for that.
    @exclusivity(unchecked) private final var isKeptOnTrail = false
    /// Sources of `used` whose edges have gone meanwhile.
    @exclusivity(unchecked) private final var held: [Vertex] = []

    init(at vertex: Vertex, inputs: Int) {
        self.vertex = vertex
        // Of one input, the newest value alone tells.
        arrivals = Arrivals(capacity: inputs == 1 ? 1 : max(inputs, 2))
        used = Arrivals.Used(roomOf: arrivals)
    }
    deinit {
        assert(!isOnTrail, "a trail has a place that is gone: EasyReact's engine is at fault")
        arrivals.deallocate(used)
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
            used.take(&arrivals)
            isOnTrail = true
            return Senders(visit: visits.append(Visits.Visit(meetingAt: .passUnretained(self))), since: since)
        }
        let visit = arrivals.record(in: &visits)
        arrivals.removeAll()
        return Senders(visit: visit, since: since)
    }
    /// Puts on record what the visit stands for; answers the visit that does so then.
    final func record(in visits: inout Visits) -> Visits.Index { used.record(in: &visits) }
    /// Forgets what may go now that an edge from `source` is linked no more. The lock is held.
    final func forget(from source: UnsafeRawPointer?) {
        arrivals.removeAll()
        guard isOnTrail, let source, used.contain(source) else { return }
        held.append(Unmanaged<Vertex>.fromOpaque(source).takeUnretainedValue())
    }
    /// Called when an edge goes that leads here. The lock is held.
    final func keepOnTrail() {
        guard isOnTrail, !isKeptOnTrail else { return }
        isKeptOnTrail = true
        _ = Unmanaged.passRetained(self)
    }
    /// Called when the trail ends. No lock is held. From then on nothing holds the place but its edges.
    @inline(__always) final func leaveTrail() {
        let bits = vertex.lock()
        used.removeAll()
        isOnTrail = false
        if isKeptOnTrail || !held.isEmpty { return letGo(bits) }
        vertex.unlock(bits)
    }
    @inline(never) private final func letGo(_ bits: UInt32) {
        let wasKept = isKeptOnTrail
        isKeptOnTrail = false
        var old: [Vertex] = []
        swap(&old, &held)
        vertex.unlock(bits)
        withExtendedLifetime(old) {}
        if wasKept { Unmanaged.passUnretained(self).release() }
    }
}
