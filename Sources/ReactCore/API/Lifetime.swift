/// An object that ends its listenings when it goes away. One stored property makes any class one:
///
///     final class Screen: Listener { let lifetime = Lifetime() }
///
///     let screen = Screen(), node = MutableNode(1)
///     screen.listen(to: node).with { print($0) }      // 1
///
/// Whatever the object listens to, it lets go of when `lifetime` is deallocated, which is with the object itself.
public protocol Listener: AnyObject {
    /// What ends the listenings when it goes: a stored property, held by nobody else.
    var lifetime: Lifetime { get }
}
/// Holds listenings and lets go of them when it is deallocated. Usable as a listener by itself.
///
///     let node = MutableNode(1)
///     var lifetime: Lifetime? = Lifetime()
///     lifetime?.listen(to: node).with { print($0) }       // 1
///     lifetime = nil
///     node.value = 2
///
/// It holds its listen edges, and they hold their nodes: who listens keeps alive what is upstream.
///
/// Other things that can be ended may be held with them: see `hold(_:)`. `cancel()` ends all of it early.
public final class Lifetime: Listener, Sendable {
    let holdings = Holdings()
    /// A name for pictures and messages.
    public let name: String?

    /// A lifetime that holds nothing yet.
    public convenience init() { self.init(name: nil) }
    /// The same with a name for pictures and messages.
    ///
    ///     print(Lifetime(named: "login screen"))      // Lifetime(named: login screen)
    public convenience init(named name: String) { self.init(name: name) }
    private init(name: String?) {
        self.name = name
        holdings.begin(self)
    }
    /// This one itself.
    public var lifetime: Lifetime { self }

    deinit { holdings.end() }

    /// Ends all that it holds, now: listenings in the order in which they were attached, then what `hold(_:)` took. It can
    /// be used again. Safe from any thread.
    ///
    ///     let node = MutableNode(1), lifetime = Lifetime()
    ///     node.listened(by: lifetime).with { print($0) }      // 1
    ///     lifetime.cancel()
    ///     node.value = 2
    ///     node.listened(by: lifetime).with { print($0) }      // 2
    ///
    /// - Complexity: O(what it holds).
    public func cancel() {
        for edge in holdings.allEdges { edge.end(with: holdings) }
        holdings.bag?.cancel()
    }
    /// Holds something that is cancelled with it: when the lifetime goes, or on `cancel()`. Safe from any thread.
    ///
    ///     let model = MutableNode(1), field = MutableNode<Int>()
    ///     var screen: Lifetime? = Lifetime()
    ///     screen?.hold(field.sync(with: model))
    ///     screen = nil
    ///     model.value = 2
    ///     print(field.current)        // 1
    ///
    /// What has ended by itself is held until then as well. Holding it again does nothing.
    public func hold(_ cancelable: any Cancelable) { holdings.hold(cancelable) }
    /// Lets go of something that it holds, and does not cancel it.
    package func letGo(of cancelable: any Cancelable) { holdings.bag?.remove(cancelable) }
}

extension Cancelable {
    /// Is cancelled when `lifetime` goes, or is cancelled itself; `lifetime` holds it until then.
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
    /// `Lifetime(named: login screen)`; `undefined` for no name.
    public var description: String { "Lifetime(named: \(name ?? "undefined"))" }
}
