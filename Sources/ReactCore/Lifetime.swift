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
public final class Lifetime: Listener, Sendable {
    private let edges = Lock(HeldEdges())
    /// A lifetime that holds nothing yet.
    public init() {}
    /// This one itself.
    public var lifetime: Lifetime { self }

    deinit {
        var held = edges.withLock { $0.takeAll() }
        held.removeEach { unsafeDowncast($0, to: AnyListenEdge.self).cutByLifetime() }
    }

    func hold(_ edge: AnyListenEdge) { edges.withLock { $0.insert(edge) } }
    func letGo(of edge: AnyListenEdge) {
        var remains = Remains()
        edges.withLock { $0.remove(edge, &remains) }
    }

    /// The lifetime of a listener of any kind.
    static func of(_ listener: AnyObject) -> Lifetime {
        ObjectLifetimes.sweep()
        if let listener = listener as? any Listener { return listener.lifetime }
        return ObjectLifetimes.lifetime(of: listener)
    }
}

/// A set of edges in the order in which they came, that knows which are in it.
///
/// Unchecked, because `Lifetime` reaches it under its lock alone.
private struct HeldEdges: @unchecked Sendable {
    private var slots = EdgeSlots()

    mutating func insert(_ edge: AnyListenEdge) {
        guard !edge.isHeld else { return }
        edge.isHeld = true
        var remains = Remains()
        slots.insert(edge, at: .destination, &remains)
    }
    mutating func remove(_ edge: AnyListenEdge, _ remains: inout Remains) {
        guard edge.isHeld else { return }
        edge.isHeld = false
        slots.remove(edge, &remains)
    }
    mutating func takeAll() -> EdgeSlots {
        defer { slots = EdgeSlots() }
        slots.forEach { unsafeDowncast($0, to: AnyListenEdge.self).isHeld = false }
        return slots
    }
}
