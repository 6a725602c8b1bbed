/// A property that is a node. It is read and set without optionals, and `$name` is the node.
///
///     @MainActor final class Cart {
///         @Reactive var count = 0
///         @Reactive var coupon: String? = nil
///     }
///
///     let cart = Cart(), lifetime = Lifetime()
///     cart.$count.listened(by: lifetime).with { print("items:", $0) }     // items: 0
///     cart.count += 1                                                     // items: 1
///     print(cart.count)                                                   // 1
///
/// The property is as safe from any thread as its node. `count += 1` takes two steps, and another thread may set the
/// property between them; `$count.update { $0 += 1 }` takes one. A copy of a struct shares the nodes of its `@Reactive`
/// properties, so setting one sets both.
///
/// A class that is declared `Sendable` cannot have such a property. Swift 6.3 takes the storage of a wrapped property
/// for mutable, although it never changes. Isolate such a class to an actor, as above, or make it a struct, which
/// shares its nodes when it is copied. Or declare it `@unchecked Sendable`, which is true if everything else in it is
/// constant.
///
/// A set behaves as with `MutableNode`: all derived values are current when it returns, unless another thread keeps
/// the graph busy for too long.
@propertyWrapper public struct Reactive<Value: Sendable>: Sendable {
    private let node: MutableNode<Value>

    /// Creates a property that begins with `wrappedValue`.
    public init(wrappedValue: Value) { node = MutableNode(wrappedValue) }

    /// The value. Precondition, to read it: the node has not been emptied with `clean()`.
    public var wrappedValue: Value {
        get { node.current }
        nonmutating set { node.setValue(newValue) }
    }
    /// The node that holds the value.
    public var projectedValue: MutableNode<Value> { node }
}
