/// The time of the last evicted store of a thread to each node, by a hash of the node's serial number.
///
/// The records of threads do not reach equally far back. The value that a store gave its node is in the record of the
/// next store, which may be another thread's. That record may be evicted while the older one is still on record.
///
/// A time may belong to another node with the same hash, and may be somewhat later than the store. It is never too
/// early.
struct EvictionTimes: Sendable {
    /// Empty until a record is evicted.
    private var times: [UInt64] = []

    init() {}
    /// Copies at once.
    init(copying other: EvictionTimes) { times = other.times.map(\.self) }

    subscript(node: UInt) -> UInt64 { times.isEmpty ? 0 : times[EvictionTimes.place(of: node)] }
    /// Notes the stores among records that are evicted. Records after them happened at `next` or later.
    mutating func note(_ records: UnsafeBufferPointer<Record>, before next: UInt64) {
        makeRoom()
        // A record without a time was made no later than the next one with a time.
        var time = next
        for record in records.reversed() {
            if let own = record.time { time = own }
            guard record.stores else { continue }
            let place = EvictionTimes.place(of: record.target)
            times[place] = max(times[place], time)
        }
    }
    /// Notes that any node may have been stored to until a time.
    mutating func noteAll(until time: UInt64) {
        makeRoom()
        times = times.map { max($0, time) }
    }
    private mutating func makeRoom() { if times.isEmpty { times = Array(repeating: 0, count: 1024) } }
    /// Returns the place for a node, by Fibonacci hashing: the highest bits of the product depend on all bits of the
    /// number.
    static func place(of node: UInt) -> Int { Int((UInt64(node) &* 0x9E37_79B9_7F4A_7C15) >> 54) }
}
