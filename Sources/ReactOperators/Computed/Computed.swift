import ReactCore

/// "Computed": what `body` makes of the nodes that it reads, made anew whenever one of those changes.
///
/// What it reads this time is what it depends on: an edge "Computed" stands between the two exactly while that is so, and can
/// be walked and drawn like any other. Where all that it read is `Equatable`, it is made again only if one of these values differs. Like a `combine`, it is made once a set or batch, after everything else that the set
/// reaches and after whatever it reads, whatever that is this time; so it never sees one new and one old. A node without a
/// value makes it wait: it keeps what it has, and is made again when that node is set. Made inside a batch or a listener, it
/// has its first value when the outermost set or batch ends; but in the course of another body at once, for that may read it.
/// Made by another thread in the middle of a batch, it may begin with a value that contains half of the batch. It is made again
/// when the batch ends.
///
/// `body` has no side effects: it may be called again before its result is used. It runs on the setting thread, one call at a
/// time, with no lock held. It is held until nothing is read any more, or the node goes: capture no owner of the node.
///
///     let isOpen = MutableNode(false), details = MutableNode("3 items")
///     let shown = computed { read in try read(isOpen) ? try read(details) : "–" }
///     print(shown.current)                         // –
///     isOpen.value = true
///     print(shown.current)                         // 3 items
///     print(shown.upstreamNodes.count)            // 2
///
/// `NoValue` is the only error that `body` may throw: return a `Result` where the work itself can fail. Any other, and reading
/// itself, directly or round a ring, ends the process with a message that names the node, or the ring.
///
/// - Parameter body: Reads nodes by its argument, and returns the value.
/// - Returns: A new immutable node, empty until `body` has found all that it reads.
/// - Complexity: A call that reads the same nodes in the same order changes no edge: O(reads), besides `body`. Otherwise
///   O(1) for each edge that comes or goes; O(what is downstream of here) where what is read stands higher than before.
@inlinable public func computed<Output: Sendable>(
    _ body: @escaping @Sendable (NodeReader) throws -> Output
) -> Node<Output> {
    .dynamic("Computed", isSame: nil) { call in attempt(body, call) }
}
/// "Computed", as for any type; a result that equals the one before is not passed on.
///
///     let number = MutableNode(2), lifetime = Lifetime()
///     let isEven = computed { read in try read(number).isMultiple(of: 2) }
///     isEven.listened(by: lifetime).with { print($0) }    // true
///     number.value = 4
///     number.value = 5                                    // false
@inlinable public func computed<Output: Sendable & Equatable>(
    _ body: @escaping @Sendable (NodeReader) throws -> Output
) -> Node<Output> {
    .dynamic("Computed", isSame: { $0 == $1 }) { call in attempt(body, call) }
}

/// Calls `body`; `nil` where it waits for a value.
@inlinable @inline(__always) func attempt<Output>(
    _ body: (NodeReader) throws -> Output, _ call: DynamicCall
) -> Output? {
    do {
        return try body(NodeReader(call))
    } catch {
        if !(error is NoValue) { call.refuse(error) }
        return nil
    }
}

/// What a `computed` reads by. Of no use outside the call that it was given to: to read then ends the process.
public struct NodeReader: Sendable {
    @usableFromInline let call: DynamicCall

    @inlinable init(_ call: DynamicCall) { self.call = call }

    /// The node's value, and from now on a dependency.
    ///
    /// - Throws: `NoValue` where the node is empty: let it through, and the computed waits for a value. It is thrown, too, where
    ///   the node is still to change, or something that was read has changed: then the body is called again.
    @inlinable public func callAsFunction<Value>(_ node: Node<Value>) throws(NoValue) -> Value {
        guard let value = call.read(node) else { throw NoValue(node: node) }
        return value
    }
    /// The same; `nil` where the node is empty, instead of waiting for it. Where the body is to be called again, what the node holds
    /// until then. What a pulse brings is there in the one call that follows it.
    @inlinable public func ifAny<Value>(_ node: Node<Value>) -> Value? {
        if let value = call.read(node) { return value }
        return call.isGivenUp ? node.value : nil
    }
    /// The node's value, which is not depended on.
    @inlinable public func untracked<Value>(_ node: Node<Value>) -> Value? { node.value }
    /// A lifetime that ends before the body is called again, and when the computed or effect ends.
    ///
    /// For effects that clean up: listenings and effects that the body makes on it, and what it has that `hold(_:)`, go with it. All
    /// accesses in one call answer one lifetime. A call that is not made because nothing differs leaves it as it is.
    ///
    ///     let room = MutableNode("hall"), screen = Lifetime()
    ///     screen.effect { read in
    ///         let name = try read(room)
    ///         print("enters", name)
    ///         read.lifetime.hold(BlockCancelable { print("leaves", name) })
    ///     }                           // enters hall
    ///     room.value = "attic"        // leaves hall
    ///                                 // enters attic
    ///     screen.cancel()             // leaves attic
    public var lifetime: Lifetime { call.lifetime }
}

/// Thrown where a node that is read holds nothing; and by a body that is to keep the value that it has.
///
/// A `computed` whose body throws it keeps its value, and is made again when what it has read changes.
///
///     let input = MutableNode("1")
///     let number = computed { read in
///         guard let number = Int(try read(input)) else { throw NoValue() }
///         return number
///     }
///     input.value = "1x"
///     print(number.current)       // 1
public struct NoValue: Error {
    /// The node that holds nothing; an empty node without a name where the body names none.
    public let node: AnyNode

    /// An error that says that `node` holds nothing.
    @inlinable public init(node: AnyNode = Node<Void>()) { self.node = node }
}
