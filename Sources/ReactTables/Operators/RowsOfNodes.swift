import ReactCore

extension Node {
    /// "Rows" of nodes: makes a table with a row for each node, which changes when the node is set.
    ///
    /// All nodes that are set in one transaction lead to one new table. A table whose rows stay the same is not passed
    /// on, unless it is the first. A node without a value has no row, and one that is emptied loses its
    /// row. The row of a pulse stays, although the node is empty again.
    ///
    ///     let prices = ["apple", "pear"].map { ($0, MutableNode<Int>()) }
    ///     let table = Node.rows(of: prices)
    ///     batch {
    ///         prices[0].1.value = 3
    ///         prices[1].1.value = 4
    ///     }
    ///     print(table.current)     // 2 rows: [apple: 3, pear: 4]
    ///
    /// **Lifetime.** The result keeps the nodes alive. Each node's edge leads to an intermediate node, which receives
    /// the rows one by one. If an edge is cut, its row stays as it was.
    ///
    /// - Parameters:
    ///   - nodes: The nodes and their keys. Of no nodes at all, the result holds an empty table.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A new node with the table.
    /// - Precondition: No two nodes have one key.
    /// - Complexity: O(log n) for each set of a node. Each node costs an edge.
    @inlinable public static func rows<Key>(
        of nodes: [(Key, Node<Value>)], file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Table<Key, Value>>
    where Value: Equatable {
        requireDistinct(nodes.map(\.0), file, line)
        let now = Node<Table<Key, Value>>(Table())
        for (key, node) in nodes {
            let row = RowOfNode<Key, Value>(key: key)
            now.follow(node, "Rows", state: row) { row.set(EdgeCall<Value, Never>($0).value, by: $0) }
        }
        return now.oncePerTransaction("Rows")
    }
    /// Returns a new node that has the newest version of this node's table, once a transaction, if it differs from the
    /// one before. All edges are named `name`.
    ///
    ///     this node ──▶ pair ──▶ result          `pair` is a combination, which fires once a transaction
    @inlinable func oncePerTransaction<Key, Row>(_ name: StaticString) -> Node where Value == Table<Key, Row> {
        let input = JoinInput(name.description, from: self, to: Node.self)
        let (pair, join) = Node.joining(inputs: 1) { $1.fire($0, with: input.newest) }
        for node in [self, pair] { node.beOperatorsOwn() }
        pair.join(join, input, self)
        return pair.remembering(name, Newest(Table()) { $0 })
    }
}

/// Ends the process if two keys are equal.
@usableFromInline func requireDistinct<Key: Hashable>(_ keys: [Key], _ file: StaticString, _ line: UInt) {
    var seen: Set<Key> = []
    for key in keys {
        require(
            seen.insert(key).inserted,
            "rows(of:): two nodes have the key \(key), and a table has one row for a key; "
                + "give each node a key of its own",
            file: file, line: line)
    }
}

/// The row that one node has in a table of many nodes' rows. It changes that table in the table's turn.
///
///     node  ──▶ now ──▶ result
///     node  ──▶
///
/// `now` receives the rows one by one, and `result` is a combination of it, which fires once a transaction.
@usableFromInline final class RowOfNode<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: OperatorState
{
    @usableFromInline let key: Key

    @inlinable init(key: Key) { self.key = key }

    @usableFromInline var wanted: String? { "only a row that differs from the one in the table" }

    @inlinable func set(_ row: Row?, by raw: ErasedEdgeCall) -> NextEdge {
        let delivery = EdgeCall<Row, Table<Key, Row>>(raw)
        return delivery.change { [key] in
            guard var table = delivery.targetValue, table[key] != row else { return nil }
            table[key] = row
            return .some(table)
        }
    }
    @usableFromInline func emptied(_ delivery: ErasedEdgeCall) -> NextEdge { set(nil, by: delivery) }
}
