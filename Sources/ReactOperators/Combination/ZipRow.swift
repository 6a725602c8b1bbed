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
    /// The number of inputs. It changes only while the zip is made.
    @exclusivity(unchecked) @usableFromInline var inputs = 0
    /// The number of inputs where no value waits.
    @exclusivity(unchecked) @usableFromInline var missing = 0

    init(at vertex: Vertex) { self.vertex = vertex }
}

/// One input of a zip. Its values wait for their partners, first in, first out.
///
/// The first one is in `cell`. It and those behind it are vertices apart from the graph, with copies of the source's
/// value, so the class has no type parameter: generic code for the elements of a pack would look up types for each
/// value.
///
/// Unchecked, because only the owner of the zip's region uses it, but for `count`.
@usableFromInline final class ZipInput: OperatorState, @unchecked Sendable {
    @usableFromInline let row: ZipRow
    @usableFromInline let cell: Vertex
    @exclusivity(unchecked) private var behind = Queue<Vertex>()
    /// The number of values that wait. Any thread may read it.
    @usableFromInline let count = Atomic(0)
    /// The connection by which the waiting values came.
    @exclusivity(unchecked) @usableFromInline var connection = Connection.none

    @usableFromInline init(_ row: ZipRow, _ cell: Vertex) {
        (self.row, self.cell) = (row, cell)
        row.inputs += 1
        row.missing += 1
    }
    @usableFromInline var waitingCount: Int? { count.load(ordering: .relaxed) }
    @usableFromInline var inputCount: Int? { row.inputs }

    /// Lets the value of `call` wait. Returns true if the row is complete.
    @inlinable @inline(__always) func add<Value: Sendable>(_ call: ErasedEdgeCall, as type: Value.Type) -> Bool {
        guard count.load(ordering: .relaxed) == 0, call.isStillConnected, connection == call.connection else {
            return addBehind(call)
        }
        call.source._withUnsafeGuaranteedRef { unsafeDowncast(cell, to: ValueCell<Value>.self).copyValue(from: $0) }
        return noteFirst()
    }
    /// Lets the value wait behind others, or by a new connection.
    @usableFromInline @inline(never) func addBehind(_ call: ErasedEdgeCall) -> Bool {
        guard call.isStillConnected else { return false }
        let stale = connection == call.connection ? nil : takeAll()
        defer { withExtendedLifetime(stale) {} }
        connection = call.connection
        return call.source._withUnsafeGuaranteedRef { source in
            if count.load(ordering: .relaxed) == 0 {
                cell.copyValue(from: source)
                return noteFirst()
            }
            behind.append(source.copyOfValue())
            count.add(1, ordering: .relaxed)
            return row.missing == 0
        }
    }
    /// Notes that `cell` has got a value. Returns true if the row is complete.
    @inlinable @inline(__always) func noteFirst() -> Bool {
        count.store(1, ordering: .relaxed)
        row.missing &-= 1
        return row.missing == 0
    }
    /// Takes out the value that has waited longest. Precondition: there is one.
    @inlinable func take<Value: Sendable>() -> Value {
        let value: Value = unsafeDowncast(cell, to: ValueCell<Value>.self).takeValue()
        let left = count.load(ordering: .relaxed) &- 1
        count.store(left, ordering: .relaxed)
        if left > 0 { advance() } else { row.missing &+= 1 }
        return value
    }
    /// Moves the next value to the place of the first one. The cell has it as well then, so no user code runs when its
    /// vertex goes.
    @usableFromInline func advance() { if let next = behind.popFirst() { cell.copyValue(from: next) } }
    /// Takes out all values that wait, and returns them for release, because that may run user code.
    private func takeAll() -> [Vertex] {
        guard count.exchange(0, ordering: .relaxed) > 0 else { return [] }
        row.missing += 1
        defer { behind = Queue() }
        return [cell.movedValue()] + behind.elements
    }
    @usableFromInline func discard(_ connection: Connection) {
        let old = self.connection == connection ? takeAll() : []
        withExtendedLifetime(old) {}
    }
}

/// A zip that is being made.
@usableFromInline struct Zip<Output: Sendable> {
    /// Takes one value out of each input.
    @usableFromInline typealias Take = @Sendable () -> Output

    @usableFromInline let node = Node<Output>()
    @usableFromInline let row: ZipRow
    /// Connects the inputs.
    @usableFromInline var connects: [(@escaping Take) -> Void] = []

    @usableFromInline init() {
        row = ZipRow(at: node.vertex)
        connects.reserveCapacity(4)
    }

    /// Makes `source` the next input.
    @inlinable @inline(never) mutating func add<Input>(_ source: Node<Input>) -> ZipInput {
        let input = ZipInput(row, ValueCell<Input>(nil))
        connects.append { [node] take in
            node.follow(source, "Zip", state: input) {
                input.add($0, as: Input.self) ? EdgeCall<Input, Output>($0).passOn(input.row, take) : .nothing
            }
        }
        return input
    }
    /// Connects the inputs, and returns the node.
    @inlinable @inline(never) func begin(_ take: @escaping Take) -> Node<Output> {
        for connect in connects { connect(take) }
        return node
    }
}

extension EdgeCall {
    /// Passes on the row, which was complete just now. If the row's node is delivering, or the edge leads to another
    /// node, the row is taken out in the target's turn.
    @inlinable @inline(__always) func passOn(_ row: ZipRow, _ take: @escaping () -> Output) -> NextEdge {
        passOnAtOnce(row, take) ?? passOnInTurn(row, take)
    }
    @inlinable @inline(never) func passOnInTurn(_ row: ZipRow, _ take: @escaping () -> Output) -> NextEdge {
        change { row.missing == 0 ? .some(.some(take())) : nil }
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
                var new = take()
                let sent = engine.store(&new, in: unsafeDowncast(vertex, to: ValueCell<Output>.self), by: .turn(token))
                withExtendedLifetime(new) {}
                return sent
            }
        }
    }
}
