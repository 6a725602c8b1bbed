extension Unmanaged<AnyObject> {
    /// What calls edges: the thread's propagation.
    @inlinable @inline(__always) static func propagation(_ propagation: Propagation) -> Unmanaged<AnyObject> {
        .fromOpaque(Unmanaged<Propagation>.passUnretained(propagation).toOpaque())
    }
}
extension RawDelivery {
    /// The propagation that calls the edge.
    @inlinable @inline(__always) var propagation: Unmanaged<Propagation> { .fromOpaque(caller.toOpaque()) }
}
