/// The trail: which vertices values came through, for those who ask after the delivery has moved on: joins and sender lists.
///
/// A visit points to the one before it, so that ways share what they have in common, as they branch like the graph; and what a
/// join makes has come by all ways on which its inputs arrived, so a visit may point to another one as well. Visits last until
/// the outermost set on the thread ends. What has to last longer is made a `SenderPath`.
///
/// A batch may set a node millions of times, and each value goes the way of the one before. So a trail that has become long in the
/// course of one looks whether what is to be put on record is there already.
///
/// Where ways meet, all that arrived there is one visit, which is put down in full only when somebody asks what lies behind it.
///
/// Invariant: a visit holds its vertex, and its path if it has one; a place that it stands for is there until the visit is let go of.
/// `previous` and `other` lead to no visit that leads back, or are -1, and then the visit's path may go on further back.
@usableFromInline struct Visits {
    @usableFromInline typealias Index = Int32

    struct Visit {
        /// `nil` where ways meet.
        let vertex: Unmanaged<Vertex>?
        let previous: Index
        let other: Index
        /// What else is behind the visit: see `path`, which is held, and `meeting`.
        private var word: UInt

        /// Takes over the hold on the vertex.
        init(vertex: Unmanaged<Vertex>?, previous: Index, other: Index = -1) {
            (self.vertex, self.previous, self.other, word) = (vertex, previous, other, 0)
        }
        init(_ path: SenderPath) {
            self.init(vertex: path.vertex.map { .passRetained($0) }, previous: -1)
            self.path = .passRetained(path)
        }
        /// All ways meet that something is made of at `place`.
        init(meetingAt place: Unmanaged<MeetingPlace>) {
            self.init(vertex: nil, previous: -1)
            word = UInt(bitPattern: place.toOpaque()) | 1
        }
        /// The whole path that ends here, once someone asked for it.
        var path: Unmanaged<SenderPath>? {
            get { word & 1 == 0 ? UnsafeRawPointer(bitPattern: word).map { .fromOpaque($0) } : nil }
            set { word = newValue.map { UInt(bitPattern: $0.toOpaque()) } ?? 0 }
        }
        /// What the visit stands for, while that has not been put down.
        var meeting: Unmanaged<MeetingPlace>? {
            word & 1 == 0 ? nil : UnsafeRawPointer(bitPattern: word & ~1).map { .fromOpaque($0) }
        }
        /// Whether `previous` and `other` are all that lies behind the visit.
        @inline(__always) var isOpen: Bool { other < 0 && (previous >= 0 || word == 0) }
        /// What tells this visit from others; `nil` where a part of the way is elsewhere.
        fileprivate var place: Place? {
            if word & 1 != 0 { return nil }
            if previous < 0, other < 0, let path, path._withUnsafeGuaranteedRef({ !$0.isOneSender }) { return nil }
            return Place(vertex: vertex?.toOpaque(), previous: previous, other: other)
        }
        func letGo() {
            vertex?.release()
            path?.release()
            meeting?._withUnsafeGuaranteedRef { $0.leaveTrail() }
        }
    }
    private var visits = UnsafeMutablePointer<Visit>.allocateOwnLines(capacity: Visits.firstCapacity)
    private(set) var count = 0
    private var capacity = Visits.firstCapacity
    /// With so many visits, one more has to be looked at closely: there is no room for it, or it may be on record.
    private var limit = Visits.firstCapacity
    private var reach: Reach?
    /// Where visits are on record, once they are looked for.
    private var places: [Place: Index]?
    /// With more visits than this, they are.
    private var shortCount = Visits.shortCount
    private static let firstCapacity = 16
    private static let shortCount = 1 << 12

    var isEmpty: Bool { count == 0 }
    /// Whether it is time to `share`.
    @inline(__always) var isLong: Bool { count > shortCount }

    @inline(__always)
    mutating func append(_ vertex: Unmanaged<Vertex>, after previous: Index, and other: Index = -1) -> Index {
        append(Visit(vertex: vertex.retain(), previous: previous, other: other))
    }
    /// Puts down what lies behind a visit, where it only stands for that.
    @inline(__always) private mutating func open(_ index: Int) {
        if let meeting = visits[index].meeting { open(index, meeting) }
    }
    @inline(never) private mutating func open(_ index: Int, _ meeting: Unmanaged<MeetingPlace>) {
        let behind = meeting._withUnsafeGuaranteedRef { $0.record(in: &self) }
        // Nobody asks for this one: it is there to tell the place that the trail has ended. Not now, as the lock may be held.
        _ = append(visits[index])
        visits[index] = Visit(vertex: nil, previous: behind)
    }
    @inline(__always) mutating func append(_ visit: Visit) -> Index {
        if count >= limit { return appendClosely(visit) }
        return add(visit)
    }
    @inline(__always) private mutating func add(_ visit: Visit) -> Index {
        visits.advanced(by: count).initialize(to: visit)
        count &+= 1
        return Index(truncatingIfNeeded: count &- 1)
    }

    // MARK: Sharing

    fileprivate struct Place: Hashable {
        let vertex: UnsafeMutableRawPointer?
        let previous: Index
        let other: Index
    }
    /// From now on, what is on record is not put there again.
    @inline(never) mutating func share() {
        var places: [Place: Index] = [:]
        for index in 0..<count {
            if let place = visits[index].place { places[place] = Index(index) }
        }
        self.places = places
        limit = 0
        shortCount = .max
    }
    @inline(never) private mutating func appendClosely(_ visit: Visit) -> Index {
        if places != nil, let place = visit.place {
            if let known = find(visit, place) {
                assert(known < count, "what is on record has gone: EasyReact's engine is at fault")
                visit.letGo()  // never of the last hold on a vertex: what is on record has one
                return known
            }
            places?[place] = Index(count)
        }
        if count == capacity { grow() }
        return add(visit)
    }
    /// What there is on record already: the same, or an older way that has the newer one in it, unless that is far back.
    private func find(_ visit: Visit, _ place: Place) -> Index? {
        var (older, steps) = (visit.other, 0)
        while older >= 0, steps < 64 {
            let known = visits[Int(older)]
            let isSame = known.previous == visit.previous && known.vertex?.toOpaque() == place.vertex
            if isSame || visit.vertex == nil && older == visit.previous { return visit.other }
            (older, steps) = (known.other, steps + 1)
        }
        return places?[place]
    }

    // MARK: Asking

    func vertex(at index: Index) -> Vertex? { visits[Int(index)].vertex?.takeUnretainedValue() }
    /// Whether a value that came by the visit `index` came through `vertex`. O(n) the first time for one way, and for what a longer
    /// one has beside it; O(1) after that.
    mutating func path(_ index: Index, contains vertex: Vertex) -> Bool {
        let wanted = Unmanaged.passUnretained(vertex).toOpaque()
        var index = Int(index)
        // Most ways are short, and then this is all.
        for _ in 0..<32 {
            guard index >= 0 else { return false }
            let visit = visits[index]
            if visit.vertex?.toOpaque() == wanted { return true }
            if !visit.isOpen { break }
            index = Int(visit.previous)
        }
        return index >= 0 && reaches(index, wanted)
    }
    /// All that lies behind one visit.
    private struct Reach {
        let end: Int
        var visits: Set<Int>
        var vertices: Set<UnsafeMutableRawPointer>
    }
    @inline(never) private mutating func reaches(_ end: Int, _ wanted: UnsafeMutableRawPointer) -> Bool {
        if reach?.end != end { reach = makeReach(of: end) }
        return reach?.vertices.contains(wanted) ?? false
    }
    /// What lies behind `end`: in addition to what is known, where that lies behind it as well.
    private mutating func makeReach(of end: Int) -> Reach {
        let known = reach.take()
        var made = Reach(end: end, visits: known?.visits ?? [], vertices: known?.vertices ?? [])
        var includesKnown = known == nil
        var waiting = [end]
        while let index = waiting.popLast() {
            if index < 0 { continue }
            if index == known?.end { includesKnown = true }
            guard made.visits.insert(index).inserted else { continue }
            open(index)
            let visit = visits[index]
            if let vertex = visit.vertex { made.vertices.insert(vertex.toOpaque()) }
            if visit.previous < 0, let path = visit.path?.takeUnretainedValue() {
                made.vertices.formUnion(path.vertices.map { Unmanaged.passUnretained($0).toOpaque() })
            }
            waiting.append(Int(visit.previous))
            waiting.append(Int(visit.other))
        }
        return includesKnown ? made : makeReach(of: end)
    }

    /// The path that ends at `index`. O(n) the first time, for what it does not share with earlier ones.
    mutating func path(_ index: Index) -> SenderPath? {
        guard index >= 0 else { return nil }
        // What lies behind a visit comes first.
        var waiting = [Int(index)]
        while let index = waiting.last {
            open(index)
            let visit = visits[index]
            if visit.path != nil {
                waiting.removeLast()
            } else if let unknown = unknownBehind(visit) {
                waiting.append(unknown)
            } else {
                visits[index].path = .passRetained(
                    SenderPath(
                        visit.vertex?.takeUnretainedValue(), after: knownPath(visit.previous),
                        and: knownPath(visit.other)))
            }
        }
        return knownPath(Index(index))
    }
    private func unknownBehind(_ visit: Visit) -> Int? {
        if visit.previous >= 0, visits[Int(visit.previous)].path == nil { return Int(visit.previous) }
        return visit.other >= 0 && visits[Int(visit.other)].path == nil ? Int(visit.other) : nil
    }
    private func knownPath(_ index: Index) -> SenderPath? {
        index >= 0 ? visits[Int(index)].path?.takeUnretainedValue() : nil
    }

    // MARK: Letting go

    /// Takes out the newest visit. It is let go of when the trail is done with: that may be the last hold on a vertex, and its end user
    /// code, which may set nodes, and so add to the trail.
    @inline(__always) mutating func popLast() -> Visit {
        count &-= 1
        return visits[count]
    }
    /// Forgets what was found out about visits, which are to go. Until `endToGo`, nothing is found out that would name one which has gone.
    @inline(__always) mutating func beginToGo() {
        if reach != nil || places != nil { forget() }
        shortCount = .max
    }
    @inline(never) private mutating func forget() {
        reach = nil
        places = nil
        limit = capacity
    }
    @inline(__always) mutating func endToGo() {
        shortCount = Visits.shortCount
        if capacity > 1 << 12, isEmpty { shrink() }
    }
    /// Gives back what an unusually long trail took. Precondition: it is empty.
    @inline(never) private mutating func shrink() {
        visits.deallocate()
        self = Visits()
    }

    @inline(never) private mutating func grow() {
        capacity *= 2
        precondition(capacity <= Index.max, "a batch is too long: more values than the engine can tell apart")
        visits = visits.moved(count, toOwnLinesFor: capacity)
        if places == nil { limit = capacity }
    }
}

/// What a value came through before its run began: a visit on record, of this propagation.
/// `since` is a time (`now`) before the first of those visits, and 0 where none is known.
struct Senders {
    var visit: Visits.Index
    var since: UInt64
    static let none = Senders(visit: -1, since: .max)
}

// Where a value came through: asked at every node that it may have come by before, and put on record for what needs it
// after the delivery has moved on.

extension Propagation {
    /// Whether the value that the called edge carries came through `vertex`, which was idle.
    @usableFromInline func cameThroughIdle(_ vertex: Vertex) -> Bool {
        if isPastVisit(of: vertex) { return false }
        let senders = runs[call.runs - 1].senders
        // A list that a user has added to (`since` is 0) may name a vertex that nothing ever came by.
        if senders.since != 0, vertex.visited == 0 { return false }
        return visits.path(senders.visit, contains: vertex)
    }
    /// Whether the last to come by `vertex`, which is idle, was the thread that the called edge's senders were recorded on, and before
    /// it recorded them.
    @inline(__always) func isPastVisit(of vertex: Vertex) -> Bool {
        let since = runs[call.runs &- 1].since
        let visited = vertex.visited
        return Clock.thread(of: visited ^ since) == 0 && visited &- 1 < since
    }
    /// Whether the value that the called edge carries came through `vertex`.
    func cameThrough(_ vertex: Vertex) -> Bool {
        guard call.runs > 0 else { return false }
        return framesContain(vertex) || visits.path(runs[call.runs - 1].visit, contains: vertex)
    }
    /// Whether it came through `vertex` since its run began.
    @inlinable @inline(__always) func isComing(from vertex: Vertex) -> Bool {
        call.runs > 0 && framesContain(vertex)
    }
    @inlinable @inline(__always) func framesContain(_ vertex: Vertex) -> Bool {
        let wanted = Unmanaged.passUnretained(vertex).toOpaque()
        var frame = call.top - 1
        while frame.pointee.next != Frame.endMark {
            if frame.pointee.vertex.toOpaque() == wanted { return true }
            frame -= 1
        }
        return false
    }
    /// Whether the value that the called edge carries came through `vertex`, whose lock is held.
    @inline(__always) func cameThrough(_ vertex: Vertex, _ bits: UInt32) -> Bool {
        bits & Vertex.busy != 0 ? cameThrough(vertex) : hasTrail && cameThroughIdle(vertex)
    }
    /// What the value that the called edge carries came through, its source included: on record from now on.
    @inline(__always) var senders: Senders {
        guard call.runs > 0 else { return .none }
        return senders(of: runs + (call.runs - 1), upTo: call.top)
    }
    /// The same for an edge whose code is being called by a run without senders, where something else may be called inside it.
    func senders(of call: CustomCall) -> Senders {
        senders(of: runs + (call.runs - 1), upTo: call.top.unsafelyUnwrapped)
    }
    @inline(__always)
    private func senders(of run: UnsafeMutablePointer<Run>, upTo top: UnsafeMutablePointer<Frame>) -> Senders {
        let visit = (top - 1).pointee.visit
        return visit < 0 ? recordVisits(of: run, upTo: top) : Senders(visit: visit, since: run.pointee.since)
    }
    /// Notes where the value arrived from, and what it came through before, where that is at hand: off the record where this edge is the
    /// source's last, for nobody else asks for the source's visit then.
    ///
    /// Precondition: an edge is being called, and there is room.
    @inline(__always) func noteArrivalAtHand(at place: MeetingPlace) -> Bool {
        let since = runs[call.runs &- 1].since
        let last = call.top - 1
        let visit = last.pointee.visit
        if visit >= 0 {
            place.append(nil, after: visit, since: since)
            return true
        }
        guard last.pointee.next == 0 else { return false }
        let before = (last - 1).pointee.visit
        guard before >= 0 || (last - 1).pointee.next == Frame.endMark else { return false }
        place.append(last.pointee.vertex, after: before, since: since)
        return true
    }
    /// The same where what it came through may have to be put on record.
    @inline(never) func noteArrival(at place: MeetingPlace) {
        if noteArrivalAtHand(at: place) { return }
        let run = runs + (call.runs &- 1)
        let last = call.top - 1
        guard last.pointee.next == 0 else {
            return place.append(nil, after: senders.visit, since: run.pointee.since)
        }
        let before = recordVisits(of: run, upTo: last).visit
        place.append(last.pointee.vertex, after: before, since: run.pointee.since)
    }
    /// Puts the frames below `top` on record.
    @inline(never)
    private func recordVisits(of run: UnsafeMutablePointer<Run>, upTo top: UnsafeMutablePointer<Frame>) -> Senders {
        var frame = top
        while frame > run.pointee.bottom, (frame - 1).pointee.visit < 0 { frame -= 1 }
        var visit = (frame - 1).pointee.visit
        while frame < top {
            visit = visits.append(frame.pointee.vertex, after: visit)
            frame.note(visit)
            frame += 1
        }
        return Senders(visit: visit, since: run.pointee.since)
    }
    /// The same as users get it.
    var senderList: SenderList { senderList(senders) }
    /// Puts senders on record that were noted elsewhere or earlier.
    func record(_ senders: SenderList) -> Senders {
        guard let path = senders.path else { return .none }
        // Another thread's time cannot be put beside one of this thread's, as a join does with those of all that arrives.
        let since = isOthers(senders.since) ? Clock.elsewhere : senders.since
        return Senders(visit: visits.append(Visits.Visit(path)), since: since)
    }
    /// Puts on record that a value comes from `source`, and from nowhere before. The hold on it goes there.
    @inline(__always) func record(held source: Unmanaged<Vertex>) -> Senders {
        // The source's own mark is for whoever delivers there: it is left alone, and so tells nothing of this visit.
        Senders(visit: visits.append(Visits.Visit(vertex: source, previous: -1)), since: 0)
    }
    func senderList(_ senders: Senders) -> SenderList {
        SenderList(path: visits.path(senders.visit), since: senders.since)
    }
    /// What the called edge's value brought along.
    var context: ContextBox? { call.runs > 0 ? runs[call.runs - 1].context?.takeUnretainedValue() : nil }
    /// Whether that is nothing.
    var hasContext: Bool { call.runs > 0 && runs[call.runs - 1].context != nil }
    /// The same, the other way round. Precondition: an edge is being called.
    @inline(__always) var bringsNothingElse: Bool { runs[call.runs &- 1].context == nil }
}
