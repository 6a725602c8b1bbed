/// A value now and in the future. A plain `Node` is read-only: only what it is linked to changes it.
///
///     let width = MutableNode(3), height = MutableNode(4)
///     let area = combine(width, height).mapEach { $0 * $1 }       // ReactOperators
///     width.value = 5
///     print(area.value!)      // 20
public class Node<Value: Sendable>: AnyNode, NodeInitializable, @unchecked Sendable {
    @inlinable init(store: Store<Value>) { super.init(store) }

    @inlinable final var store: Store<Value> { unsafeDowncast(vertex, to: Store<Value>.self) }

    /// The value now; `nil` while the node is empty. Safe from any thread.
    public var value: Value? { store.read() }
}

/// Gives `Node` its initialisers. They live on a protocol because one node object serves both
/// the read-only and the mutable role, which is what lets `mutablify()` return the same object.
public protocol NodeInitializable { associatedtype Value: Sendable }
extension NodeInitializable {
    /// An empty, immutable node.
    public init() { self = MutableNode<Value>(immutable: nil) as! Self }
    /// An immutable node that holds `value`.
    public init(_ value: Value) { self = MutableNode<Value>(immutable: value) as! Self }
}

extension Node {
    /// The value, or `fallback` while the node is empty.
    public func value(or fallback: @autoclosure () -> Value) -> Value { value ?? fallback() }
    /// Calls `body` with the value unless the node is empty; returns what it returned, or `nil`.
    @discardableResult
    public func withValue<R>(_ body: (Value) throws -> R) rethrows -> R? { try value.map(body) }
    /// Makes this very node mutable and returns it (`===`). There is no way back.
    @discardableResult public func mutablify() -> MutableNode<Value> {
        vertex.locking { vertex.becomeMutable() }
        return unsafeDowncast(self, to: MutableNode<Value>.self)
    }

    /// Makes this node follow `upstream`, and takes over its value at once if it has one.
    /// Precondition: `upstream` is not this node.
    @discardableResult public func link(to upstream: Node<Value>) -> any Cancelable {
        link(to: upstream, transform: LinkTransform())
    }
    /// The same through `transform`. Precondition: `transform` has no ends yet, `upstream` is not this node.
    @discardableResult
    public func link<Input>(to upstream: Node<Input>, transform: Transform<Input, Value>) -> any Cancelable {
        require(
            upstream !== self, "link(to:): \(self) cannot follow itself; put another node, such as a fork(), in between"
        )
        require(
            transform.source == nil && transform.destination == nil,
            "link(to:transform:): \"\(transform.name)\" has an end already; make a transform for each link, or set `from` and `to`"
        )
        Structure.connect(transform, from: upstream, to: self)
        return EdgeCancelable(transform)
    }
}
