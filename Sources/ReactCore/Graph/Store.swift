/// The cause of a store.
@usableFromInline package enum StoreCause {
    /// The program sets or empties a node.
    case set
    /// The edge that is being called.
    case call(Unmanaged<AnyEdge>)
    /// An edge that took the vertex's turn earlier, with the connection that it had then. Its trail was checked then,
    /// too.
    case turn(ConnectionToken)
    /// The vertex is a join's, which fires.
    case firing
}

/// The place of a vertex's value, for code that copies the value under the vertex's lock.
package struct StoredValue {
    /// The place of an optional of the type.
    package let place: UnsafeMutableRawPointer
    package let type: any AnyOptional.Type
    package let size: Int
    /// True if the value is plain data that any aligned word may hold.
    package let isPlain: Bool
}
