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
        fileprivate var key: EntryKey? {
            if previous < 0, other < 0, let path, path._withUnsafeGuaranteedRef({ !$0.isOneSender }) { return nil }
            return EntryKey(vertex: vertex?.toOpaque(), previous: previous, other: other)
        }
        func letGo() {
            vertex?.release()
            path?.release()
        }
    }
    private var entries = UnsafeMutablePointer<TrailEntry>.allocateOwnCacheLines(capacity: Trail.firstCapacity)
    private(set) var count = 0
    private var capacity = Trail.firstCapacity
    /// The count of entries from which `append` takes its slow path: there is no room, or entries are shared.
    private var limit = Trail.firstCapacity
    private var reach: Reach?
    /// The entries behind all that somebody has asked for, and their vertices.
    private var known: Reach?
    /// The indices of entries by their key, once entries are shared.
    private var indices: [EntryKey: Index]?
    /// The count of entries above which they are shared.
    private var shortCount = Trail.shortCount
    private static let firstCapacity = 16
    /// The largest capacity that an empty trail keeps: 96 KB.
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

    fileprivate struct EntryKey: Hashable {
        let vertex: UnsafeMutableRawPointer?
        let previous: Index
        let other: Index
    }
    /// Indexes the entries, so that from now on none is added twice.
    @inline(never) mutating func share() {
        var indices: [EntryKey: Index] = [:]
        for index in 0..<count {
            if let key = entries[index].key { indices[key] = Index(index) }
        }
        self.indices = indices
        limit = 0
        shortCount = .max
    }
    @inline(never) private mutating func appendAtLimit(_ entry: TrailEntry) -> Index {
        if indices != nil, let key = entry.key {
            if let known = find(entry, key) {
                assert(known < count, "an entry that is on record has gone: EasyReact's engine is at fault")
                entry.letGo()  // never of the last hold on a vertex: what is on record has one
                return known
            }
            indices?[key] = Index(count)
        }
        if count == capacity { grow() }
        return add(entry)
    }
    /// Returns an entry that already covers this one: the same entry, or an older one whose trail contains it within 64
    /// steps.
    private func find(_ entry: TrailEntry, _ key: EntryKey) -> Index? {
        var (older, steps) = (entry.other, 0)
        while older >= 0, steps < 64 {
            let known = entries[Int(older)]
            let isSame = known.previous == entry.previous && known.vertex?.toOpaque() == key.vertex
            if isSame || entry.vertex == nil && older == entry.previous { return entry.other }
            (older, steps) = (known.other, steps + 1)
        }
        return indices?[key]
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
        if known != nil || reach != nil || indices != nil { forget() }
        shortCount = .max
    }
    @inline(never) private mutating func forget() {
        known = nil
        reach = nil
        indices = nil
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
        entries = entries.moved(count, toOwnCacheLinesFor: capacity)
        if indices == nil { limit = capacity }
    }
}
