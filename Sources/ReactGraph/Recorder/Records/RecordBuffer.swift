import ReactCore
import Synchronization

/// What one thread has recorded for one recorder: as many records as it may keep, in chunks.
///
/// The thread writes to its current chunk, and publishes each record by the chunk's `count`. When that is full it goes on in a clean
/// one, and takes the oldest off the record. A reader pins the chunks that it reads: those are not used again as long as it does.
/// So neither waits for the other, and once there are chunks enough, none is made.
///
/// Invariants:
/// - All but `writers`, `lost`, `all`, `state` and `last` is the writer's alone: the thread that has the ring open. There is at most one.
/// - What is published is not changed as long as anyone has the chunk pinned.
/// - What a chunk holds is let go of by `tidy`, where no lock is held: it is the user's code that runs then.
///
/// Unchecked, because of these.
package final class RecordBuffer: @unchecked Sendable {
    private let capacity: Int
    private let keepsValues: Bool
    private let chunkCapacity: Int
    package let thread: UInt64
    /// How many threads had that number before the one that writes.
    @exclusivity(unchecked) private(set) var formerThreads: Int

    @exclusivity(unchecked) private var current: Unmanaged<RecordChunk>
    @exclusivity(unchecked) private var records: UnsafeMutablePointer<Record>
    @exclusivity(unchecked) private var index = 0
    // Where the next value goes in the chunk's last block, what is left there, and the address that all places are counted from.
    @exclusivity(unchecked) private var room: UInt = 0
    @exclusivity(unchecked) private var roomEnd: UInt = 0
    @exclusivity(unchecked) private var origin: UInt = 0
    @exclusivity(unchecked) private var block = 0

    @exclusivity(unchecked) private var onRecord = Queue<Unmanaged<RecordChunk>>()
    /// Whether `current` is none of these.
    @exclusivity(unchecked) private var isOffRecord = false
    /// Off the record: to be let go of, and clean.
    @exclusivity(unchecked) private var old = Queue<Unmanaged<RecordChunk>>()
    @exclusivity(unchecked) private var clean = Queue<Unmanaged<RecordChunk>>()
    /// Whether `tidy` has something to do.
    @exclusivity(unchecked) private(set) var isDirty = false

    /// The lock is taken where another thread begins to write, and by readers.
    private let writers: Lock<RecordedWriters>
    private let lost = EvictionTimes()
    /// All chunks, held. The lock is taken where one is made, and by readers.
    private let all = Lock<[RecordChunk]>([])
    /// Records from here on are none of the recorder's, which has stopped: the greatest number as long as it has not.
    private let last = Atomic<UInt64>(.max)

    private enum State: UInt8 { case closed, open, ended }
    private let state = Atomic<UInt8>(State.closed.rawValue)

    init(capacity: Int, keepsValues: Bool, thread: UInt64, after formerThreads: Int, threadName: String) {
        self.capacity = capacity
        self.keepsValues = keepsValues
        self.thread = thread
        self.formerThreads = formerThreads
        writers = Lock(RecordedWriters(threadName))
        chunkCapacity = min(max(capacity / 8, 1), 1024)
        let chunk = RecordChunk(capacity: chunkCapacity, keepsValues: keepsValues)
        all.withLock { $0.append(chunk) }
        current = .passUnretained(chunk)
        records = chunk.records
        begin(chunk, after: 0)
    }

    // MARK: Opening and ending

    /// Another thread writes from now on, which is the one that asks.
    func begin(after formerThreads: Int, threadName name: String) {
        self.formerThreads = formerThreads
        let position = Int(position)
        writers.withLock { $0.begin(name, at: position, capacity: capacity) }
    }
    /// Makes this thread the writer; fails where the recorder has ended.
    func open() -> Bool {
        state.compareExchange(
            expected: State.closed.rawValue, desired: State.open.rawValue, ordering: .acquiringAndReleasing
        ).exchanged
    }
    /// The writer has nothing more to write for now. Answers whether the recorder is there still; where it has ended, `letGo` is to
    /// be called.
    func close() -> Bool {
        state.compareExchange(
            expected: State.open.rawValue, desired: State.closed.rawValue, ordering: .acquiringAndReleasing
        ).exchanged
    }
    /// The recorder has stopped: what is recorded from now on is not told.
    func stop() {
        // From here on nothing goes off the record: see `beginChunk`.
        last.store(.max - 1, ordering: .releasing)
        let reading = reading
        last.store(UInt64(reading.evicted + reading.records.count), ordering: .releasing)
    }
    /// The recorder has gone: lets go of all that is on record, here or where the writer closes.
    func end() {
        if state.exchange(State.ended.rawValue, ordering: .acquiringAndReleasing) == State.closed.rawValue { letGo() }
    }
    /// Lets go of all that is on record. The ring is not open, and no lock is held: user code runs.
    func letGo() {
        let chunks = all.withLock { all in
            defer { all = [] }
            return all
        }
        withExtendedLifetime(chunks) {}
    }

    // MARK: Writing

    /// Whether `beginChunk` is to be called before anything is written.
    @inline(__always) var isFull: Bool { index == chunkCapacity }
    /// Records. There is room.
    @inline(__always) func append(_ record: Record) {
        (records + index).initialize(to: record)
        publish()
    }
    /// Records, with a value; fails where there is no room for both.
    func write(_ record: Record, keeping value: StoredValue) -> Bool {
        if isFull { return false }
        guard keepsValues else {
            append(record)
            return true
        }
        let unit = UInt(RecordChunk.unit)
        // Most often a word and whether there is one: two words that overlap.
        if value.isPlain, UInt(bitPattern: value.size &- RecordChunk.unit &- 1) < unit, 2 * unit <= roomEnd &- room {
            let place = UnsafeMutableRawPointer(bitPattern: room).unsafelyUnwrapped
            let end = value.size &- RecordChunk.unit
            place.storeBytes(of: value.place.loadUnaligned(as: UInt64.self), as: UInt64.self)
            (place + end).storeBytes(of: (value.place + end).loadUnaligned(as: UInt64.self), as: UInt64.self)
            let kept = RecordedValue(value.type, at: (room &- origin) / unit, 0)
            room &+= 2 * unit
            append(record.holding(kept))
            return true
        }
        func keep<Held>(_: Held.Type) -> RecordedValue {
            self.keep(UnsafePointer(value.place.assumingMemoryBound(to: Held.self)))
        }
        let kept = _openExistential(value.type as Any.Type, do: keep)
        if kept.isNone { return false }
        append(record.holding(kept))
        return true
    }
    /// Puts on record what is written.
    @inline(__always) func publish() {
        index &+= 1
        let index = index
        current._withUnsafeGuaranteedRef { $0.count.store(index, ordering: .releasing) }
    }

    // MARK: Values

    /// Copies a value, in a box where no block has room for it; fails where there is no block either. Calls no code of the user's.
    private func keep<Held>(_ value: UnsafePointer<Held>) -> RecordedValue {
        var size = RecordChunk.rounded(MemoryLayout<Held>.size)
        let isTooLarge = size > RecordChunk.largestValue && size > roomEnd &- room
        let isBoxed = isTooLarge || MemoryLayout<Held>.alignment > RecordChunk.unit
        if isBoxed { size = UInt(RecordChunk.unit) }
        if size > roomEnd &- room, !beginBlock() { return .none }
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
        // Not `from:`, which may read up to the stride: the value's object ends before that.
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

    /// Goes on in a clean chunk. The oldest waits to be let go of.
    ///
    /// Once the recorder has stopped, what it told must stay: the chunks that are begun then never go on record.
    @inline(never) func beginChunk() {
        let position = position
        let next = clean.popFirst() ?? takeOld(evenOwning: false) ?? makeChunk()
        let hasStopped = last.load(ordering: .acquiring) != .max
        if isOffRecord {
            wait(current)
        } else if !hasStopped, (onRecord.count - 1) * chunkCapacity >= capacity,
            let oldest = onRecord.popFirst()
        {
            // What went while one thread alone had recorded came before all that others have on record.
            if Recorders.isShared { noteLost(oldest) }
            oldest._withUnsafeGuaranteedRef { $0.goOffRecord() }
            wait(oldest)
        }
        isOffRecord = hasStopped
        current = next
        next._withUnsafeGuaranteedRef { begin($0, after: position) }
    }
    /// A reader that does not find the chunk any more is told what it stored to.
    @inline(never) private func noteLost(_ chunk: Unmanaged<RecordChunk>) {
        let next = onRecord.first?._withUnsafeGuaranteedRef { $0.firstTime }
        chunk._withUnsafeGuaranteedRef { lost.note($0.published, before: next ?? Recorders.now) }
    }
    /// What is off the record waits for `tidy`.
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
    /// A chunk that is off the record and read by nobody, with nothing in it. One that needs no `tidy`, for it holds nothing of the user's,
    /// may be taken at any time: a thread that only links and cuts has none for that.
    private func takeOld(evenOwning: Bool) -> Unmanaged<RecordChunk>? {
        for _ in 0..<old.count {
            guard let chunk = old.popFirst() else { return nil }
            if chunk._withUnsafeGuaranteedRef({ $0.isFree && (evenOwning || !$0.ownsMemory) }) {
                chunk._withUnsafeGuaranteedRef { $0.clear() }
                return chunk
            }
            old.append(chunk)
        }
        return nil
    }
    private func makeChunk() -> Unmanaged<RecordChunk> {
        let chunk = RecordChunk(capacity: chunkCapacity, keepsValues: keepsValues)
        all.withLock { $0.append(chunk) }
        return .passUnretained(chunk)
    }
    /// Lets go of what is off the record and read by nobody. No lock is held; what is let go of may set nodes.
    @inline(never) func tidy() {
        isDirty = false
        for _ in 0..<old.count {
            guard let chunk = takeOld(evenOwning: true) else { return }
            clean.append(chunk)
        }
    }
    /// How many records this thread has made for this recorder.
    var position: UInt64 { current._withUnsafeGuaranteedRef { $0.first } + UInt64(index) }

    // MARK: Reading

    /// What is on record now.
    package var reading: ThreadReading {
        let chunks = all.withLock { $0 }.filter { $0.pin() }
        return ThreadReading(
            number: thread, writers: writers.withLock { $0 }, lost: lost.copy, PinnedChunks(chunks), limit: capacity,
            end: last.load(ordering: .acquiring))
    }
}
