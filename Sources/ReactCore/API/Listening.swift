extension Node {
    /// Starts a listening that `listener` owns: it ends when `listener` is deallocated, or when it is cancelled.
    ///
    /// Until then, it keeps this node and everything upstream of it alive.
    ///
    /// A listener that conforms to `Listener` ends its listenings in its `deinit`, on every platform. Any other object
    /// works too: as soon as it is gone, it receives nothing more, and `hasListener` is false. On platforms without
    /// associated objects, its memory is released the next time the library is used to listen.
    ///
    /// (If more than 16 such objects are alive, that clean-up checks them in turns. It retains each for a moment, so
    /// the object's `deinit` may run a moment later, and on another thread. Make the object a `Listener` if that
    /// matters.)
    ///
    ///     let node = MutableNode(1)
    ///     let screen = Lifetime()
    ///     node.listened(by: screen).with { print($0) }    // 1
    @inlinable public func listened<L: AnyObject>(by listener: L) -> ListenContext<Value, L> {
        ListenContext(node: self, listener: listener)
    }
    /// Cancels everything that `listener` attached to this node, and nothing else. Safe from any thread.
    ///
    ///     let node = MutableNode(1), screen = Lifetime()
    ///     node.listened(by: screen).with { print($0) }    // 1
    ///     node.stopListening(by: screen)
    ///     node.value = 2
    ///
    /// - Complexity: O(n), where n is the smaller of two numbers: the listen edges of this node, and those of
    ///   `listener`.
    public func stopListening(by listener: AnyObject) {
        let holdings = (listener as? any Listener)?.lifetime.holdings ?? ObjectLifetimes.known(of: listener)?.holdings
        guard let holdings else { return }
        let isShorter = holdings.edgeCount < vertex.locking { vertex.listens.count }
        let edges = isShorter ? holdings.allEdges : listenEdges
        for edge in edges { edge.end(for: listener, from: self) }
    }
}

extension Listener {
    /// Starts a listening that this listener owns, as `node.listened(by: self)` does.
    @inlinable public func listen<Value>(to node: Node<Value>) -> ListenContext<Value, Self> { node.listened(by: self) }
}

/// The ways to listen to one node, returned by `Node.listened(by:)`.
///
/// Listeners hear values only, and not that a node is emptied. Everything attached here hears the node's present value
/// at once, and then every later value, exactly once and in order.
///
/// Closures run on the thread that sets the value, one at a time, with no lock held. They may set any node, including
/// this one, and may cut or attach edges. They are retained until the listening ends, so capture the listener weakly,
/// or use `call`.
public struct ListenContext<Value: Sendable, L: AnyObject> {
    @usableFromInline let node: Node<Value>
    @usableFromInline let listener: L

    @inlinable init(node: Node<Value>, listener: L) {
        self.node = node
        self.listener = listener
    }

    /// Calls `body` with every value.
    ///
    ///     let node = MutableNode(1), screen = Lifetime()
    ///     node.listened(by: screen).with { print($0) }    // 1
    ///     node.value = 2                                  // 2
    ///
    /// - Parameter body: Called with the present value before `with` returns, and then with each later value.
    /// - Returns: A cancelable that ends the listening; it may be dropped.
    @inlinable @inline(__always) @discardableResult
    public func with(_ body: consuming @escaping @Sendable (Value) -> Void) -> any Cancelable {
        begin(ValueListenEdge(body))
    }
    /// Calls `body` with every value and its context, which is `nil` if the setter gave none.
    @inlinable @discardableResult
    public func withContext(_ body: @escaping @Sendable (Value, NodeContext?) -> Void) -> any Cancelable {
        attach { raw in
            let delivery = Delivery<Value, Never>(raw)
            body(delivery.value, delivery.context)
            return .nothing
        }
    }
    /// Calls `body` with every value, the nodes that it has passed (this one first), and its context.
    @inlinable @discardableResult
    public func withSenderListAndContext(
        _ body: @escaping @Sendable (Value, SenderList, NodeContext?) -> Void
    ) -> any Cancelable {
        attach { raw in
            let delivery = Delivery<Value, Never>(raw)
            body(delivery.value, delivery.senders, delivery.context)
            return .nothing
        }
    }
    /// Attaches an edge of your own.
    ///
    /// - Precondition: the edge has no ends yet.
    @discardableResult public func with(edge: ListenEdge<Value>) -> any Cancelable {
        require(
            edge.source == nil && edge.destination == nil,
            "with(edge:): \"\(edge.name)\" has an end already; make an edge for each listening, or set `from` and `to`")
        edge.beginUse()
        return begin(edge)
    }

    /// Attaches an edge that calls `forward` with each delivery, and sends nothing on.
    @inlinable @inline(__always)
    package func attach(_ forward: @escaping @Sendable (RawDelivery) -> Sent) -> any Cancelable {
        begin(ClosureListenEdge<Value>(forward: forward))
    }
    /// Attaches an edge that has no ends yet.
    @inlinable @inline(__always) func begin(_ edge: ListenEdge<Value>) -> any Cancelable {
        // This is made first, because a value that the edge hears may end the listening, and use the edge elsewhere.
        let cancelable = EdgeCancelable(edge)
        edge.attach(to: listener, from: node)
        return cancelable
    }
}

extension ListenContext where L: Sendable {
    /// Calls a method of the listener for every value, and does not retain the listener: `node.listened(by:
    /// view).call(View.refresh)`.
    ///
    ///     final class View: Listener, Sendable {
    ///         let lifetime = Lifetime()
    ///         func show(_ value: Int) { print("shows", value) }
    ///     }
    ///
    ///     let node = MutableNode(1), view = View()
    ///     node.listened(by: view).call(View.show)     // shows 1
    @discardableResult public func call(_ method: @escaping @Sendable (L) -> () -> Void) -> any Cancelable {
        with { [weak listener] _ in listener.map(method)?() }
    }
    /// Calls a method of the listener with every value, and does not retain the listener.
    @discardableResult public func call(_ method: @escaping @Sendable (L) -> (Value) -> Void) -> any Cancelable {
        with { [weak listener] value in listener.map(method)?(value) }
    }
    /// Calls a method of the listener with every value and its context, and does not retain the listener.
    @discardableResult
    public func call(_ method: @escaping @Sendable (L) -> (Value, NodeContext?) -> Void) -> any Cancelable {
        withContext { [weak listener] value, context in listener.map(method)?(value, context) }
    }
}
