import Synchronization

/// The joins that a propagation is to fire: lowest height first, then in the order in which they were reached. Those that are to
/// be last come after all others.
///
/// They mostly come in that order, and are kept in a line then; the first that does not makes it a binary heap, until it
/// is empty.
///
/// It does not hold its joins, for a retain and a release each time they fire: what is in here has the propagation among
/// its holders, and keeps itself until they are done (see `Join.keep`).
struct JoinQueue {
    struct Entry {
        /// The height, then how many were inserted before.
        fileprivate let key: UInt64
        let join: Unmanaged<Join>
        var height: UInt32 { UInt32(truncatingIfNeeded: key >> 32) }
    }
    private var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 16)
    private var capacity = 16
    /// Where the line begins; 0 while it is a heap.
    private var head = 0
    private var end = 0
    private var isHeap = false
    private var inserted: UInt64 = 0

    var isEmpty: Bool { head == end }

    /// Precondition: the lock of the join's vertex is held.
    @inline(__always) mutating func insert(_ join: Join) {
        let height = join.isLast ? UInt32.max : join.vertex.height
        let key = UInt64(height) << 32 | inserted
        inserted &+= 1
        if end == capacity { makeRoom() }
        entries[end] = Entry(key: key, join: .passUnretained(join))
        end &+= 1
        if isHeap || end &- head > 1 && key < entries[end &- 2].key { siftUp() }
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
    /// Takes a join out, and returns the height that it was listed at. O(n log n).
    mutating func remove(_ join: Join) -> UInt32? {
        var others: [Entry] = []
        var height: UInt32?
        let number = inserted
        while let entry = popFirst() {
            if entry.join.toOpaque() == Unmanaged.passUnretained(join).toOpaque() {
                height = entry.height
            } else {
                others.append(entry)
            }
        }
        for entry in others {
            if end == capacity { makeRoom() }
            entries[end] = entry
            end &+= 1
        }
        inserted = number
        return height
    }
    func deallocate() { entries.deallocate() }

    /// Puts the last entry where it belongs. The others are a heap, or in order, which is one.
    @inline(never) private mutating func siftUp() {
        if head > 0 { closeUp() }
        isHeap = true
        let entry = entries[end - 1]
        var place = end - 1
        while place > 0, entry.key < entries[(place - 1) / 2].key {
            entries[place] = entries[(place - 1) / 2]
            place = (place - 1) / 2
        }
        entries[place] = entry
    }
    @inline(never) private mutating func removeRoot() {
        end -= 1
        let last = entries[end]
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < end else { break }
            if child + 1 < end, entries[child + 1].key < entries[child].key { child += 1 }
            guard entries[child].key < last.key else { break }
            entries[place] = entries[child]
            place = child
        }
        entries[place] = last
    }
    private mutating func closeUp() {
        entries.update(from: entries + head, count: end - head)
        end -= head
        head = 0
    }
    @inline(never) private mutating func makeRoom() {
        if head > capacity / 2 { return closeUp() }
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: entries, count: end)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }
}

/// Joins that other threads have left to a propagation. It looks here before each join that it fires.
///
/// Invariant: a join in here is held by the inbox's propagation, in the sense of `Join.holder`.
final class JoinInbox: Sendable {
    private let joins = Lock<[Join]>([])
    private let count = Atomic<Int>(0)

    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    func add(_ join: Join) {
        ScheduleFaults.pause(at: .inboxIsToBeFilled)
        joins.withLock {
            $0.append(join)
            count.store($0.count, ordering: .sequentiallyConsistent)
        }
    }
    /// Whether it is empty, in one order with what else is said sequentially consistently.
    var isEmptyInOrder: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }
    /// Takes a join back; answers whether it was still there.
    func remove(_ join: Join) -> Bool {
        joins.withLock { waiting in
            guard let place = waiting.firstIndex(where: { $0 === join }) else { return false }
            waiting.remove(at: place)
            count.store(waiting.count, ordering: .sequentiallyConsistent)
            return true
        }
    }
    func empty(into queue: inout JoinQueue) {
        ScheduleFaults.pause(at: .inboxIsToBeEmptied)
        let waiting = joins.withLock { waiting in
            defer { waiting = [] }
            count.store(0, ordering: .releasing)
            return waiting
        }
        for join in waiting { join.vertex.locking { queue.insert(join) } }
    }
}
