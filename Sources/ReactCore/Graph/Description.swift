// The text of a node, in its description and in the messages of traps.

extension Vertex {
    /// The text of `AnyNode.description`, while anyone refers to the vertex.
    final var description: String { description(isRedacted: isRedacted()) }
    final func description(isRedacted: Bool) -> String {
        let value = shownValue(isRedacted: isRedacted) ?? "empty"
        return "Node(named: \(locking { coldState?.name } ?? "undefined"), value: \(value))"
    }

    /// The node in the messages of traps: as it is described if it has a name, and otherwise by its type, as in
    /// `Node<Int>(12)`.
    final var textInMessages: String {
        if locking({ coldState?.name }) != nil { return description }
        return "Node<\(valueType)>(\(shownValue() ?? "empty"))"
    }

    /// Returns the value as users may see it; `nil` if there is none.
    final func shownValue() -> String? { shownValue(isRedacted: isRedacted()) }

    final func shownValue(isRedacted: Bool) -> String? {
        if isRedacted { return locking { holdsNothing } ? nil : "redacted" }
        let path = Self.described
        let id = ObjectIdentifier(self)
        guard path.count < 4, !path.contains(id) else { return locking { holdsNothing } ? nil : "…" }
        return Self.$described.withValue(path + [id]) { describedValue() }
    }
    /// The vertices whose values are being described in this call, outermost first, because a value may be a node, or
    /// contain one.
    @TaskLocal private static var described: [ObjectIdentifier] = []
}

extension AnyNode {
    /// See `Vertex.textInMessages`.
    @usableFromInline package final var textInMessages: String { vertex.textInMessages }
}
