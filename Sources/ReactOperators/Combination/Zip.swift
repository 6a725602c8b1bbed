import ReactCore
import Synchronization

/// "Zip": the first values of each together, then the second values, and so on. What has no partner yet waits.
///
/// What waits, waits without limit, and is held meanwhile: by design, for nothing else would pair every value. Where one
/// node is much faster than another, put `throttle` or `filter` before it, or use `combine`. Event by event: each complete
/// row is passed on at once, with the context and sender list of the value that completed it; rows go downstream in
/// order, whichever threads complete them.
///
/// Cutting any one of its transforms silences it, and what that one had waiting is gone; the others' values still wait,
/// for what comes when it is linked again. O(n) for each row, O(1) amortised for a value that waits.
///
///     let question = MutableNode("1 + 1?"), answer = MutableNode<Int>()
///     let pair = zip(question, answer)
///     question.value = "2 + 2?"
///     answer.value = 2
///     print(pair.value!)      // ("1 + 1?", 2)
///     answer.value = 4
///     print(pair.value!)      // ("2 + 2?", 4)
@inlinable public func zip<each T: Sendable>(_ node: repeat Node<each T>) -> Node<(repeat each T)> {
    var count = 0
    repeat countOne(&count, each node)
    let row = ZipRow(of: count)
    let queues = (repeat ZipQueue<each T>(row))
    let zipped = Node<(repeat each T)>()
    let takeRow: @Sendable () -> (repeat each T)?? = {
        guard row.beginTaking() else { return nil }
        defer { row.endTaking() }
        return (repeat (each queues).take())
    }
    repeat zipped.gather(each node, each queues, takeRow)
    return zipped
}

/// "Zip" of two: the same as for any number, which it is an overload of for speed.
///
///     let left = MutableNode(1), right = MutableNode("one")
///     print(zip(left, right).value!)      // (1, "one")
// Three times as fast, for Swift 6.3 does not compile a pack for its types.
@inlinable @inline(__always) public func zip<First, Second>(
    _ first: Node<First>, _ second: Node<Second>
) -> Node<(First, Second)> {
    first.zip(second)
}

extension Node {
    /// "Zip": the first values of all, in the order of `nodes`, then the second values, and so on.
    ///
    /// The same as the function `zip`, for any number of nodes of one type. Of no nodes at all, it stays empty.
    ///
    ///     let players = ["a", "b"].map { MutableNode($0) }
    ///     print(Node.zip(players).value!)     // ["a", "b"]
    @inlinable @inline(__always) public static func zip(_ nodes: [Node<Value>]) -> Node<[Value]> {
        let row = ZipRow(of: nodes.count)
        let queues = nodes.map { _ in ZipQueue<Value>(row) }
        let zipped = Node<[Value]>()
        let takeRow: @Sendable () -> [Value]?? = {
            guard row.beginTaking() else { return nil }
            defer { row.endTaking() }
            return queues.map { $0.take() }
        }
        for (node, queue) in Swift.zip(nodes, queues) { zipped.gather(node, queue, takeRow) }
        return zipped
    }
    /// "Zip" with one other node; for more, see the function `zip`.
    ///
    ///     let question = MutableNode("1 + 1?"), answer = MutableNode(2)
    ///     print(question.zip(answer).value!)      // ("1 + 1?", 2)
    @inlinable @inline(__always) public func zip<Other>(_ other: Node<Other>) -> Node<(Value, Other)> {
        let row = ZipRow(of: 2)
        let first = ZipQueue<Value>(row)
        let second = ZipQueue<Other>(row)
        let zipped = Node<(Value, Other)>()
        let takeRow: @Sendable () -> (Value, Other)?? = {
            guard row.beginTaking() else { return nil }
            defer { row.endTaking() }
            return (first.take(), second.take())
        }
        zipped.gather(self, first, takeRow)
        zipped.gather(other, second, takeRow)
        return zipped
    }
}

// MARK: - What waits

extension Node {
    /// Makes `input` one of the nodes whose values this new node puts together.
    @inlinable func gather<Input>(
        _ input: Node<Input>, _ queue: ZipQueue<Input>, _ takeRow: @escaping @Sendable () -> Value??
    ) {
        follow(input, "Zip", state: queue) {
            let delivery = Delivery<Input, Value>($0)
            // The row is taken when the result's turn comes, so that rows are in order.
            return queue.append(delivery.value, of: delivery) ? delivery.change(takeRow) : .nothing
        }
    }
}

/// What the queues of a zip know of one another.
///
/// Each counts itself in and out under its own lock, as it loses its last value or gets its first. Rows are taken by
/// whoever has the result's turn, one at a time.
@usableFromInline final class ZipRow: Sendable {
    @usableFromInline let emptyQueues: Atomic<Int>
    @usableFromInline let isTaking = Atomic<Bool>(false)

    @inlinable init(of count: Int) { emptyQueues = Atomic(count) }

    @inlinable var isComplete: Bool { emptyQueues.load(ordering: .sequentiallyConsistent) == 0 }
    /// Whether there is a row to take. If so, every queue has a value for it until `endTaking`.
    @inlinable func beginTaking() -> Bool {
        isTaking.store(true, ordering: .sequentiallyConsistent)
        if isComplete { return true }
        endTaking()
        return false
    }
    @inlinable func endTaking() { isTaking.store(false, ordering: .sequentiallyConsistent) }
}

/// What waits on one side of a zip, first in, first out.
///
/// The edge may be cut while a row is taken, by any thread, which empties the queue: then the row still gets the value
/// that was its due, as if it had been taken before.
@usableFromInline final class ZipQueue<Value: Sendable>: OperatorState {
    @usableFromInline struct Waiting {
        @usableFromInline var values = Queue<Value>()
        /// What the row that is being taken is due from a queue that was emptied.
        @usableFromInline var due: Value?

        @inlinable init() {}
    }
    @usableFromInline let waiting = Lock(Waiting())
    @usableFromInline let row: ZipRow

    @inlinable init(_ row: ZipRow) { self.row = row }

    /// Answers whether there may be a row to take.
    @inlinable func append<Output>(_ value: Value, of delivery: Delivery<Value, Output>) -> Bool {
        waiting.withLock { waiting in
            guard delivery.isCurrent else { return }
            if waiting.values.isEmpty { row.emptyQueues.subtract(1, ordering: .sequentiallyConsistent) }
            waiting.values.append(value)
        }
        return row.isComplete
    }
    /// The value that has waited longest. Precondition: `row.beginTaking()` has answered yes.
    @inlinable func take() -> Value {
        waiting.withLock { waiting in
            guard let value = waiting.values.popFirst() else { return waiting.due.take().unsafelyUnwrapped }
            if waiting.values.isEmpty { row.emptyQueues.add(1, ordering: .sequentiallyConsistent) }
            return value
        }
    }
    @usableFromInline func startOver() {
        _ = waiting.withLock { waiting in
            let old = waiting
            waiting = Waiting()
            if let first = old.values.first {
                row.emptyQueues.add(1, ordering: .sequentiallyConsistent)
                if row.isTaking.load(ordering: .sequentiallyConsistent) { waiting.due = first }
            } else {
                waiting.due = old.due
            }
            return old
        }
    }
    @usableFromInline func disconnected() { startOver() }
    @usableFromInline var waitingCount: Int? { waiting.withLock { $0.values.count } }
}
