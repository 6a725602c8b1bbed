/// A value now and in the future. A plain `Node` is read-only: only what it is linked to changes it.
///
/// Operators, which are in ReactOperators, make such nodes:
///
///     let width = MutableNode(3), height = MutableNode(4)
///     let area = combine(width, height).mapEach { $0 * $1 }
///     width.value = 5
///     print(area.current)      // 20
public class Node<Value: Sendable>: AnyNode, NodeInitializable, @unchecked Sendable {
    @inlinable init(store: Store<Value>) { super.init(store) }

    @inlinable final var store: Store<Value> { unsafeDowncast(vertex, to: Store<Value>.self) }

    /// The value now; `nil` while the node is empty. Safe from any thread. O(1).
    public var value: Value? { store.read() }
}

/// Gives `Node` its initialisers. They live on a protocol because one node object serves both
/// the read-only and the mutable role, which is what lets `mutablify()` return the same object. Only nodes have them:
/// there is nothing in it for types of your own.
public protocol NodeInitializable {
    /// The type of what the node holds.
    associatedtype Value: Sendable
}
extension NodeInitializable where Self: AnyNode {
    /// An empty, immutable node.
    public init() { self = MutableNode<Value>(immutable: nil) as! Self }
    /// An immutable node that holds `value`.
    public init(_ value: Value) { self = MutableNode<Value>(immutable: value) as! Self }
}

extension Node {
    /// The value, or `fallback` while the node is empty; it is asked for only then.
    ///
    ///     print(Node<Int>().value(or: 0))     // 0
    public func value(or fallback: @autoclosure () -> Value) -> Value { value ?? fallback() }
    /// Calls `body` with the value unless the node is empty; returns what it returned, or `nil`.
    ///
    /// `body` runs with no lock held, and may set the node.
    ///
    ///     print(Node("ab").withValue { $0.count } ?? 0)       // 2
    @discardableResult
    public func withValue<R>(_ body: (Value) throws -> R) rethrows -> R? { try value.map(body) }
    /// Makes this very node mutable and returns it (`===`). There is no way back.
    ///
    /// Value, name, links and listeners stay. Doing so again changes nothing. Safe from any thread.
    ///
    ///     let node = Node(1)
    ///     node.mutablify().value = 2
    ///     print(node.current)      // 2
    @discardableResult public func mutablify() -> MutableNode<Value> {
        vertex.locking { vertex.becomeMutable() }
        return unsafeDowncast(self, to: MutableNode<Value>.self)
    }

    /// Makes this node follow `upstream`, and takes over its value at once if it has one.
    ///
    /// This node holds `upstream` until the link is cut. It may follow several nodes, and then takes whatever arrives; and
    /// be one of a ring, which a value goes round once. Safe from any thread.
    ///
    ///     let shown = Node<Int>(), local = MutableNode(1)
    ///     let link = shown.link(to: local)
    ///     print(shown.current)     // 1
    ///     link.cancel()
    ///     local.value = 2
    ///     print(shown.current)     // 1
    ///
    /// - Returns: Cuts the link on `cancel()`. Dropping it cuts nothing.
    /// - Precondition: `upstream` is not this node.
    /// - Complexity: O(1), beside what the value leads to; O(what is downstream of here) where `upstream` stands below more
    ///   combinations in a row than this node did.
    @discardableResult public func link(to upstream: Node<Value>) -> any Cancelable {
        link(to: upstream, transform: LinkTransform())
    }
    /// The same through `transform`.
    ///
    /// - Parameters:
    ///   - upstream: The node to follow.
    ///   - transform: Makes this node's values of those of `upstream`; a new one for each link.
    /// - Returns: Cuts the link on `cancel()`: `transform` has no ends then. Dropping it cuts nothing.
    /// - Precondition: `transform` has no ends yet, and `upstream` is not this node.
    @discardableResult
    public func link<Input>(to upstream: Node<Input>, transform: Transform<Input, Value>) -> any Cancelable {
        require(
            upstream !== self, "link(to:): \(self) cannot follow itself; put another node, such as a fork(), in between"
        )
        require(
            transform.source == nil && transform.destination == nil,
            "link(to:transform:): \"\(transform.name)\" has an end already; make a transform for each link, or set `from` and `to`"
        )
        transform.connect(from: upstream, to: self)
        return EdgeCancelable(transform)
    }
}
