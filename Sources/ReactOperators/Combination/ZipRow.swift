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
/// Unchecked, because only the owner of the zip's region uses it, but for `count`.
@usableFromInline final class ZipInput<Value: Sendable>: OperatorState, @unchecked Sendable {
    @usableFromInline let row: ZipRow
    @exclusivity(unchecked) @usableFromInline var values = Queue<Value>()
    /// The number of values that wait. Any thread may read it.
    @usableFromInline let count = Atomic(0)
    /// The connection by which the waiting values came.
    @exclusivity(unchecked) @usableFromInline var connection = Connection.none

    @inlinable init(_ row: ZipRow) {
        self.row = row
        row.inputs += 1
        row.missing += 1
    }

    @usableFromInline var waitingCount: Int? { count.load(ordering: .relaxed) }
    @usableFromInline var inputCount: Int? { row.inputs }

    /// Lets the value of `call` wait. Returns true if the row is complete.
    @inlinable @inline(__always) func add(_ call: ErasedEdgeCall) -> Bool {
        guard call.isStillConnected else { return false }
        let stale = connection == call.connection ? nil : takeAll()
        defer { withExtendedLifetime(stale) {} }
        connection = call.connection
        if values.isEmpty { row.missing &-= 1 }
        values.append(EdgeCall<Value, Never>(call).value)
        count.store(values.count, ordering: .relaxed)
        return row.missing == 0
    }
    /// Takes out the value that has waited longest. Precondition: there is one.
    @inlinable func take() -> Value {
        let value = values.popFirst().unsafelyUnwrapped
        count.store(values.count, ordering: .relaxed)
        if values.isEmpty { row.missing &+= 1 }
        return value
    }
    /// Takes out all values that wait, and returns them for release, because that may run user code.
    @usableFromInline @inline(never) func takeAll() -> Queue<Value> {
        var all = Queue<Value>()
        swap(&values, &all)
        count.store(0, ordering: .relaxed)
        if !all.isEmpty { row.missing += 1 }
        return all
    }
    @usableFromInline func discard(_ connection: Connection) {
        let old = self.connection == connection ? takeAll() : nil
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

    @usableFromInline init() { row = ZipRow(at: node.vertex) }

    /// Makes `source` the next input.
    @inlinable @inline(never) mutating func add<Input>(_ source: Node<Input>) -> ZipInput<Input> {
        let input = ZipInput<Input>(row)
        connects.append { [node] take in
            node.follow(source, "Zip", state: input) {
                input.add($0) ? EdgeCall<Input, Output>($0).passOn(input.row, take) : .nothing
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
                return engine.store(take(), in: vertex, by: .turn(token))
            }
        }
    }
}
