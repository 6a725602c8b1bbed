/// A value now and in the future. A plain `Node` is read-only: only what it is linked to changes it.
///
/// Operators, which are in ReactOperators, make such nodes:
///
///     let width = MutableNode(3), height = MutableNode(4)
///     let area = combine(width, height) { $0 * $1 }
///     width.value = 5
///     print(area.current)      // 20
///
/// Unchecked, as `AnyNode` is: it adds nothing that is stored.
public class Node<Value: Sendable>: AnyNode, NodeInitializable, @unchecked Sendable {
    @inlinable init(store: Store<Value>) { super.init(store) }

    @inlinable final var store: Store<Value> { unsafeDowncast(vertex, to: Store<Value>.self) }

    /// The value now; `nil` while the node is empty. Safe from any thread. O(1).
    ///
    /// When a set returns, every derived node is current. Before that, inside a listener or a `batch`, a derived node that the set
    /// has not reached yet still holds its old value: a node made by `map` that comes later in the order of delivery, and every
    /// combination and `computed`. Read derived values by listening to them, or combine the nodes.
    ///
    ///     let price = MutableNode(20), lifetime = Lifetime()
    ///     let total = price.map { $0 * 3 }
    ///     price.listened(by: lifetime).with { print($0, total.current) }      // 20 60
    ///     price.value = 30                                                    // 30 60
    ///     print(total.current)                                                // 90
    public var value: Value? { store.read() }

    /// The value, where there must be one. Safe from any thread. O(1).
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

/// Gives `Node` its initialisers. They live on a protocol because one node object serves both
/// the read-only and the mutable role, which is what lets `mutablify()` return the same object. Only nodes have them:
/// there is nothing in it for types of your own.
public protocol NodeInitializable {
    /// The type of what the node holds.
    associatedtype Value: Sendable
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
}
