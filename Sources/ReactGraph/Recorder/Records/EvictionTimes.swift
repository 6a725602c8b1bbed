import ReactCore
import Synchronization

/// Stores the time of the last evicted store of a thread to each node, by a hash of the node's serial number.
///
/// The records of threads do not reach equally far back. The value that a store gave its node is in the record of the
/// next store, which may be another thread's. That record may be evicted while the older one is still on record.
///
/// A time may belong to another node with the same hash, and may be somewhat later than the store. It is never too
/// early.
///
/// Unchecked, because the pointer never changes, and the times are atomic.
final class EvictionTimes: @unchecked Sendable {
    private let times: UnsafeMutablePointer<Atomic<UInt64>>
    static let count = 1024

    init() {
        times = .allocate(capacity: EvictionTimes.count)
        for place in 0..<EvictionTimes.count { (times + place).initialize(to: Atomic(0)) }
    }
    deinit { times.deinitialize(count: EvictionTimes.count).deallocate() }

    /// Notes the stores among records that are about to be evicted, on the thread that made them. Records after them
    /// happened at `next` or later.
    func note(_ records: UnsafeBufferPointer<Record>, before next: UInt64) {
        EvictionTimes.each(records, before: next) { place, time in
            // No exchange is needed, because there is one writer.
            if times[place].load(ordering: .relaxed) < time { times[place].store(time, ordering: .relaxed) }
        }
    }
    /// A copy of the times, for a reader that misses evicted records.
    var copy: [UInt64] { (0..<EvictionTimes.count).map { times[$0].load(ordering: .relaxed) } }

    /// Calls `body` for each store among the records, with the place of its node's time, and a time that is not before
    /// the store.
    static func each(
        _ records: UnsafeBufferPointer<Record>, before next: UInt64, _ body: (_ place: Int, _ time: UInt64) -> Void
    ) {
        // A record without a time was made no later than the next one with a time.
        var time = next
        for record in records.reversed() {
            if let own = record.time { time = own }
            if record.stores { body(place(of: record.target), time) }
        }
    }
    /// Returns the place for a node, by Fibonacci hashing: the highest bits of the product depend on all bits of the
    /// number.
    static func place(of node: UInt) -> Int { Int((UInt64(node) &* 0x9E37_79B9_7F4A_7C15) >> 54) }
}
