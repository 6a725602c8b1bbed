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
        let holdings =
            (listener as? any Listener)?.lifetime.holdings ?? AssociatedLifetimes.known(of: listener)?.holdings
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
    @inlinable @inline(never) @discardableResult
    public func with(_ body: consuming @escaping @Sendable (Value) -> Void) -> any Cancelable {
        begin(ValueListenEdge(body))
    }
    /// Calls `body` with every value and its context, which is `nil` if the setter gave none.
    @inlinable @discardableResult
    public func withContext(_ body: @escaping @Sendable (Value, NodeContext?) -> Void) -> any Cancelable {
        attach { raw in
            let delivery = EdgeCall<Value, Never>(raw)
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
            let delivery = EdgeCall<Value, Never>(raw)
            body(delivery.value, delivery.senders, delivery.context)
            return .nothing
        }
    }
    /// Attaches an edge of your own.
    ///
    /// - Precondition: the edge has no ends yet. The message names the caller's `file` and `line`.
    @discardableResult public func with(
        edge: ListenEdge<Value>, file: StaticString = #fileID, line: UInt = #line
    ) -> any Cancelable {
        require(
            edge.source == nil && edge.destination == nil,
            "with(edge:): \"\(edge.name)\" has an end already; make an edge for each listening, or set `from` and `to`",
            file: file, line: line)
        edge.beginUse()
        return begin(edge)
    }

    /// Attaches an edge that calls `forward` with each delivery, and sends nothing on.
    @inlinable @inline(__always)
    package func attach(_ forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge) -> any Cancelable {
        begin(ClosureListenEdge<Value>(forward: forward))
    }
    /// Attaches an edge that has no ends yet.
    @inlinable @inline(never) func begin(_ edge: ListenEdge<Value>) -> any Cancelable {
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

extension ListenContext {
    /// Calls `body` on the main actor: at once for a value set there, and otherwise as soon as the main actor is free.
    ///
    ///     let lifetime = Lifetime(), total = MutableNode(1)
    ///     lifetime.listen(to: total).withOnMainActor { print("total: \($0)") }       // total: 1
    ///     total.value = 2                                                            // total: 2
    ///
    /// **Order.** The values are heard in order. If a value is set on the main actor while values from other threads
    /// still wait, these are heard first, and then the new value at once.
    ///
    /// **Re-entrancy.** A value that `body` itself sets is heard after `body` returns.
    ///
    /// **Lifetime.** As with `with(_:)`. Values that still wait are dropped when the listening is cancelled or the
    /// listener is gone. (A `Listener` counts as gone when its `lifetime` is.)
    ///
    /// **Threads.** A value that is set on the main actor is late if another thread keeps the graph busy for longer
    /// than 2 milliseconds. Then it comes from a thread of the library, so it waits for the main actor.
    ///
    /// The main actor must run for values from other threads. It does in an app, and in a program whose main function
    /// is `async`. A plain command-line tool calls `dispatchMain()` or runs `RunLoop.main`. (Outside Apple's platforms,
    /// `dispatchMain()` gives the main thread up. Then only code that Swift itself runs on the main actor, a task or an
    /// isolated function, counts as being there. A block on the main queue does not, so the values that it sets wait.)
    ///
    /// - Parameter body: Called with the present value and with every later one. It is retained until the listening
    ///   ends.
    /// - Returns: A cancelable that ends the listening; it may be dropped.
    /// - Complexity: One job on the main actor per value.
    @discardableResult
    public func withOnMainActor(_ body: @escaping @MainActor @Sendable (Value) -> Void) -> any Cancelable {
        with(edge: MainActorListenEdge<Value> { value, _ in body(value) })
    }
}

extension ListenContext where L: Sendable {
    /// Calls a method of a listener that belongs to the main actor, there and in order, as `withOnMainActor` does. It
    /// does not retain the listener: `node.listened(by: view).call(View.show)`.
    ///
    ///     @MainActor final class View: Listener {
    ///         let lifetime = Lifetime()
    ///         func show(_ value: Int) { print("shows", value) }
    ///     }
    ///
    ///     let node = MutableNode(1), view = View()
    ///     node.listened(by: view).call(View.show)     // shows 1
    ///
    /// The compiler prefers it to the other `call`, which runs on any thread, for every method of the main actor.
    @discardableResult
    public func call(_ method: @escaping @Sendable (L) -> @MainActor (Value) -> Void) -> any Cancelable {
        with(edge: MainActorListenEdge<Value> { [weak listener] value, _ in listener.map(method)?(value) })
    }
    /// Calls a main-actor method of the listener that takes no arguments, for every value.
    @discardableResult
    public func call(_ method: @escaping @Sendable (L) -> @MainActor () -> Void) -> any Cancelable {
        with(edge: MainActorListenEdge<Value> { [weak listener] _, _ in listener.map(method)?() })
    }
    /// Calls a main-actor method of the listener with every value and its context.
    @discardableResult
    public func call(_ method: @escaping @Sendable (L) -> @MainActor (Value, NodeContext?) -> Void) -> any Cancelable {
        with(edge: MainActorListenEdge<Value> { [weak listener] in listener.map(method)?($0, $1) })
    }
}

extension MainActor {
    /// Runs `work` on the main actor: before this returns, if the caller is on it.
    static func runNowOrSoon(_ work: @escaping @MainActor @Sendable () -> Void) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            if Platform.isMainThread { assumeIsolated(work) } else { Task { @MainActor in work() } }
            return
        }
        Task.immediate { @MainActor in work() }
    }
}

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
