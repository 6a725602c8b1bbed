/// A property that is a node: read and set without optionals; `$name` is the node.
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
/// It is as safe from any thread as its node is. `count += 1` is two steps, between which another thread may set it:
/// `$count.update { $0 += 1 }` is one. A copy of a struct shares the nodes of its `@Reactive` properties: to set one sets both. A class
/// that is declared `Sendable` cannot have such a property. Swift 6.3 takes the storage of a wrapped property for mutable, and so refuses it in a
/// class that is declared `Sendable`, though it never changes: make that class an actor's, as above, or a struct, which
/// shares its nodes when it is copied; or declare it `@unchecked Sendable`, which is true where all else in it is constant.
///
/// Setting is as with `MutableNode`: all that is made of the property is up to date when the set returns, unless another
/// thread is delivering a value of it.
@propertyWrapper public struct Reactive<Value: Sendable>: Sendable {
    private let node: MutableNode<Value>

    /// A property that begins with `wrappedValue`.
    public init(wrappedValue: Value) { node = MutableNode(wrappedValue) }

    /// The value. Precondition, to read it: nobody has emptied the node with `clean()`.
    public var wrappedValue: Value {
        get { node.current }
        nonmutating set { node.setValue(newValue) }
    }
    /// The node that holds the value.
    public var projectedValue: MutableNode<Value> { node }
}
