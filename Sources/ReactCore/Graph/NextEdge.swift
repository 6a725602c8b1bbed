import Synchronization

/// The edge that the run loop calls next, if the called code knows it. That saves the loop a search. The edge is the
/// first one of the top frame, and the frame no longer counts it among those that are still to be called.
@usableFromInline package struct NextEdge {
    @usableFromInline let edge: Unmanaged<AnyEdge>?
    /// The generation of the connection by which the edge is to be called.
    @usableFromInline let generation: UInt64

    @inlinable init(_ edge: Unmanaged<AnyEdge>?, generation: UInt64) {
        self.edge = edge
        self.generation = generation
    }
    /// Reads the edge from a word of `EdgeStorage`, if there is one, with its present generation.
    @inlinable @inline(__always) init(word: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: word) else { self = .nothing; return }
        let edge = Unmanaged<AnyEdge>.fromOpaque(pointer)
        self.init(edge, generation: edge._withUnsafeGuaranteedRef { $0.knownWord & ~7 })
    }
    /// No edge: the next one is unknown, or there is none.
    @inlinable package static var nothing: NextEdge { NextEdge(nil, generation: 0) }
}
