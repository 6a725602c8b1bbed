/// Until when a thread has stored to a node what is no longer on record, by a hash of the node's address.
///
/// Threads do not go back equally far. What a store made of its node is told by the store after it, wherever that was made; and that one may
/// be gone while the older one is still on record.
///
/// A time may be another node's, and may be somewhat later than the store was; it is never too early.
struct LostStores: Sendable {
    private var times = [UInt64](repeating: 0, count: 1024)

    /// Notes records that go, or have gone. What comes after the last one of them happened at `next` or later.
    mutating func note(_ records: UnsafeBufferPointer<Record>, before next: UInt64) {
        // What does not look at the clock was made before what does so next.
        var time = next
        for record in records.reversed() {
            if let own = record.time { time = own }
            guard record.kind.stores else { continue }
            let place = LostStores.place(of: record.target)
            times[place] = max(times[place], time)
        }
    }
    /// Any node may have been stored to until `time`.
    mutating func noteAll(until time: UInt64) { times = times.map { max($0, time) } }
    /// Until when the node at an address may have been stored to; 0 where it was not.
    func last(to node: UInt) -> UInt64 { times[LostStores.place(of: node)] }
    /// By Fibonacci hashing: the highest bits of the product depend on all bits of the address.
    static func place(of node: UInt) -> Int { Int((UInt64(node) &* 0x9E37_79B9_7F4A_7C15) >> 54) }
}
