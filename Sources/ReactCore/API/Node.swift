/// A value now and in the future. A plain `Node` is read-only: only the nodes that it follows change it.
///
/// The operators of ReactOperators make such nodes:
///
///     let width = MutableNode(3), height = MutableNode(4)
///     let area = combine(width, height) { $0 * $1 }
///     width.value = 5
///     print(area.current)      // 20
///
/// Unchecked, as `AnyNode` is: it stores nothing of its own.
public class Node<Value: Sendable>: AnyNode, NodeInitializable, @unchecked Sendable {
    @inlinable init(cell: ValueCell<Value>) { super.init(cell) }

    @inlinable package final var cell: ValueCell<Value> { unsafeDowncast(vertex, to: ValueCell<Value>.self) }

    /// The value now; `nil` while the node is empty. Safe from any thread. O(1).
    ///
    /// When a set returns, every derived node is current. Before that, inside a listener or a `batch`, a derived node
    /// that the set has not reached yet still holds its old value. That is so for a node made by `map` that comes later
    /// in the order of delivery, and for every combination and `computed`. Read derived values by listening to them, or
    /// combine the nodes.
    ///
    ///     let price = MutableNode(20), lifetime = Lifetime()
    ///     let total = price.map { $0 * 3 }
    ///     price.listened(by: lifetime).with { print($0, total.current) }      // 20 60
    ///     price.value = 30                                                    // 30 60
    ///     print(total.current)                                                // 90
    public var value: Value? {
        OldReads.note(vertex)
        return cell.read()
    }

    /// The value for a body that reads it on purpose without following the node.
    @usableFromInline package final var valueForBody: Value? { cell.read() }

    /// The value, not as an optional: the process ends if the node is empty. Safe from any thread. O(1).
    ///
    ///     let price = MutableNode(20)
    ///     print(price.current)        // 20
    ///
    /// - Precondition: the node is not empty. The message names it.
    public var current: Value { presentValue() }

    final func presentValue() -> Value {
        OldReads.note(vertex)
        guard let value = cell.read() else {
            misuse(
                "current: \(textAndOriginInMessages) holds nothing; give it a value first, or ask for `value`, which may be nil"
            )
        }
        return value
    }
}

extension Node {
    /// Changes the value, when the node's turn comes, for an operator whose edge leads here no more. Does nothing if
    /// the node is empty, or `change` returns `nil`.
    package final func amend(_ change: @escaping @Sendable (Value) -> Value?) {
        unsafeDowncast(self, to: MutableNode<Value>.self).changeMutableOrNot(nil) { cell, engine in
            guard let value = cell.value, let amended = change(value) else { return false }
            return engine.change(amended, in: cell, by: .set)
        }
    }
}

/// Gives `Node` its initialisers. They belong to a protocol because one object serves as read-only and as mutable node,
/// so that `mutablify()` can return the same object. Only nodes conform to it; it offers nothing to your own types.
public protocol NodeInitializable {
    /// The type of the node's value.
    associatedtype Value: Sendable
}
extension Node {
    /// Returns the value, or `fallback` while the node is empty. `fallback` is evaluated only then.
    ///
    ///     print(Node<Int>().value(or: 0))     // 0
    public func value(or fallback: @autoclosure () -> Value) -> Value { value ?? fallback() }
    /// Calls `body` with the value, and returns its result. Returns `nil` while the node is empty.
    ///
    /// `body` runs with no lock held, and may set the node.
    ///
    ///     print(Node("ab").withValue { $0.count } ?? 0)       // 2
    @discardableResult
    public func withValue<R>(_ body: (Value) throws -> R) rethrows -> R? { try value.map(body) }
}

// MARK: - Simple access

// Every result is a snapshot, so it is safe to keep, and to edit the graph while walking it. An edge with only one end
// counts in `…Transforms`, and not in `…Nodes`.
extension AnyNode {
    /// The nodes that this node's values come from, in the order in which they were linked, each once.
    ///
    /// This is a snapshot, like all results about neighbours: it is safe to keep it, and to edit the graph while
    /// walking it. An edge with only one end counts among the transforms, and not among the nodes.
    ///
    ///     let price = MutableNode(20).named("price")
    ///     let double = price.map { $0 * 2 }
    ///     print(double.upstreamNodes)     // [Node(named: price, value: 20)]
    ///
    /// - Complexity: O(n) for n edges.
    public final var upstreamNodes: [AnyNode] { unique(upstreamTransforms.compactMap(\.source)) }
    /// The nodes that this node's values go to, in the order in which they were linked, each once. O(n) for n edges.
    public final var downstreamNodes: [AnyNode] { unique(downstreamTransforms.compactMap(\.destinationNode)) }
    /// The transforms that lead here, in the order in which `to` was set. O(n) for n edges.
    public final var upstreamTransforms: [AnyTransform] {
        vertex.locking { vertex.upstream.all }.map { unsafeDowncast($0, to: AnyTransform.self) }
    }
    /// The transforms that leave from here: first those with both ends, in order, then those that lead nowhere. O(n)
    /// for n edges.
    public final var downstreamTransforms: [AnyTransform] {
        vertex.downstreamEdges.compactMap { $0 as? AnyTransform }
    }
    /// The listen edges whose listener is still alive, in the order in which they were attached. O(n) for n edges.
    public final var listenEdges: [AnyListenEdge] {
        vertex.locking { vertex.listens.all }.map { unsafeDowncast($0, to: AnyListenEdge.self) }
            .filter { $0.destination != nil }
    }
    /// Returns the transforms that lead here from `node`.
    ///
    /// - Complexity: O(n) for the n edges that leave from `node`, or lead here: the fewer of both.
    public final func upstreamTransforms(from node: AnyNode) -> [AnyTransform] { node.downstreamTransforms(to: self) }
    /// Returns the transforms that lead from here to `node`.
    ///
    /// - Complexity: O(n) for the n edges that leave from here, or lead to `node`: the fewer of both. While any edge
    ///   waits until a busy graph is left, n is the number of edges that lead to `node`.
    public final func downstreamTransforms(to node: AnyNode) -> [AnyTransform] {
        let (leaving, leading) = (
            vertex.locking { vertex.transforms.count }, node.vertex.locking { node.vertex.upstream.count }
        )
        Steps.count(min(leaving, leading))
        // An edge that waits to be linked is on the list of its target alone.
        return leaving < leading && LateLinks.waiting.load(ordering: .acquiring) == 0
            ? downstreamTransforms.filter { $0.destination === node }
            : node.upstreamTransforms.filter { $0.source === self }
    }
    /// True if another node's values come here.
    ///
    /// - Complexity: O(1), unless the newest of the transforms has no `from`; then O(n) for n edges.
    public final var hasUpstreamNode: Bool {
        vertex.locking({ vertex.upstream.last })?.source != nil || upstreamTransforms.contains { $0.source != nil }
    }
    /// True if this node's values go to another node.
    ///
    /// - Complexity: O(1), unless the target of the newest transform is being deallocated; then O(n) for n edges.
    public final var hasDownstreamNode: Bool {
        guard let newest = vertex.locking({ vertex.transforms.last }) else { return false }
        return newest.currentDestination != nil || downstreamTransforms.contains { $0.destination != nil }
    }
    /// True if a listener that is still alive hears this node.
    ///
    /// - Complexity: O(1), unless the newest listener is gone and had no `Lifetime`; then O(n) for n listen edges.
    public final var hasListener: Bool {
        vertex.locking({ vertex.listens.last })?.currentDestination != nil || !listenEdges.isEmpty
    }

    private final func unique(_ nodes: [AnyNode]) -> [AnyNode] {
        var seen: Set<AnyNode> = []
        return nodes.filter { seen.insert($0).inserted }
    }
}

// MARK: - Disconnecting

// Disconnecting nodes that are not connected does nothing.
extension AnyNode {
    /// Disconnects, at both ends, all transforms that lead here from `node`. Does nothing if there are none.
    ///
    ///     let price = MutableNode(20)
    ///     let double = price.map { $0 * 2 }
    ///     double.removeUpstreamNode(price)
    ///     price.value = 30
    ///     print(double.current)        // 40
    public final func removeUpstreamNode(_ node: AnyNode) { cut { [self] in upstreamTransforms(from: node) } }
    /// Disconnects, at both ends, all transforms that lead here.
    public final func removeUpstreamNodes() { cut(all: true) { [self] in upstreamTransforms } }
    /// Disconnects, at both ends, all transforms that lead from here to `node`.
    public final func removeDownstreamNode(_ node: AnyNode) { cut { [self] in downstreamTransforms(to: node) } }
    /// Disconnects, at both ends, all transforms that leave from here.
    public final func removeDownstreamNodes() { cut { [self] in downstreamTransforms } }
    /// Cuts edges, in one transaction. They are looked for when the graph is this thread's, so that none is missed that
    /// comes meanwhile.
    private func cut(all: Bool = false, _ find: @escaping () -> [AnyTransform]) {
        Engine.current.transaction { engine in
            if !engine.takeOrWait(for: vertex) {
                // The body of a `computed` that runs meanwhile may read a node for the first time.
                LateWork.add(in: vertex) { _ in find().filter(\.isOfBody).forEach { $0.cancel() } }
                if all { find().forEach { $0.dropCall(evenIfUnread: true) } }
            }
            find().forEach { $0.cancel() }
        }
    }
}

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
    /// - a `computed` that reads the node, and an operator that keeps a state, such as `scan`, `collect`, or
    ///   `transformed` with a state, whatever the type of the result,
    /// - the branches of a `switch`,
    /// - the results of `successes` and `failures`,
    /// - with `focus`, the parts of the value, the whole that it is a part of, and so the other parts of that whole.
    ///
    /// A value of another type that the function of any other operator makes is shown, as with `map`. If it contains
    /// the secret, call `redacted()` on its node, too. `value`, listeners and operators get the value itself, as
    /// always. A node that a listener or an effect sets from it is not derived, so it shows the copy: call `redacted()`
    /// on it as well. `lint`, of ReactGraph, finds copies in the connected graph. Redaction cannot be undone.
    ///
    /// A record never shows a value of a node that was redacted in this way at any time on record, even if it is no
    /// longer linked so. Records and kept sender lists also describe nodes that are gone. These stay as secret as they
    /// were. If the origin of such a node's value is no longer known, the value counts as secret if any node is
    /// `redacted()`.
    ///
    /// - Returns: This node, for chaining.
    @discardableResult public final func redacted() -> Self {
        vertex.locking { vertex.coldStateLocked.isRedacted = true }
        Vertex.someAreRedacted.store(true, ordering: .releasing)
        return self
    }
    /// True if the value must not be shown, because this node or a node that its value may come from is redacted.
    package final var isRedacted: Bool { vertex.isRedacted() }
    /// True if `redacted()` was called on this node.
    package final var isItselfRedacted: Bool { vertex.locking { vertex.coldState?.isRedacted ?? false } }
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
    public final var valueDescription: String? { vertex.shownValue(isRedacted: isRedacted) }
    /// The name and value, as in `Node(named: total, value: 12)`. A node without a name is `undefined`; one without a
    /// value is `empty`.
    public final var description: String { vertex.description(isRedacted: isRedacted) }
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
