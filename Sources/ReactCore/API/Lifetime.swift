/// An object whose listenings end when it is deallocated. One stored property makes any class a listener:
///
///     final class Screen: Listener { let lifetime = Lifetime() }
///
///     let screen = Screen(), node = MutableNode(1)
///     screen.listen(to: node).with { print($0) }      // 1
///
/// All its listenings end when `lifetime` is deallocated, which is together with the object itself.
public protocol Listener: AnyObject {
    /// Ends the listenings when it is deallocated: a stored property, which nothing else retains.
    var lifetime: Lifetime { get }
}
/// Owns listenings, and ends them when it is deallocated.
///
///     let node = MutableNode(1)
///     var lifetime: Lifetime? = Lifetime()
///     lifetime?.listen(to: node).with { print($0) }       // 1
///     lifetime = nil
///     node.value = 2
///
/// A lifetime is also a listener by itself. It retains its listen edges, and they retain their nodes. So a listener
/// keeps everything upstream alive.
///
/// `hold(_:)` adds other things that end with the lifetime. `cancel()` ends all of it early.
public final class Lifetime: Listener, Sendable {
    let holdings = LifetimeStorage()
    /// The name for pictures and messages.
    public let name: String?

    /// Creates a lifetime that holds nothing yet.
    public convenience init() { self.init(name: nil) }
    /// Creates a lifetime with a name for pictures and messages.
    ///
    ///     print(Lifetime(named: "login screen"))      // Lifetime(named: login screen)
    public convenience init(named name: String) { self.init(name: name) }
    private init(name: String?) {
        self.name = name
        holdings.begin(self)
    }
    /// This lifetime itself.
    public var lifetime: Lifetime { self }

    deinit { holdings.end() }

    /// Ends everything that the lifetime holds: the listenings, and everything that `hold(_:)` took. The lifetime can
    /// be used again. Safe from any thread.
    ///
    /// **Order.** The newest ends first, because a later object may use an earlier one. So it is when the
    /// lifetime is deallocated.
    ///
    ///     let node = MutableNode(1), lifetime = Lifetime()
    ///     node.listened(by: lifetime).with { print($0) }      // 1
    ///     lifetime.cancel()
    ///     node.value = 2
    ///     node.listened(by: lifetime).with { print($0) }      // 2
    ///
    /// - Complexity: O(n), where n is the number of things that it holds.
    public func cancel() { holdings.cancel() }
    /// Holds `cancelable`, and cancels it when the lifetime is deallocated, or on `cancel()`. Safe from any thread.
    ///
    ///     let model = MutableNode(1), field = MutableNode<Int>()
    ///     var screen: Lifetime? = Lifetime()
    ///     screen?.hold(field.sync(with: model))
    ///     screen = nil
    ///     model.value = 2
    ///     print(field.current)        // 1
    ///
    /// A connection of this library, or a `BlockCancelable`, leaves the lifetime when its `cancel()` is called. (If
    /// several lifetimes hold it, it leaves the first of them.) Any other cancelable, and one that has ended by itself,
    /// is held until the lifetime ends. Holding one again does nothing.
    ///
    /// - Complexity: O(1), amortised; so is leaving.
    public func hold(_ cancelable: any Cancelable) { holdings.hold(cancelable) }
    /// Lets go of `cancelable` without cancelling it.
    package func letGo(of cancelable: any Cancelable) { holdings.letGo(of: cancelable) }
}

extension Cancelable {
    /// Is cancelled when `lifetime` is deallocated or cancelled. `lifetime` holds it until then.
    ///
    ///     let model = MutableNode(1), field = MutableNode<Int>(), screen = Lifetime()
    ///     field.sync(with: model).cancelled(by: screen)
    ///     screen.cancel()
    ///     model.value = 2
    ///     print(field.current)        // 1
    @discardableResult public func cancelled(by lifetime: Lifetime) -> Self {
        lifetime.hold(self)
        return self
    }
}

extension Lifetime: CustomStringConvertible {
    /// The name, as in `Lifetime(named: login screen)`. A lifetime without a name is `undefined`.
    public var description: String { "Lifetime(named: \(name ?? "undefined"))" }
}

/// The end of a listen edge: it retains the edge, and finds the listener.
///
/// A `ListenTarget` retains no object of the user's, so its last reference may be released under a lock.
///
/// Unchecked, because this class stores nothing mutable.
class ListenTarget: @unchecked Sendable {
    /// The holdings of the lifetime to which the edge belongs. They exist as long as this object.
    var holdings: Unmanaged<LifetimeStorage> { preconditionFailure("abstract") }
    /// The listener, unless it is gone. A caller under an edge's lock must retain the result until it has unlocked.
    var listener: AnyObject? { preconditionFailure("abstract") }
    /// The edge's mode as in `ConnectionState`, which says if delivery has to check that the listener is alive.
    var mode: UInt64 { 0 }
}

/// The end of listen edges whose listener is not a lifetime, but has one. All edges to the listener share it, because a
/// weak reference takes long to make.
///
/// Unchecked, as `ListenTarget` is: its fields are constant, and the listener, which need not be `Sendable`, is only
/// passed on.
final class WeakListener: ListenTarget, @unchecked Sendable {
    private weak let object: AnyObject?
    private let ownHoldings: LifetimeStorage
    private let ownMode: UInt64

    init(_ object: AnyObject, _ holdings: LifetimeStorage, _ mode: UInt64) {
        self.object = object
        ownHoldings = holdings
        ownMode = mode
    }
    override var holdings: Unmanaged<LifetimeStorage> { .passUnretained(ownHoldings) }
    override var listener: AnyObject? { object }
    override var mode: UInt64 { ownMode }
}
