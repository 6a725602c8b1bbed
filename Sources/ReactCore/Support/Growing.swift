extension UnsafeMutablePointer {
    /// A place with room for `capacity`, to which the first `count` were moved; the old one is given back.
    func moved(_ count: Int, toRoomFor capacity: Int) -> UnsafeMutablePointer {
        moved(count, to: .allocate(capacity: capacity))
    }
    /// The same on cache lines of its own.
    func moved(_ count: Int, toOwnLinesFor capacity: Int) -> UnsafeMutablePointer {
        moved(count, to: .allocateOwnLines(capacity: capacity))
    }
    private func moved(_ count: Int, to larger: UnsafeMutablePointer) -> UnsafeMutablePointer {
        larger.moveInitialize(from: self, count: count)
        deallocate()
        return larger
    }
}
