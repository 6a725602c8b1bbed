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
    @inlinable init(store: Store<Value>) { super.init(store) }

    @inlinable final var store: Store<Value> { unsafeDowncast(vertex, to: Store<Value>.self) }

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
    public var value: Value? { store.read() }

    /// The value, not as an optional: the process ends if the node is empty. Safe from any thread. O(1).
    ///
    ///     let price = MutableNode(20)
    ///     print(price.current)        // 20
    ///
    /// - Precondition: the node is not empty. The message names it.
    public var current: Value { presentValue() }

    final func presentValue() -> Value {
        guard let value = store.read() else {
            misuse("current: \(self) holds nothing; give it a value first, or ask for `value`, which may be nil")
        }
        return value
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
