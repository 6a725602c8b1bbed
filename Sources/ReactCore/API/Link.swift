extension Node {
    /// Makes this node follow `upstream`, and takes its value at once if it has one.
    ///
    /// This node retains `upstream` until the link is cut. A node may follow several nodes; then it takes every value
    /// that arrives. Safe from any thread.
    ///
    /// **Rings.** The node may be part of a ring, which each value goes round once. A value that was made later, as the
    /// result of `mapLatest` or `delay`, has passed the ring's nodes as well. So an answer that is linked back to its
    /// own question does not arrive there. Set the question in a listener of the answer instead, or let a node `follow`
    /// a sequence.
    ///
    ///     let shown = Node<Int>(), local = MutableNode(1)
    ///     let link = shown.link(to: local)
    ///     print(shown.current)     // 1
    ///     link.cancel()
    ///     local.value = 2
    ///     print(shown.current)     // 1
    ///
    /// - Returns: The link, to cut it by `cancel()` or to change its `source`. Dropping it cuts nothing.
    /// - Precondition: `upstream` is not this node. The message names the caller's `file` and `line`.
    /// - Complexity: O(1), besides the delivery of the value. O(n) for n nodes and edges downstream, if `upstream` has
    ///   more combinations in a row upstream of it than this node had.
    @discardableResult public func link(
        to upstream: Node<Value>, file: StaticString = #fileID, line: UInt = #line
    ) -> NodeLink<Value> {
        checkSource(upstream, file, line)
        let transform = LinkTransform<Value>(), link = NodeLink(transform)
        follow(upstream, by: transform, isNew: false)
        return link
    }
    private func checkSource(_ upstream: AnyNode, _ file: StaticString, _ line: UInt) {
        require(
            upstream !== self,
            "link(to:): \(textInMessages) cannot follow itself; put another node, such as a fork(), in between",
            file: file, line: line)
    }
    /// Makes this node follow `upstream` through `transform`, and sends the present value through it at once.
    ///
    /// - Parameters:
    ///   - upstream: The node to follow.
    ///   - transform: Makes this node's values from those of `upstream`. Use a new one for each link.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A cancelable that cuts the link; then `transform` has no ends. Dropping it cuts nothing.
    /// - Precondition: `transform` has no ends yet, and was not made for another node's combination; `upstream` is not
    ///   this node.
    @discardableResult
    public func link<Input>(
        to upstream: Node<Input>, transform: Transform<Input, Value>,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Cancelable {
        checkSource(upstream, file, line)
        require(
            transform.source == nil && transform.destination == nil,
            "link(to:transform:): \"\(transform.name)\" has an end already; make a transform for each link, or set `from` and `to`",
            file: file, line: line
        )
        transform.checkTarget(self, file: file, line: line)
        transform.beginUse()
        // This is made first, because the value that the link brings may end the link, and use the transform elsewhere.
        let cancelable = EdgeCancelable(transform)
        follow(upstream, by: transform, isNew: false)
        return cancelable
    }
}

/// Passes every value on unchanged; named "Link" in graphs. (The type's name avoids a clash with SwiftUI's `Link`.)
///
/// `Node.link(to:)` makes one and sets its ends. If you make your own, you can set either end anew later:
///
///     let local = MutableNode("local"), remote = MutableNode("remote"), shown = Node<String>()
///     let link = LinkTransform<String>()
///     shown.link(to: local, transform: link)
///     link.from = remote
///     print(shown.current)     // remote
///
/// Unchecked, as `AnyEdge` is: it adds nothing that is stored.
public final class LinkTransform<Value: Sendable>: Transform<Value, Value>, @unchecked Sendable {
    /// Creates a link with no ends yet.
    @inlinable public init() {
        super.init(name: "Link") {
            let delivery = EdgeCall<Value, Value>($0)
            return delivery.send(delivery.value)
        }
    }
    override var heedsSource: Bool { false }
    override var asksForSenders: Bool { false }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { .nothing }
    override package var facts: OperatorFacts { [.passesPulses, .loadsFirst] }
}
