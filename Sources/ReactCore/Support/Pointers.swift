extension UnsafeMutablePointer {
    /// Moves the first `count` elements to new memory with room for `capacity`, on cache lines of its own. Deallocates
    /// the old memory.
    func moved(_ count: Int, toOwnCacheLinesFor capacity: Int) -> UnsafeMutablePointer {
        let larger = UnsafeMutablePointer.allocateOwnCacheLines(capacity: capacity)
        larger.moveInitialize(from: self, count: count)
        deallocate()
        return larger
    }
}

// Data that one thread writes for every value shares no cache line with another thread's data. A shared line moves from
// processor to processor, which takes as long as about ten deliveries. Without care, the data of two threads may be
// neighbours, because a new thread may begin with the memory of one that has ended.

/// The size of the largest cache lines, in bytes.
private let lineSize = 128

extension UnsafeMutablePointer {
    /// Allocates memory with room for `capacity`, on cache lines of its own.
    static func allocateOwnCacheLines(capacity: Int) -> UnsafeMutablePointer {
        let size = (capacity * MemoryLayout<Pointee>.stride + lineSize - 1) / lineSize * lineSize
        return UnsafeMutableRawPointer.allocate(byteCount: size, alignment: lineSize)
            .bindMemory(to: Pointee.self, capacity: capacity)
    }
}

/// Unused bytes before and behind the fields that an object writes, so that its neighbours in memory share no cache
/// line with them.
struct CacheLinePadding {
    private let bytes = SIMD16<UInt64>()
}

extension Unmanaged {
    @inline(__always) var address: UInt { UInt(bitPattern: toOpaque()) }
    /// The object, retained, or `nil` if its `deinit` has begun. Precondition: its memory has not been freed.
    ///
    /// May be called under a lock that the `deinit` takes, because it never releases the last reference. An unoptimised
    /// build retains and releases the object on the way. The first retain here comes before these, and is undone when
    /// the result holds the object.
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
