/// An edge from a node that a body has read to the node that the body computes. `BodyEdge` has the value.
///
/// Unchecked, because only the owner of the region uses its fields.
@usableFromInline package class AnyBodyEdge: Transform<Never, Never>, InputEdge, @unchecked Sendable {
    @usableFromInline package final let join: Join
    /// Returns true if the newest value differs from the one that the last call read. It is compiled for the values'
    /// type. `nil` if the values cannot be compared.
    private final let comparing: (@Sendable (AnyBodyEdge) -> Bool)?
    /// The vertex that the edge leaves from, until it is disconnected.
    @exclusivity(unchecked) @usableFromInline package final var sourceVertex: UnsafeRawPointer?
    /// Its place among the inputs of the body; -1 if it is not one of them.
    @exclusivity(unchecked) @usableFromInline package final var place = Int32(-1)
    /// True if the values can be compared.
    @usableFromInline final let isCompared: Bool
    /// True if no call has read the newest value: a value or an emptying has arrived since the last one.
    @exclusivity(unchecked) @usableFromInline package final var hasChanged = true
    /// True if a pulse's value has been here since a call last read the source's own value.
    @exclusivity(unchecked) @usableFromInline final var hasReadPulse = false
    @exclusivity(unchecked) @usableFromInline final var kept: KeptValue?

    @usableFromInline init(
        name: String, of node: AnyNode, to join: Join, differs: (@Sendable (AnyBodyEdge) -> Bool)?
    ) {
        self.join = join
        comparing = differs
        isCompared = differs != nil
        sourceVertex = UnsafeRawPointer(Unmanaged.passUnretained(node.vertex).toOpaque())
        super.init(name: name) { AnyBodyEdge.arrive($0) }
    }

    final func joinBeingMade(by engine: Engine) -> Join? { nil }
    override package var isOfBody: Bool { true }
    override package var callCount: Int? { join.body.map { Int($0.callCount) } }
    override func dropCall(evenIfUnread: Bool) { join.body?.dropCall(evenIfUnread: evenIfUnread) }
    override package var isJoinPending: Bool { join.isDirty }
    override package var missingInputCount: Int? { 0 }
    // A secret makes the result a secret.
    override package var passesOn: Bool { true }
    override var heedsSource: Bool { false }
    override var asksForSenders: Bool { false }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { forward(delivery) }
    /// Notes the arrival of a value, or that the source was emptied.
    private static func arrive(_ call: ErasedEdgeCall) -> NextEdge {
        guard call.isStillConnected else { return .nothing }
        call.edge._withUnsafeGuaranteedRef { edge in
            let edge = unsafeDowncast(edge, to: AnyBodyEdge.self)
            if edge.kept != nil { return edge.arriveReplacing(edge.kept.take(), call) }
            edge.hasChanged = true
            // The edge is held during the call, and holds the join.
            Unmanaged.passUnretained(edge.join)._withUnsafeGuaranteedRef { join in
                call.engine._withUnsafeGuaranteedRef { join.arrive(call, in: $0) }
                join.body?.hasArrived(by: edge)
            }
        }
        return .nothing
    }
    /// Notes an arrival that replaces a kept value. The release comes last, because that may run user code.
    @inline(never) private final func arriveReplacing(_ old: KeptValue?, _ call: ErasedEdgeCall) {
        // The call under way may have read it.
        hasReadPulse = true
        _ = AnyBodyEdge.arrive(call)
        withExtendedLifetime(old) {}
    }
    func endPulse(leaving after: Vertex?) {
        hasReadPulse = true
        kept = nil
    }
    /// The vertex with the pulse's value for the call under way.
    @usableFromInline final var valueOfPulse: Vertex? { if case .pulse(let value) = kept { value } else { nil } }
    override func willDisconnect() {
        join.body?.lose(self)
        join.inputHasGone()
        sourceVertex = nil
    }
    override func didDisconnect(_ connection: Connection) { withExtendedLifetime(kept.take()) {} }

    // Other modules use these, because there the compiler would check each access to the fields for exclusivity.

    @inlinable package final var isChanged: Bool { hasChanged }
    /// True if the value that has arrived leads to a call, although it may equal the one before.
    @inlinable package final var isNotCompared: Bool { !isCompared || hasReadPulse || kept != nil }
    /// Returns true if the newest value differs from the one that the last call read. Calls `==`, which is user code:
    /// from then on, the edge may have gone.
    package final var differs: Bool { comparing?(self) ?? true }
    @inlinable package final func leaves(from vertex: UnsafeRawPointer) -> Bool { sourceVertex == vertex }

    /// Connects the edge, which has never been connected, unless nobody holds the node of the join. Returns whether it
    /// did. There is no initial delivery.
    package func connect(from source: AnyNode, in engine: Engine) -> Bool {
        var isLed = false
        assert(engine.owns(source.vertex), "a body reads a busy region: EasyReact's engine is at fault")
        _ = reconnect(
            mayBeHalfConnected: false, catchesUp: false,
            reading: { if engine.isOfPulse($0) { join.keepPulse(of: $0, at: self, forNext: false) } }
        ) { deferred in
            setTarget(join.vertex, &deferred)
            isLed = leads(to: join.vertex)
            if isLed { fromNode = source }
        }
        return isLed
    }
    /// Makes the source and the node of the join one region, which this thread owns then. Returns false if a region is
    /// busy. Then `later` is called when they are one.
    package func unite(
        with source: AnyNode, in engine: Engine, orLater later: @escaping (Engine) -> Void
    ) -> Bool {
        if engine.unite(source.vertex, join.vertex) { return true }
        let join = join
        engine.leftWork.links.append(
            (
                source.vertex, join.vertex,
                {
                    later($0)
                    // By then, nobody else may hold it.
                    join.retainItself()
                }
            ))
        return false
    }
}

/// An edge from a node that a body has read, with the value that the last call read there. It has no types of its own,
/// because one list holds edges of all types.
///
/// Unchecked, because only the owner of the region uses the value.
@usableFromInline package final class BodyEdge<Value: Sendable>: AnyBodyEdge, @unchecked Sendable {
    /// The value that the last call read, to be compared with the newest; `nil` if there was none, or if values cannot
    /// be compared.
    @exclusivity(unchecked) @usableFromInline var valueRead: Value?

    @usableFromInline package override init(
        name: String, of node: AnyNode, to join: Join, differs: (@Sendable (AnyBodyEdge) -> Bool)?
    ) { super.init(name: name, of: node, to: join, differs: differs) }
    /// Returns the value of the source, whose vertex is `cell`, for a call of the body. The caller releases `old`
    /// afterwards.
    @inlinable @inline(__always) package func read(from cell: Vertex, releasing old: inout Value?) -> Value? {
        if kept != nil { return readBesidePulse(from: cell, releasing: &old) }
        return readSource(cell, releasing: &old)
    }
    @inlinable @inline(__always) func readSource(_ cell: Vertex, releasing old: inout Value?) -> Value? {
        let value = unsafeDowncast(cell, to: ValueCell<Value>.self).value
        if hasChanged || hasReadPulse {
            (hasChanged, hasReadPulse) = (false, false)
            if isCompared {
                old = value
                swap(&old, &valueRead)
            }
        }
        return value
    }
    /// Returns the value of the pulse, unless that has come in the call under way: then it is for the next call.
    @inlinable @inline(never) func readBesidePulse(from cell: Vertex, releasing old: inout Value?) -> Value? {
        guard let pulse = valueOfPulse else { return readSource(cell, releasing: &old) }
        hasChanged = false
        swap(&old, &valueRead)
        return unsafeDowncast(pulse, to: ValueCell<Value>.self).value
    }
    /// Returns true if the newest value differs from the one that the last call read, by `isEqual`. When that is
    /// called, the edge may go.
    @inlinable @inline(__always) package func differs(_ isEqual: (Value, Value) -> Bool) -> Bool {
        guard let sourceVertex else { return true }
        let newest = Unmanaged<ValueCell<Value>>.fromOpaque(sourceVertex)._withUnsafeGuaranteedRef { $0.value }
        guard let read = valueRead, let newest else { return (valueRead == nil) != (newest == nil) }
        return !isEqual(read, newest)
    }
    override func didDisconnect(_ connection: Connection) {
        withExtendedLifetime(valueRead.take()) {}
        super.didDisconnect(connection)
    }
}
