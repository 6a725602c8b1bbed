/// The joins that an engine is to fire: lowest height first, and then in the order in which they were inserted.
/// Effects, joins after effects and joins that are last follow; see `JoinRank`.
///
/// Joins mostly come in that order, and then the queue is a sorted array. The first join out of order turns it into a
/// binary heap, until it is empty. A heap alone takes 11 % more instructions in the benchmark's `combine`.
///
/// The queue does not retain its joins: a join in the queue retains itself if one of its edges goes (see
/// `Join.retainItself`).
struct JoinQueue {
    struct Entry {
        /// See `JoinRank.key`.
        fileprivate let key: UInt64
        let join: Unmanaged<Join>
        /// The height of a join that fires by height when it was inserted. For any other join, a number that is greater
        /// than each height.
        var height: UInt32 { UInt32(truncatingIfNeeded: key >> 32) }
    }
    private var entries = UnsafeMutablePointer<Entry>.allocateOwnCacheLines(capacity: 16)
    private(set) var capacity = 16
    /// The index of the first entry; 0 while the queue is a heap, or empty.
    private var head = 0
    private var end = 0
    private var isHeap = false
    private var inserted: UInt64 = 0
    /// The joins after effects in the queue, and the joins that wait for them outside of it.
    var heldBack = JoinsHeldBack()
    /// Joins that values have reached, and that miss another. They wait, because a join that is yet to fire may bring
    /// it: then the values that came first are among those that have arrived.
    var incomplete: [Join] = []

    var isEmpty: Bool { end == 0 }

    /// Inserts a join.
    @inline(__always) mutating func insert(_ join: Join) { insert(join, nextKey(for: join)) }
    /// Inserts a join that fires by height so that it fires after `entry`.
    mutating func insert(_ join: Join, behind entry: Entry) {
        insert(join, max(UInt64(entry.height) << 32 | inserted, nextKey(for: join)))
    }
    /// All entries, in no particular order.
    var all: [Entry] { (head..<end).map { entries[$0] } }
    @inline(__always) private mutating func insert(_ join: Join, _ key: UInt64) {
        if end == capacity { makeRoom() }
        entries[end] = Entry(key: key, join: .passUnretained(join))
        inserted &+= 1
        end &+= 1
        if isHeap || end &- head > 1 && entries[end &- 1].key < entries[end &- 2].key { siftUp() }
    }
    @inline(__always) private mutating func nextKey(for join: Join) -> UInt64 {
        let rank = join.rank
        if rank == .byHeight { return UInt64(join.vertex.height) << 32 | inserted }
        if rank == .afterEffects { heldBack.begin(join) }
        return rank.key(at: join.vertex.height, after: inserted)
    }
    /// Removes the first entry, and returns it.
    @inline(__always) mutating func popFirst() -> Entry? {
        guard head < end else { return nil }
        let first = entries[head]
        if isHeap { removeRoot() } else { head &+= 1 }
        if head == end {
            (head, end, inserted) = (0, 0, 0)
            isHeap = false
            if capacity > JoinQueue.mostKept { releaseMemory() }
        }
        return first
    }
    /// The height of the first entry: see `Entry.height`.
    var firstHeight: UInt32? { isEmpty ? nil : entries[head].height }

    /// Moves the last entry to its place in the heap. The other entries are a heap, or sorted, and a sorted array is a
    /// heap.
    @inline(never) private mutating func siftUp() {
        if head > 0 { closeUp() }
        isHeap = true
        Heap.insertLast(of: entries, count: end) { $0.key < $1.key }
    }
    @inline(never) private mutating func removeRoot() {
        Heap.removeFirst(of: entries, count: end) { $0.key < $1.key }
        end -= 1
    }
    /// The largest capacity that an empty queue keeps: 64 KB.
    static let mostKept = 4_096
    /// Releases the memory of a huge batch. The queue is empty.
    @inline(never) private mutating func releaseMemory() {
        entries.deallocate()
        capacity = 16
        entries = .allocateOwnCacheLines(capacity: capacity)
    }
    private mutating func closeUp() {
        entries.update(from: entries + head, count: end - head)
        end -= head
        head = 0
    }
    @inline(never) private mutating func makeRoom() {
        if head > capacity / 2 { return closeUp() }
        capacity *= 2
        entries = entries.moved(end, toOwnCacheLinesFor: capacity)
    }
}
