// What a set with a context, and a replay, leave for the next one, so that it need not allocate.

extension Propagation {
    /// A box with `context`, which is there, to be let go of by `letGo(of:)`: one that a set before has left, if there is one.
    func box(_ context: NodeContext?) -> Unmanaged<ContextBox> {
        let box = spareBox ?? .passRetained(ContextBox(nil, place: .allocate(capacity: 1)))
        spareBox = nil
        box._withUnsafeGuaranteedRef { $0.fill(context) }
        return box
    }
    /// Lets go of a box, or keeps it for the next set.
    func letGo(of box: Unmanaged<ContextBox>) {
        guard box._withUnsafeGuaranteedRef({ $0.isFull }), box.isHeldOnce else { return box.release() }
        // The end of what was in it may be the user's code, which may set something.
        box._withUnsafeGuaranteedRef { $0.empty() }
        if let other = spareBox { other.release() }
        spareBox = box
    }

    /// This thread's spare vertex, if it is of the type of `store`.
    static func takeSpareStore(like store: Vertex) -> Vertex? {
        guard let propagation = quick else { return nil }
        return propagation._withUnsafeGuaranteedRef { propagation in
            guard let spare = propagation.spareStore,
                spare._withUnsafeGuaranteedRef({ type(of: $0) == type(of: store) })
            else { return nil }
            propagation.spareStore = nil
            countSpareStore(-1)
            return spare.takeRetainedValue()
        }
    }
    /// Lets go of the copy of a replay that is over, or keeps it for the next one, and lets go of its value. No lock is held.
    @inline(__always) func letGo(of copy: Unmanaged<Vertex>) {
        guard copy.isHeldOnce else { return copy.release() }
        // The end of the value may be the user's code, which may listen to something.
        copy._withUnsafeGuaranteedRef { $0.dropCopy() }
        let other = spareStore
        spareStore = copy
        if let other { other.release() } else { Propagation.countSpareStore(1) }
    }
    /// Lets go of all that is kept for the next one.
    func letGoOfSpares() {
        spareBox.take()?.release()
        guard let spare = spareStore.take() else { return }
        Propagation.countSpareStore(-1)
        spare.release()
    }
    /// A spare vertex is none of the graph's.
    private static func countSpareStore(_ difference: Int) {
        #if DEBUG
        LiveObjects.vertices.subtract(difference, ordering: .releasing)
        #endif
    }
}

extension Unmanaged {
    /// Whether nobody holds the object but who asks.
    fileprivate var isHeldOnce: Bool {
        var object = self
        return withUnsafeMutablePointer(to: &object) { place in
            place.withMemoryRebound(to: Instance.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
        }
    }
}
