/// A listen edge of any value type.
///
/// Unchecked, as `AnyEdge` is: its fields change under the edge's lock alone.
open class AnyListenEdge: AnyEdge, @unchecked Sendable {
    /// The end of the edge; `nil` if it leads nowhere.
    @exclusivity(unchecked) private final var listenTarget: ListenTarget?
    @usableFromInline init(forward: consuming @escaping Forward) {
        super.init(name: "Listen", forward: consume forward)
        beginToListener()
    }
    override package var currentDestination: AnyObject? {
        // The result is released after unlocking, because it may be the last reference.
        lock.locking { awaitsRemoval ? nil : listenTarget?.listener }
    }
    /// Returns true if the edge leads to `listener`. Unlike `destination`, it does not hand out the listener, so any
    /// thread may call it.
    ///
    ///     let node = MutableNode(1), screen = Lifetime()
    ///     node.listened(by: screen).with { _ in }
    ///     print(node.listenEdges.contains { $0.isHeard(by: screen) })     // true
    public final func isHeard(by listener: AnyObject) -> Bool { currentDestination === listener }
    override package func listenerType(_ deferred: inout DeferredReleases) -> Any.Type? {
        guard let listener = listenTarget?.listener else { return nil }
        deferred.take(listener)
        return type(of: listener)
    }
    override var isConnectableToListener: Bool { listenTarget != nil }
    override var firstMode: UInt64 { listenTarget?.mode ?? 0 }

    /// Leads the edge to a listener, whose lifetime then retains the edge, and delivers the source's value. An edge
    /// without a source can be given one in the same step.
    @usableFromInline final func attach(to listener: AnyObject, from node: AnyNode? = nil) {
        AssociatedLifetimes.sweep()
        // The caller retains the listener. A check for a class takes a few instructions, a check for a conformance some
        // hundreds.
        if type(of: listener) == Lifetime.self {
            let lifetime = unsafeDowncast(listener, to: Lifetime.self)
            return Unmanaged.passUnretained(lifetime.holdings)._withUnsafeGuaranteedRef { lead(to: $0, from: node) }
        }
        let owner = listener as? any Listener
        let lifetime = owner?.lifetime ?? AssociatedLifetimes.lifetime(of: listener)
        let listenTarget = lifetime.holdings.listenTarget(listener, mode: owner == nil ? ConnectionState.checks : 0)
        lead(to: listenTarget, from: node)
        // The lifetime must not be deallocated before this point, nor while the lock is held.
        withExtendedLifetime(lifetime) {}
    }
    /// Leads the edge to `newHearer`, and sets its source to `node`, if there is one. The caller keeps the lifetime
    /// behind `newHearer` alive.
    fileprivate func lead(to newHearer: ListenTarget?, from node: AnyNode?) {
        var other = newHearer
        // The caller retains a node that it passes.
        let holdsSource = node == nil || asksForSenders
        connecting(newHearer == nil ? nil : (node ?? source)?.vertex, to: nil) {
            {
                // The listener may go before that is done.
                let listener = newHearer?.listener
                self.lead(to: listener == nil ? nil : newHearer, from: node)
                withExtendedLifetime(listener) {}
            }
        } _: { connects, owner in
            reconnect(holdsSource: holdsSource, by: owner, connects: connects) { deferred in
                if let node { fromNode = node }
                leaveHearer(&deferred)
                swap(&listenTarget, &other)
                newHearer?.holdings._withUnsafeGuaranteedRef { $0.hold(self, &deferred) }
            }.perform(self, holdsSource: holdsSource)
        }
        newHearer?.holdings._withUnsafeGuaranteedRef { $0.noteAttached() }
        withExtendedLifetime(node) {}
    }
    override func leadNowhere(_ deferred: inout DeferredReleases) { leaveHearer(&deferred) }
    /// Takes the edge from its end. Called only inside `reconnect`.
    private func leaveHearer(_ deferred: inout DeferredReleases) {
        let old = listenTarget.take()
        old?.holdings._withUnsafeGuaranteedRef { $0.letGo(of: self, &deferred) }
        withExtendedLifetime(old) {}
    }
    /// Cuts the edge if it leads from `node` to `listener`.
    final func end(for listener: AnyObject, from node: AnyNode) {
        var found: AnyObject?  // let go of when no lock is held
        cutAndWait {
            guard knownSource?.toOpaque() == Unmanaged.passUnretained(node.vertex).toOpaque() else { return false }
            found = listenTarget?.listener
            return found === listener
        }
        withExtendedLifetime(found) {}
    }
    /// Called when a lifetime is going, or is cancelled: cuts the edge, unless it has another one by now.
    final func end(with ending: LifetimeStorage) {
        cutAndWait { listenTarget?.holdings.takeUnretainedValue() === ending }
    }
}

/// An edge from a node to a listener. Subclass it to receive values in your own way.
///
///     final class Printer: ListenEdge<Int>, @unchecked Sendable {
///         override func next(_ value: Int, from senders: SenderList, context: NodeContext?) { print(value) }
///     }
///     let node = MutableNode(1), screen = Lifetime()
///     node.listened(by: screen).with(edge: Printer())     // 1
///
/// The edge retains `from`. It does not retain the listener: the listener's lifetime retains the edge.
///
/// Unchecked, as `AnyEdge` is: it stores nothing of its own. A subclass must guard its own state.
open class ListenEdge<Value: Sendable>: AnyListenEdge, NextReceiver, @unchecked Sendable {
    /// Creates an edge with no ends yet. `name` is shown in graphs.
    public init(name: String = "Listen") {
        super.init { raw in
            raw.callOwnCode { senders, context in
                raw.edge._withUnsafeGuaranteedRef {
                    unsafeDowncast($0, to: ListenEdge<Value>.self)
                        .next(EdgeCall<Value, Never>(raw).value, from: senders, context: context)
                }
            }
        }
        if name != label { label = name }
    }
    @usableFromInline override init(forward: consuming @escaping Forward) { super.init(forward: consume forward) }

    /// The node that the edge listens to. Retained. If `to` is set, setting this delivers the node's value at once.
    public final var from: Node<Value>? {
        get { source.map { unsafeDowncast($0, to: Node<Value>.self) } }
        set { setSource(consume newValue) }
    }
    /// The listener. Not retained. If `from` is set, setting this delivers that node's value at once.
    ///
    /// Reading it hands the listener to this thread; `destination` says which threads may do so.
    public final var to: AnyObject? {
        get { currentDestination }
        set { if let newValue { attach(to: newValue) } else { lead(to: nil, from: nil) } }
    }
    /// Receives every value of `from`, on the thread that set it, one at a time, with no lock held. Does nothing by
    /// default.
    open func next(_ value: Value, from senders: SenderList, context: NodeContext?) {}
    /// Is called when `from` is emptied. Does nothing by default.
    open func empty(from senders: SenderList, context: NodeContext?) {}

    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge {
        delivery.callOwnCode { empty(from: $0, context: $1) }
    }
}

/// The edge of a closure that is called with every value. It stores that closure itself, which saves one object.
///
/// Unchecked, as `AnyEdge` is: it adds a constant.
@usableFromInline final class ValueListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    @usableFromInline let body: @Sendable (Value) -> Void

    @inlinable init(_ body: @escaping @Sendable (Value) -> Void) {
        self.body = body
        super.init { raw in
            raw.edge._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: ValueListenEdge<Value>.self).body(EdgeCall<Value, Never>(raw).value)
            }
            return .nothing
        }
    }
    override var asksForSenders: Bool { false }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { .nothing }
}

/// The edge of `ListenContext`'s other closures. Unchecked, as `AnyEdge` is: it stores nothing of its own.
@usableFromInline final class ClosureListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    @inlinable override init(forward: @escaping Forward) { super.init(forward: forward) }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { .nothing }
}

/// A receiver of values.
public protocol NextReceiver<Value>: AnyObject {
    /// The type of the values that it receives.
    associatedtype Value: Sendable
    /// Receives a value, with the nodes that it has passed and the context that travels beside it.
    func next(_ value: Value, from senders: SenderList, context: NodeContext?)
    /// Is called when the sender was emptied.
    func empty(from senders: SenderList, context: NodeContext?)
}
