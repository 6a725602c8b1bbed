/// The place of one of a join's inputs.
///
/// Unchecked, because it is guarded by the lock of the join's vertex.
@usableFromInline package final class JoinSlot<Value: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var value: Value?
    /// Whether there is no value of the linking that the edge is in; `value` may be one of an earlier linking then.
    @exclusivity(unchecked) @usableFromInline var isEmpty = true
    @inlinable package init() {}

    /// The newest value. Precondition: there is one, and the lock is held.
    @inlinable package var newest: Value { value.unsafelyUnwrapped }
}

extension Propagation {
    /// The typed half of a firing: stores `value`, which was put together under the lock.
    @inlinable @inline(__always) package func fire<Output: Sendable>(_ join: Join, with value: Output) -> Sent {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            makeRoom()
            return put(value, in: unsafeDowncast(vertex, to: Store<Output>.self))
        }
    }
}

extension Delivery {
    /// Stores the value in a join's slot, and has the join fire when nothing else is left to deliver.
    @inlinable @inline(__always) func arrive(at slot: JoinSlot<Input>, of join: Join) -> Sent {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            var new: Input? = value
            let bits = join.vertex.lock()
            guard isCurrent else { return join.vertex.unlock(bits) }
            swap(&slot.value, &new)
            if slot.isEmpty {
                slot.isEmpty = false
                join.state.fillSlot()
            }
            join.arrived(in: propagation, bits)
            withExtendedLifetime(new) {}
        }
        return .nothing
    }
}

/// The edge from an input to a join.
///
/// Unchecked, as `AnyEdge` is: it adds only constants, and the slot is guarded by the lock of the join's vertex.
@usableFromInline
final class JoinTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>, LeadsToJoin,
    @unchecked Sendable
{
    private let join: Join
    private let slot: JoinSlot<Input>

    @usableFromInline init(_ name: String, _ join: Join, _ slot: JoinSlot<Input>, forward: @escaping Forward) {
        self.join = join
        self.slot = slot
        super.init(name: name, forward: forward)
    }
    deinit { join.keep() }
    override package var inputCount: Int? { join.inputs }
    var joinLedTo: Join? { join }
    override package var passesOn: Bool { true }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
    override var heedsSource: Bool { false }
    override var missingInputs: Int? { join.vertex.locking { join.state.missing } }
    override func checkTarget(_ node: AnyNode?) {
        require(
            node == nil || node!.vertex === join.vertex,
            "to: an edge of \"\(name)\" is one of several that lead to one node, and cannot lead elsewhere; "
                + "combine the nodes anew, or link the other node to the combination"
        )
    }
    /// A join without one of its inputs is silent.
    override func linkingEnds() {
        let wasFull = !slot.isEmpty
        slot.isEmpty = true
        join.inputHasGone(from: originVertex.map { UnsafeRawPointer($0.toOpaque()) }, emptyingSlot: wasFull)
    }
    override func linkingHasEnded(_ linking: Linking) {
        let bits = join.vertex.lock()
        let old = slot.isEmpty ? slot.value.take() : nil
        join.vertex.unlock(bits)
        withExtendedLifetime(old) {}
    }
}

extension Node {
    /// A new immutable node that joins `inputs` others: see `Join`. As many calls of `join` follow.
    ///
    /// A join that `isLast` fires after all that are not. `fire` puts the newest values together, and has the propagation `fire`
    /// the join with that. It is called under the engine's lock: it may copy values, and nothing else.
    @inlinable package static func joining(
        inputs: Int, isLast: Bool = false, _ fire: @escaping @Sendable (Join, Propagation) -> Sent
    ) -> (node: Node<Value>, join: Join) {
        let node = MutableNode<Value>(immutable: nil)
        return (node, Join(at: node.vertex, inputs: inputs, isLast: isLast, fire: fire))
    }
    /// Makes `input` one of the nodes that this new node joins. With the last of them it has its first value, if all have one.
    @inlinable @inline(__always) package func join<Input>(
        _ join: Join, _ slot: JoinSlot<Input>, _ input: Node<Input>, name: String
    ) {
        let transform = JoinTransform<Input, Value>(name, join, slot) {
            Delivery<Input, Value>($0).arrive(at: slot, of: join)
        }
        follow(input, by: transform)
        join.isLinked(to: input.vertex)
    }
}
