import ReactCore

/// "Computed": the result of `body`, made anew whenever a node that `body` has read changes.
///
/// The result depends on the nodes that `body` read in its last call. An edge "Computed" leads from each of them to the
/// result, exactly as long as that is so. Such an edge can be walked, drawn and cut like any other.
///
/// Like a `combine`, `body` is called once a set or batch, after everything else that the set reaches and after every
/// node that it reads. It therefore never sees the new value of one node beside the old value of another. A set to an
/// equal value does not call it. Pulses call it each time, and so do values that are not `Equatable`, or do not equal
/// themselves, such as NaN.
///
/// If a node that it reads by `try read` is empty, the result keeps its value, and `body` is called again when that
/// node is set. So `clean()` of such a node calls `body`, which ends at the read. Setting the value that the node had
/// before calls it again. To go on without a value, read by `ifAny`.
///
/// A pulse is read in one call, the one that follows it. After that, `body` reads the value that the node has again.
///
/// The result has its first value when the call returns, wherever it is made, if every node that `body` reads has one.
/// The first value is made of the values that the nodes hold then. `body` is called again if one of these differs at
/// the end of the set or batch under way.
///
/// A call outside of any set or batch waits while another thread works in the graph of a node that `body` reads, as a
/// set does (see *Threads and order*). If the wait ends first, the first value may show half of that thread's batch.
/// `body` is called again when the nodes are linked.
///
/// `body` has no side effects, because it may be called again before its result is used. It runs on the setting thread,
/// one call at a time, with no lock held. `body` is released when the result goes, or when it reads no node any more.
/// It must not capture an owner of the result, because that would be a cycle.
///
///     let isOpen = MutableNode(false), details = MutableNode("3 items")
///     let shown = computed { read in try read(isOpen) ? try read(details) : "–" }
///     print(shown.current)                         // –
///     isOpen.value = true
///     print(shown.current)                         // 3 items
///     print(shown.upstreamNodes.count)            // 2
///
/// `NoValue` is the only error that `body` may throw. If the work itself can fail, return a `Result`. Any other error
/// ends the process with a message that names the node, and the `file` and `line` that made it. A computed that reads
/// itself, directly or round a ring, ends the process with a message that names the ring.
///
/// - Parameters:
///   - file: The file of the call, which the message of a trap names.
///   - line: The line of the call.
///   - body: Reads nodes by its argument, and returns the value.
/// - Returns: A new immutable node, empty until `body` returns for the first time.
/// - Complexity: A call that reads the same nodes in the same order changes no edge: O(reads), besides `body`.
///   Otherwise O(1) for each edge that comes or goes, and O(nodes downstream of the result) if a node that is read has
///   a greater height than before.
@inlinable public func computed<Output: Sendable>(
    file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (NodeReader) throws -> Output
) -> Node<Output> {
    makeComputed(BodySite(isEffect: false, file, line), body) { BodyCore<Output>.fire($0, $1) }
}
/// "Computed" for results that are `Equatable`: a result that equals the one before is not passed on.
///
/// See `computed` for results of any type for the rest.
///
///     let number = MutableNode(2), lifetime = Lifetime()
///     let isEven = computed { read in try read(number).isMultiple(of: 2) }
///     isEven.listened(by: lifetime).with { print($0) }    // true
///     number.value = 4
///     number.value = 5                                    // false
@inlinable public func computed<Output: Sendable & Equatable>(
    file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (NodeReader) throws -> Output
) -> Node<Output> {
    makeComputed(BodySite(isEffect: false, file, line), body) { BodyCore<Output>.fire($0, $1, isSame: { $0 == $1 }) }
}

/// "Computed" with a cutoff of your own: a result is not passed on if `areEqual(last, result)` is true.
///
/// `last` is the value that the node holds, and keeps then. So small changes add up, until one is passed on. See
/// `computed` for results of any type for the rest.
///
///     let celsius = MutableNode(20.0), screen = Lifetime()
///     let shown = computed(areEqual: { abs($0 - $1) < 0.5 }) { read in try read(celsius) }
///     shown.listened(by: screen).with { print($0) }       // 20.0
///     celsius.value = 20.3
///     celsius.value = 20.6                                // 20.6
///
/// - Parameters:
///   - areEqual: Compares the value that the node holds with a new result. It is called on the setting thread, with no
///     lock held.
///   - file: The file of the call, which the message of a trap names.
///   - line: The line of the call.
///   - body: Reads nodes by its argument, and returns the value.
/// - Returns: A new immutable node, empty until `body` returns for the first time.
@inlinable public func computed<Output: Sendable>(
    areEqual: @escaping @Sendable (Output, Output) -> Bool, file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (NodeReader) throws -> Output
) -> Node<Output> {
    makeComputed(BodySite(isEffect: false, file, line), body) { BodyCore<Output>.fire($0, $1, isSame: areEqual) }
}

/// Returns a node that holds the result of `body`. `fire` calls that.
@inlinable @inline(__always) func makeComputed<Output: Sendable>(
    _ site: BodySite, _ body: @escaping @Sendable (NodeReader) throws -> Output, fire: @escaping Join.Fire
) -> Node<Output> {
    let node = Node<Output>()
    let core = BodyCore(at: node.vertex, site, body)
    core.start(Join(at: node.vertex, inputs: 0, body: core, fire: fire))
    return node
}

/// The error of a body that has no value to return.
///
/// Reading an empty node throws it. A body may also throw it itself: the `computed` then keeps its value, and calls the
/// body again when a node that it has read changes.
///
///     let input = MutableNode("1")
///     let number = computed { read in
///         guard let number = Int(try read(input)) else { throw NoValue() }
///         return number
///     }
///     input.value = "1x"
///     print(number.current)       // 1
public struct NoValue: Error {
    /// The empty node. If the body names none, this is an empty node without a name.
    public let node: AnyNode

    /// Makes an error that names `node` as the empty node.
    @inlinable public init(node: AnyNode = Node<Void>()) { self.node = node }
}
