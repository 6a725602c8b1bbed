// Descriptions of nodes: with or without names, nested nodes, and values that must not be shown.

extension AnyNode {
    /// Keeps the value out of descriptions, pictures, snapshots and records: they show `redacted` in its place.
    ///
    ///     let user = MutableNode("ada").named("user"), password = MutableNode("secret").named("password").redacted()
    ///     print(password)                         // Node(named: password, value: redacted)
    ///     print(combine(user, password))          // Node(named: undefined, value: redacted)
    ///     print(password.map { $0.count })        // Node(named: undefined, value: 6)
    ///
    /// Derived nodes are redacted as well, while they are linked, if an operator passes the value on to them, alone or
    /// with other values:
    ///
    /// - `filter`, `combine`, `zip`, `delay` and similar operators, and every operator whose result has the same type,
    /// - the branches of a `switch`,
    /// - the results of `successes` and `failures`,
    /// - with `focus`, the parts of the value, the whole that it is a part of, and so the other parts of that whole.
    ///
    /// A value of another type that your own function makes is shown. If it contains the secret, call `redacted()` on
    /// its node, too. `value`, listeners and operators get the value itself, as always. Redaction cannot be undone.
    ///
    /// A record never shows a value of a node that was redacted in this way at any time on record, even if it is no
    /// longer linked so. Records and kept sender lists also describe nodes that are gone. These stay as secret as they
    /// were. If the origin of such a node's value is no longer known, the value counts as secret if any node is
    /// `redacted()`.
    ///
    /// - Returns: This node, for chaining.
    @discardableResult public final func redacted() -> Self {
        vertex.locking { vertex.rareLocked.isRedacted = true }
        Vertex.someAreRedacted.store(true, ordering: .releasing)
        return self
    }
    /// True if the value must not be shown, because this node or a node that its value may come from is redacted.
    package final var isRedacted: Bool { vertex.isRedacted() }
    /// True if any node of the process is redacted.
    package static var someAreRedacted: Bool { Vertex.someAreRedacted.load(ordering: .acquiring) }

    /// Returns `valueDescription` for a caller that already knows if the value may be shown.
    package final func valueDescription(isRedacted: Bool) -> String? { vertex.shownValue(isRedacted: isRedacted) }
}

extension AnyNode: CustomStringConvertible {
    /// The value as text; `nil` while the node is empty. The value's own `description` makes the text, with no lock
    /// held. Safe from any thread.
    ///
    /// The text of a `redacted()` node is `redacted`. Nodes inside the value are described in turn. A `…` stands for
    /// the value if that comes round to this node, or goes more than four deep.
    public final var valueDescription: String? { vertex.shownValue() }
    /// The name and value, as in `Node(named: total, value: 12)`. A node without a name is `undefined`; one without a
    /// value is `empty`.
    public final var description: String { vertex.description }
}

extension AnyNode: CustomReflectable {
    /// The node's name and value for `dump` and debuggers, as they are described.
    public final var customMirror: Mirror {
        Mirror(
            self, children: ["name": name as Any, "value": valueDescription as Any], displayStyle: .class,
            ancestorRepresentation: .suppressed)
    }
}

extension SenderList: CustomStringConvertible {
    /// The senders' descriptions, newest first, joined by ` -> `.
    public var description: String {
        var texts: [String] = [], isSecret = false
        let vertices = vertices
        let redactions = AnyNode.someAreRedacted ? RedactionWalk(from: vertices) : nil
        // Oldest first: a node that is gone is as secret as the nodes that its value passed before. A combination's
        // value may also come from elsewhere.
        for vertex in vertices.reversed() {
            let mayInherit = isSecret || vertex.isJoin && redactions != nil
            isSecret =
                redactions?.isRedacted(vertex) ?? false || mayInherit && !vertex.locking { vertex.hasHandle }
            texts.append(vertex.description(isRedacted: isSecret))
        }
        return texts.reversed().joined(separator: " -> ")
    }
}

extension SenderList: CustomReflectable {
    /// The senders for `dump` and debuggers, as they are described.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: [description], displayStyle: .collection)
    }
}

extension AnyEdge: CustomReflectable {
    /// An edge's name for `dump` and debuggers. Its properties may have values that are redacted, and are not shown.
    public final var customMirror: Mirror {
        Mirror(self, children: ["name": name], displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension Vertex {
    /// The text of `AnyNode.description`, while anyone refers to the vertex.
    final var description: String { description(isRedacted: isRedacted()) }
    fileprivate final func description(isRedacted: Bool) -> String {
        let value = shownValue(isRedacted: isRedacted) ?? "empty"
        return "Node(named: \(locking { rare?.name } ?? "undefined"), value: \(value))"
    }

    /// Returns the value as users may see it; `nil` if there is none.
    final func shownValue() -> String? { shownValue(isRedacted: isRedacted()) }

    fileprivate func shownValue(isRedacted: Bool) -> String? {
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
