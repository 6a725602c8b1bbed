// The text of a node, in its description and in the messages of traps.

extension Vertex {
    /// Returns the text of `AnyNode.description`, while anyone refers to the vertex.
    final func description(isRedacted: Bool) -> String {
        let value = shownValue(isRedacted: isRedacted) ?? "empty"
        return "Node(named: \(locking { coldState?.name } ?? "undefined"), value: \(value))"
    }

    /// The name, or else the type. Runs no user code.
    final var kindInMessages: String { locking { coldState?.name }.map { "“\($0)”" } ?? "a Node<\(valueType)>" }
    /// The name of the node in messages; for a node without a name, its type and value.
    package final var nameInMessages: String { locking { coldState?.name }.map { "“\($0)”" } ?? textInMessages }
    /// The node in the messages of traps: as it is described if it has a name, and otherwise by its type, as in
    /// `Node<Int>(12)`.
    final var textInMessages: String {
        let isRedacted = self.isRedacted()
        if hasName { return description(isRedacted: isRedacted) }
        return "Node<\(valueType)>(\(shownValue(isRedacted: isRedacted) ?? "empty"))"
    }

    /// The node in the messages of traps. A node without a name is followed by its origin: the edges and nodes
    /// upstream, up to the first one with a name. If none has a name, the text ends with the remedy.
    final var textAndOriginInMessages: String {
        var text = textInMessages, vertex = self, steps = 0
        while !vertex.hasName, steps < 4, let edge = vertex.upstreamEdges.first, let source = edge.source {
            text += ", which “\(edge.name)” makes of \(source.textInMessages)"
            (vertex, steps) = (source.vertex, steps + 1)
        }
        if !vertex.hasName { text += ", which has no name (give it one by named(_:))" }
        return hasName ? text : text + ","
    }
    private final var hasName: Bool { locking { coldState?.name } != nil }

    /// Returns the value as users may see it; `nil` if there is none.
    final func shownValue(isRedacted: Bool) -> String? {
        if isRedacted { return readsEmpty ? nil : "redacted" }
        let path = Self.described
        let id = ObjectIdentifier(self)
        guard path.count < 4, !path.contains(id) else { return readsEmpty ? nil : "…" }
        return Self.$described.withValue(path + [id]) { describedValue() }
    }
    /// The vertices whose values are being described in this call, outermost first, because a value may be a node, or
    /// contain one.
    @TaskLocal private static var described: [ObjectIdentifier] = []
}

extension AnyNode {
    /// See `Vertex.textInMessages`.
    @usableFromInline package final var textInMessages: String { vertex.textInMessages }
    /// See `Vertex.textAndOriginInMessages`.
    package final var textAndOriginInMessages: String { vertex.textAndOriginInMessages }
}

/// Describes values.
package enum ValueText {
    /// Describes values in place of their own descriptions.
    @TaskLocal package static var describer: (any Describer)?

    package static func of<Value>(_ value: Value) -> String {
        describer?.text(of: value) ?? String(describing: value)
    }
    /// Describes a value as a part of another, as `String(reflecting:)` does.
    package static func ofPart<Value>(_ value: Value) -> String {
        describer?.text(ofPart: value) ?? String(reflecting: value)
    }
}
/// Describes values. (A task-local closure crashes in release builds of Swift 6.3.)
package protocol Describer: Sendable {
    /// Returns `nil` for a value that it leaves alone.
    func text(of value: Any) -> String?
    /// Returns the text of a value as a part of another; `nil` for a value that it leaves alone.
    func text(ofPart value: Any) -> String?
}
extension Describer {
    package func text(ofPart value: Any) -> String? { nil }
}
