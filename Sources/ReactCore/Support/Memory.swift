extension UnsafeMutablePointer {
    /// `larger`, to which the first `count` were moved; the old place is given back.
    func moved(_ count: Int, to larger: UnsafeMutablePointer) -> UnsafeMutablePointer {
        larger.moveInitialize(from: self, count: count)
        deallocate()
        return larger
    }
    /// The same with room for `capacity` on cache lines of its own.
    func moved(_ count: Int, toOwnLinesFor capacity: Int) -> UnsafeMutablePointer {
        moved(count, to: .allocateOwnLines(capacity: capacity))
    }
}

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

extension Unmanaged {
    @inline(__always) var address: UInt { UInt(bitPattern: toOpaque()) }
    /// The object, held, or `nil` if its `deinit` has begun. Precondition: its memory is still there.
    ///
    /// May be asked under a lock that the `deinit` takes: it lets go of no last hold. An unoptimised build takes and lets go
    /// of holds on the way; the first one here is there before them, and goes when the answer holds the object.
    package var whileAlive: Instance? {
        @inline(never) get {
            let first = retain()
            defer { first.release() }
            return _withUnsafeGuaranteedRef { object in
                weak let reference = object
                return reference
            }
        }
    }
}
