/// A node that is made of one value from each of several nodes at a time: what `zip` is built on.
///
/// Its edges leave their values in slots, where they wait for the others. Whoever completes a row takes it out and passes
/// it on: at once, in one with the last value; or, where the node is delivering, when the turn comes, so that rows go
/// downstream in order.
///
/// Unchecked, because `emptySlots`, and the slots, are guarded by the lock of the vertex.
@usableFromInline package final class Row: @unchecked Sendable {
    @usableFromInline let vertex: Vertex
    @exclusivity(unchecked) @usableFromInline var emptySlots: Int
    let inputs: Int

    @usableFromInline init(at vertex: Vertex, slots: Int) {
        self.vertex = vertex
        inputs = slots
        emptySlots = slots
    }
}

/// What waits on one side of a row, first in, first out.
///
/// Unchecked, because it is guarded by the lock of the row's vertex.
@usableFromInline package final class RowSlot<Value: Sendable>: OperatorState, @unchecked Sendable {
    @usableFromInline let row: Row
    @exclusivity(unchecked) @usableFromInline var waiting = Queue<Value>()

    @inlinable package init(_ row: Row) { self.row = row }

    /// The linking that what waits came by.
    @exclusivity(unchecked) @usableFromInline var linking = Linking.none

    /// Adds a value.
    @inlinable @inline(__always) func append(_ value: consuming Value) {
        if waiting.isEmpty { row.emptySlots -= 1 }
        waiting.append(value)
    }
    /// Has what comes now be of `linking`. Answers what waited by an earlier one, and waits no more: to be let go of when no lock is held.
    @usableFromInline @inline(never) func begin(_ linking: Linking) -> AnyObject {
        self.linking = linking
        return Stale(takeAll())
    }
    private final class Stale {
        let waiting: Queue<Value>
        init(_ waiting: Queue<Value>) { self.waiting = waiting }
    }
    @usableFromInline func takeAll() -> Queue<Value> {
        var all = Queue<Value>()
        if !waiting.isEmpty { row.emptySlots += 1 }
        swap(&waiting, &all)
        return all
    }
    /// The value that has waited longest. Precondition: the row is complete, and the lock is held.
    @inlinable package func take() -> Value {
        let value = waiting.popFirst().unsafelyUnwrapped
        if waiting.isEmpty { row.emptySlots += 1 }
        return value
    }
    /// Forgets what waits, where that came by `linking`.
    @usableFromInline package func forget(_ linking: Linking) {
        let old = row.vertex.locking { self.linking == linking ? takeAll() : nil }
        withExtendedLifetime(old) {}
    }
    @usableFromInline package var waitingCount: Int? { row.vertex.locking { waiting.count } }
    @usableFromInline package var inputCount: Int? { row.inputs }
}

extension Node {
    /// A new immutable node that puts `slots` others together: see `Row`. As many calls of `gather` follow.
    @inlinable package static func gathering(slots: Int) -> (node: Node<Value>, row: Row) {
        let node = MutableNode<Value>(immutable: nil)
        return (node, Row(at: node.vertex, slots: slots))
    }
    /// Makes `input` one of the nodes that this new node puts together.
    ///
    /// `takeRow` takes one value out of each slot. It is called under the engine's lock: it may move values, and nothing else.
    @inlinable @inline(__always) package func gather<Input>(
        _ input: Node<Input>, _ slot: RowSlot<Input>, name: String, _ takeRow: @escaping @Sendable () -> Value
    ) {
        follow(input, name, state: slot) { Delivery<Input, Value>($0).gather(in: slot, takeRow) }
    }
}

extension Delivery {
    /// Leaves the value in a slot, and passes on the row that is complete then, if it is. A value that came through the row's
    /// node is left there too, but completes none.
    @inlinable func gather(in slot: RowSlot<Input>, _ takeRow: @escaping () -> Output) -> Sent {
        Unmanaged.passUnretained(slot.row)._withUnsafeGuaranteedRef { row in
            Unmanaged.passUnretained(row.vertex)._withUnsafeGuaranteedRef { vertex in
                raw.propagation._withUnsafeGuaranteedRef { propagation in
                    let value = value
                    let bits = vertex.lock()
                    guard isCurrent else {
                        vertex.unlock(bits)
                        return .nothing
                    }
                    let linking = linking
                    let stale = slot.linking == linking ? nil : slot.begin(linking)
                    defer { withExtendedLifetime(stale) {} }
                    slot.append(value)
                    guard row.emptySlots == 0 else {
                        vertex.unlock(bits)
                        return .nothing
                    }
                    // The edge may have been pointed at another node, which then gets the row.
                    guard bits == 0, raw.target?.toOpaque() == Unmanaged.passUnretained(vertex).toOpaque() else {
                        vertex.unlock(bits)
                        return change { row.takeIfComplete(takeRow) }
                    }
                    guard propagation.top < propagation.room || OutOfLine.admits(vertex, by: raw.edge, propagation)
                    else {
                        propagation.abandon(vertex)
                        return .nothing
                    }
                    return propagation.put(takeRow(), in: unsafeDowncast(vertex, to: Store<Output>.self))
                }
            }
        }
    }
}

extension Row {
    @usableFromInline func takeIfComplete<Output>(_ takeRow: () -> Output) -> Output?? {
        vertex.locking { emptySlots == 0 ? .some(.some(takeRow())) : nil }
    }
}
