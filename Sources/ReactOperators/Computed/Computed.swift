import ReactCore

/// "Computed": what `body` makes of the nodes that it reads, made anew whenever one of those changes.
///
/// What it reads this time is what it depends on: an edge "Computed" stands between the two exactly while that is so, and can
/// be walked and drawn like any other. Like a `combine`, it is made once a set or batch, after everything else that the set
/// reaches and after whatever it reads, whatever that is this time; so it never sees one new and one old. A node without a
/// value makes it wait: it keeps what it has, and is made again when that node is set. Made inside a batch or a listener, it
/// has its first value when the outermost set or batch ends; but in the course of another body at once, for that may read it.
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
}

/// A node that was read holds nothing.
public struct NoValue: Error {
    /// The node.
    public let node: AnyNode

    @inlinable init(node: AnyNode) { self.node = node }
}
