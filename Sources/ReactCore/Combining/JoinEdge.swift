/// The place of one of a join's inputs, as it is known to what puts the newest values together: it is in the edge, which that does not
/// hold. While the join misses none, all edges are linked, and so are there.
///
/// Unchecked, because what it is used for is guarded by the lock of the join's vertex.
@usableFromInline package struct JoinSlot<Value: Sendable, Output: Sendable>: @unchecked Sendable {
    @usableFromInline let edge: Unmanaged<JoinTransform<Value, Output>>

    /// A place in a new edge. Nobody else holds that, until `Node.join` takes the hold over.
    @inlinable package init(_ name: StaticString, from input: Node<Value>, to type: Node<Output>.Type) {
        edge = .passRetained(JoinTransform(name))
    }

    /// The newest value. Precondition: the join misses none, and the lock is held.
    @inlinable package var newest: Value { edge._withUnsafeGuaranteedRef { $0.value.unsafelyUnwrapped } }
    /// Where the value is, for as long as the edge is there: a class's property does not move.
    var place: UnsafeMutableRawPointer {
        func address(of value: UnsafeMutablePointer<Value?>) -> UnsafeMutableRawPointer {
            UnsafeMutableRawPointer(value)
        }
        return edge._withUnsafeGuaranteedRef { address(of: &$0.value) }
    }
}

extension Propagation {
    /// The typed half of a firing: stores `value`, which was put together under the lock.
    @inlinable @inline(__always) package func fire<Output: Sendable>(_ join: Join, with value: Output) -> Sent {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            store(value, in: vertex, by: .firing)
        }
    }
}

extension Delivery {
    /// Stores the value in the slot of the called edge, which leads to a join, and has the join fire when nothing else is left to
    /// deliver.
    @inlinable @inline(__always) func arrive() -> Sent {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { vertex in
            guard let bits = vertex.lockAtOnce() else { return arriveContended() }
            return arrive(atLocked: vertex, bits)
        }
    }
    /// The same where somebody has the lock: apart, so that what comes after that needs no place on the thread's stack most often.
    @inlinable @inline(never) func arriveContended() -> Sent {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { arrive(atLocked: $0, $0.lockContended()) }
    }
    @inlinable @inline(__always) func arrive(atLocked vertex: Vertex, _ bits: UInt32) -> Sent {
        guard isCurrent else {
            vertex.unlock(bits)
            return .nothing
        }
        return raw.edge._withUnsafeGuaranteedRef { edge in
            let edge = unsafeDowncast(edge, to: JoinTransform<Input, Output>.self)
            return Unmanaged.passUnretained(edge.join)._withUnsafeGuaranteedRef { join in
                var new: Input? = value
                swap(&edge.value, &new)
                if edge.isEmpty {
                    edge.isEmpty = false
                    join.state.fillSlot()
                }
                defer { withExtendedLifetime(new) {} }
                return raw.propagation._withUnsafeGuaranteedRef { ReactCore.arrive(at: join, $0, bits) }
            }
        }
    }
}

/// The edge from an input to a join, with the place of that input.
///
/// Unchecked, as `AnyEdge` is: what it adds is guarded by the lock of the join's vertex.
@usableFromInline
package final class JoinTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>, LeadsToJoin,
    @unchecked Sendable
{
    /// There is one before the edge is linked.
    @exclusivity(unchecked) @usableFromInline var heldJoin: Join?
    @exclusivity(unchecked) @usableFromInline var value: Input?
    /// Whether there is no value of the linking that the edge is in; `value` may be one of an earlier linking then.
    @exclusivity(unchecked) @usableFromInline var isEmpty = true

    /// The closure finds all that it needs in the edge: so there is one for all edges of the same types.
    @inlinable init(_ name: StaticString) {
        super.init(name: name) { Delivery<Input, Output>($0).arrive() }
    }
    deinit { heldJoin?.keep() }
    @inlinable var join: Join { heldJoin.unsafelyUnwrapped }
    override package var inputCount: Int? { join.inputs }
    override package var passesOn: Bool { true }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
    override var heedsSource: Bool { false }
    override package var missingInputCount: Int? { join.vertex.locking { join.state.missing } }
    override package var missesValue: Bool { join.vertex.locking { isEmpty } }
    override func checkTarget(_ node: AnyNode?) {
        require(
            node == nil || node!.vertex === join.vertex,
            "to: an edge of \"\(name)\" is one of several that lead to one node, and cannot lead elsewhere; "
                + "combine the nodes anew, or link the other node to the combination"
        )
    }
    /// A join without one of its inputs is silent.
    override func linkingEnds() {
        let wasFull = !isEmpty
        isEmpty = true
        join.inputHasGone(from: originVertex.map { UnsafeRawPointer($0.toOpaque()) }, emptyingSlot: wasFull)
    }
    override func linkingHasEnded(_ linking: Linking) {
        let old = join.vertex.locking { isEmpty ? value.take() : nil }
        withExtendedLifetime(old) {}
    }
}

extension Node {
    /// A new immutable node that joins `inputs` others: see `Join`. As many calls of `join` follow.
    ///
    /// A join that `isLast` fires after all that are not; one that `isLate`, and what is downstream of it, after effects. One that
    /// `keepsNothing` passes pulses on. `fire` puts the newest values together, and has the propagation `fire` the join with that. It is
    /// called under the engine's lock: it may copy values, and nothing else.
    @inlinable package static func joining(
        inputs: Int, isLast: Bool = false, isLate: Bool = false, keepsNothing: Bool = false,
        _ fire: @escaping @Sendable (Join, Propagation) -> Sent
    ) -> (node: Node<Value>, join: Join) {
        let node = MutableNode<Value>(immutable: nil)
        if isLate { node.vertex.beginLate() }
        let rank = isLast ? JoinRank.last : .byHeight
        return (node, Join(at: node.vertex, inputs: inputs, rank: rank, keepsNothing: keepsNothing, fire: fire))
    }
    /// Makes `input` one of the nodes that this new node joins. With the last of them it has its first value, if all have one.
    @inlinable @inline(__always) package func join<Input>(
        _ join: Join, _ slot: JoinSlot<Input, Value>, _ input: Node<Input>
    ) {
        let edge = slot.edge.takeRetainedValue()
        edge.heldJoin = join
        follow(input, by: edge)
        join.isLinked()
    }
}
