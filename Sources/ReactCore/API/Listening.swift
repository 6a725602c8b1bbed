extension Node {
    /// Starts a listening. `listener` owns it: what is attached lives exactly as long as `listener`
    /// or until it is cancelled, and keeps this node and all that is upstream of it alive.
    ///
    /// A listener that conforms to `Listener` lets go in its `deinit`, on every platform. Any other object works
    /// too: it stops receiving, and `hasListener` turns false, the moment it is gone; where the platform has no
    /// associated objects, the memory that it held follows when the library is next used to listen.
    /// (With more than 16 such objects alive, that look goes round them in turns. It holds each for a moment, so that
    /// there its `deinit` may come a moment late, and on another thread: make it a `Listener` where that matters.)
    ///
    ///     let node = MutableNode(1)
    ///     let screen = Lifetime()
    ///     node.listened(by: screen).with { print($0) }    // 1
    @inlinable public func listened<L: AnyObject>(by listener: L) -> ListenContext<Value, L> {
        ListenContext(node: self, listener: listener)
    }
    /// Cancels all that `listener` attached to this node, and nothing else.
    ///
    ///     let node = MutableNode(1), screen = Lifetime()
    ///     node.listened(by: screen).with { print($0) }    // 1
    ///     node.stopListening(by: screen)
    ///     node.value = 2
    ///
    /// - Complexity: O(n), where n is the smaller of two numbers: the listen edges of this node, and those of `listener`.
    public func stopListening(by listener: AnyObject) {
        let holdings = (listener as? any Listener)?.lifetime.holdings ?? ObjectLifetimes.known(of: listener)?.holdings
        guard let holdings else { return }
        let isShorter = holdings.edgeCount < vertex.locking { vertex.listens.count }
        let edges = isShorter ? holdings.allEdges : listenEdges
        for edge in edges { edge.end(for: listener, from: self) }
    }
}

extension Listener {
    /// The same as `node.listened(by: self)`.
    @inlinable public func listen<Value>(to node: Node<Value>) -> ListenContext<Value, Self> { node.listened(by: self) }
}

/// How to listen. Empty values are never heard.
///
/// Whatever is attached hears the node's present value at once, then every later one, exactly once and in order.
///
/// Closures run on the thread that sets the value, one at a time, with no lock held; they may set any node, this one
/// included, and may cut or attach edges. They are held until the listening ends: capture the listener weakly, or use `call`.
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
    /// - Parameter body: Called with the present value, before `with` returns, and then with each later one.
    /// - Returns: Ends the listening on `cancel()`; it may be dropped.
    @inlinable @inline(__always) @discardableResult
    public func with(_ body: consuming @escaping @Sendable (Value) -> Void) -> any Cancelable {
        begin(ValueListenEdge(body))
    }
    /// Calls `body` with every value and what travels beside it: `nil` where the setter gave nothing.
    @inlinable @discardableResult
    public func withContext(_ body: @escaping @Sendable (Value, NodeContext?) -> Void) -> any Cancelable {
        attach { raw in
            let delivery = Delivery<Value, Never>(raw)
            body(delivery.value, delivery.context)
            return .nothing
        }
    }
    /// Calls `body` with every value, the nodes that it has passed through, this one first, and what travels beside it.
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

    /// Has `forward` called with each delivery. It sends nothing.
    @inlinable @inline(__always)
    package func attach(_ forward: @escaping @Sendable (RawDelivery) -> Sent) -> any Cancelable {
        begin(ClosureListenEdge<Value>(forward: forward))
    }
    /// Attaches an edge that has no ends yet.
    @inlinable @inline(__always) func begin(_ edge: ListenEdge<Value>) -> any Cancelable {
        // Made first: what it hears may have it end, and listen elsewhere.
        let cancelable = EdgeCancelable(edge)
        edge.attach(to: listener, from: node)
        return cancelable
    }
}

extension ListenContext where L: Sendable {
    /// Calls a method of the listener without holding the listener: `node.listened(by: view).call(View.refresh)`.
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
    /// The same with the value.
    @discardableResult public func call(_ method: @escaping @Sendable (L) -> (Value) -> Void) -> any Cancelable {
        with { [weak listener] value in listener.map(method)?(value) }
    }
    /// The same with the value and what travels beside it.
    @discardableResult
    public func call(_ method: @escaping @Sendable (L) -> (Value, NodeContext?) -> Void) -> any Cancelable {
        withContext { [weak listener] value, context in listener.map(method)?(value, context) }
    }
}
