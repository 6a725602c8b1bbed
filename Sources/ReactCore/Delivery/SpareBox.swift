// What a set with a context leaves for the next one, so that it need not allocate.

extension Propagation {
    /// A box with `context`, which is there, to be let go of by `letGo(of:)`: one that a set before has left, if there is one.
    func box(_ context: NodeContext?) -> Unmanaged<ContextBox> {
        let box = spareBox ?? .passRetained(ContextBox(place: .allocate(capacity: 1)))
        spareBox = nil
        box._withUnsafeGuaranteedRef { $0.fill(context) }
        return box
    }
    /// Lets go of a box, or keeps it for the next set.
    func letGo(of box: Unmanaged<ContextBox>) {
        guard box._withUnsafeGuaranteedRef({ $0.isReusable }), box.isHeldOnce else { return box.release() }
        // The end of what was in it may be the user's code, which may set something.
        box._withUnsafeGuaranteedRef { $0.empty() }
        if let other = spareBox { other.release() }
        spareBox = box
    }
}

extension Unmanaged<ContextBox> {
    /// Whether nobody holds the box but who asks.
    fileprivate var isHeldOnce: Bool {
        var box = self
        return withUnsafeMutablePointer(to: &box) { place in
            place.withMemoryRebound(to: ContextBox.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
        }
    }
}
