/// A listen edge whose type is not known.
///
/// Unchecked, as `AnyEdge` is: its fields change under the edge's lock alone.
open class AnyListenEdge: AnyEdge, @unchecked Sendable {
    /// Where the edge leads, unless nowhere.
    @exclusivity(unchecked) private final var hearer: Hearer?
    @usableFromInline init(forward: consuming @escaping Forward) {
        super.init(EdgeName(literal: "Listen"), forward: consume forward)
        beginToListener()
    }
    override package var currentDestination: AnyObject? {
        // What is found is let go when the lock is: it may be the last hold.
        lock.locking { hearer?.listener }
    }
    /// Whether `listener` is the one that the edge leads to. Hands out nothing, and so is safe from any thread.
    ///
    ///     let node = MutableNode(1), screen = Lifetime()
    ///     node.listened(by: screen).with { _ in }
    ///     print(node.listenEdges.contains { $0.isHeard(by: screen) })     // true
    public final func isHeard(by listener: AnyObject) -> Bool {
        let wanted = ObjectIdentifier(listener)
        return currentDestination.map { ObjectIdentifier($0) == wanted } ?? false
    }
    override package func listenerType(_ deferred: inout Deferred) -> Any.Type? {
        guard let listener = hearer?.listener else { return nil }
        deferred.take(listener)
        return type(of: listener)
    }
    override var isLinkableToListener: Bool { hearer != nil }
    override var firstMode: UInt64 { hearer?.mode ?? 0 }

    /// Attaches the edge to a listener, whose lifetime then holds it; takes over the source's value if that is set. An edge that has no
    /// source yet may be given one in the same step.
    @usableFromInline final func attach(to listener: AnyObject, from node: AnyNode? = nil) {
        ObjectLifetimes.sweep()
        // Whoever calls holds it. To ask for a class takes a few instructions, and for a conformance some hundreds.
        if type(of: listener) == Lifetime.self {
            let lifetime = unsafeDowncast(listener, to: Lifetime.self)
            return Unmanaged.passUnretained(lifetime.holdings)._withUnsafeGuaranteedRef { lead(to: $0, from: node) }
        }
        let owner = listener as? any Listener
        let lifetime = owner?.lifetime ?? ObjectLifetimes.lifetime(of: listener)
        let hearer = lifetime.holdings.hearer(listener, mode: owner == nil ? LinkWord.asks : 0)
        lead(to: hearer, from: node)
        // It may not go before, nor while the lock is held.
        withExtendedLifetime(lifetime) {}
    }
    /// The same with where the edge is to lead; the lifetime behind that is there.
    fileprivate func lead(to newHearer: Hearer?, from node: AnyNode?) {
        var other = newHearer
        // A node that is given is held by whoever gives it.
        let holdsSource = node == nil || asksForSenders
        relink(holdsSource: holdsSource) { deferred in
            if let node { fromNode = node }
            leaveHearer(&deferred)
            swap(&hearer, &other)
            newHearer?.hold(self, &deferred)
        }.perform(self, holdsSource: holdsSource)
        withExtendedLifetime(node) {}
    }
    override func leadNowhere(_ deferred: inout Deferred) { leaveHearer(&deferred) }
    /// For `relink` alone.
    private func leaveHearer(_ deferred: inout Deferred) {
        hearer.take()?.letGo(of: self, &deferred)
    }
    /// Cuts the edge if it leads from `node` to `listener`.
    final func end(for listener: AnyObject, from node: AnyNode) {
        var found: AnyObject?  // let go of when no lock is held
        cut {
            guard let origin = originVertex, origin._withUnsafeGuaranteedRef({ $0 === node.vertex }) else {
                return false
            }
            found = hearer?.listener
            return found === listener
        }
        withExtendedLifetime(found) {}
    }
    /// Called when a lifetime is going, or is cancelled: cuts the edge, unless it has another one by now.
    final func end(with ending: Holdings) { cut { hearer?.isHeld(by: ending) ?? false } }
}

/// An edge from a node to a listener. Subclass it to receive in a way of your own.
///
///     final class Printer: ListenEdge<Int>, @unchecked Sendable {
///         override func next(_ value: Int, from senders: SenderList, context: NodeContext?) { print(value) }
///     }
///     let node = MutableNode(1), screen = Lifetime()
///     node.listened(by: screen).with(edge: Printer())     // 1
///
/// It holds `from`. The listener is not held: its lifetime holds the edge.
///
/// Unchecked, as `AnyEdge` is: it adds nothing that is stored. What yours adds is for you to guard.
open class ListenEdge<Value: Sendable>: AnyListenEdge, NextReceiver, @unchecked Sendable {
    /// An edge with no ends yet.
    public init(name: String = "Listen") {
        super.init { raw in
            let edge = unsafeDowncast(raw.edge.takeUnretainedValue(), to: ListenEdge<Value>.self)
            return raw.callOwnCode { edge.next(Delivery<Value, Never>(raw).value, from: $0, context: $1) }
        }
        if name != label { label = name }
    }
    @usableFromInline override init(forward: consuming @escaping Forward) { super.init(forward: consume forward) }

    /// The node that is listened to. Held. Setting it takes over the node's value at once if `to` is set.
    public final var from: Node<Value>? {
        get { source.map { unsafeDowncast($0, to: Node<Value>.self) } }
        set { setSource(consume newValue) }
    }
    /// The listener. Not held. Setting it takes over the node's value at once if `from` is set.
    ///
    /// Asking for it hands it to this thread: see `destination` for who may do so.
    public final var to: AnyObject? {
        get { currentDestination }
        set { if let newValue { attach(to: newValue) } else { lead(to: nil, from: nil) } }
    }
    /// Called with every value of `from`, on the thread that set it, one at a time. Does nothing by default.
    open func next(_ value: Value, from senders: SenderList, context: NodeContext?) {}
    /// Called when `from` is emptied. Does nothing by default.
    open func empty(from senders: SenderList, context: NodeContext?) {}

    override func forwardEmpty(_ delivery: RawDelivery) -> Sent {
        delivery.callOwnCode { empty(from: $0, context: $1) }
    }
}

/// The edge of a closure that is called with every value. It keeps that itself: a closure around it would be one more object.
///
/// Unchecked, as `AnyEdge` is: it adds a constant.
@usableFromInline final class ValueListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    @usableFromInline let body: @Sendable (Value) -> Void

    @inlinable init(_ body: @escaping @Sendable (Value) -> Void) {
        self.body = body
        super.init { raw in
            raw.edge._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: ValueListenEdge<Value>.self).body(Delivery<Value, Never>(raw).value)
            }
            return .nothing
        }
    }
    override var asksForSenders: Bool { false }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
}

/// The edge of `ListenContext`'s other closures. Unchecked, as `AnyEdge` is: it adds nothing that is stored.
@usableFromInline final class ClosureListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    @inlinable override init(forward: @escaping Forward) { super.init(forward: forward) }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
}

/// Whatever can be sent a value.
public protocol NextReceiver<Value>: AnyObject {
    /// The type of what it can be sent.
    associatedtype Value: Sendable
    /// Takes a value, with the nodes that it has passed through and what travels beside it.
    func next(_ value: Value, from senders: SenderList, context: NodeContext?)
    /// Is told that the sender was emptied.
    func empty(from senders: SenderList, context: NodeContext?)
}
