extension UnsafeMutablePointer {
    /// A place with room for `capacity`, to which the first `count` were moved; the old one is given back.
    func moved(_ count: Int, toRoomFor capacity: Int) -> UnsafeMutablePointer {
        let larger = UnsafeMutablePointer.allocate(capacity: capacity)
        larger.moveInitialize(from: self, count: count)
        deallocate()
        return larger
    }
}
