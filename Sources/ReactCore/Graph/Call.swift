/// The fate of a value with which an edge was called, if it was neither stored nor queued.
package enum CallResult {
    /// The edge was disconnected before it had stored the value.
    case cut
    /// The value had passed the join that the edge leads to.
    case cameRound
    /// A join took the value. It still misses so many others.
    case arrived(missing: Int)
    /// The value waits for its partners.
    case waits
    /// The edge keeps the value for values of another edge.
    case kept
    /// The value told the operator to end.
    case ended
    case notPassedOn
}

/// Why an edge is called outside of its source's delivery.
package enum SeparateCall {
    /// The edge was connected to a node that has a value.
    case initial
    /// The value came while the edge caught up.
    case buffered
    /// The edge sends a value that came earlier. The number and interval are those of its `BufferedValueRecord`, if it
    /// has one.
    case sentLater(UInt)
}

/// The result of a firing that stored nothing.
package enum FiringResult {
    /// The new value equals the one before.
    case same
    /// An input has no value.
    case waits
    /// The body was not called, because nothing that it read has changed.
    case unchanged
    /// The body is called again later in this transaction.
    case givenUp
}

/// The call of an edge with a value: the argument of an operator's closure. Valid during the call only.
///
/// Four words, so that it travels in registers.
@usableFromInline package struct ErasedEdgeCall {
    /// The caller. Only the delivery knows its type.
    @usableFromInline let caller: Unmanaged<AnyObject>
    @usableFromInline package let edge: Unmanaged<AnyEdge>
    @usableFromInline package let source: Unmanaged<Vertex>
    @usableFromInline package let target: Unmanaged<Vertex>?
}
