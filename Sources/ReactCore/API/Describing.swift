// How nodes are told to people: with a name or without, nodes within nodes, and what must not be shown.

extension AnyNode {
    /// Keeps the value out of descriptions, pictures, snapshots and records: they say `redacted` in its place.
    ///
    ///     let user = MutableNode("ada").named("user"), password = MutableNode("secret").named("password").redacted()
    ///     print(password)                         // Node(named: password, value: redacted)
    ///     print(combine(user, password))          // Node(named: undefined, value: redacted)
    ///     print(password.map { $0.count })        // Node(named: undefined, value: 6)
    ///
    /// So it is, for as long as they are linked, with every node that an operator passes the value on to, as it is or
    /// among others: `filter`, `combine`, `zip`, `delay` and their like, and whatever has values of the same type; the branches of
    /// a `switch`; what `successes` and `failures` take out of it; and by `focus` its parts, the whole that it is a part of, and
    /// so the other parts of that.
    /// What a function of yours makes of it, of another type, is shown: call `redacted()` on that node too where it has
    /// the secret in it. `value`, listeners and operators have the value itself, as ever. It cannot be undone.
    ///
    /// A record tells no value of a node that was linked so at any time on record, also where it is not any more.
    /// Records and kept sender lists tell of nodes that have gone. Those stay as secret as they were; and where it is not known
    /// any more what one's value came from, it is taken for secret if any node is `redacted()`.
    ///
    /// - Returns: The node, for chains.
    @discardableResult public final func redacted() -> Self {
        vertex.locking { vertex.rareLocked.isRedacted = true }
        Vertex.someAreRedacted.store(true, ordering: .releasing)
        return self
    }
    /// Whether the value must not be shown: it, or what it may have come from, is redacted.
    package final var isRedacted: Bool { vertex.isRedacted() }
    /// Whether any node of the process is redacted.
    package static var someAreRedacted: Bool { Vertex.someAreRedacted.load(ordering: .acquiring) }

    /// `valueDescription` for those who know already whether the value may be shown.
    package final func valueDescription(isRedacted: Bool) -> String? { vertex.shownValue(isRedacted: isRedacted) }
}

extension AnyNode: CustomStringConvertible {
    /// The value as text, `nil` while empty. It is made by the value's own `description`, with no lock held.
    ///
    /// A node that was `redacted()` says only that. Nodes that are, or are in, the value are described in turn; where that would
    /// come round to this one, or go more than four deep, a `…` stands for the value.
    public final var valueDescription: String? { vertex.shownValue() }
    /// `Node(named: total, value: 12)`; `undefined` stands for no name, and `empty` for no value.
    public final var description: String { vertex.description }
}

extension AnyNode: CustomReflectable {
    /// A node's parts for `dump` and debuggers: the name and the value, as they are described.
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
        // Oldest first: what has gone is as secret as what the value came through before, or, of a combination, may have come
        // from elsewhere.
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
    /// What `AnyNode.description` says, for as long as anyone knows the vertex.
    final var description: String { description(isRedacted: isRedacted()) }
    fileprivate final func description(isRedacted: Bool) -> String {
        let value = shownValue(isRedacted: isRedacted) ?? "empty"
        return "Node(named: \(locking { rare?.name } ?? "undefined"), value: \(value))"
    }

    /// The value as people may see it; `nil` while there is none.
    final func shownValue() -> String? { shownValue(isRedacted: isRedacted()) }

    fileprivate func shownValue(isRedacted: Bool) -> String? {
        if isRedacted { return locking { holdsNothing } ? nil : "redacted" }
        let path = Self.described
        let id = ObjectIdentifier(self)
        guard path.count < 4, !path.contains(id) else { return locking { holdsNothing } ? nil : "…" }
        return Self.$described.withValue(path + [id]) { describedValue() }
    }
    /// The vertices whose values are being described in this call, outermost first: a value may be a node, or hold one.
    @TaskLocal private static var described: [ObjectIdentifier] = []
}
