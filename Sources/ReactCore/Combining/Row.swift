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

/// What waits on one side of a row, whatever its type.
///
/// Unchecked, because it is guarded by the lock of the row's vertex.
@usableFromInline package class AnyRowSlot: @unchecked Sendable {
    @usableFromInline final let row: Row
    /// Whether nothing waits.
    @exclusivity(unchecked) @usableFromInline final var isEmpty = true
    /// Whether others wait behind the first value.
    @exclusivity(unchecked) @usableFromInline final var hasLater = false
    /// The linking that what waits came by.
    @exclusivity(unchecked) @usableFromInline final var linking = Linking.none

    @inlinable init(_ row: Row) { self.row = row }

    /// Says that the first value has been moved away.
    @inlinable @inline(__always) final func leave() {
        if hasLater { return advance() }
        isEmpty = true
        row.emptySlots &+= 1
    }
    /// Has the next value be the first, whose place is free.
    @usableFromInline func advance() {}
}

/// What waits on one side of a row, first in, first out.
///
/// One value waits here; those behind it in blocks, which are made with no lock held: who finds no room makes some, and comes again.
///
/// Unchecked, because it is guarded by the lock of the row's vertex.
@usableFromInline package final class RowSlot<Value: Sendable>: AnyRowSlot, @unchecked Sendable {
    /// The place of the first value, which is there while the slot is not empty. No optional, for code that is not specialised would look
    /// for the type of that each time.
    @usableFromInline let first: UnsafeMutablePointer<Value>
    @exclusivity(unchecked) @usableFromInline var later = Backlog<Value>()

    @inlinable package override init(_ row: Row) {
        first = .allocate(capacity: 1)
        super.init(row)
    }
    deinit {
        if !isEmpty { first.deinitialize(count: 1) }
        first.deallocate()
    }

    /// Adds a value, behind others in `room` if there is none yet; answers whether there was any.
    @usableFromInline func append(_ value: Value, _ room: RowBlock<Value>?) -> Bool {
        guard isEmpty else {
            guard later.append(value, room) else { return false }
            hasLater = true
            return true
        }
        row.emptySlots -= 1
        isEmpty = false
        first.initialize(to: value)
        return true
    }
    /// Room for another value, as much as there was before, made with no lock held.
    @usableFromInline @inline(never) func makeRoom() -> RowBlock<Value> {
        RowBlock(capacity: 2 * row.vertex.locking { later.newest?.capacity ?? 4 })
    }
    /// Has what comes now be of `linking`. Answers what waited by an earlier one, and waits no more: to be let go of when no lock is held.
    @usableFromInline @inline(never) func begin(_ linking: Linking) -> Stale {
        self.linking = linking
        return takeAll()
    }
    @usableFromInline typealias Stale = (first: Value?, later: Backlog<Value>)
    private func takeAll() -> Stale {
        var all = Stale(nil, Backlog())
        if !isEmpty {
            all.first = first.move()
            (isEmpty, hasLater) = (true, false)
            row.emptySlots += 1
        }
        swap(&later, &all.later)
        return all
    }
    /// The value that has waited longest. Precondition: the row is complete, and the lock is held.
    @inlinable @inline(__always) package func take() -> Value {
        let value = first.move()
        leave()
        return value
    }
    @usableFromInline override func advance() {
        first.initialize(to: later.popFirst())
        hasLater = !later.isEmpty
    }
    /// Forgets what waits, where that came by `linking`.
    func forget(_ linking: Linking) {
        let old = row.vertex.locking { self.linking == linking ? takeAll() : nil }
        withExtendedLifetime(old) {}
    }
}

/// The edge from an input to a row.
///
/// Unchecked, as `AnyEdge` is: it adds only constants.
@usableFromInline
class RowTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>, @unchecked Sendable {
    @usableFromInline final let slot: RowSlot<Input>

    @inlinable init(name: StaticString, _ slot: RowSlot<Input>, forward: @escaping Forward) {
        self.slot = slot
        super.init(name: name, forward: forward)
    }
    override package var inputCount: Int? { slot.row.inputs }
    override package var waitingCount: Int? { slot.row.vertex.locking { slot.isEmpty ? 0 : slot.later.count + 1 } }
    override package var passesOn: Bool { true }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
    override var heedsSource: Bool { false }
    override func linkingHasEnded(_ linking: Linking) { slot.forget(linking) }
}

/// The same for nodes of several types. The closure finds all that it needs in the edge: so there is one for all edges of the same types.
///
/// Unchecked, as `AnyEdge` is: it adds only constants.
@usableFromInline
final class TypedRowTransform<Input: Sendable, Output: Sendable>: RowTransform<Input, Output>, @unchecked Sendable {
    /// Takes one value out of each slot.
    @usableFromInline let takeRow: @Sendable () -> Output

    @inlinable init(name: StaticString, _ slot: RowSlot<Input>, _ takeRow: @escaping @Sendable () -> Output) {
        self.takeRow = takeRow
        super.init(name: name, slot) { Delivery<Input, Output>($0).gather { $0.passOnTyped($1) } }
    }
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
        _ input: Node<Input>, _ slot: RowSlot<Input>, name: StaticString, _ takeRow: @escaping @Sendable () -> Value
    ) {
        follow(input, by: TypedRowTransform(name: name, slot, takeRow))
    }
}

extension Delivery {
    /// The called edge, which leads to a row.
    @inlinable @inline(__always) func withRowEdge<Result>(_ body: (RowTransform<Input, Output>) -> Result) -> Result {
        raw.edge._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: RowTransform<Input, Output>.self)) }
    }
    /// Leaves the value in the slot of the called edge, and has `passOn` pass on the row that is complete then, if it is: with the
    /// lock held, which it lets go of. A value that came through the row's node is left there too, but completes none.
    ///
    /// Whatever takes more than a few instructions is called last: so a value that only waits needs no place on the thread's stack.
    @inlinable @inline(__always) func gather(then passOn: (Self, UInt32) -> Sent) -> Sent {
        withRowEdge { edge in
            Unmanaged.passUnretained(edge.slot)._withUnsafeGuaranteedRef { slot in
                Unmanaged.passUnretained(slot.row)._withUnsafeGuaranteedRef { row in
                    Unmanaged.passUnretained(row.vertex)._withUnsafeGuaranteedRef { vertex in
                        guard let bits = vertex.lockAtOnce() else { return gatherClosely(nil, then: passOn) }
                        guard isCurrent, slot.linking == linking, slot.isEmpty else {
                            return gatherClosely(bits, then: passOn)
                        }
                        leaveValue(at: slot.first)
                        slot.isEmpty = false
                        row.emptySlots &-= 1
                        if row.emptySlots == 0 { return passOn(self, bits) }
                        vertex.unlock(bits)
                        return .nothing
                    }
                }
            }
        }
    }
    /// Copies the value to a place where none is.
    @inlinable @inline(__always) func leaveValue(at place: UnsafeMutablePointer<Input>) {
        guard _isPOD(Input.self) else { return place.initialize(to: value) }
        // In one step, also where code is not specialised.
        raw.source._withUnsafeGuaranteedRef {
            let source = unsafeDowncast($0, to: Store<Input>.self).place
            UnsafeMutableRawPointer(place).copyMemory(from: source, byteCount: MemoryLayout<Input>.size)
        }
    }
    /// The same where somebody has the lock, or something waits already. The lock is held if there are `bits`; it is let go of, and taken
    /// again, to make room, and to let go of what waited by an earlier linking.
    @inlinable @inline(never)
    func gatherClosely(_ lockedBits: UInt32?, then passOn: (Self, UInt32) -> Sent) -> Sent {
        let (value, slot) = (value, withRowEdge { $0.slot })
        let vertex = slot.row.vertex
        var bits = lockedBits ?? vertex.lock()
        var room: RowBlock<Input>?
        while isCurrent {
            if slot.linking != linking {
                let stale = slot.begin(linking)
                vertex.unlock(bits)
                withExtendedLifetime(stale) {}
            } else if slot.append(value, room) {
                if slot.row.emptySlots == 0 { return passOn(self, bits) }
                vertex.unlock(bits)
                return .nothing
            } else {
                vertex.unlock(bits)
                room = slot.makeRoom()
            }
            bits = vertex.lock()
        }
        vertex.unlock(bits)
        return .nothing
    }
    /// Passes on the complete row of `slot`: has `store` store it, in the turn of the row's vertex, whose lock is held; or where that may
    /// not be at once, has what `make` answers take it out later. The lock is not held when it returns.
    @inlinable @inline(__always) func passOn(
        _ slot: Unmanaged<RowSlot<Input>>, _ bits: UInt32, store: (Propagation, Store<Output>) -> Sent,
        orLater make: () -> () -> Output??
    ) -> Sent {
        let row = slot._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.row) }
        let vertex = row._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.vertex) }
        // The edge may have been pointed at another node, which then gets the row.
        guard bits == 0, raw.target?.toOpaque() == vertex.toOpaque() else {
            vertex._withUnsafeGuaranteedRef { $0.unlock(bits) }
            return change(make())
        }
        return vertex._withUnsafeGuaranteedRef { vertex in
            raw.propagation._withUnsafeGuaranteedRef { propagation in
                // The row is taken out for a value that is stored.
                guard !propagation.hasPassed(vertex) else { return propagation.refuse(vertex) }
                return store(propagation, unsafeDowncast(vertex, to: Store<Output>.self))
            }
        }
    }
    /// Passes on the complete row of a `TypedRowTransform`. The lock is held, and not when it returns.
    @inlinable @inline(never) func passOnTyped(_ bits: UInt32) -> Sent {
        raw.edge._withUnsafeGuaranteedRef { edge in
            let edge = unsafeDowncast(edge, to: TypedRowTransform<Input, Output>.self)
            return passOn(.passUnretained(edge.slot), bits) {
                $0.store(edge.takeRow(), in: $1, by: .turn(choice))
            } orLater: {
                { [row = edge.slot.row, takeRow = edge.takeRow] in row.takeIfComplete(takeRow) }
            }
        }
    }
}

extension Row {
    /// What `takeRow` takes out of the slots, if the row is complete: what `change` takes.
    @usableFromInline func takeIfComplete<Output>(_ takeRow: () -> Output) -> Output?? {
        vertex.locking { emptySlots == 0 ? .some(.some(takeRow())) : nil }
    }
}
