/// The duration of a wait for a graph, and the thread that owned the graph then, in the 48 bits of a record.
struct RecordedWait {
    /// The number of the thread; 0 if it is not known.
    let owner: UInt64
    let microseconds: UInt64

    init(owner: UInt64, nanoseconds: UInt64) {
        (self.owner, microseconds) = (owner, min(nanoseconds / 1_000, UInt64(UInt32.max)))
    }
    init(word: UInt) { (owner, microseconds) = (UInt64(word) >> 32, UInt64(word) & UInt64(UInt32.max)) }
    var word: UInt { UInt(owner << 32 | microseconds) }
    /// True if the wait took a millisecond.
    var isLong: Bool { microseconds >= 1_000 }
    var duration: Duration { .microseconds(Int64(microseconds)) }
}
