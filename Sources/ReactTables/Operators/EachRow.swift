import ReactCore

extension Node {
    /// "EachRow": calls `make` once for each key, with a node that holds the key's row, and keeps the results.
    ///
    /// Use it for lists on screen: one view model for each row, which lives as long as the row. A row that changes is
    /// set in its node alone, before the results are passed on. The results are passed on at first, and when a key has
    /// come or gone. The result of a key goes with the key.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3])
    ///     let labels = prices.eachRow { name, price in price.map { "\(name): \($0) €" } }
    ///     let apple = labels.value!["apple"]!
    ///     prices.update {
    ///         $0["apple"] = 5
    ///         $0["pear"] = 4
    ///     }
    ///     print(apple.current)             // apple: 5 €
    ///     print(labels.value!.count)       // 2
    ///
    /// **Lifetime.** A row's node is not linked to this node. When the key or the result of `eachRow` has gone, the
    /// row's node keeps its last row. Keep the result of `eachRow` for as long as rows are to change. The operator
    /// starts over, with new nodes, when its edge is re-pointed.
    ///
    /// **Secrets.** If this node is redacted when a row's node is made, the row's node is redacted as well.
    ///
    /// **Order.** Rows are set in the order of the keys, on the thread that sets the table, with the table's context.
    /// Their combinations fire at the end of the transaction.
    ///
    /// - Parameter make: Called in the order of the keys, with no lock held.
    /// - Returns: A new node with the results, in the order of the keys.
    /// - Complexity: O(d · log n) for d changed rows. Each row costs a node.
    @inlinable public func eachRow<Key, Row, Output: Sendable>(
        _ make: @escaping @Sendable (Key, Node<Row>) -> Output
    ) -> Node<RowResults<Key, Output>> where Value == Table<Key, Row> {
        let memory = Remembered<MadeRows<Key, Row, Output>>()
        return following("EachRow", state: memory) {
            let delivery = EdgeCall<Table<Key, Row>, RowResults<Key, Output>>($0)
            var lent = memory.lend(to: delivery)
            let isFirst = lent == nil
            var made = lent.take() ?? MadeRows(make)
            let hasChanged = made.update(to: delivery.value, redacts: delivery.isOfRedactedSource)
            let changed = made.takeChanged(), results = made.output
            memory.takeBack(consume made, from: delivery)
            // Set after the state is taken back, because listeners of these nodes may do anything.
            for (node, row) in changed { node.setValue(row, context: delivery.context) }
            return hasChanged || isFirst ? delivery.send(results) : .nothing
        }
    }
}

/// The results of `eachRow`, in the order of the keys.
public struct RowResults<Key: Hashable & Comparable & Sendable, Output: Sendable>: Sendable, RandomAccessCollection {
    @usableFromInline var results = Table<Key, RowResult<Output>>()

    @inlinable init() {}

    /// The result of a key. O(log n).
    @inlinable public subscript(key: Key) -> Output? { results[key]?.output }
    /// Always 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of results.
    @inlinable public var endIndex: Int { results.count }
    /// The key and result at a rank, 0 for the smallest key. O(log n).
    @inlinable public subscript(position: Int) -> (key: Key, output: Output) {
        let (key, result) = results[rank: position]
        return (key, result.output)
    }
}

/// A result that equals only itself.
@usableFromInline final class RowResult<Output: Sendable>: Equatable, Sendable {
    @usableFromInline let output: Output

    @inlinable init(_ output: Output) { self.output = output }
    @inlinable static func == (a: RowResult, b: RowResult) -> Bool { a === b }
}

/// The nodes and results that were made of a table's keys.
@usableFromInline
struct MadeRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Output: Sendable>: Sendable {
    @usableFromInline let make: @Sendable (Key, Node<Row>) -> Output
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var nodes = Table<Key, MutableNode<Row>>()
    @usableFromInline var output = RowResults<Key, Output>()
    /// The nodes whose rows have changed since the last `takeChanged()`.
    @usableFromInline var changed: [(node: MutableNode<Row>, row: Row)] = []

    @inlinable init(_ make: @escaping @Sendable (Key, Node<Row>) -> Output) { self.make = make }

    @inlinable mutating func takeChanged() -> [(node: MutableNode<Row>, row: Row)] {
        defer { changed = [] }
        return changed
    }
    /// Takes the next version of the table. Returns true if a key has come or gone. If `redacts` returns true, the
    /// nodes of new rows are redacted. It is called once at most, because it may search everything upstream.
    @inlinable mutating func update(to new: Table<Key, Row>, redacts: @autoclosure () -> Bool) -> Bool {
        let old = input
        input = new
        var hasChanged = false
        var isSecret: Bool?
        new.forEachDifference(from: old) { key, _, row in
            switch (nodes[key], row) {
            case (let node?, let row?): changed.append((node, row))
            case (nil, let row?):
                let node = MutableNode(row)
                let redactsRow = isSecret ?? redacts()
                isSecret = redactsRow
                if redactsRow { node.redacted() }
                nodes[key] = node
                output.results[key] = RowResult(make(key, node))
                hasChanged = true
            case (_, nil):
                nodes[key] = nil
                output.results[key] = nil
                hasChanged = true
            }
        }
        return hasChanged
    }
}

extension EdgeCall {
    /// True if the value of the source must not be shown.
    @usableFromInline var isOfRedactedSource: Bool { raw.edge.takeUnretainedValue().source?.isRedacted ?? false }
}
