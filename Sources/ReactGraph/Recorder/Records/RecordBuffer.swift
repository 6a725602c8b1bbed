import ReactCore
import Synchronization

/// Stores the records of one thread for one recorder, in chunks, up to a capacity.
///
/// The thread writes to its current chunk, and publishes each record by the chunk's `count`. When the chunk is full,
/// the thread goes on in a clean one, and takes the oldest off the record. A reader pins the chunks that it reads; a
/// pinned chunk is not used again. So neither waits for the other, and no chunk is made once there are enough.
///
/// Invariants:
/// - All properties but `writers`, `stored`, `state` and `last` belong to the writer: the thread that has the buffer
///   open. There is at most one.
/// - A published record is not changed while a reader has its chunk pinned.
/// - A chunk that owns memory is cleared by `tidy` alone. No lock is held then, because user code runs.
///
/// Unchecked, because of these.
final class RecordBuffer: @unchecked Sendable {
    private let capacity: Int
    private let keepsValues: Bool
    private let chunkCapacity: Int
    let thread: UInt64
    /// The number of earlier threads that had the writer's thread number.
    @exclusivity(unchecked) private(set) var formerThreads: Int

    @exclusivity(unchecked) private var current: Unmanaged<RecordChunk>
    @exclusivity(unchecked) private var records: UnsafeMutablePointer<Record>
    @exclusivity(unchecked) private var index = 0
    // The address of the next value in the chunk's last block, the end of that block, and the address from which places
    // are counted.
    @exclusivity(unchecked) private var room: UInt = 0
    @exclusivity(unchecked) private var roomEnd: UInt = 0
    @exclusivity(unchecked) private var origin: UInt = 0
    @exclusivity(unchecked) private var block = 0

    @exclusivity(unchecked) private var onRecord = Queue<Unmanaged<RecordChunk>>()
    /// True if `current` is not in `onRecord`.
    @exclusivity(unchecked) private var isOffRecord = false
    /// Chunks off the record. They may hold values, or be pinned.
    @exclusivity(unchecked) private var old = Queue<Unmanaged<RecordChunk>>()
    /// True if `tidy` has something to do.
    @exclusivity(unchecked) private(set) var isDirty = false

    /// The lock is taken by a thread that becomes the writer, and by readers.
    private let writers: Lock<RecordedWriters>
    /// The memory that is given back when the recorder ends. The thread itself holds the buffer until it records again.
    private struct Stored {
        /// All chunks. The array retains them.
        var chunks: [RecordChunk] = []
        /// The stores of chunks that have gone off the record.
        var lost = EvictionTimes()
    }
    /// The lock is taken when a chunk is made or goes off the record, and by readers.
    private let stored = Lock(Stored())
    /// The position at which the recorder stopped; records from there on are not reported. The greatest number until it
    /// stops.
    private let last = Atomic<UInt64>(.max)

    private enum State: UInt8, AtomicRepresentable { case closed, open, ended }
    private let state = Atomic<State>(.closed)

    init(capacity: Int, keepsValues: Bool, thread: UInt64, after formerThreads: Int, threadName: String) {
        self.capacity = capacity
        self.keepsValues = keepsValues
        self.thread = thread
        self.formerThreads = formerThreads
        writers = Lock(RecordedWriters(threadName))
        chunkCapacity = min(max(capacity / 8, 1), 1024)
        let chunk = RecordChunk(capacity: chunkCapacity, keepsValues: keepsValues)
        stored.withLock { $0.chunks.append(chunk) }
        current = .passUnretained(chunk)
        records = chunk.records
        begin(chunk, after: 0)
    }

    // MARK: Opening and ending

    /// Makes the calling thread, which is called `name`, the writer of all records from now on.
    func begin(after formerThreads: Int, threadName name: String) {
        self.formerThreads = formerThreads
        let position = Int(position)
        writers.withLock { $0.begin(name, at: position, capacity: capacity) }
    }
    /// Makes this thread the writer. Fails if the recorder has ended.
    func open() -> Bool {
        state.compareExchange(expected: .closed, desired: .open, ordering: .acquiringAndReleasing).exchanged
    }
    /// Ends the writing for now. Returns false if the recorder has ended: then call `letGo`.
    func close() -> Bool {
        state.compareExchange(expected: .open, desired: .closed, ordering: .acquiringAndReleasing).exchanged
    }
    /// Stops: records from now on are not reported.
    func stop() {
        // From here on, no chunk goes off the record: see `beginChunk`.
        last.store(.max - 1, ordering: .releasing)
        let reading = reading
        last.store(UInt64(reading.evicted + reading.records.count), ordering: .releasing)
    }
    /// Ends the buffer because the recorder has gone. Releases its memory, here or when the writer closes.
    func end() {
        if state.exchange(.ended, ordering: .acquiringAndReleasing) == .closed { letGo() }
    }
    /// Releases all that the buffer has stored. The buffer can no longer be opened, and no lock is held, because user
    /// code runs.
    func letGo() {
        (onRecord, old) = (Queue(), Queue())
        var other = Stored()
        stored.withLock { swap(&$0, &other) }
        withExtendedLifetime(other) {}
    }

    // MARK: Writing

    /// True if `beginChunk` must be called before the next record.
    @inline(__always) var isFull: Bool { index == chunkCapacity }
    /// Appends a record, and publishes it. Precondition: the chunk is not full.
    @inline(__always) func append(_ record: Record) {
        (records + index).initialize(to: record)
        index &+= 1
        let index = index
        current._withUnsafeGuaranteedRef { $0.count.store(index, ordering: .releasing) }
    }
    /// Appends a record with a value. Fails if there is no room for both.
    @inline(__always) func write(_ record: Record, keeping value: StoredValue) -> Bool {
        let unit = UInt(RecordChunk.unit)
        // There is room for a value only if values are kept. A plain value of 9 to 16 bytes, such as an optional word,
        // is copied as two words that overlap. Most values are such.
        let hasRoom = !isFull && 2 * unit <= roomEnd &- room
        if hasRoom, value.isPlain, UInt(bitPattern: value.size &- RecordChunk.unit &- 1) < unit {
            let place = UnsafeMutableRawPointer(bitPattern: room).unsafelyUnwrapped
            let end = value.size &- RecordChunk.unit
            place.storeBytes(of: value.place.loadUnaligned(as: UInt64.self), as: UInt64.self)
            (place + end).storeBytes(of: (value.place + end).loadUnaligned(as: UInt64.self), as: UInt64.self)
            let kept = RecordedValue(value.type, at: (room &- origin) / unit, 0)
            room &+= 2 * unit
            append(record.holding(kept))
            return true
        }
        return writeOther(record, keeping: value)
    }
    @inline(never) private func writeOther(_ record: Record, keeping value: StoredValue) -> Bool {
        if isFull { return false }
        guard keepsValues else {
            append(record)
            return true
        }
        func keep<Held>(_: Held.Type) -> RecordedValue? {
            self.keep(UnsafePointer(value.place.assumingMemoryBound(to: Held.self)))
        }
        guard let kept = _openExistential(value.type as Any.Type, do: keep) else { return false }
        append(record.holding(kept))
        return true
    }

    // MARK: Values

    /// Copies a value, into a box if no block may have it. Fails if there is no room in a block. Calls no user code.
    private func keep<Held>(_ value: UnsafePointer<Held>) -> RecordedValue? {
        var size = RecordChunk.rounded(MemoryLayout<Held>.size)
        let isTooLarge = size > RecordChunk.largestValue && size > roomEnd &- room
        let isBoxed = isTooLarge || MemoryLayout<Held>.alignment > RecordChunk.unit
        if isBoxed { size = UInt(RecordChunk.unit) }
        if size > roomEnd &- room, !beginBlock() { return nil }
        let place = UnsafeMutableRawPointer(bitPattern: room).unsafelyUnwrapped
        let unit = (room &- origin) / UInt(RecordChunk.unit)
        room &+= size
        if !isBoxed, _isPOD(Held.self) {
            place.copyMemory(from: value, byteCount: MemoryLayout<Held>.size)
            return RecordedValue(Held.self, at: unit, 0)
        }
        current._withUnsafeGuaranteedRef { $0.ownsMemory = true }
        guard isBoxed else {
            place.initializeMemory(as: Held.self, from: value, count: 1)
            return RecordedValue(Held.self, at: unit, Record.ownsMemory)
        }
        let box = UnsafeMutablePointer<Held>.allocate(capacity: 1)
        // `initialize(from:)` may read up to the stride, and the value's object ends before that.
        box.initialize(to: value.pointee)
        place.storeBytes(of: UInt(bitPattern: box), as: UInt.self)
        return RecordedValue(Held.self, at: unit, Record.isBoxed)
    }
    private func beginBlock() -> Bool {
        current._withUnsafeGuaranteedRef { chunk in
            guard let begin = chunk.block(at: block) else { return false }
            room = UInt(bitPattern: begin)
            roomEnd = room + UInt(chunk.blockSize)
            origin = room &- UInt(block * chunk.blockSize)
            block += 1
            return true
        }
    }
    // MARK: Chunks

    /// Goes on in a clean chunk. The oldest chunk goes off the record, and waits to be cleared.
    ///
    /// Once the recorder has stopped, its records must stay. So chunks that are begun then never go on record.
    @inline(never) func beginChunk() {
        let position = position
        let next = takeOld() ?? makeChunk()
        let hasStopped = last.load(ordering: .acquiring) != .max
        if isOffRecord {
            wait(current)
        } else if !hasStopped, (onRecord.count - 1) * chunkCapacity >= capacity, let oldest = onRecord.popFirst() {
            // While one thread alone has recorded, nothing is noted, because its evicted records are older than all
            // records of other threads.
            if Recorders.isShared { noteLost(oldest) }
            oldest._withUnsafeGuaranteedRef { $0.goOffRecord() }
            wait(oldest)
        }
        isOffRecord = hasStopped
        current = next
        next._withUnsafeGuaranteedRef { begin($0, after: position) }
    }
    /// Notes the stores of a chunk that goes off the record, for readers that no longer find it.
    @inline(never) private func noteLost(_ chunk: Unmanaged<RecordChunk>) {
        let next = onRecord.first?._withUnsafeGuaranteedRef { $0.firstTime }
        chunk._withUnsafeGuaranteedRef { chunk in
            stored.withLock { $0.lost.note(chunk.published, before: next ?? Recorders.now) }
        }
    }
    /// Queues a chunk that is off the record for `tidy`.
    private func wait(_ chunk: Unmanaged<RecordChunk>) {
        old.append(chunk)
        isDirty = true
    }
    private func begin(_ chunk: RecordChunk, after position: UInt64) {
        records = chunk.records
        index = 0
        (room, roomEnd, block) = (0, 0, 0)
        chunk.begin(after: position)
        if isOffRecord { return }
        onRecord.append(current)
        chunk.goOnRecord()
    }
    /// Removes a chunk from `old` that no reader has pinned, and that owns no memory. It can be taken at any time,
    /// because no user code runs. So a thread that only links and cuts edges, and never calls `tidy`, gets chunks back
    /// too.
    private func takeOld() -> Unmanaged<RecordChunk>? {
        for _ in 0..<old.count {
            guard let chunk = old.popFirst() else { return nil }
            if chunk._withUnsafeGuaranteedRef({ $0.isFree && !$0.ownsMemory }) {
                chunk._withUnsafeGuaranteedRef { $0.clear() }
                return chunk
            }
            old.append(chunk)
        }
        return nil
    }
    private func makeChunk() -> Unmanaged<RecordChunk> {
        let chunk = RecordChunk(capacity: chunkCapacity, keepsValues: keepsValues)
        stored.withLock { $0.chunks.append(chunk) }
        return .passUnretained(chunk)
    }
    /// Clears chunks that are off the record and not pinned. No lock is held, because values that are released may set
    /// nodes.
    @inline(never) func tidy() {
        isDirty = false
        for _ in 0..<old.count {
            // The chunk is retained, because a value that goes may end the recorder, and with it all chunks.
            guard let chunk = old.popFirst()?.takeUnretainedValue() else { return }
            if chunk.isFree {
                chunk.clear()
                if stored.withLock({ $0.chunks.isEmpty }) { return }
            }
            old.append(.passUnretained(chunk))
        }
    }
    /// The number of records that this thread number has made for this recorder.
    var position: UInt64 { current._withUnsafeGuaranteedRef { $0.first } + UInt64(index) }

    // MARK: Reading

    /// Reads the records. Pins the chunks.
    var reading: ThreadReading {
        // A chunk that is off the record by now has its stores noted. The arrays are copied under the lock. A copy that
        // an array makes later, when the writer changes it, looks like a race to the thread sanitizer.
        let (chunks, lost) = stored.withLock { stored in
            (stored.chunks.filter { $0.pin() }, EvictionTimes(copying: stored.lost))
        }
        return ThreadReading(
            number: thread, writers: writers.withLock { RecordedWriters(copying: $0) }, lost: lost,
            PinnedChunks(chunks), limit: capacity, end: last.load(ordering: .acquiring))
    }
}
