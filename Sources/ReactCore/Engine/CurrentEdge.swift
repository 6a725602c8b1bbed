/// The position of the edge that is being called: its frame ends at `top`, and its pass is the last one below `passes`.
@usableFromInline struct CurrentEdge {
    @usableFromInline var top: UnsafeMutablePointer<Frame>
    @usableFromInline var passes: Int
    /// The generation of the connection through which the edge was called.
    @usableFromInline var generation: UInt64
}
