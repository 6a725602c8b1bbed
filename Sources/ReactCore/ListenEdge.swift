/// A listen edge whose type is not known.
///
/// Unchecked, as `AnyEdge` is: its fields are changed under `Structure`'s lock, or, where said, under `listenerLock` or a
/// lifetime's.
open class AnyListenEdge: AnyEdge, @unchecked Sendable {
    /// Guarded by `listenerLock`, because delivery asks for it, and takes no lock of the structure.
    private final weak var listener: AnyObject?
    private final let listenerLock = Lock(())
    // Guarded by `Structure`'s lock; the engine holds the edge where it is linked, and the lifetime holds it too.
    @exclusivity(unchecked) private final weak var owner: Lifetime?
    /// Whether delivery has to ask if the listener is still there: so where nothing tells us when it goes.
    @exclusivity(unchecked) private final var asksForListener = false

    override var currentDestination: AnyObject? {
        // What is found is let go when the lock is: it may be the last hold.
        var found: AnyObject?
        listenerLock.withLock { _ in found = listener }
        return found
    }
    override var isLinkable: Bool { isAttached }
    @exclusivity(unchecked) private final var isAttached = false
    /// Whether the lifetime's list holds the edge; guarded by the lifetime.
    @exclusivity(unchecked) final var isHeld = false

    override var linkMarks: UInt64 { asksForListener ? Link.asks : 0 }

    /// Attaches the edge to a listener, whose lifetime then holds it; takes over the source's value if that is set.
    final func attach(to listener: AnyObject?) {
        detach()
        guard let listener else { return Structure.connect(self) }
        let lifetime = Lifetime.of(listener)
        Structure.read {
            listenerLock.withLock { _ in self.listener = listener }
            owner = lifetime
            asksForListener = !(listener is any Listener)
            isAttached = true
        }
        lifetime.hold(self)
        Structure.connect(self)
    }
    /// Ends what `attach` began; `from` stays.
    final func detach() {
        var lifetime: Lifetime?
        Structure.read {
            lifetime = owner
            owner = nil
            listenerLock.withLock { _ in listener = nil }
            isAttached = false
        }
        Structure.disconnect(self)
        lifetime?.letGo(of: self)
    }
    override func cut() {
        detach()
        Structure.cut(self)
    }
    /// The same for an edge whose lifetime is going, and has let go of it.
    final func cutByLifetime() {
        Structure.read { isAttached = false }
        Structure.cut(self)
    }
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
