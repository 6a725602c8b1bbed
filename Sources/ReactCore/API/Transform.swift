/// A transform of any value types. Unchecked, as `AnyEdge` is: it stores nothing of its own.
open class AnyTransform: AnyEdge, @unchecked Sendable {
    /// The node that the edge leads to.
    final var destinationNode: AnyNode? {
        lock.locking { awaitsRemoval ? nil : target.load(ordering: .acquiring)?.takeUnretainedValue() }?.handle
    }
    override package var currentDestination: AnyObject? { destinationNode }
    override var isBuffering: Bool { mayBuffer && (self as? any BufferingEdge)?.hasBufferedValues ?? false }
    override func lower(_ vertices: [Vertex]) { Engine.lower(vertices) }
    override func tellAskers(downstreamOf vertices: [Vertex]) { Askers.edgeHasChanged(self, at: vertices) }
    override func leadNowhere(_ deferred: inout DeferredReleases) { setTarget(nil, &deferred) }
    override func didConnect(_ source: Unmanaged<Vertex>, to target: Unmanaged<Vertex>) {
        Engine.known?._withUnsafeGuaranteedRef { $0.joins.heldBack.noteConnection() }
    }
    /// Ends the process if the edge must not lead to `node`.
    func checkTarget(_ node: AnyNode?, file: StaticString = #fileID, line: UInt = #line) {}
    /// Leads the edge to `node`, or nowhere, if `condition`, which runs under the edge's lock, returns true.
    package func setTarget(_ node: AnyNode?, if condition: () -> Bool = { true }) {
        checkTarget(node)
        func isNeeded() -> Bool { condition() && node.map { !leads(to: $0.vertex) } ?? (knownTarget != nil) }
        connecting(node == nil ? nil : vertices.source, to: node?.vertex, if: isNeeded) {
            { self.setTarget(node) }
        } _: { connects, owner in
            reconnect(if: isNeeded, by: owner, connects: connects) {
                if let node { setTarget(node.vertex, &$0) } else { leadNowhere(&$0) }
            }.perform(self)
        }
    }
    /// The number of inputs of the combination or zip that the edge was made for; `nil` for other operators.
    package var inputCount: Int? { nil }
    /// True if the edge leads to a combination.
    package final var isJoining: Bool { missingInputCount != nil }
    /// True if the operator sends nothing before a value has come by this edge.
    package var isWaitedFor: Bool { isJoining }
    /// True if the operator waits for that value, and it has not come yet. A value that has come counts, even if the
    /// source has been emptied since.
    package var missesValue: Bool { isWaitedFor && source?.isEmpty ?? true }
    override var fateOfUnsent: CallResult { isWaitedFor ? .kept : super.fateOfUnsent }
    package final var bringsValues: Bool { !facts.contains(.bringsNoValues) }
    package final var isPointedAbout: Bool { facts.contains(.isPointedAbout) }
    /// Notes the value that `loadFirst` has loaded, if the edge leads to a join.
    func fillLoaded() {}
    /// The place of the newest value of a join's input, to which the edge belongs. The owner alone.
    package var newestPlace: UnsafeMutableRawPointer { preconditionFailure("abstract") }
    /// True if the edge exists because a body read its source.
    package var isOfBody: Bool { false }
}

/// An edge from node to node. Subclass it to write an operator of your own: override `next`, and `send` its results.
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
/// The transform retains `from`, and not `to`; the `to` node retains the transform. If both ends are set and `from` is
/// not empty, setting either end sends `from`'s value at once. Setting an end to `nil` disconnects it.
///
/// `next`, `empty` and `reset` run on the thread that sets or links, one at a time, with no lock held.
///
/// Unchecked, as `AnyEdge` is: it stores nothing of its own. A subclass must guard its own state: `next` may run on any
/// thread, with one value at a time.
open class Transform<Input: Sendable, Output: Sendable>: AnyTransform, NextReceiver, @unchecked Sendable {
    /// Creates a transform with no ends yet. `name` is shown in graphs.
    @inlinable public init(name: String = "Transform") {
        super.init(name: name) { raw in
            raw.callOwnCode { senders, context in
                raw.edge._withUnsafeGuaranteedRef {
                    unsafeDowncast($0, to: Transform<Input, Output>.self)
                        .next(EdgeCall<Input, Output>(raw).value, from: senders, context: context)
                }
            }
        }
    }
    /// Creates an edge that is one closure, or that overrides the engine's calls.
    @usableFromInline package override init(
        name: String, forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) {
        super.init(name: name, forward: forward)
    }

    /// The node that the transform leaves from. Retained. Safe from any thread.
    ///
    /// Setting it ends the edge's old connection, calls `reset`, and then sends the new node's value at once. Setting
    /// the same node again does nothing.
    public final var from: Node<Input>? {
        get { source.map { unsafeDowncast($0, to: Node<Input>.self) } }
        set { setSource(consume newValue) }
    }
    /// The node that the transform leads to. Not retained: that node retains the transform. Safe from any thread.
    public final var to: Node<Output>? {
        get { destinationNode.map { unsafeDowncast($0, to: Node<Output>.self) } }
        set { setTarget(newValue) }
    }

    /// Sets `from`, and returns that node's value instead of sending it, so that the caller passes it on in its own
    /// way. All later values are sent as usual. Does not call `reset`.
    ///
    /// `condition` runs under the edge's lock. If it returns false, nothing is done, and the result is `nil`. If the
    /// edge leaves from the node already, and brings the value itself (`Engine.brings(valueOf:)`), the result is `nil`
    /// as well.
    @inlinable
    package final func point(at node: consuming Node<Input>, if condition: () -> Bool = { true }) -> Input?? {
        var present: Input??
        point(at: consume node, if: condition) { present = .some($0) }
        return present
    }
    /// Sets `from`, and calls `read` with that node's value, under the edge's lock, unless the edge brings it itself.
    @inlinable
    package final func point(
        at node: consuming Node<Input>, if condition: () -> Bool, reading read: (Input?) -> Void
    ) {
        pointSource(at: consume node, if: condition) { read(unsafeDowncast($0, to: ValueCell<Input>.self).value) }
    }
    @usableFromInline
    final func pointSource(at node: consuming AnyNode, if condition: () -> Bool, reading read: (Vertex) -> Void) {
        // First the new source; after the swap the old one, which is released when no lock is held.
        var other: AnyNode? = consume node
        connecting(other?.vertex, to: targetVertex) {
            preconditionFailure("an edge is pointed at a node by another thread: EasyReact's engine is at fault")
        } _: { connects, owner in
            reconnect(
                if: { condition() && (fromNode !== other || !isConnected || !readSource(read)) }, catchesUp: false,
                by: owner, connects: connects, reading: read
            ) { _ in
                swap(&fromNode, &other)
            }.perform(self)
        }
        withExtendedLifetime(other) {}
    }
    /// Reads the value of the source that the edge is connected to, unless the edge brings it: nothing else is to be
    /// done.
    @inline(never) private func readSource(_ read: (Vertex) -> Void) -> Bool {
        guard let vertex = fromNode?.vertex else { return false }
        let engine = Engine.currentUnretained
        let brings = engine._withUnsafeGuaranteedRef { $0.brings(valueOf: vertex) }
        if !brings { read(vertex) }
        return true
    }
    /// Returns true if the edge leaves from `node`, and brings that node's value itself. `condition` runs under the
    /// edge's lock.
    @usableFromInline package final func brings(valueOf node: AnyNode, if condition: () -> Bool) -> Bool {
        lock.locking {
            guard fromNode === node, isConnected, condition() else { return false }
            return Engine.current.brings(valueOf: node.vertex)
        }
    }

    /// Receives every value of `from`. Does nothing by default.
    open func next(_ value: Input, from senders: SenderList, context: NodeContext?) {}
    /// Is called when `from` is emptied. Does nothing by default, so emptiness does not travel.
    open func empty(from senders: SenderList, context: NodeContext?) {}
    /// Is called when `from` changes, before the new node's value arrives, so that an operator can reset its state.
    open func reset() {}

    /// Empties `to`, with the same rules as `send`.
    public final func sendEmpty(from senders: SenderList, context: NodeContext?) {
        send(from: senders, context: context) {
            $0.sendEmpty()
            return .nothing
        }
    }

    override package var facts: OperatorFacts { (self as? any FactualEdge)?.ownFacts ?? [] }
    override func loadFirst(from source: Vertex, in engine: AnyObject) -> UInt32? {
        facts.contains(.loadsFirst) ? callUnconnected(from: source, in: unsafeDowncast(engine, to: Engine.self)) : nil
    }
    /// A value of another type is the result of a function.
    override package var passesOn: Bool { Input.self == Output.self || facts.contains(.wraps) }
    override var heedsSource: Bool { true }
    override func sourceHasChanged() { reset() }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge {
        delivery.callOwnCode { empty(from: $0, context: $1) }
    }

    /// Sends the result of `body`. If `wanted` is given, sends only while the edge has that connection.
    ///
    /// If something ends that connection meanwhile, it either waits until the value is stored in `to`, or keeps it out.
    @usableFromInline package final func send(
        from senders: SenderList, context: NodeContext?, by wanted: Connection? = nil, asPulse: Bool = false,
        _ body: @escaping (EdgeCall<Input, Output>) -> NextEdge
    ) {
        let (generation, target) = lock.locking {
            (isConnected ? self.generation : nil, knownTarget?.takeUnretainedValue())
        }
        guard let generation, wanted.map({ $0.generation == generation }) ?? true, let target else { return }
        let context =
            asPulse ? ContextBox(context, TransientValue(), isOfInitialDelivery: true) : ContextBox.box(context)
        Engine.currentUnretained._withUnsafeGuaranteedRef {
            $0.send(through: self, to: target, generation, ofCall: wanted == nil, senders, context) {
                body(EdgeCall($0))
            }
        }
    }
}

extension Transform {
    /// Sends a value to `to`, at once or later, from any thread. Pass `senders` and `context` on as they came.
    ///
    /// A value sent inside `next` is delivered as soon as `next` returns, so a long chain needs no stack. Does nothing
    /// while either end is `nil`. A value that has passed `to` stops here.
    @inlinable public final func send(_ value: Output, from senders: SenderList, context: NodeContext?) {
        guard context == nil, let (engine, target) = beginUserSend(from: senders.sourceAddress) else {
            return send(from: senders, context: context) { $0.send(value) }
        }
        // Once that is stored, this is the target's old value.
        var held = value
        target._withUnsafeGuaranteedRef { target in
            engine._withUnsafeGuaranteedRef { engine in
                let cell = unsafeDowncast(target, to: ValueCell<Output>.self)
                engine.leaveOnStack(engine.store(&held, in: cell, by: .call(.passUnretained(self))))
            }
        }
        withExtendedLifetime(held) {}
    }
}

/// A transform that does not retain its source, and is cut when the source is deallocated.
///
/// Unchecked, because its field changes only in `reconnect`, under the edge's lock.
package final class WeakSourceTransform<Input: Sendable, Output: Sendable>: StatefulTransform<Input, Output>,
    @unchecked Sendable
{
    /// The source. It exists while the edge is connected, because its handle cuts the edge before it goes.
    private var unownedSource: Unmanaged<Vertex>?

    override package var holdsSource: Bool { false }
    override package var wanted: String? { nil }
    override var sourceNotHeld: Unmanaged<Vertex>? { unownedSource }

    /// Links `source` to `node` without retaining `source`: the transform belongs to `node`, and goes when `source`
    /// does. Does not send the present value. Precondition: the transform has no ends yet, and nobody else refers to
    /// it.
    package func lead(from source: Node<Input>, to node: Node<Output>) {
        connecting(source.vertex, to: node.vertex) {
            { self.lead(from: source, to: node) }
        } _: { connects, owner in
            reconnect(catchesUp: false, by: owner, connects: connects) {
                unownedSource = .passUnretained(source.vertex)
                setTarget(node.vertex, &$0)
            }.perform(self)
        }
    }
    /// Retains the source while the edge gets another target, so that the source cuts the new connection as well when
    /// it goes.
    override package func setTarget(_ node: AnyNode?, if condition: () -> Bool = { true }) {
        guard let node, let origin = source else { return super.setTarget(node, if: condition) }
        func isNeeded() -> Bool { condition() && !leads(to: node.vertex) }
        connecting(origin.vertex, to: node.vertex, if: isNeeded) {
            { self.setTarget(node) }
        } _: { connects, owner in
            var isUnowned = false
            return reconnect(
                if: {
                    isUnowned = unownedSource?.toOpaque() == Unmanaged.passUnretained(origin.vertex).toOpaque()
                    return isNeeded()
                }, by: owner, connects: connects
            ) {
                if isUnowned { unownedSource = .passUnretained(origin.vertex) }
                setTarget(node.vertex, &$0)
            }.perform(self)
        }
        withExtendedLifetime(origin) {}
    }
    override func willDisconnect() { unownedSource = nil }
    override func leadNowhere(_ deferred: inout DeferredReleases) {
        unownedSource = nil
        super.leadNowhere(&deferred)
    }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { .nothing }
}

extension AnyEdge {
    /// Makes the edge leave from `node`, or from nowhere, if `condition`, which runs under the edge's lock, returns
    /// true.
    package final func setSource(_ node: consuming AnyNode?, if condition: () -> Bool = { true }) {
        var other = consume node  // let go of when no lock is held
        let new = other.map { Unmanaged.passUnretained($0.vertex).toOpaque() }
        func isNeeded() -> Bool { condition() && knownSource?.toOpaque() != new }
        connecting(other?.vertex, to: targetVertex, if: isNeeded) {
            let node = other
            return { self.setSource(node) }
        } _: { connects, owner in
            let reconnected = reconnect(
                if: isNeeded, by: owner, connects: connects, { _ in swap(&fromNode, &other) })
            if reconnected.isChange {
                other = nil
                sourceHasChanged()
            }
            return reconnected.perform(self)
        }
    }
}

/// The edge of an operator with state. Unchecked, as `AnyEdge` is: it adds a constant.
@usableFromInline
package class StatefulTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>,
    @unchecked Sendable
{
    @usableFromInline package final let state: any OperatorState

    /// Creates a transform with no ends yet.
    @usableFromInline package init(
        name: String, state: any OperatorState, forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) {
        self.state = state
        super.init(name: name, forward: forward)
    }
    override var heedsSource: Bool { false }
    override func willDisconnect() { state.willDisconnect() }
    override func didDisconnect(_ connection: Connection) { state.discard(connection) }
    override package var waitingCount: Int? { state.waitingCount }
    override package var inputCount: Int? { state.inputCount }
    override package var wanted: String? { state.wanted }
    override package var callCount: Int? { state.callCount }
    override package var facts: OperatorFacts { state.facts }
    override var asksForSenders: Bool { facts.contains(.asksForSenders) }
    override package var isJoinPending: Bool { state.isJoinPending }
    override var isBuffering: Bool { state.hasBufferedValues }
    override package var passesOn: Bool { true }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { state.emptied(delivery) }
}
