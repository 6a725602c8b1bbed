import ReactCore
import Synchronization

/// Some records of one thread, and the values that they hold. The thread writes them; whoever reads them has the chunk pinned.
///
/// The values lie in blocks, which the chunk keeps: so a chunk that is used again allocates nothing that it has not needed before.
/// A record says where its value is, in units of eight bytes. What is too large for a block, or aligned to more than that, lies
/// in a box.
///
/// Invariants:
/// - `state` counts the readings that have the chunk pinned, and says whether it is off the record. Only what is on record can be
///   pinned, and only what is off the record and not pinned is let go of, or written anew.
/// - What lies behind `count` is the writer's alone.
///
/// Unchecked, because of these.
final class RecordChunk: @unchecked Sendable {
    let records: UnsafeMutablePointer<Record>
    /// How many records are published.
    let count = Atomic<Int>(0)
    /// How many the thread had recorded before.
    @exclusivity(unchecked) private(set) var first: UInt64 = 0
    /// Whether any value has to be let go of.
    @exclusivity(unchecked) var ownsMemory = false

    private let state = Atomic<Int>(RecordChunk.offRecord)
    private static let offRecord = 1 << 62

    private let blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>?
    @exclusivity(unchecked) private(set) var blockCount = 0
    /// Of a block, in bytes, a power of two.
    let blockSize: Int
    static let unit = 8
    @inline(__always) static func rounded(_ size: Int) -> UInt {
        UInt(bitPattern: size &+ (unit &- 1)) & ~UInt(unit &- 1)
    }
    private static let maximumBlockCount = 32
    /// What is larger lies in a box.
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

    /// Before anything is written to it, and while it is off the record.
    func begin(after first: UInt64) { self.first = first }
    func goOnRecord() { state.store(0, ordering: .releasing) }
    func goOffRecord() { state.bitwiseOr(RecordChunk.offRecord, ordering: .acquiringAndReleasing) }
    /// Whether it is off the record, and nobody reads it.
    var isFree: Bool { state.load(ordering: .acquiring) == RecordChunk.offRecord }
    /// Keeps what is on record as it is; fails where it is not.
    func pin() -> Bool {
        // What was noted before it went off the record is seen by who finds it gone.
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
    /// The time of the first record that has one.
    var firstTime: UInt64? { published.lazy.compactMap(\.time).first }

    // MARK: Values

    /// The block at `index`, made if needed; `nil` where there are no more.
    func block(at index: Int) -> UnsafeMutableRawPointer? {
        guard let blocks, index < RecordChunk.maximumBlockCount else { return nil }
        if index == blockCount {
            (blocks + index).initialize(to: .allocate(byteCount: blockSize, alignment: RecordChunk.unit))
            blockCount += 1
        }
        return blocks[index]
    }
    /// Where a value lies. Precondition: the chunk keeps values.
    private func place(of value: RecordedValue) -> UnsafeMutableRawPointer {
        let bytes = value.place * RecordChunk.unit
        return blocks.unsafelyUnwrapped[bytes / blockSize] + bytes % blockSize
    }
    func pointer(to value: RecordedValue) -> UnsafeMutableRawPointer {
        value.isBoxed ? place(of: value).load(as: UnsafeMutableRawPointer.self) : place(of: value)
    }
    /// The value of the record at `index` as text; `nil` where it is none.
    func describedValue(at index: Int) -> String? {
        let value = records[index].value
        func describe<Held: Holdable>(_: Held.Type) -> String? {
            pointer(to: value).assumingMemoryBound(to: Held.self).pointee.describedIfAny
        }
        guard let type = value.type as? any Holdable.Type else { return nil }
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
    /// Lets go of all that is held. It is the user's code that runs then, so no lock is held.
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
