/// The joins that a propagation is to fire: lowest height first, then in the order in which they were reached; then effects, and
/// those that are to be last: see `JoinRank`.
///
/// They mostly come in that order, and are kept in a line then; the first that does not makes it a binary heap, until it
/// is empty.
///
/// It does not hold its joins, for a retain and a release each time they fire: what is in here has the propagation among
/// its holders, and keeps itself until they are done (see `Join.keep`).
struct JoinQueue {
    struct Entry {
        /// The height, then how many were inserted before; or an effect's rank.
        fileprivate let key: UInt64
        let join: Unmanaged<AnyJoin>
        var height: UInt32 { UInt32(truncatingIfNeeded: key >> 32) }
    }
    private var entries = UnsafeMutablePointer<Entry>.allocateOwnLines(capacity: 16)
    private var capacity = 16
    /// Where the line begins; 0 while it is a heap, or empty.
    private var head = 0
    private var end = 0
    private var isHeap = false
    private var inserted: UInt64 = 0

    var isEmpty: Bool { end == 0 }

    /// Precondition: the lock of the join's vertex is held.
    mutating func insert(_ join: AnyJoin) {
        if !insertAtOnce(join) { insert(join, nextKey(for: join)) }
    }
    /// Inserts a join behind one that has to fire before it.
    mutating func insert(_ join: AnyJoin, behind entry: Entry) {
        insert(join, max(UInt64(entry.height) << 32 | inserted, nextKey(for: join)))
    }
    /// All entries, in no certain order.
    var all: [Entry] { (head..<end).map { entries[$0] } }
    private mutating func insert(_ join: AnyJoin, _ key: UInt64) {
        if end == capacity { makeRoom() }
        entries[end] = Entry(key: key, join: .passUnretained(join))
        inserted &+= 1
        end &+= 1
        if isHeap || end &- head > 1 && entries[end &- 1].key < entries[end &- 2].key { siftUp() }
    }
    /// The same; fails where that is not just to put it at the end of the line.
    @inline(__always) mutating func insertAtOnce(_ join: AnyJoin) -> Bool {
        let key = nextKey(for: join)
        guard end < capacity, !isHeap, end == head || key > entries[end &- 1].key else { return false }
        entries[end] = Entry(key: key, join: .passUnretained(join))
        inserted &+= 1
        end &+= 1
        return true
    }
    @inline(__always) private func nextKey(for join: AnyJoin) -> UInt64 {
        let rank = join.rank
        if rank == .byHeight { return UInt64(join.vertex.height) << 32 | inserted }
        return rank == .last ? rank.number | inserted : rank.key(at: join.vertex.height)
    }
    /// The next one.
    @inline(__always) mutating func popFirst() -> Entry? {
        guard head < end else { return nil }
        let first = entries[head]
        if isHeap { removeRoot() } else { head &+= 1 }
        if head == end {
            (head, end, inserted) = (0, 0, 0)
            isHeap = false
        }
        return first
    }
    /// The height of the next one.
    var firstHeight: UInt32? { isEmpty ? nil : entries[head].height }

    /// Puts the last entry where it belongs. The others are a heap, or in order, which is one.
    @inline(never) private mutating func siftUp() {
        if head > 0 { closeUp() }
        isHeap = true
        Heap.insertLast(of: entries, count: end) { $0.key < $1.key }
    }
    @inline(never) private mutating func removeRoot() {
        Heap.removeFirst(of: entries, count: end) { $0.key < $1.key }
        end -= 1
    }
    private mutating func closeUp() {
        entries.update(from: entries + head, count: end - head)
        end -= head
        head = 0
    }
    @inline(never) private mutating func makeRoom() {
        if head > capacity / 2 { return closeUp() }
        capacity *= 2
        entries = entries.moved(end, toOwnLinesFor: capacity)
    }
}
