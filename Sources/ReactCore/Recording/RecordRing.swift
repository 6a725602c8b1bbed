import Synchronization

/// What one thread has recorded for one recorder: as many records as it may keep, in chunks.
///
/// The thread writes to its current chunk, and publishes each record by the chunk's `count`. When that is full it takes a clean
/// one, and the oldest is let go of: so once in a chunk it takes the lock of its own ring, which nobody else holds but for
/// copying the list of chunks. A reader holds the chunks that it reads, and what they hold with them.
///
/// Invariants:
/// - `chunk`, `index`, `spare`, `dirty` and what lies behind a chunk's `count` are the writer's alone: the thread that has the ring
///   open (`state`). There is at most one.
/// - What is published is not changed as long as anyone else holds the chunk.
/// - What a chunk holds is let go of by `tidy`, where no lock is held: it is the user's code that runs then.
///
/// Unchecked, because of these.
package final class RecordRing: @unchecked Sendable {
    private let capacity: Int
    private let keepsValues: Bool
    private let chunkCapacity: Int
    package let thread: UInt64
    package let threadName: String

    /// Held by `kept`.
    @exclusivity(unchecked) private var current: Unmanaged<RecordChunk>
    // The same, and its parts.
    @exclusivity(unchecked) private var records: UnsafeMutablePointer<Record>
    @exclusivity(unchecked) private var cells: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var chunkEnd: Int
    @exclusivity(unchecked) private var index = 0
    @exclusivity(unchecked) private var isStaged = false
    @exclusivity(unchecked) private var spare: RecordChunk?
    @exclusivity(unchecked) private var dirty: [RecordChunk] = []

    private struct Kept: @unchecked Sendable {
        /// Oldest first; the last one is the writer's.
        var chunks: [RecordChunk]
    }
    private let kept: Lock<Kept>

    private enum State: UInt8 { case closed, open, ended }
    private let state = Atomic<UInt8>(State.closed.rawValue)

    init(capacity: Int, keepsValues: Bool, thread: UInt64, threadName: String) {
        self.capacity = capacity
        self.keepsValues = keepsValues
        self.thread = thread
        self.threadName = threadName
        chunkCapacity = min(max(capacity / 8, 1), 1024)
        let chunk = RecordChunk(capacity: chunkCapacity, keepsValues: keepsValues, first: 0)
        current = .passUnretained(chunk)
        (records, cells, chunkEnd) = (chunk.records, chunk.cells, chunk.capacity)
        kept = Lock(Kept(chunks: [chunk]))
    }

    // MARK: Opening and ending

    /// Makes this thread the writer; fails where the recorder has ended.
    func open() -> Bool {
        state.compareExchange(
            expected: State.closed.rawValue, desired: State.open.rawValue, ordering: .acquiringAndReleasing
        ).exchanged
    }
    /// The writer has nothing more to write for now.
    func close() {
        let isStillKept = state.compareExchange(
            expected: State.open.rawValue, desired: State.closed.rawValue, ordering: .acquiringAndReleasing
        ).exchanged
        if !isStillKept { letGo() }
    }
    /// The recorder has gone: lets go of all that is on record, here or where the writer closes.
    func end() {
        if state.exchange(State.ended.rawValue, ordering: .acquiringAndReleasing) == State.closed.rawValue { letGo() }
    }
    private func letGo() {
        let chunks = kept.withLock { kept in
            defer { kept.chunks = [] }
            return kept.chunks
        }
        (spare, dirty, isDirty) = (nil, [], false)
        withExtendedLifetime(chunks) {}
    }

    // MARK: Writing

    /// Records. Calls no code of the user's.
    @inline(__always) func append(_ record: Record) {
        if isStaged { commit() }
        if index == chunkEnd { beginChunk() }
        (records + index).initialize(to: record)
        publish()
    }
    /// Records before what is staged.
    func insert(_ record: Record) {
        guard isStaged else { return append(record) }
        let staged = records[index]
        let held = cells.map { cells in
            let cell = cells + index * RecordCell.size
            return (cell.load(as: UInt64.self), cell.load(fromByteOffset: 8, as: UInt64.self))
        }
        records[index] = record
        publish()
        if index == chunkEnd { beginChunk() }
        (records + index).initialize(to: staged)
        if let held, let cells {
            let cell = cells + index * RecordCell.size
            cell.storeBytes(of: held.0, as: UInt64.self)
            cell.storeBytes(of: held.1, toByteOffset: 8, as: UInt64.self)
        }
    }
    /// Prepares a record that holds the value of `vertex`, whose lock is held: it is on record when `commit` is called, or something
    /// else is recorded.
    @inline(__always) func stage(_ record: Record, holdingValueOf vertex: Vertex) {
        if isStaged { commit() }
        if index == chunkEnd { beginChunk() }
        if let cells {
            (records + index).initialize(to: vertex.keepValue(in: cells + index * RecordCell.size, for: record))
        } else {
            (records + index).initialize(to: record)
        }
        isStaged = true
    }
    @inline(__always) func commit() {
        guard isStaged else { return }
        isStaged = false
        publish()
    }
    /// Forgets what was staged. No lock is held.
    func cancelStaged() {
        guard isStaged else { return }
        isStaged = false
        let record = records[index]
        if record.mustDestroyValue, let cells { RecordCell.empty(cells + index * RecordCell.size, record) }
    }
    @inline(__always) private func publish() {
        index &+= 1
        let index = index
        current._withUnsafeGuaranteedRef { $0.count.store(index, ordering: .releasing) }
    }

    /// Takes a clean chunk. The oldest waits to be let go of.
    @inline(never) private func beginChunk() {
        let first = position
        let next = spare.take() ?? RecordChunk(capacity: chunkCapacity, keepsValues: keepsValues, first: first)
        next.first = first
        let limit = (capacity + chunkCapacity - 1) / chunkCapacity + 1
        let oldest = kept.withLock { kept -> RecordChunk? in
            kept.chunks.append(next)
            return kept.chunks.count > limit ? kept.chunks.removeFirst() : nil
        }
        if let oldest {
            dirty.append(oldest)
            isDirty = true
        }
        current = .passUnretained(next)
        (records, cells, chunkEnd) = (next.records, next.cells, next.capacity)
        index = 0
    }
    /// Whether `tidy` has something to do.
    @exclusivity(unchecked) private(set) var isDirty = false
    /// Lets go of what is off the record, and keeps a chunk for later. No lock is held; what is let go of may set nodes.
    @inline(never) func tidy() {
        isDirty = false
        while var oldest = dirty.popLast() {
            guard isKnownUniquelyReferenced(&oldest) else { continue }
            oldest.clear()
            spare = oldest
        }
    }
    /// How many records this thread has made for this recorder.
    var position: UInt64 { current._withUnsafeGuaranteedRef { $0.first } + UInt64(index) }

    // MARK: Reading

    /// What is on record now.
    package var reading: RecordedThread {
        let chunks = kept.withLock { $0.chunks }
        return RecordedThread(number: thread, name: threadName, chunks: chunks, limit: capacity)
    }
}

/// Some records, and the values beside them.
final class RecordChunk: @unchecked Sendable {
    let capacity: Int
    let records: UnsafeMutablePointer<Record>
    let cells: UnsafeMutableRawPointer?
    /// How many records are published.
    let count = Atomic<Int>(0)
    /// How many the thread had recorded before. Written while nobody else knows the chunk.
    @exclusivity(unchecked) fileprivate(set) var first: UInt64

    init(capacity: Int, keepsValues: Bool, first: UInt64) {
        self.capacity = capacity
        self.first = first
        records = .allocate(capacity: capacity)
        cells =
            keepsValues
            ? .allocate(byteCount: capacity * RecordCell.size, alignment: RecordCell.alignment) : nil
    }
    deinit {
        clear()
        records.deallocate()
        cells?.deallocate()
    }
    /// Lets go of all that is held.
    func clear() {
        if let cells {
            for index in 0..<count.load(ordering: .acquiring) where records[index].mustDestroyValue {
                RecordCell.empty(cells + index * RecordCell.size, records[index])
            }
        }
        count.store(0, ordering: .relaxed)
    }
}

/// What a thread had on record when it was read. It holds the values.
package struct RecordedThread: Sendable {
    package let number: UInt64
    package let name: String
    /// How many records are gone: the position of the first that is not.
    package let evicted: Int
    package let records: [Record]
    private let chunks: [RecordChunk]
    /// The place in `chunks` of the first record.
    private let start: (chunk: Int, index: Int)

    fileprivate init(number: UInt64, name: String, chunks: [RecordChunk], limit: Int) {
        self.number = number
        self.name = name
        self.chunks = chunks
        let counts = chunks.map { $0.count.load(ordering: .acquiring) }
        var surplus = max(0, counts.reduce(0, +) - limit)
        evicted = Int(chunks.first?.first ?? 0) + surplus
        var records: [Record] = []
        records.reserveCapacity(limit)
        var start: (chunk: Int, index: Int)?
        for (place, chunk) in chunks.enumerated() {
            if surplus >= counts[place] {
                surplus -= counts[place]
                continue
            }
            if start == nil { start = (place, surplus) }
            records.append(
                contentsOf: UnsafeBufferPointer(start: chunk.records + surplus, count: counts[place] - surplus))
            surplus = 0
        }
        self.records = records
        self.start = start ?? (0, 0)
    }
    /// The value that the record at `index` holds, as text; `nil` where there was none. It is described by its own code.
    package func describedValue(at index: Int) -> String? {
        guard records[index].holdsValue else { return nil }
        var place = index + start.index
        for chunk in chunks[start.chunk...] {
            if place < chunk.capacity {
                return chunk.cells.flatMap { RecordCell.describe($0 + place * RecordCell.size, records[index]) }
            }
            place -= chunk.capacity
        }
        return nil
    }
}
