import Synchronization

// How nodes are told to people: with a name or without, nodes within nodes, and what must not be shown.

extension AnyNode {
    /// Keeps the value out of descriptions, pictures, snapshots and records: they say `redacted` in its place.
    ///
    ///     let user = MutableNode("ada").named("user"), password = MutableNode("secret").named("password").redacted()
    ///     print(password)                         // Node(named: password, value: redacted)
    ///     print(combine(user, password))          // Node<(String, String)>(redacted)
    ///     print(password.map { $0.count })        // Node<Int>(6)
    ///
    /// So it is, for as long as they are linked, with every node that an operator passes the value on to, as it is or
    /// among others: `filter`, `combine`, `zip`, `delay` and their like, and whatever has values of the same type.
    /// What a function of yours makes of it, of another type, is shown: call `redacted()` on that node too where it has
    /// the secret in it. `value`, listeners and operators have the value itself, as ever. It cannot be undone.
    ///
    /// - Returns: The node, for chains.
    @discardableResult public final func redacted() -> Self {
        vertex.locking { vertex.rareLocked.isRedacted = true }
        Vertex.someAreRedacted.store(true, ordering: .releasing)
        return self
    }
    /// Whether `redacted()` was called on this very node.
    package final var isMarkedRedacted: Bool { vertex.isMarkedRedacted }

    /// Whether the value must not be shown: it, or what it may have come from, is redacted.
    package final var isRedacted: Bool { vertex.isRedacted }

    /// `valueDescription` for those who know already whether the value may be shown.
    package final func valueDescription(isRedacted: Bool) -> String? { vertex.shownValue(isRedacted: isRedacted) }
}

extension AnyNode: CustomStringConvertible {
    /// The value as text, `nil` while empty. It is made by the value's own `description`, with no lock held.
    ///
    /// A node that was `redacted()` says only that. Nodes that are, or are in, the value are described in turn; where that would
    /// come round to this one, or go more than four deep, a `…` stands for the value.
    public final var valueDescription: String? { vertex.shownValue() }
    /// `Node(named: total, value: 12)`, and `Node<Int>(12)` for a node without a name; `empty` stands for no value.
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
    public var description: String { vertices.map(\.description).joined(separator: " -> ") }
}

extension Vertex {
    /// What `AnyNode.description` says, for as long as anyone knows the vertex.
    final var description: String {
        let value = shownValue() ?? "empty"
        guard let name = locking({ rare?.name }) else { return "Node<\(valueType)>(\(value))" }
        return "Node(named: \(name), value: \(value))"
    }

    /// The value as people may see it; `nil` while there is none.
    final func shownValue() -> String? { shownValue(isRedacted: isRedacted) }

    fileprivate func shownValue(isRedacted: Bool) -> String? {
        if isRedacted { return locking { holdsNothing } ? nil : "redacted" }
        let path = Self.described
        let id = ObjectIdentifier(self)
        guard path.count < 4, !path.contains(id) else { return locking { holdsNothing } ? nil : "…" }
        return Self.$described.withValue(path + [id]) { describedValue() }
    }
    /// The vertices whose values are being described in this call, outermost first: a value may be a node, or hold one.
    @TaskLocal private static var described: [ObjectIdentifier] = []

    /// While no node of the process is redacted, nobody has to look for one.
    fileprivate static let someAreRedacted = Atomic(false)

    fileprivate var isMarkedRedacted: Bool { locking { rare?.isRedacted ?? false } }

    /// Whether this vertex is marked, or the value may have come here from one that is. O(edges upstream).
    fileprivate var isRedacted: Bool {
        guard Self.someAreRedacted.load(ordering: .acquiring) else { return false }
        guard !isMarkedRedacted, let handle else { return isMarkedRedacted }
        var seen: Set<AnyNode> = [handle]
        var pending = [handle]
        while let node = pending.popLast() {
            for transform in node.upstreamTransforms where transform.passesOn {
                guard let source = transform.source, seen.insert(source).inserted else { continue }
                if source.isMarkedRedacted { return true }
                pending.append(source)
            }
        }
        return false
    }
}
