import ReactCore
import Synchronization

// A zip: its inputs let their values wait, and the value that completes a row passes the row on.
//
//     edge ──▶ ZipInput: the values of one input that wait ──▶ ZipRow: the number of inputs where none waits
//
// A row is taken out in the turn of the edge's target, so that rows go downstream in order. An edge may have been
// pointed at another node; that node then gets the row.

/// The state that the inputs of one zip share.
///
/// Unchecked, because only the owner of the zip's region uses `missing`, and the state of the inputs.
@usableFromInline final class ZipRow: @unchecked Sendable {
    @usableFromInline let vertex: Vertex
    let inputs: Int
    /// The number of inputs where no value waits.
    @exclusivity(unchecked) @usableFromInline var missing: Int

    init(at vertex: Vertex, inputs: Int) {
        self.vertex = vertex
        self.inputs = inputs
        missing = inputs
    }
    /// Calls `take` if a value waits at each input. Returns the result in the form that `EdgeCall.change` takes.
    @inlinable @inline(__always) func ifComplete<Output>(_ take: () -> Output) -> Output?? {
        missing == 0 ? .some(.some(take())) : nil
    }
}

/// One input of a zip, of any type. Its values wait for their partners, first in, first out.
///
/// The first value that waits is in `cell`, and each one behind it in a box. Both are vertices apart from the graph,
/// with copies of the source's value.
///
/// Unchecked, because only the owner of the zip's region uses it, but for `waitingCount`.
@usableFromInline class AnyZipInput: OperatorState, @unchecked Sendable {
    @usableFromInline final let row: ZipRow
    @usableFromInline final let cell: Vertex
    /// The number of values that wait. Any thread may read it.
    @usableFromInline final var count: Int {
        @inlinable get { counted.load(ordering: .relaxed) }
        @inlinable set { counted.store(newValue, ordering: .relaxed) }
    }
    @usableFromInline final let counted = Atomic(0)
    @exclusivity(unchecked) private final var next: ZipBox?
    @exclusivity(unchecked) private final var last: ZipBox?
    /// The connection by which the waiting values came.
    @exclusivity(unchecked) @usableFromInline final var connection = Connection.none

    @usableFromInline init(_ row: ZipRow, _ cell: Vertex) { (self.row, self.cell) = (row, cell) }

    @usableFromInline final var waitingCount: Int? { count }
    @usableFromInline final var inputCount: Int? { row.inputs }

    /// Lets the value wait behind others, or by a new connection.
    @usableFromInline @inline(never) final func addBehind(_ call: ErasedEdgeCall) -> Bool {
        guard call.isStillConnected else { return false }
        var stale: ZipBox?
        defer { withExtendedLifetime(stale) {} }
        if connection != call.connection {
            stale = takeAll()
            connection = call.connection
        }
        if count == 0 {
            call.source._withUnsafeGuaranteedRef { cell.copyValue(from: $0) }
            return noteFirst()
        }
        let box = ZipBox(call.source._withUnsafeGuaranteedRef { $0.copyOfValue() })
        if let last { last.next = box } else { next = box }
        last = box
        count += 1
        return row.missing == 0
    }
    /// Notes that `cell` has got a value. Returns true if the row is complete.
    @inlinable @inline(__always) final func noteFirst() -> Bool {
        count = 1
        row.missing &-= 1
        return row.missing == 0
    }
    /// Notes that the first value has been taken out.
    @inlinable @inline(__always) final func leave() {
        count &-= 1
        if count > 0 { advance() } else { row.missing &+= 1 }
    }
    /// Moves the next value to the place of the first one. Its box goes, but the cell has the value as well, so no user
    /// code runs.
    @usableFromInline final func advance() {
        guard let box = next else { return }
        cell.copyValue(from: box.value)
        next = box.next.take()
        if next == nil { last = nil }
    }
    /// Takes out all values that wait, and returns them for release.
    private final func takeAll() -> ZipBox? {
        guard count > 0 else { return nil }
        let all = ZipBox(cell.movedValue())
        all.next = next.take()
        (count, last) = (0, nil)
        row.missing += 1
        return all
    }
    @usableFromInline final func discard(_ connection: Connection) {
        let old = self.connection == connection ? takeAll() : nil
        withExtendedLifetime(old) {}
    }
}

/// One input of a zip. Unchecked, as its superclass is: it stores nothing.
@usableFromInline final class ZipInput<Value: Sendable>: AnyZipInput, @unchecked Sendable {
    @inlinable init(_ row: ZipRow) { super.init(row, ValueCell<Value>(nil)) }
    /// Lets the value of `call` wait. Returns true if the row is complete.
    @inlinable @inline(__always) func add(_ call: ErasedEdgeCall) -> Bool {
        guard count == 0, call.isStillConnected, connection == call.connection else { return addBehind(call) }
        call.source._withUnsafeGuaranteedRef { unsafeDowncast(cell, to: ValueCell<Value>.self).copyValue(from: $0) }
        return noteFirst()
    }
    /// Takes out the value that has waited longest. Precondition: there is one.
    @inlinable func take() -> Value {
        let value: Value = unsafeDowncast(cell, to: ValueCell<Value>.self).takeValue()
        leave()
        return value
    }
}

/// A value that waits behind others. Unchecked, because only the owner of the zip's region uses it.
private final class ZipBox: @unchecked Sendable {
    let value: Vertex
    @exclusivity(unchecked) var next: ZipBox?

    init(_ value: Vertex) { self.value = value }
    /// Releases those behind in a loop, because they may be a million.
    deinit {
        var next = next.take()
        while let box = next { next = box.next.take() }
    }
}

/// A zip that is being made. `Room` is the memory that a row needs: see `ZipTake`.
@usableFromInline struct Zip<Output: Sendable, Room> {
    @usableFromInline let node = Node<Output>()
    @usableFromInline let row: ZipRow
    /// Connects the inputs.
    @usableFromInline var connects: [(ZipTake<Output, Room>) -> Void] = []

    @usableFromInline init(of inputs: Int) { row = ZipRow(at: node.vertex, inputs: inputs) }

    /// Makes `source` the next input.
    @inlinable @inline(__always) mutating func add<Input>(_ source: Node<Input>) -> ZipInput<Input> {
        let input = ZipInput<Input>(row)
        connects.append { [node] take in
            node.follow(source, "Zip", state: input) {
                input.add($0) ? EdgeCall<Input, Output>($0).passOn(input.row, take) : .nothing
            }
        }
        return input
    }
    /// Connects the inputs, and returns the node.
    @usableFromInline func connect(_ take: ZipTake<Output, Room>) -> Node<Output> {
        for connect in connects { connect(take) }
        return node
    }
}
extension Zip where Room == Void {
    /// Connects the inputs, and returns the node. `take` takes one value out of each input.
    @inlinable @inline(__always) func begin(_ take: @escaping @Sendable () -> Output) -> Node<Output> {
        connect(ZipTake(prepare: {}, take: { _ in take() }))
    }
}

/// The way in which a row is taken out. An object, so that the closure of each input captures one word for it.
@usableFromInline final class ZipTake<Output: Sendable, Room>: Sendable {
    /// Allocates the memory for a row.
    @usableFromInline let prepare: @Sendable () -> Room
    /// Takes one value out of each input.
    @usableFromInline let take: @Sendable (inout Room) -> Output

    @inlinable init(prepare: @escaping @Sendable () -> Room, take: @escaping @Sendable (inout Room) -> Output) {
        self.prepare = prepare
        self.take = take
    }
}

extension EdgeCall {
    /// Passes on the row, which was complete just now. If the row's node is delivering, or the edge leads to another
    /// node, the row is taken out in the target's turn.
    @inlinable @inline(__always) func passOn<Room>(_ row: ZipRow, _ take: ZipTake<Output, Room>) -> NextEdge {
        var room = take.prepare()
        return passOnAtOnce(row) { take.take(&room) } ?? passOnInTurn(row, take)
    }
    @inlinable @inline(never) func passOnInTurn<Room>(_ row: ZipRow, _ take: ZipTake<Output, Room>) -> NextEdge {
        change {
            var room = take.prepare()
            return row.ifComplete { take.take(&room) }
        }
    }
    /// Takes out the row, and stores it in the row's node, in one step. Returns `nil` if the node is delivering, or the
    /// edge leads to another node.
    @inlinable @inline(__always) func passOnAtOnce(_ row: ZipRow, _ take: () -> Output) -> NextEdge? {
        Unmanaged.passUnretained(row.vertex)._withUnsafeGuaranteedRef { vertex in
            guard raw.target?.toOpaque() == Unmanaged.passUnretained(vertex).toOpaque(), vertex.tryAcquire() else {
                return nil
            }
            return raw.engine._withUnsafeGuaranteedRef { engine in
                // A row is taken out only if it will be stored.
                guard isStillConnected, row.missing == 0, !engine.hasPassed(vertex) else {
                    return engine.release(vertex)
                }
                return engine.store(take(), in: vertex, by: .turn(token))
            }
        }
    }
}
