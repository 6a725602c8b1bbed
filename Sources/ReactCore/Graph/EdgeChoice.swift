/// An edge, as it was linked when it made a choice. Used while the edge is held: in its call, or in what waits for a turn of it.
@usableFromInline package struct EdgeChoice {
    @usableFromInline package let edge: Unmanaged<AnyEdge>
    @usableFromInline package let number: UInt64

    /// Whether the edge is still linked so.
    @usableFromInline package var isCurrent: Bool { edge._withUnsafeGuaranteedRef { $0.isLinked(by: number) } }
}
