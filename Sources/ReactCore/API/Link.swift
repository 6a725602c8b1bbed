extension Node {
    /// Makes this node follow `upstream`, and takes over its value at once if it has one.
    ///
    /// This node holds `upstream` until the link is cut. It may follow several nodes, and then takes whatever arrives; and
    /// be one of a ring, which a value goes round once. Safe from any thread.
    ///
    ///     let shown = Node<Int>(), local = MutableNode(1)
    ///     let link = shown.link(to: local)
    ///     print(shown.current)     // 1
    ///     link.cancel()
    ///     local.value = 2
    ///     print(shown.current)     // 1
    ///
    /// - Returns: Cuts the link on `cancel()`. Dropping it cuts nothing.
    /// - Precondition: `upstream` is not this node.
    /// - Complexity: O(1), beside what the value leads to; O(what is downstream of here) where `upstream` stands below more
    ///   combinations in a row than this node did.
    @discardableResult public func link(to upstream: Node<Value>) -> any Cancelable {
        link(to: upstream, transform: LinkTransform())
    }
    /// The same through `transform`.
    ///
    /// - Parameters:
    ///   - upstream: The node to follow.
    ///   - transform: Makes this node's values of those of `upstream`; a new one for each link.
    /// - Returns: Cuts the link on `cancel()`: `transform` has no ends then. Dropping it cuts nothing.
    /// - Precondition: `transform` has no ends yet, and is none of another node's combination; `upstream` is not this node.
    @discardableResult
    public func link<Input>(to upstream: Node<Input>, transform: Transform<Input, Value>) -> any Cancelable {
        require(
            upstream !== self, "link(to:): \(self) cannot follow itself; put another node, such as a fork(), in between"
        )
        require(
            transform.source == nil && transform.destination == nil,
            "link(to:transform:): \"\(transform.name)\" has an end already; make a transform for each link, or set `from` and `to`"
        )
        transform.checkTarget(self)
        transform.beginUse()
        // Made first: what the link brings may end it, and use the transform elsewhere.
        let cancelable = EdgeCancelable(transform)
        transform.connect(from: upstream, to: self)
        return cancelable
    }
}

/// "Link": passes every value on unchanged. (Names that SwiftUI also exports, such as `Link`, are avoided.)
///
/// `Node.link(to:)` makes one and sets its ends. With one of your own, either end may be set anew later:
///
///     let local = MutableNode("local"), remote = MutableNode("remote"), shown = Node<String>()
///     let link = LinkTransform<String>()
///     shown.link(to: local, transform: link)
///     link.from = remote
///     print(shown.current)     // remote
///
/// Unchecked, as `AnyEdge` is: it adds nothing that is stored.
public final class LinkTransform<Value: Sendable>: Transform<Value, Value>, @unchecked Sendable {
    /// A link with no ends yet.
    @inlinable public init() {
        super.init(name: "Link") {
            let delivery = Delivery<Value, Value>($0)
            return delivery.send(delivery.value)
        }
    }
    override var heedsSource: Bool { false }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
    override var keepsNothing: Bool { true }
}
