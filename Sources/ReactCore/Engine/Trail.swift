/// The trail: the vertices that values have passed. Joins and sender lists use it after the delivery has moved on.
///
/// A join notes the trail of its arrivals only where somebody needs it: where its value may come round a cycle to where
/// it has been, or where somebody in its region may ask for senders (`Engine.notesTrail`).
///
/// An entry (`TrailEntry`) points to the entry before it, so trails share their common parts, and branch like the
/// graph. A join's value has the trails of all its inputs, so an entry may point to a second one, `other`. Entries last
/// until the thread's outermost transaction ends. A trail that must last longer is copied to a `SenderPath`.
///
/// A batch may set a node millions of times, and each value takes the same way as the one before. So once a trail has
/// grown long in a transaction, an entry that it already has is not added again.
///
/// Invariant: an entry retains its vertex, and its path if it has one. `previous` and `other` never lead in a circle.
/// Both may be -1; then the entry's path may go on further back.
@usableFromInline struct Trail {
    @usableFromInline typealias Index = Int32

    struct TrailEntry {
        /// The vertex; `nil` where trails merge.
        let vertex: Unmanaged<Vertex>?
        let previous: Index
        let other: Index
        /// The whole path that ends here, once somebody asked for it.
        var path: Unmanaged<SenderPath>?

        /// Creates an entry, which takes over the reference to `vertex`.
        init(vertex: Unmanaged<Vertex>?, previous: Index, other: Index = -1) {
            (self.vertex, self.previous, self.other) = (vertex, previous, other)
        }
        init(_ path: SenderPath) {
            self.init(vertex: path.vertex.map { .passRetained($0) }, previous: -1)
            self.path = .passRetained(path)
        }
        /// True if nothing lies behind the entry but `previous` and `other`.
        @inline(__always) var isOpen: Bool { other < 0 && (previous >= 0 || path == nil) }
        /// The key that tells this entry from others; `nil` if a part of its trail is elsewhere.
        fileprivate var place: Place? {
            if previous < 0, other < 0, let path, path._withUnsafeGuaranteedRef({ !$0.isOneSender }) { return nil }
            return Place(vertex: vertex?.toOpaque(), previous: previous, other: other)
        }
        func letGo() {
            vertex?.release()
            path?.release()
        }
    }
    private var entries = UnsafeMutablePointer<TrailEntry>.allocateOwnLines(capacity: Trail.firstCapacity)
    private(set) var count = 0
    private var capacity = Trail.firstCapacity
    /// The count of entries from which `append` takes its slow path: there is no room, or entries are shared.
    private var limit = Trail.firstCapacity
    private var reach: Reach?
    /// The entries behind all that somebody has asked for, and their vertices.
    private var known: Reach?
    /// The indices of entries by their key, once entries are shared.
    private var places: [Place: Index]?
    /// The count of entries above which they are shared.
    private var shortCount = Trail.shortCount
    private static let firstCapacity = 16
    /// The largest capacity that an empty trail keeps: 128 KB.
    private static let mostKept = 4_096
    /// Just below a capacity, so that a trail whose entries are shared seldom grows once more.
    private static let shortCount = 15_000

    var isEmpty: Bool { count == 0 }
    /// True if `share` is due.
    @inline(__always) var isLong: Bool { count > shortCount }

    @inline(__always)
    mutating func append(_ vertex: Unmanaged<Vertex>, after previous: Index, and other: Index = -1) -> Index {
        append(TrailEntry(vertex: vertex.retain(), previous: previous, other: other))
    }
    /// Returns the index of an entry that stands for two others; -1 stands for nothing.
    @inline(__always) mutating func merge(_ one: Index, _ other: Index) -> Index {
        guard one >= 0, other >= 0, one != other else { return max(one, other) }
        return append(TrailEntry(vertex: nil, previous: one, other: other))
    }
    @inline(__always) mutating func append(_ entry: TrailEntry) -> Index {
        if count >= limit { return appendAtLimit(entry) }
        return add(entry)
    }
    @inline(__always) private mutating func add(_ entry: TrailEntry) -> Index {
        entries.advanced(by: count).initialize(to: entry)
        count &+= 1
        return Index(truncatingIfNeeded: count &- 1)
    }

    // MARK: Sharing

    fileprivate struct Place: Hashable {
        let vertex: UnsafeMutableRawPointer?
        let previous: Index
        let other: Index
    }
    /// Indexes the entries, so that from now on none is added twice.
    @inline(never) mutating func share() {
        var places: [Place: Index] = [:]
        for index in 0..<count {
            if let place = entries[index].place { places[place] = Index(index) }
        }
        self.places = places
        limit = 0
        shortCount = .max
    }
    @inline(never) private mutating func appendAtLimit(_ entry: TrailEntry) -> Index {
        if places != nil, let place = entry.place {
            if let known = find(entry, place) {
                assert(known < count, "an entry that is on record has gone: EasyReact's engine is at fault")
                entry.letGo()  // never of the last hold on a vertex: what is on record has one
                return known
            }
            places?[place] = Index(count)
        }
        if count == capacity { grow() }
        return add(entry)
    }
    /// Returns an entry that already covers this one: the same entry, or an older one whose trail contains it within 64
    /// steps.
    private func find(_ entry: TrailEntry, _ place: Place) -> Index? {
        var (older, steps) = (entry.other, 0)
        while older >= 0, steps < 64 {
            let known = entries[Int(older)]
            let isSame = known.previous == entry.previous && known.vertex?.toOpaque() == place.vertex
            if isSame || entry.vertex == nil && older == entry.previous { return entry.other }
            (older, steps) = (known.other, steps + 1)
        }
        return places?[place]
    }

    // MARK: Asking

    func vertex(at index: Index) -> Vertex? { entries[Int(index)].vertex?.takeUnretainedValue() }
    /// Returns true if a value whose trail ends at `index` has passed `vertex`.
    ///
    /// - Complexity: O(*k*) for *k* entries that no search has reached before, if none of the trails searched before
    ///   contains `vertex`. Otherwise O(*n*) for a trail of *n* entries. The next search of the same trail takes O(1),
    ///   and that of a longer one O(its additional entries).
    mutating func path(_ index: Index, contains vertex: Vertex) -> Bool {
        let wanted = Unmanaged.passUnretained(vertex).toOpaque()
        var index = Int(index)
        // Most trails are shorter than this.
        for _ in 0..<32 {
            guard index >= 0 else { return false }
            let entry = entries[index]
            if entry.vertex?.toOpaque() == wanted { return true }
            guard entry.isOpen else {
                if entry.other >= 0 { break }
                return entry.path.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.contains(vertex) }
            }
            index = Int(entry.previous)
        }
        return index >= 0 && reaches(index, wanted)
    }
    /// The entries behind one entry, or behind several, and their vertices.
    private struct Reach {
        let end: Int
        var entries: Set<Int>
        var vertices: Set<UnsafeMutableRawPointer>
    }
    @inline(never) private mutating func reaches(_ end: Int, _ wanted: UnsafeMutableRawPointer) -> Bool {
        if reach?.end == end { return reach?.vertices.contains(wanted) ?? false }
        // Trails that share their beginnings would otherwise be searched from the beginning, one after the other.
        var known = self.known.take() ?? Reach(end: end, entries: [], vertices: [])
        add(end, to: &known)
        self.known = known
        guard known.vertices.contains(wanted) else { return false }
        reach = makeReach(of: end)
        return reach?.vertices.contains(wanted) ?? false
    }
    /// Returns everything behind `end`. Extends the known set if that lies behind `end`, too; otherwise starts anew.
    private mutating func makeReach(of end: Int) -> Reach {
        let known = reach.take()
        var made = Reach(end: end, entries: known?.entries ?? [], vertices: known?.vertices ?? [])
        let includesKnown = add(end, to: &made, lookingFor: known?.end) || known == nil
        return includesKnown ? made : makeReach(of: end)
    }
    /// Adds the entry `end` and everything behind it to `reach`, whose entries have theirs in it already. Returns true
    /// if it has come to the entry `wanted`.
    @discardableResult
    private mutating func add(_ end: Int, to reach: inout Reach, lookingFor wanted: Int? = nil) -> Bool {
        var (waiting, steps, isFound) = ([end], 0, false)
        while let index = waiting.popLast() {
            if index < 0 { continue }
            steps += 1
            if index == wanted { isFound = true }
            guard reach.entries.insert(index).inserted else { continue }
            let entry = entries[index]
            if let vertex = entry.vertex { reach.vertices.insert(vertex.toOpaque()) }
            if entry.previous < 0, let path = entry.path?.takeUnretainedValue() {
                let vertices = path.vertices
                steps += vertices.count
                reach.vertices.formUnion(vertices.map { Unmanaged.passUnretained($0).toOpaque() })
            }
            waiting.append(Int(entry.previous))
            waiting.append(Int(entry.other))
        }
        Steps.count(steps)
        return isFound
    }

    /// Returns the path that ends at `index`. O(n) the first time, for the part that it does not share with earlier
    /// paths.
    mutating func path(_ index: Index) -> SenderPath? {
        guard index >= 0 else { return nil }
        // The entries behind an entry come first.
        var (waiting, next) = ([Int](), Int(index) as Int?)
        while let index = next {
            let entry = entries[index]
            if entry.path == nil {
                if let unknown = unknownBehind(entry) {
                    waiting.append(index)
                    next = unknown
                    continue
                }
                entries[index].path = .passRetained(
                    SenderPath(
                        entry.vertex?.takeUnretainedValue(), after: knownPath(entry.previous),
                        and: knownPath(entry.other)))
            }
            next = waiting.popLast()
        }
        return knownPath(index)
    }
    private func unknownBehind(_ entry: TrailEntry) -> Int? {
        if entry.previous >= 0, entries[Int(entry.previous)].path == nil { return Int(entry.previous) }
        return entry.other >= 0 && entries[Int(entry.other)].path == nil ? Int(entry.other) : nil
    }
    private func knownPath(_ index: Index) -> SenderPath? {
        index >= 0 ? entries[Int(index)].path?.takeUnretainedValue() : nil
    }

    // MARK: Clearing

    /// Removes the newest entry, and returns it. The caller releases it after this mutation: it may have the last
    /// reference to a vertex, and the user's `deinit` may set nodes, and so add entries.
    @inline(__always) mutating func popLast() -> TrailEntry {
        count &-= 1
        return entries[count]
    }
    /// Drops the index and the reach, because entries are about to go. Until `endToGo`, neither is made again, because
    /// it could name an entry that is gone.
    @inline(__always) mutating func beginToGo() {
        if known != nil || reach != nil || places != nil { forget() }
        shortCount = .max
    }
    @inline(never) private mutating func forget() {
        known = nil
        reach = nil
        places = nil
        limit = capacity
    }
    @inline(__always) mutating func endToGo() {
        shortCount = Trail.shortCount
        if capacity > Trail.mostKept, isEmpty { shrink() }
    }
    /// Gives back the memory of an unusually long trail. Precondition: the trail is empty.
    @inline(never) private mutating func shrink() {
        entries.deallocate()
        self = Trail()
    }

    @inline(never) private mutating func grow() {
        capacity *= 2
        require(
            capacity <= Index.max,
            "a single set or batch reaches more than a thousand million values; divide it into several batches")
        entries = entries.moved(count, toOwnLinesFor: capacity)
        if places == nil { limit = capacity }
    }
}

// Checks if a value has passed a vertex, at every vertex that it may have passed before. Adds trail entries for values
// that are needed after the delivery has moved on.

extension Engine {
    /// Returns true if the called edge's value has passed `vertex`, which was idle.
    @usableFromInline func trailContainsIdle(_ vertex: Vertex) -> Bool {
        !isLastEpochEarlier(of: vertex) && trailContainsUnsettled(vertex)
    }
    /// Returns the same for a vertex of which `isLastEpochEarlier` is false.
    func trailContainsUnsettled(_ vertex: Vertex) -> Bool {
        let senders = passes[call.passes - 1].senders
        if vertex.lastEpoch <= Epoch.made, Epoch.isNew(vertex.lastEpoch, toValueSince: senders.since) { return false }
        return trail.path(senders.entry, contains: vertex)
    }
    /// Returns true if the last value that passed the idle `vertex` did so on the thread that recorded the called
    /// edge's senders, and before that. Then the called edge's value has not passed it.
    @inline(__always) func isLastEpochEarlier(of vertex: Vertex) -> Bool {
        let since = passes[call.passes &- 1].since
        let lastEpoch = vertex.lastEpoch
        return Epoch.thread(of: lastEpoch ^ since) == 0 && lastEpoch &- 1 < since
    }
    /// Returns true if the edges that leave from `vertex` bring its value, as seen from the called edge: this thread is
    /// still delivering the value there, or has stored it since the called edge's value was set. An operator that finds
    /// the value at the same time does not bring it once more.
    func brings(valueOf vertex: Vertex) -> Bool {
        guard owns(vertex) else { return false }
        let isBeingDelivered = vertex.turn & ~Vertex.pending == Vertex.busy && isOfThisTransaction(vertex.lastEpoch)
        return isBeingDelivered || hasStored(in: vertex)
    }
    /// Returns true if the edges that leave from `vertex` have brought its value since the called edge's value was set.
    package func hasBroughtValue(of vertex: Vertex) -> Bool {
        owns(vertex) && !vertex.isBusy && !vertex.isEmpty && hasStored(in: vertex)
    }
    /// Returns true if this thread has stored a value in `vertex` since the called edge's value was set.
    @usableFromInline package func hasStored(in vertex: Vertex) -> Bool {
        let lastEpoch = vertex.lastEpoch
        return isOfThisTransaction(lastEpoch) && lastEpoch > Epoch.fixed(passes[call.passes - 1].since)
    }
    private func isOfThisTransaction(_ time: UInt64) -> Bool {
        call.passes > 0 && time > finished && !isOthers(time)
    }
    /// Returns true if the called edge's value has passed `vertex`.
    func trailContains(_ vertex: Vertex) -> Bool {
        guard call.passes > 0 else { return false }
        return framesContain(vertex) || trail.path(passes[call.passes - 1].entry, contains: vertex)
    }
    /// Returns true if the called edge's value has passed `vertex` since its pass began.
    @inlinable @inline(__always) package func isComing(from vertex: Vertex) -> Bool {
        call.passes > 0 && framesContain(vertex)
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
    /// Returns true if the called edge's value has passed `vertex`. Checks the turn first, because a long trail takes
    /// longer.
    @inline(__always) func comesBack(to vertex: Vertex) -> Bool {
        vertex.isBusy ? trailContains(vertex) : hasTrail && trailContainsIdle(vertex)
    }
    /// The trail of the called edge's value, its source included. Adds the entries that are missing.
    @inline(__always) var senders: TrailPosition {
        guard call.passes > 0 else { return .none }
        return senders(of: passes + (call.passes - 1), upTo: call.top)
    }
    /// Returns the trail of the value in a call of a user's edge, whose pass began without senders. Other edges may be
    /// called inside that call.
    func senders(of call: UserCall) -> TrailPosition {
        senders(of: passes + (call.place.passes - 1), upTo: call.place.top)
    }
    @inline(__always)
    private func senders(of pass: UnsafeMutablePointer<Pass>, upTo top: UnsafeMutablePointer<Frame>) -> TrailPosition {
        let entry = (top - 1).pointee.entry
        return entry < 0 ? recordEntries(of: pass, upTo: top) : TrailPosition(entry: entry, since: pass.pointee.since)
    }
    /// Adds an arrival from the called edge's source, and the trail entries that it needs. One entry stands for the
    /// source and for the arrivals before it, if this edge is the last of its source, so that no other edge asks for an
    /// entry of the source alone.
    ///
    /// Precondition: an edge is being called.
    @inline(__always) func noteArrival(at place: JoinBase) {
        let pass = passes + (call.passes &- 1)
        let earlier = place.earlierArrivals
        let since = Epoch.earlier(pass.pointee.since, earlier.since)
        if notesTrail(to: place.vertex) { return noteTrail(to: place, from: pass, earlier.entry, since) }
        place.keep(TrailPosition(entry: TrailPosition.notNoted, since: since))
    }
    /// True if a join at `vertex` notes the trail of its arrivals.
    @inline(__always) private func notesTrail(to vertex: Vertex) -> Bool {
        vertex.isBelowBackEdge || vertex.root._withUnsafeGuaranteedRef { $0.notesSenders }
    }
    @inline(never) private func noteTrail(
        to place: JoinBase, from pass: UnsafeMutablePointer<Pass>, _ earlier: Trail.Index, _ since: UInt64
    ) {
        let last = call.top - 1
        if last.pointee.entry >= 0 || last.pointee.next != 0 {
            return place.keep(TrailPosition(entry: trail.merge(senders.entry, earlier), since: since))
        }
        var before = (last - 1).pointee.entry
        if before < 0, (last - 1).pointee.next != Frame.endMark { before = recordEntries(of: pass, upTo: last).entry }
        let entry = trail.append(last.pointee.vertex, after: before, and: earlier)
        place.keep(TrailPosition(entry: entry, since: since))
    }
    /// Adds trail entries for the frames below `top`.
    @inline(never)
    private func recordEntries(of pass: UnsafeMutablePointer<Pass>, upTo top: UnsafeMutablePointer<Frame>)
        -> TrailPosition
    {
        var frame = top
        while frame > pass.pointee.bottom, (frame - 1).pointee.entry < 0 { frame -= 1 }
        var entry = (frame - 1).pointee.entry
        while frame < top {
            entry = trail.append(frame.pointee.vertex, after: entry)
            frame.note(entry)
            frame += 1
        }
        return TrailPosition(entry: entry, since: pass.pointee.since)
    }
    /// Adds a trail entry for a value that comes from `source`, and has passed nothing before. The entry takes over the
    /// reference.
    @inline(__always) func record(source: Unmanaged<Vertex>) -> TrailPosition {
        // The source's last epoch stays, so it says nothing of this entry.
        let isStranger = source._withUnsafeGuaranteedRef { $0.lastEpoch == 0 }
        return TrailPosition(
            entry: trail.append(Trail.TrailEntry(vertex: source, previous: -1)),
            since: isStranger ? Epoch.namingStrangers(epoch) : Epoch.loose(epoch))
    }
}
