/// An edge from a node that a body has read to the node that the body computes. `BodyEdge` has the value.
///
/// Unchecked, because only the owner of the region uses its fields.
@usableFromInline package class AnyBodyEdge: Transform<Never, Never>, @unchecked Sendable {
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
    /// True if a value or an emptying has arrived since the last call read the edge.
    @exclusivity(unchecked) @usableFromInline package final var hasChanged = false
    /// True if the last call read a pulse's value here, and nothing has arrived since.
    @exclusivity(unchecked) @usableFromInline final var hasReadPulse = false

    @usableFromInline init(
        name: String, of node: AnyNode, to join: Join, differs: (@Sendable (AnyBodyEdge) -> Bool)?,
        forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) {
        self.join = join
        comparing = differs
        isCompared = differs != nil
        sourceVertex = UnsafeRawPointer(Unmanaged.passUnretained(node.vertex).toOpaque())
        super.init(name: name, forward: forward)
    }

    override package var isOfBody: Bool { true }
    override func dropCall() { join.body?.dropCall() }
    override package var isJoinPending: Bool { join.isDirty }
    override package var missingInputCount: Int? { 0 }
    override package var isWaitedFor: Bool { true }
    override package var missesValue: Bool { source?.isEmpty ?? true }
    override var fateOfUnsent: CallResult { .kept }
    override package var passesOn: Bool { true }
    override package var facts: OperatorFacts { [] }
    override var heedsSource: Bool { false }
    override var asksForSenders: Bool { false }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { forward(delivery) }
    override func willDisconnect() {
        join.body?.lose(self)
        join.inputHasGone()
        sourceVertex = nil
    }

    // Other modules use these, because there the compiler would check each access to the fields for exclusivity.

    @inlinable package final var isChanged: Bool { hasChanged }
    /// True if an arriving value leads to a call, although it may equal the one before.
    @inlinable package final var isNotCompared: Bool { !isCompared || hasReadPulse }
    /// Returns true if the newest value differs from the one that the last call read. Calls `==`, which is user code:
    /// from then on, the edge may have gone.
    package final var differs: Bool { comparing?(self) ?? true }
    @inlinable package final func leaves(from vertex: UnsafeRawPointer) -> Bool { sourceVertex == vertex }

    /// Connects the edge, which has never been connected, unless nobody holds the node of the join. Returns whether it
    /// did.
    ///
    /// There is no initial delivery. Instead, `read` is called with the source.
    package func connect(from source: AnyNode, reading read: (Vertex) -> Void) -> Bool {
        var isLed = false
        assert(Engine.current.owns(source.vertex), "a body reads a busy region: EasyReact's engine is at fault")
        _ = reconnect(mayBeHalfConnected: false, catchesUp: false, reading: read) { deferred in
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
        engine.left.links.append(
            (
                source.vertex, join.vertex,
                {
                    later($0)
                    // By then, nobody else may hold it.
                    join.keep()
                }
            ))
        return false
    }
    /// Replaces a pulse's value, which the last call read, by the one in `vertex`, a vertex apart from the graph.
    /// Returns the pulse's value.
    package func endPulse(with vertex: Vertex?) -> (any Sendable)? { preconditionFailure("abstract") }
}

/// An edge from a node that a body has read, with the newest value of that node. It has no types of its own, because
/// one list holds edges of all types.
///
/// Unchecked, because only the owner of the region uses the values.
@usableFromInline package final class BodyEdge<Value: Sendable>: AnyBodyEdge, @unchecked Sendable {
    /// The newest value; `nil` while the source is empty.
    @exclusivity(unchecked) @usableFromInline package var value: Value?
    /// The value that the last call read, if `hasChanged`; otherwise `nil`.
    @exclusivity(unchecked) @usableFromInline var valueRead: Value?

    @usableFromInline package override init(
        name: String, of node: AnyNode, to join: Join, differs: (@Sendable (AnyBodyEdge) -> Bool)?,
        forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) { super.init(name: name, of: node, to: join, differs: differs, forward: forward) }
    /// Stores a value that arrives; `nil` if the source was emptied. If the last call has read the first `count`
    /// inputs, and this is one of them, keeps the value that it read. The caller releases `new` afterwards.
    @inlinable @inline(__always) package func store(_ new: inout Value?, afterReading count: Int) {
        swap(&value, &new)
        // The values are compared later, when the join fires, because `==` may be user code.
        guard isCompared, !hasChanged, place >= 0, Int(place) < count else { return }
        swap(&valueRead, &new)
        hasChanged = true
    }
    /// Returns the value, for a call of the body. The caller releases `old` afterwards.
    @inlinable @inline(__always) package func read(releasing old: inout Value?) -> Value? {
        if hasChanged {
            hasChanged = false
            swap(&old, &valueRead)
        }
        if hasReadPulse { hasReadPulse = false }
        return value
    }
    /// Returns true if the newest value differs from the one that the last call read, by `isEqual`. When that is
    /// called, the edge may go.
    @inlinable @inline(__always) package func differs(_ isEqual: (Value, Value) -> Bool) -> Bool {
        let (read, newest) = (valueRead, value)
        guard let read, let newest else { return (read == nil) != (newest == nil) }
        return !isEqual(read, newest)
    }
    override package func endPulse(with vertex: Vertex?) -> (any Sendable)? {
        let pulse = value
        value = vertex.flatMap { unsafeDowncast($0, to: ValueCell<Value>.self).value }
        hasReadPulse = true
        return pulse
    }
    override func didDisconnect(_ connection: Connection) {
        let old = (value.take(), valueRead.take())
        withExtendedLifetime(old) {}
    }
}
