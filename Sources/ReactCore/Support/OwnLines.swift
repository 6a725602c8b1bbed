// What one thread writes with every value shares no cache line with what another writes: such a line goes from processor to
// processor, which takes as long as some ten deliveries. What a thread has lies beside what another has, where one of them has
// begun with what a thread before it has left.

/// The largest cache lines that there are, in bytes.
private let lineSize = 128

extension UnsafeMutablePointer {
    /// A place with room for `capacity`, on cache lines of its own.
    static func allocateOwnLines(capacity: Int) -> UnsafeMutablePointer {
        let size = (capacity * MemoryLayout<Pointee>.stride + lineSize - 1) / lineSize * lineSize
        return UnsafeMutableRawPointer.allocate(byteCount: size, alignment: lineSize)
            .bindMemory(to: Pointee.self, capacity: capacity)
    }
}

/// Bytes that nobody uses: before and behind what an object writes, so that its neighbours in memory share no line with that.
struct UnusedLine {
    private let bytes = SIMD16<UInt64>()
}
