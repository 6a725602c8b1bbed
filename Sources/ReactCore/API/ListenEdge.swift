/// A listen edge whose type is not known.
///
/// Unchecked, as `AnyEdge` is: its fields are changed under `Structure`'s lock, or, where said, under `listenerLock`.
open class AnyListenEdge: AnyEdge, @unchecked Sendable {
    /// Guarded by `listenerLock`, because delivery asks for it, and takes no lock of the structure.
    private final weak var listener: AnyObject?
    private final let listenerLock = Lock(())
    /// The lifetime that holds the edge; `nil` as well once that is going.
    @exclusivity(unchecked) private final weak var owner: Lifetime?
    /// The same, until it has gone.
    @exclusivity(unchecked) private final var ownerID: ObjectIdentifier?
    /// Whether delivery has to ask if the listener is still there: so where nothing tells us when it goes.
    @exclusivity(unchecked) private final var asksForListener = false

    override var currentDestination: AnyObject? {
        // What is found is let go when the lock is: it may be the last hold.
        var found: AnyObject?
        listenerLock.withLock { _ in found = listener }
        return found
    }
    override var isLinkable: Bool { isAttached }
    private final var isAttached: Bool { ownerID != nil }

    override var linkMarks: UInt64 { asksForListener ? Link.asks : 0 }

    /// Attaches the edge to a listener, whose lifetime then holds it; takes over the source's value if that is set.
    final func attach(to listener: AnyObject?) {
        detach()
        guard let listener else { return Structure.connect(self) }
        let lifetime = Lifetime.of(listener)
        var wasAttached = false
        Structure.change { remains in
            // By another thread, since it was detached.
            wasAttached = isAttached
            leaveLifetime(&remains)
            listenerLock.withLock { _ in self.listener = listener }
            owner = lifetime
            ownerID = ObjectIdentifier(lifetime)
            lifetime.hold(self)
            asksForListener = !(listener is any Listener)
        }
        if wasAttached { Structure.disconnect(self) }
        Structure.connect(self)
    }
    /// Ends what `attach` began; `from` stays.
    final func detach() {
        Structure.change { remains in
            leaveLifetime(&remains)
            listenerLock.withLock { _ in listener = nil }
        }
        Structure.disconnect(self)
    }
    override func cut() {
        detach()
        Structure.cut(self)
    }
    /// Precondition: `Structure`'s lock is held.
    private func leaveLifetime(_ remains: inout Remains) {
        if let owner {
            owner.letGo(of: self, &remains)
            remains.take(owner)
        }
        owner = nil
        ownerID = nil
    }
    /// Called by a lifetime that is going; the edge may have another one by now. Precondition: `Structure`'s lock is held.
    final func forgetLifetime(_ id: ObjectIdentifier) {
        if ownerID == id { ownerID = nil }
    }
    /// Called by a lifetime that has gone.
    final func cutUnlessAttached() { Structure.cut(self) { !self.isAttached } }
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
open class ListenEdge<Value: Sendable>: AnyListenEdge, NextReceiver, @unchecked Sendable {
    /// An edge with no ends yet.
    public init(name: String = "Listen") {
        super.init(name: name) { Delivery<Value, Never>($0).callNext() }
        leadsToListener = true
    }
    @usableFromInline override init(name: String, forward: @escaping Forward) {
        super.init(name: name, forward: forward)
        leadsToListener = true
    }

    /// The node that is listened to. Held. Setting it takes over the node's value at once if `to` is set.
    public final var from: Node<Value>? {
        get { source.map { unsafeDowncast($0, to: Node<Value>.self) } }
        set { Structure.setSource(of: self, to: newValue) }
    }
    /// The listener. Not held. Setting it takes over the node's value at once if `from` is set.
    public final var to: AnyObject? {
        get { currentDestination }
        set { attach(to: newValue) }
    }
    /// Called with every value of `from`, on the thread that set it, one at a time. Does nothing by default.
    open func next(_ value: Value, from senders: SenderList, context: NodeContext?) {}
    /// Called when `from` is emptied. Does nothing by default.
    open func empty(from senders: SenderList, context: NodeContext?) {}

    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { Delivery<Value, Never>(delivery).callEmpty() }
}

/// The edge of `ListenContext`'s closures.
@usableFromInline final class ClosureListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    @inlinable init(forward: @escaping Forward) { super.init(name: "Listen", forward: forward) }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
}

extension Delivery where Output == Never {
    private var edge: ListenEdge<Input> {
        unsafeDowncast(raw.edge.takeUnretainedValue(), to: ListenEdge<Input>.self)
    }
    fileprivate func callNext() -> Sent {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            propagation.calling(edge) {
                edge.next(value, from: propagation.senderList, context: propagation.context?.value)
            }
        }
        return .nothing
    }
    fileprivate func callEmpty() -> Sent {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            propagation.calling(edge) {
                edge.empty(from: propagation.senderList, context: propagation.context?.value)
            }
        }
        return .nothing
    }
}
