import ReactCore
import Synchronization

/// Until when a thread has stored to a node what is no longer on record, by a hash of the node's serial number.
///
/// Threads do not go back equally far. What a store made of its node is told by the store after it, wherever that was made; and that one may
/// be gone while the older one is still on record.
///
/// A time may be another node's, and may be somewhat later than the store was; it is never too early.
///
/// Unchecked, because the pointer never changes, and what lies there is atomic.
final class EvictionTimes: @unchecked Sendable {
    private let times: UnsafeMutablePointer<Atomic<UInt64>>
    static let count = 1024

    init() {
        times = .allocate(capacity: EvictionTimes.count)
        for place in 0..<EvictionTimes.count { (times + place).initialize(to: Atomic(0)) }
    }
    deinit { times.deinitialize(count: EvictionTimes.count).deallocate() }

    /// Notes records that go, before they do, on the thread that made them. What comes after the last one of them happened at `next` or later.
    func note(_ records: UnsafeBufferPointer<Record>, before next: UInt64) {
        EvictionTimes.each(records, before: next) { place, time in
            // There is one writer.
            if times[place].load(ordering: .relaxed) < time { times[place].store(time, ordering: .relaxed) }
        }
    }
    /// The times now, for a reader that has not found some records any more.
    var copy: [UInt64] { (0..<EvictionTimes.count).map { times[$0].load(ordering: .relaxed) } }

    /// Calls `body` for each store among the records, with where its node's time is, and a time that the store was not after.
    static func each(
        _ records: UnsafeBufferPointer<Record>, before next: UInt64, _ body: (_ place: Int, _ time: UInt64) -> Void
    ) {
        // What does not look at the clock was made before what does so next.
        var time = next
        for record in records.reversed() {
            if let own = record.time { time = own }
            if record.kind.stores { body(place(of: record.target), time) }
        }
    }
    /// By Fibonacci hashing: the highest bits of the product depend on all bits of the number.
    static func place(of node: UInt) -> Int { Int((UInt64(node) &* 0x9E37_79B9_7F4A_7C15) >> 54) }
}
