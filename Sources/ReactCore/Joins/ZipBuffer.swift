/// A node that combines one value from each of several nodes at a time: `zip` is built on it.
///
/// Its edges store their values in slots, where they wait for the others. The thread that completes a row takes it out
/// and passes it on: at once, under the lock under which the last value came; or, if the node is busy, when the turn
/// comes, so that rows go downstream in order.
///
/// Unchecked, because the lock of the vertex guards `emptySlots` and the slots.
@usableFromInline package final class ZipBuffer: @unchecked Sendable {
    @usableFromInline let vertex: Vertex
    @exclusivity(unchecked) @usableFromInline var emptySlots: Int
    let inputs: Int

    @usableFromInline init(at vertex: Vertex, slots: Int) {
        self.vertex = vertex
        inputs = slots
        emptySlots = slots
    }
}

/// The values that wait on one side of a row, of any type.
///
/// Unchecked, because the lock of the row's vertex guards it.
@usableFromInline package class AnyZipQueue: @unchecked Sendable {
    @usableFromInline final let row: ZipBuffer
    /// True if no value waits.
    @exclusivity(unchecked) @usableFromInline final var isEmpty = true
    /// True if others wait behind the first value.
    @exclusivity(unchecked) @usableFromInline final var hasLater = false
    /// The connection by which the waiting values came.
    @exclusivity(unchecked) @usableFromInline final var connection = Connection.none

    @inlinable init(_ row: ZipBuffer) { self.row = row }

    /// Notes that the first value has been moved out.
    @inlinable @inline(__always) final func leave() {
        if hasLater { return advance() }
        isEmpty = true
        row.emptySlots &+= 1
    }
    /// Moves the next value to the place of the first one, which is free.
    @usableFromInline func advance() {}
}

/// The values that wait on one side of a row, first in, first out.
///
/// The first value waits here; those behind it in blocks. Blocks are allocated with no lock held: a caller that finds
/// no room makes a block, and tries again.
///
/// Unchecked, because the lock of the row's vertex guards it.
@usableFromInline package final class ZipQueue<Value: Sendable>: AnyZipQueue, @unchecked Sendable {
    /// The place of the first value, initialized while the slot is not empty. Not an optional, because unspecialised
    /// code would look up the type of the optional each time.
    @usableFromInline let first: UnsafeMutablePointer<Value>
    @exclusivity(unchecked) @usableFromInline var later = ZipBacklog<Value>()

    @inlinable package override init(_ row: ZipBuffer) {
        first = .allocate(capacity: 1)
        super.init(row)
    }
    deinit {
        if !isEmpty { first.deinitialize(count: 1) }
        first.deallocate()
    }

    /// Adds a value; if others wait and no block has room, puts it into the block `room`. Returns false if there is no
    /// such block either.
    @usableFromInline func append(_ value: Value, _ room: ZipBlock<Value>?) -> Bool {
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
    /// Allocates a block twice as large as the newest one, with no lock held.
    @usableFromInline @inline(never) func makeRoom() -> ZipBlock<Value> {
        ZipBlock(capacity: 2 * row.vertex.locking { later.newest?.capacity ?? 4 })
    }
    /// Makes `connection` the connection by which values come from now on. Returns the values that waited by an earlier
    /// one, which the caller releases when no lock is held.
    @usableFromInline @inline(never) func begin(_ connection: Connection) -> Stale {
        self.connection = connection
        return takeAll()
    }
    @usableFromInline typealias Stale = (first: Value?, later: ZipBacklog<Value>)
    private func takeAll() -> Stale {
        var all = Stale(nil, ZipBacklog())
        if !isEmpty {
            all.first = first.move()
            (isEmpty, hasLater) = (true, false)
            row.emptySlots += 1
        }
        swap(&later, &all.later)
        return all
    }
    /// Takes out the value that has waited longest. Precondition: the row is complete, and the lock is held.
    @inlinable @inline(__always) package func take() -> Value {
        let value = first.move()
        leave()
        return value
    }
    @usableFromInline override func advance() {
        first.initialize(to: later.popFirst())
        hasLater = !later.isEmpty
    }
    /// Drops the waiting values if they came by `connection`.
    func discard(_ connection: Connection) {
        let old = row.vertex.locking { self.connection == connection ? takeAll() : nil }
        withExtendedLifetime(old) {}
    }
}

/// The edge from an input to a row.
///
/// Unchecked, like `AnyEdge`: it adds only constants.
@usableFromInline
class ZipInputEdge<Input: Sendable, Output: Sendable>: Transform<Input, Output>, @unchecked Sendable {
    @usableFromInline final let slot: ZipQueue<Input>

    @inlinable init(name: StaticString, _ slot: ZipQueue<Input>, forward: @escaping Forward) {
        self.slot = slot
        super.init(name: name, forward: forward)
    }
    override package var inputCount: Int? { slot.row.inputs }
    override package var waitingCount: Int? { slot.row.vertex.locking { slot.isEmpty ? 0 : slot.later.count + 1 } }
    override package var passesOn: Bool { true }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { .nothing }
    override var heedsSource: Bool { false }
    override func didDisconnect(_ connection: Connection) { slot.discard(connection) }
}

/// The edge from an input to a row of nodes of several types. Its closure captures nothing, so all edges of the same
/// types share one.
///
/// Unchecked, like `AnyEdge`: it adds only constants.
@usableFromInline
final class TypedZipInputEdge<Input: Sendable, Output: Sendable>: ZipInputEdge<Input, Output>, @unchecked Sendable {
    /// Takes one value out of each slot.
    @usableFromInline let takeRow: @Sendable () -> Output

    @inlinable init(name: StaticString, _ slot: ZipQueue<Input>, _ takeRow: @escaping @Sendable () -> Output) {
        self.takeRow = takeRow
        super.init(name: name, slot) { EdgeCall<Input, Output>($0).gather { $0.passOnTyped($1) } }
    }
}

extension Node {
    /// Creates an immutable node that combines `slots` others: see `ZipBuffer`. The caller calls `gather` as many
    /// times.
    @inlinable package static func gathering(slots: Int) -> (node: Node<Value>, row: ZipBuffer) {
        let node = MutableNode<Value>(immutable: nil)
        return (node, ZipBuffer(at: node.vertex, slots: slots))
    }
    /// Makes `input` one of the nodes that this new node combines.
    ///
    /// `takeRow` takes one value out of each slot. It is called under the lock of this node's vertex, so it may
    /// move values, and do nothing else.
    @inlinable @inline(__always) package func gather<Input>(
        _ input: Node<Input>, _ slot: ZipQueue<Input>, name: StaticString, _ takeRow: @escaping @Sendable () -> Value
    ) {
        follow(input, by: TypedZipInputEdge(name: name, slot, takeRow))
    }
}

extension EdgeCall {
    /// Calls `body` with the called edge, which leads to a row.
    @inlinable @inline(__always) func withRowEdge<Result>(_ body: (ZipInputEdge<Input, Output>) -> Result) -> Result {
        raw.edge._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: ZipInputEdge<Input, Output>.self)) }
    }
    /// Stores the value in the slot of the called edge. If that completes a row, calls `passOn` with the lock held,
    /// which passes the row on and releases the lock. A value that has passed the row's node is stored too, but
    /// completes no row.
    ///
    /// Each longer step is a tail call, so a value that only waits needs no stack frame.
    @inlinable @inline(__always) func gather(then passOn: (Self, UInt32) -> NextEdge) -> NextEdge {
        withRowEdge { edge in
            Unmanaged.passUnretained(edge.slot)._withUnsafeGuaranteedRef { slot in
                Unmanaged.passUnretained(slot.row)._withUnsafeGuaranteedRef { row in
                    Unmanaged.passUnretained(row.vertex)._withUnsafeGuaranteedRef { vertex in
                        guard let bits = vertex.lockAtOnce() else { return gatherContended(nil, then: passOn) }
                        guard isStillConnected, slot.connection == connection, slot.isEmpty else {
                            return gatherContended(bits, then: passOn)
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
    /// Copies the value to an empty place.
    @inlinable @inline(__always) func leaveValue(at place: UnsafeMutablePointer<Input>) {
        guard _isPOD(Input.self) else { return place.initialize(to: value) }
        // One copy of the bytes, even in unspecialised code.
        raw.source._withUnsafeGuaranteedRef {
            let source = unsafeDowncast($0, to: ValueCell<Input>.self).place
            UnsafeMutableRawPointer(place).copyMemory(from: source, byteCount: MemoryLayout<Input>.size)
        }
    }
    /// Stores the value if another thread has the lock, or values wait already. The lock is held if there are `bits`.
    /// It is released and taken again to allocate a block, and to drop values of an earlier connection.
    @inlinable @inline(never)
    func gatherContended(_ lockedBits: UInt32?, then passOn: (Self, UInt32) -> NextEdge) -> NextEdge {
        let (value, slot) = (value, withRowEdge { $0.slot })
        let vertex = slot.row.vertex
        var bits = lockedBits ?? vertex.lock()
        var room: ZipBlock<Input>?
        while isStillConnected {
            if slot.connection != connection {
                let stale = slot.begin(connection)
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
    /// Passes on the complete row of `slot`. If the row's vertex is idle, calls `store` in its turn; otherwise queues
    /// the closure that `make` returns, which takes the row out later. The lock is held, and is released here.
    @inlinable @inline(__always) func passOn(
        _ slot: Unmanaged<ZipQueue<Input>>, _ bits: UInt32, store: (Engine, ValueCell<Output>) -> NextEdge,
        orLater make: () -> () -> Output??
    ) -> NextEdge {
        let row = slot._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.row) }
        let vertex = row._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.vertex) }
        // The edge may have been pointed at another node, which then gets the row.
        guard bits == 0, raw.target?.toOpaque() == vertex.toOpaque() else {
            vertex._withUnsafeGuaranteedRef { $0.unlock(bits) }
            return change(make())
        }
        return vertex._withUnsafeGuaranteedRef { vertex in
            raw.engine._withUnsafeGuaranteedRef { engine in
                // A row is taken out only if its value will be stored.
                guard !engine.hasPassed(vertex) else { return engine.release(vertex) }
                return store(engine, unsafeDowncast(vertex, to: ValueCell<Output>.self))
            }
        }
    }
    /// Passes on the complete row of a `TypedZipInputEdge`. The lock is held, and is released here.
    @inlinable @inline(never) func passOnTyped(_ bits: UInt32) -> NextEdge {
        raw.edge._withUnsafeGuaranteedRef { edge in
            let edge = unsafeDowncast(edge, to: TypedZipInputEdge<Input, Output>.self)
            return passOn(.passUnretained(edge.slot), bits) {
                $0.store(edge.takeRow(), in: $1, by: .turn(choice))
            } orLater: {
                { [row = edge.slot.row, takeRow = edge.takeRow] in row.takeIfComplete(takeRow) }
            }
        }
    }
}

extension ZipBuffer {
    /// Calls `takeRow` if the row is complete, and returns its result in the form that `change` takes.
    @usableFromInline func takeIfComplete<Output>(_ takeRow: () -> Output) -> Output?? {
        vertex.locking { emptySlots == 0 ? .some(.some(takeRow())) : nil }
    }
}

/// The edge from an input to a row of nodes of one type, which go downstream as an array.
///
/// Unchecked, like `AnyEdge`: it adds only constants.
@usableFromInline
final class RowOfManyTransform<Element: Sendable>: ZipInputEdge<Element, [Element]>, @unchecked Sendable {
    @usableFromInline let slots: [ZipQueue<Element>]
    @usableFromInline let spare: SpareArray<Element>

    @inlinable init(name: StaticString, at place: Int, of slots: [ZipQueue<Element>], in spare: SpareArray<Element>) {
        self.slots = slots
        self.spare = spare
        super.init(name: name, slots[place]) { EdgeCall<Element, [Element]>($0).gather { $0.passOnMany($1) } }
    }
}

extension Node {
    /// Makes `input` the node at `place` of those that this new node combines. All of them share `spare`.
    @inlinable package func gather<Element>(
        _ input: Node<Element>, at place: Int, of slots: [ZipQueue<Element>], in spare: SpareArray<Element>,
        name: StaticString
    ) where Value == [Element] {
        follow(input, by: RowOfManyTransform(name: name, at: place, of: slots, in: spare))
    }
}

extension EdgeCall where Output == [Input] {
    /// Passes on the complete row of a `RowOfManyTransform`. The lock is held, and is released here.
    ///
    /// The array that was stored until now is filled the next time, as in a join of many.
    @inlinable @inline(never) func passOnMany(_ bits: UInt32) -> NextEdge {
        raw.edge._withUnsafeGuaranteedRef { edge in
            let edge = unsafeDowncast(edge, to: RowOfManyTransform<Input>.self)
            return passOn(.passUnretained(edge.slot), bits) { engine, store in
                edge.spare.fill(edge.slots.count) { edge.slots[$0].take() }
                var elements = edge.spare.elements.take() ?? []
                let sent = engine.store(&elements, in: store, by: .turn(choice))
                edge.spare.elements = consume elements
                edge.spare.prepare()
                return sent
            } orLater: {
                // The spare array belongs to the owner of the row's vertex, and this edge may lead to another one.
                { [row = edge.slot.row, slots = edge.slots] in
                    var values: [Input] = []
                    values.reserveCapacity(slots.count)
                    return row.takeIfComplete {
                        for slot in slots { values.append(slot.take()) }
                        return values
                    }
                }
            }
        }
    }
}
