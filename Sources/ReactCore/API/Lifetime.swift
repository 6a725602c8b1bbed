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
extension Listener {
    /// The same as `node.listened(by: self)`.
    public func listen<Value>(to node: Node<Value>) -> ListenContext<Value, Self> { node.listened(by: self) }
}

/// Holds listenings and lets go of them when it is deallocated. Usable as a listener by itself.
///
///     let node = MutableNode(1)
///     var lifetime: Lifetime? = Lifetime()
///     node.listened(by: lifetime!).with { print($0) }     // 1
///     lifetime = nil
///     node.value = 2
///
/// It holds its listen edges, and they hold their nodes: who listens keeps alive what is upstream.
public final class Lifetime: Listener, @unchecked Sendable {
    // Unchecked, because this is reached under `Structure`'s lock alone: in one with what the edges know of their lifetime.
    @exclusivity(unchecked) private var edges = EdgeSlots()
    /// A lifetime that holds nothing yet.
    public init() {}
    /// This one itself.
    public var lifetime: Lifetime { self }

    deinit {
        var held = EdgeSlots()
        Structure.read {
            swap(&held, &edges)
            held.forEach { unsafeDowncast($0, to: AnyListenEdge.self).forgetLifetime(ObjectIdentifier(self)) }
        }
        held.removeEach { unsafeDowncast($0, to: AnyListenEdge.self).cutUnlessAttached() }
    }

    /// Holds an edge. Precondition: `Structure`'s lock is held, and no lifetime has the edge.
    func hold(_ edge: AnyListenEdge) {
        var remains = Remains()
        edges.insert(edge, at: .destination, &remains)
    }
    /// Lets go of an edge that it holds. Precondition: `Structure`'s lock is held.
    func letGo(of edge: AnyListenEdge, _ remains: inout Remains) { edges.remove(edge, &remains) }

    /// The lifetime of a listener of any kind.
    static func of(_ listener: AnyObject) -> Lifetime {
        ObjectLifetimes.sweep()
        if let listener = listener as? any Listener { return listener.lifetime }
        return ObjectLifetimes.lifetime(of: listener)
    }
}
