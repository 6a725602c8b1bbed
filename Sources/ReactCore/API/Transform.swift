/// A transform whose types are not known. Unchecked, as `AnyEdge` is: it adds nothing that is stored.
open class AnyTransform: AnyEdge, @unchecked Sendable {
    @usableFromInline init(name: StaticString, forward: @escaping Forward) {
        super.init(EdgeName(literal: name), forward: forward)
    }
    @usableFromInline init(named name: String, forward: @escaping Forward) {
        super.init(name == "Transform" ? EdgeName(literal: "Transform") : EdgeName(text: name), forward: forward)
    }
    /// The node that the edge leads to.
    final var destinationNode: AnyNode? {
        lock.locking { target.load(ordering: .acquiring)?.takeUnretainedValue() }?.handle
    }
    override package var currentDestination: AnyObject? { destinationNode }
    override func leadNowhere(_ deferred: inout Deferred) { setTarget(nil, &deferred) }
    /// Whether the edge may lead to `node`. Ends the process where that is a mistake.
    func checkTarget(_ node: AnyNode?) {}
    /// Sets both ends of a transform that has none yet, and may lead to `node`; and gives it the source's present value.
    final func connect(from source: AnyNode, to node: AnyNode) {
        let relinked = relink {
            fromNode = source
            setTarget(node.vertex, &$0)
        }
        if heedsSource { sourceHasChanged() }
        relinked.perform(self)
    }
    /// Has the edge lead to `node`, or nowhere, where `condition`, asked under the edge's lock, holds.
    func setTarget(_ node: AnyNode?, if condition: () -> Bool = { true }) {
        checkTarget(node)
        relink(if: {
            condition() && node.map { !leads(to: $0.vertex) } ?? (target.load(ordering: .relaxed) != nil)
        }) {
            setTarget(node?.vertex, &$0)
        }.perform(self)
    }
    /// How many inputs the combination or zip that the edge was made for has; `nil` for other operators.
    package var inputCount: Int? { nil }
    /// Whether the edge leads to a combination.
    package final var isJoining: Bool { missingInputCount != nil }
    /// Whether the operator sends nothing before a value has come by this edge.
    package var isWaitedFor: Bool { isJoining }
    /// Whether that value has yet to come. What has come counts, though the source may have been emptied since.
    package var missesValue: Bool { isWaitedFor && source?.isEmpty ?? true }
    /// Whether values may come by this edge, and it does not only say when something has happened.
    package var bringsValues: Bool { true }
    /// Whether an operator points the edge at one node after the other: nothing is amiss while it leaves from none.
    package var isPointedAbout: Bool { false }
    /// Whether the edge is there because a body read its source.
    package var isOfBody: Bool { false }
}

/// An edge from node to node. Subclass it to write an operator of your own: override `next`, and `send` what it makes.
///
///     final class Halve: Transform<Int, Int>, @unchecked Sendable {
///         override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
///             if value.isMultiple(of: 2) { send(value / 2, from: senders, context: context) }
///         }
///     }
///     let source = MutableNode(84), half = Node<Int>()
///     half.link(to: source, transform: Halve())
///     print(half.current)      // 42
///
/// It holds `from`, and does not hold `to`; the `to` node holds the transform. Setting either end while the other is set
/// and `from` is not empty sends `from`'s value at once. Setting an end to `nil` disconnects it.
///
/// `next`, `empty` and `reset` are called on the thread that sets or links, with no lock held, and one at a time for each
/// node that the transform leaves from; a `reset` may come while another thread is in the `next` of the node before.
///
/// Unchecked, as `AnyEdge` is: it adds nothing that is stored. What yours adds is for you to guard: `next` may run on any thread, for one
/// value at a time.
open class Transform<Input: Sendable, Output: Sendable>: AnyTransform, NextReceiver, @unchecked Sendable {
    /// A transform with no ends yet.
    @inlinable public init(name: String = "Transform") {
        super.init(named: name) { Delivery<Input, Output>($0).callNext() }
    }
    /// For edges that are all in a closure, or override the engine's calls.
    @usableFromInline package override init(name: StaticString, forward: @escaping @Sendable (RawDelivery) -> Sent) {
        super.init(name: name, forward: forward)
    }

    /// The node that the transform leaves from. Held. Safe from any thread.
    ///
    /// Setting it ends what the edge did so far, calls `reset`, and takes over the new node's value at once.
    /// Setting the same node again does nothing.
    public final var from: Node<Input>? {
        get { source.map { unsafeDowncast($0, to: Node<Input>.self) } }
        set { setSource(consume newValue) }
    }
    /// The node that the transform leads to. Not held: that node holds the transform. Safe from any thread.
    public final var to: Node<Output>? {
        get { destinationNode.map { unsafeDowncast($0, to: Node<Output>.self) } }
        set { setTarget(newValue) }
    }

    /// Sets `from`, and answers that node's value instead of sending it: the caller passes it on in its own way. All later
    /// values are sent as always. Calls no `reset`.
    ///
    /// `condition` is asked under the edge's lock; where it does not hold, nothing is done, and the answer is `nil`.
    @inlinable
    package final func point(at node: consuming Node<Input>, if condition: () -> Bool = { true }) -> Input?? {
        var present: Input??
        pointSource(at: consume node, if: condition) {
            present = .some(unsafeDowncast($0, to: Store<Input>.self).value)
        }
        return present
    }
    /// Lets go of `from`, where `condition`, asked under the edge's lock, holds.
    @usableFromInline package final func letGoOfSource(if condition: () -> Bool) {
        var old: AnyNode?  // let go of when no lock is held
        unlink(if: condition) { _ in old = fromNode.take() }
        withExtendedLifetime(old) {}
    }
    @usableFromInline
    final func pointSource(at node: consuming AnyNode, if condition: () -> Bool, reading read: (Vertex) -> Void) {
        // The new one, and then the old one, which is let go of when no lock is held.
        var other: AnyNode? = consume node
        relinkInline(if: { condition() && (fromNode !== other || !readSource(read)) }, reading: read) { _ in
            swap(&fromNode, &other)
        }
        withExtendedLifetime(other) {}
    }
    /// Where the edge leaves from that node already: there is no more to do than to read its value.
    @inline(never) private func readSource(_ read: (Vertex) -> Void) -> Bool {
        guard let vertex = fromNode?.vertex else { return false }
        vertex.locking { read(vertex) }
        return true
    }

    /// Called with every value of `from`. Does nothing by default.
    open func next(_ value: Input, from senders: SenderList, context: NodeContext?) {}
    /// Called when `from` is emptied. Does nothing by default: emptiness does not travel.
    open func empty(from senders: SenderList, context: NodeContext?) {}
    /// Called when `from` changes, before the new node's value arrives: where a stateful operator starts over.
    open func reset() {}

    /// Empties `to`, in the same way.
    public final func sendEmpty(from senders: SenderList, context: NodeContext?) {
        send(from: senders, context: context) {
            $0.sendEmpty()
            return .nothing
        }
    }

    /// Another type is what a function has made of the value.
    override package var passesOn: Bool {
        Input.self == Output.self || self is any WrappingEdge || (self as? any SecretCarrier)?.carriesSecrets ?? false
    }
    override var heedsSource: Bool { true }
    override func sourceHasChanged() { reset() }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent {
        delivery.callOwnCode { empty(from: $0, context: $1) }
    }

    /// The same, where `body` says what is sent, and it is sent only while the linking goes on that is `wanted`, if one is.
    ///
    /// Whatever ends that afterwards either waits for the value to be stored in `to`, or keeps it out.
    @usableFromInline package final func send(
        from senders: SenderList, context: NodeContext?, by wanted: Linking? = nil, asPulse: Bool = false,
        _ body: (Delivery<Input, Output>) -> Sent
    ) {
        var target: Vertex?
        var number: UInt64?
        lock.locking {
            number = isLinked ? linkingNumber : nil
            target = self.target.load(ordering: .relaxed)?.takeUnretainedValue()
        }
        guard let number, wanted.map({ $0.number == number }) ?? true, let target else { return }
        let context = asPulse ? ContextBox(context, Pulse(), isOfReplay: true) : ContextBox.box(context)
        Propagation.currentUnretained._withUnsafeGuaranteedRef {
            $0.send(through: self, to: target, number, ofCall: wanted == nil, senders, context) { body(Delivery($0)) }
        }
    }
}

extension Transform {
    /// Passes a value on as a pulse of its own. An edge that does so keeps nothing.
    package final func sendPulse(_ value: Output, from senders: SenderList, context: NodeContext?) {
        send(from: senders, context: context, asPulse: true) { $0.send(value) }
    }
    /// Passes a value on to `to`: at once, or later and from any thread; `senders` and `context` as they came.
    ///
    /// Called from inside `next`, it is delivered as soon as `next` returns, so that a long chain needs no stack.
    /// Does nothing while either end is `nil`. A value that has passed through `to` stops here.
    @inlinable public final func send(_ value: Output, from senders: SenderList, context: NodeContext?) {
        guard context == nil, let (propagation, target) = OutOfLine.beginSend(by: self, from: senders.place) else {
            return sendElsewhere(value, from: senders, context)
        }
        // And once that is stored, what was there before.
        var held = value
        target._withUnsafeGuaranteedRef { target in
            propagation._withUnsafeGuaranteedRef { propagation in
                let store = unsafeDowncast(target, to: Store<Output>.self)
                propagation.leaveOnStack(propagation.store(&held, in: store, by: .call(.passUnretained(self))))
            }
        }
        withExtendedLifetime(held) {}
    }
    /// The same where it is not from inside `next`, or something is sent that did not come to it.
    @usableFromInline func sendElsewhere(_ value: Output, from senders: SenderList, _ context: NodeContext?) {
        send(from: senders, context: context) { $0.send(value) }
    }
}

extension Delivery {
    @inlinable func callNext() -> Sent {
        let call = OutOfLine.beginCall(raw.propagation, raw.edge, raw.target)
        raw.edge._withUnsafeGuaranteedRef { edge in
            let transform = unsafeDowncast(edge, to: Transform<Input, Output>.self)
            call._withUnsafeGuaranteedRef { call in
                guard call.isPlain else { return callNextClosely(transform) }
                transform.next(value, from: SenderList(call), context: call.noContext)
            }
        }
        OutOfLine.endCall(call, raw.propagation)
        return .nothing
    }
    /// The same where something travels beside the value.
    @usableFromInline @inline(never) func callNextClosely(_ transform: Transform<Input, Output>) {
        let (senders, context) = raw.propagation._withUnsafeGuaranteedRef { $0.argumentsOfCall }
        transform.next(value, from: senders, context: context)
    }
}
