import ReactCore
import Synchronization

/// Stores some records of one thread, and the values that they hold. The thread writes them. A reader pins the chunk.
///
/// The values lie in blocks, which the chunk keeps. So a chunk that is used again allocates only blocks that it has not
/// needed before. A record has the place of its value, in units of eight bytes. A value that is too large for a block,
/// or aligned to more than eight bytes, lies in a box.
///
/// Invariants:
/// - `state` counts the readings that have the chunk pinned, and has a bit that says that the chunk is off the record.
///   Only a chunk on record can be pinned. Only a chunk that is off the record and not pinned is cleared or written
///   anew.
/// - Records at `count` and after it belong to the writer alone.
///
/// Unchecked, because of these.
final class RecordChunk: @unchecked Sendable {
    let records: UnsafeMutablePointer<Record>
    /// The number of published records.
    let count = Atomic<Int>(0)
    /// The number of records that the thread had made before the first one here.
    @exclusivity(unchecked) private(set) var first: UInt64 = 0
    /// True if a value here owns memory, so that it must be destroyed.
    @exclusivity(unchecked) var ownsMemory = false

    private let state = Atomic<Int>(RecordChunk.offRecord)
    private static let offRecord = 1 << 62

    private let blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>?
    @exclusivity(unchecked) private(set) var blockCount = 0
    /// The size of a block in bytes: a power of two.
    let blockSize: Int
    static let unit = 8
    @inline(__always) static func rounded(_ size: Int) -> UInt {
        UInt(bitPattern: size &+ (unit &- 1)) & ~UInt(unit &- 1)
    }
    private static let maximumBlockCount = 32
    /// The size of the largest value outside of a box, in bytes. A larger one may lie in a block that has room for it.
    static let largestValue = 512

    init(capacity: Int, keepsValues: Bool) {
        records = .allocate(capacity: capacity)
        var size = RecordChunk.largestValue
        while size < capacity * 16 { size *= 2 }
        blockSize = size
        blocks = keepsValues ? .allocate(capacity: RecordChunk.maximumBlockCount) : nil
    }
    deinit {
        clear()
        records.deallocate()
        for block in 0..<blockCount { blocks![block].deallocate() }
        blocks?.deallocate()
    }

    // MARK: On and off the record

    /// Sets the position of the first record. The chunk is off the record, and has no records.
    func begin(after first: UInt64) { self.first = first }
    func goOnRecord() { state.store(0, ordering: .releasing) }
    func goOffRecord() { state.bitwiseOr(RecordChunk.offRecord, ordering: .acquiringAndReleasing) }
    /// True if the chunk is off the record and no reader has it pinned.
    var isFree: Bool { state.load(ordering: .acquiring) == RecordChunk.offRecord }
    /// Pins the chunk, so that it is not changed. Fails if it is off the record.
    func pin() -> Bool {
        // Acquires: a reader that finds the chunk off the record also sees the eviction times that were noted before.
        var known = state.load(ordering: .acquiring)
        while known & RecordChunk.offRecord == 0 {
            let (exchanged, original) = state.compareExchange(
                expected: known, desired: known + 1, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            known = original
        }
        return false
    }
    func unpin() { state.subtract(1, ordering: .acquiringAndReleasing) }

    // MARK: Records

    var published: UnsafeBufferPointer<Record> {
        UnsafeBufferPointer(start: records, count: count.load(ordering: .acquiring))
    }
    /// The time of the first record that has a time.
    var firstTime: UInt64? { published.lazy.compactMap(\.time).first }

    // MARK: Values

    /// Returns the block at `index`, and allocates it if needed; `nil` if the chunk has no more blocks.
    func block(at index: Int) -> UnsafeMutableRawPointer? {
        guard let blocks, index < RecordChunk.maximumBlockCount else { return nil }
        if index == blockCount {
            (blocks + index).initialize(to: .allocate(byteCount: blockSize, alignment: RecordChunk.unit))
            blockCount += 1
        }
        return blocks[index]
    }
    /// Returns the address of a value. Precondition: the chunk keeps values.
    private func place(of value: RecordedValue) -> UnsafeMutableRawPointer {
        let bytes = value.place * RecordChunk.unit
        return blocks.unsafelyUnwrapped[bytes / blockSize] + bytes % blockSize
    }
    func pointer(to value: RecordedValue) -> UnsafeMutableRawPointer {
        value.isBoxed ? place(of: value).load(as: UnsafeMutableRawPointer.self) : place(of: value)
    }
    /// Describes the value of the record at `index`; `nil` if it is an empty optional.
    func describedValue(at index: Int) -> String? {
        let value = records[index].value
        func describe<Held: AnyOptional>(_: Held.Type) -> String? {
            pointer(to: value).assumingMemoryBound(to: Held.self).pointee.describedIfAny
        }
        guard let type = value.type as? any AnyOptional.Type else { return nil }
        return describe(type)
    }
    func letGo(of value: RecordedValue) {
        func destroy<Held>(_: Held.Type) {
            let pointer = pointer(to: value).assumingMemoryBound(to: Held.self)
            pointer.deinitialize(count: 1)
            if value.isBoxed { pointer.deallocate() }
        }
        _openExistential(value.type, do: destroy)
    }
    /// Destroys all values and removes all records. User code may run, so no lock may be held.
    func clear() {
        if ownsMemory {
            for index in 0..<count.load(ordering: .acquiring) where records[index].mustDestroyValue {
                letGo(of: records[index].value)
            }
            ownsMemory = false
        }
        count.store(0, ordering: .relaxed)
    }
}
