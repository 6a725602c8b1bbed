import Synchronization

/// The slot of one of a join's inputs, for the closure that collects the newest values. The value is in the edge, which
/// the slot does not hold. While the join misses no value, all its edges are connected, and so are alive.
///
/// Unchecked, because only the owner of the region uses it.
@usableFromInline package struct JoinInput<Value: Sendable, Output: Sendable>: @unchecked Sendable {
    @usableFromInline let edge: Unmanaged<JoinInputEdge<Value, Output>>

    /// Creates a slot in a new edge, with the only reference to it, until `Node.join` takes that over.
    @inlinable package init(_ name: String, from input: Node<Value>, to type: Node<Output>.Type) {
        edge = .passRetained(JoinInputEdge(name))
    }

    /// The newest value. Precondition: the join misses no value.
    @inlinable package var newest: Value { edge._withUnsafeGuaranteedRef { $0.value.unsafelyUnwrapped } }
    /// The address of the value, valid while the edge is alive, because a stored property of a class does not move.
    package var place: UnsafeMutableRawPointer {
        func address(of value: UnsafeMutablePointer<Value?>) -> UnsafeMutableRawPointer {
            UnsafeMutableRawPointer(value)
        }
        return edge._withUnsafeGuaranteedRef { address(of: &$0.value) }
    }
}

extension Engine {
    /// Stores `value`: the typed half of a firing.
    @inlinable @inline(__always) package func fire<Output: Sendable>(_ join: Join, with value: Output) -> NextEdge {
        var held = value
        let sent = fire(join, exchanging: &held)
        withExtendedLifetime(held) {}
        return sent
    }
    /// Stores `value`, as above, and leaves the old value in it.
    @inlinable @inline(__always)
    package func fire<Output: Sendable>(_ join: Join, exchanging value: inout Output) -> NextEdge {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            store(&value, in: unsafeDowncast(vertex, to: ValueCell<Output>.self), by: .firing)
        }
    }
}

extension EdgeCall {
    /// Stores the value in the slot of the called edge, which leads to a join. The join fires when nothing else is left
    /// to deliver.
    @inlinable @inline(__always) func arrive() -> NextEdge {
        guard isStillConnected else { return .nothing }
        return raw.edge._withUnsafeGuaranteedRef { edge in
            let edge = unsafeDowncast(edge, to: JoinInputEdge<Input, Output>.self)
            return Unmanaged.passUnretained(edge.join)._withUnsafeGuaranteedRef { join in
                var new: Input? = value
                swap(&edge.value, &new)
                if edge.isEmpty {
                    edge.isEmpty = false
                    join.state.fillSlot()
                }
                defer { withExtendedLifetime(new) {} }
                let slot = Unmanaged<AnyTransform>.passUnretained(edge)
                return raw.engine._withUnsafeGuaranteedRef { join.arrive(in: $0, slot: slot) }
            }
        }
    }
}

/// The edge from an input to a join, with the slot of that input.
///
/// Unchecked, because only the owner of the region uses the fields that it adds.
@usableFromInline
package final class JoinInputEdge<Input: Sendable, Output: Sendable>: Transform<Input, Output>,
    @unchecked Sendable
{
    /// The join. Set before the edge is connected.
    @exclusivity(unchecked) @usableFromInline var ownedJoin: Join?
    @exclusivity(unchecked) @usableFromInline var value: Input?
    /// True if there is no value of the present connection. Then `value` may be one of an earlier connection.
    @inlinable var isEmpty: Bool {
        get { hasNothing.load(ordering: .relaxed) }
        set { hasNothing.store(newValue, ordering: .relaxed) }
    }
    /// See `isEmpty`. Any thread may read it.
    @usableFromInline final let hasNothing = Atomic(true)

    /// Creates an edge. Its closure captures nothing, so all edges of the same types share one.
    @inlinable init(_ name: String) {
        super.init(name: name) { EdgeCall<Input, Output>($0).arrive() }
    }
    @inlinable var join: Join { ownedJoin.unsafelyUnwrapped }
    override package var inputCount: Int? { Int(join.inputs) }
    override package var passesOn: Bool { true }
    override func loadFirst(from source: Vertex, in engine: AnyObject) -> UInt32? {
        // Another thread may own the join by now, because of its other inputs. So the join learns of the value later.
        let store = unsafeDowncast(source, to: ValueCell<Input>.self).read(into: &value)
        guard value != nil else { return nil }
        join.hasLoaded = true
        return store
    }
    override func fillLoaded() {
        // Once the edge is connected, a source that is empty was emptied after its value had been loaded.
        guard isEmpty, value != nil, !isLinked || source?.isEmpty == false else { return }
        isEmpty = false
        join.state.fillSlot()
    }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge {
        if delivery.isStillConnected { withExtendedLifetime(emptySlot()) {} }
        return .nothing
    }
    override func emptySlot() -> (any Sendable)? {
        if isEmpty || join.keepsEmptied { return nil }
        isEmpty = true
        join.state.emptySlot()
        join.forgetSlot(of: .passUnretained(self))
        return value.take()
    }
    override package var facts: OperatorFacts { [] }
    override var heedsSource: Bool { false }
    override var asksForSenders: Bool { false }
    override package var missingInputCount: Int? { join.missing }
    override package var isJoinPending: Bool { join.isDirty }
    override var isLastJoinPending: Bool { join.rank == .last && join.isDirty }
    override package var missesValue: Bool { isEmpty }
    override func checkTarget(_ node: AnyNode?, file: StaticString, line: UInt) {
        require(
            node == nil || node!.vertex === join.vertex,
            "to: an edge of \"\(name)\" is one of several that lead to one node, and cannot lead elsewhere; "
                + "combine the nodes anew, or link the other node to the combination",
            file: file, line: line
        )
    }
    /// Empties the slot: a join that misses an input does not fire.
    override func willDisconnect() {
        let wasFull = !isEmpty
        isEmpty = true
        join.inputHasGone(emptyingSlot: wasFull)
        join.forgetSlot(of: .passUnretained(self))
    }
    override func exchangeSlot(with vertex: Vertex) {
        swap(&value, &unsafeDowncast(vertex, to: ValueCell<Input>.self).value)
    }
    override func didDisconnect(_ connection: Connection) {
        let old = isEmpty ? value.take() : nil
        withExtendedLifetime(old) {}
    }
    override func dropCall() { join.dropFiring() }
}

extension Node {
    /// Creates an immutable node that joins `inputs` others: see `Join`. The caller calls `join` as many times.
    ///
    /// If `passesPulses`, a pulse leaves no value in the node. The closure `fire` puts the newest values together, and
    /// calls `fire` of the engine with the result. If `keepsEmptied`, the last value of an input that is emptied stays
    /// in use.
    @inlinable package static func joining(
        inputs: Int, rank: JoinRank = .byHeight, passesPulses: Bool = false, keepsEmptied: Bool = false,
        _ fire: @escaping @Sendable (Join, Engine) -> NextEdge
    ) -> (node: Node<Value>, join: Join) {
        let node = MutableNode<Value>(immutable: nil)
        let join = Join(
            at: node.vertex, inputs: inputs, rank: rank, passesPulses: passesPulses, keepsEmptied: keepsEmptied,
            fire: fire)
        return (node, join)
    }
    /// Makes `input` one of the nodes that this new node joins. After the last one, the join has its first value, if no
    /// input is empty.
    @inlinable @inline(__always) package func join<Input>(
        _ join: Join, _ slot: JoinInput<Input, Value>, _ input: Node<Input>
    ) {
        let edge = slot.edge.takeRetainedValue()
        edge.ownedJoin = join
        follow(input, by: edge)
        join.isLinked()
    }
}

extension Engine {
    /// Fires a combination by a function: stores the result of `make` for the newest values.
    ///
    /// The vertex is busy while `make`, which is user code, runs, so an arrival waits for the next firing.
    @inlinable @inline(__always) package func fire<Inputs, Output: Sendable>(
        _ join: Join, with newest: Inputs, _ make: (Inputs) -> Output
    ) -> NextEdge {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            let disconnectCount = join.disconnectCount.load(ordering: .relaxed)
            var value = make(newest)
            let store = unsafeDowncast(vertex, to: ValueCell<Output>.self)
            // An input may have been disconnected meanwhile, and another connected in its place. The join fires again
            // for that one.
            guard join.disconnectCount.load(ordering: .relaxed) == disconnectCount else {
                releaseAndDrain(store)
                return .nothing
            }
            return self.store(&value, in: store, by: .firing)
        }
    }
    /// Ends the turn of a join that has no value to store.
    @usableFromInline package func fireNothing(_ join: Join) -> NextEdge {
        observer?.firedNothing(join.vertex, .waits)
        releaseAndDrain(join.vertex)
        return .nothing
    }
}
