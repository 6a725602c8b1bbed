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
