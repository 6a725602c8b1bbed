import Synchronization

/// A value on its way through one edge: what an operator's closure is given. Valid during the call alone.
///
/// Four words, so that it travels in registers.
@usableFromInline package struct RawDelivery {
    /// Who calls; what that is, only the delivery knows.
    @usableFromInline let caller: Unmanaged<AnyObject>
    @usableFromInline let edge: Unmanaged<AnyEdge>
    @usableFromInline let source: Unmanaged<Vertex>
    @usableFromInline let target: Unmanaged<Vertex>?

    @usableFromInline init(
        caller: Unmanaged<AnyObject>, edge: Unmanaged<AnyEdge>, source: Unmanaged<Vertex>, target: Unmanaged<Vertex>?
    ) {
        self.caller = caller
        self.edge = edge
        self.source = source
        self.target = target
    }
}

/// Where a delivery goes on: at the edge that is to be called next, if what was called knows it, and so spares the engine
/// to look for it. The edge is the first of the last frame's, and no longer among those that are still to come there.
@usableFromInline package struct Sent {
    @usableFromInline let edge: Unmanaged<AnyEdge>?
    /// The linking by which it is to be called.
    @usableFromInline let number: UInt64

    @inlinable init(_ edge: Unmanaged<AnyEdge>?, number: UInt64) {
        self.edge = edge
        self.number = number
    }
    /// The edge in a word of `EdgeSlots`, if there is one, as it is linked now. The lock of its source is held.
    @inlinable @inline(__always) init(word: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: word) else { self = .nothing; return }
        let edge = Unmanaged<AnyEdge>.fromOpaque(pointer)
        self.init(edge, number: edge._withUnsafeGuaranteedRef { $0.link.load(ordering: .relaxed) & ~7 })
    }
    /// It is not known, or there is none.
    @inlinable package static var nothing: Sent { Sent(nil, number: 0) }
}
