import ReactCore

extension Node {
    /// "Rows" of nodes: makes each node a row, which changes when the node is set. A node without a value has no row.
    ///
    /// Free of glitches: all nodes that are set in one transaction lead to one new table. A node that is set to an
    /// equal value leaves the table alone. A node that is emptied loses its row. The row of a pulse stays, though its
    /// node is empty again.
    ///
    ///     let prices = ["apple", "pear"].map { ($0, MutableNode<Int>()) }
    ///     let table = Node.rows(of: prices)
    ///     batch {
    ///         prices[0].1.value = 3
    ///         prices[1].1.value = 4
    ///     }
    ///     print(table.current)     // 2 rows: [apple: 3, pear: 4]
    ///
    /// **Lifetime.** The result keeps the nodes alive. Each node's edge leads to one node between, which has the rows
    /// event by event. A row stays as it was when its edge is cut.
    ///
    /// - Parameter nodes: The nodes and their keys. Of no nodes at all, the result holds an empty table.
    /// - Returns: A new node with the table.
    /// - Precondition: No two nodes have one key.
    /// - Complexity: O(log n) for each set, whatever the number of nodes, and each node costs an edge.
    public static func rows<Key>(of nodes: [(Key, Node<Value>)]) -> Node<Table<Key, Value>> where Value: Equatable {
        let now = Node<Table<Key, Value>>(Table())
        var keys: Set<Key> = []
        for (key, node) in nodes {
            require(
                keys.insert(key).inserted,
                "rows(of:): two nodes have the key \(key), and a table has one row for a key; "
                    + "give each node a key of its own")
            let row = RowOfNode<Key, Value>(key: key)
            now.follow(node, "Rows", state: row) { row.set(Delivery($0)) }
        }
        let slot = JoinSlot("Rows", from: now, to: Node<Table<Key, Value>>.self)
        let (result, join) = Node<Table<Key, Value>>.joining(inputs: 1) { $1.fire($0, with: slot.newest) }
        result.join(join, slot, now)
        return result
    }
}

/// The row that one node has in a table of many nodes' rows. It changes that table in the table's turn.
///
///     node  ──▶ now ──▶ result
///     node  ──▶
///
/// `now` has the rows event by event, and `result` is a combination of it, which fires once a transaction.
private final class RowOfNode<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: OperatorState {
    let key: Key

    init(key: Key) { self.key = key }

    func set(_ delivery: Delivery<Row, Table<Key, Row>>) -> Sent { set(delivery.value, by: delivery) }
    func emptied(_ delivery: RawDelivery) -> Sent { set(nil, by: Delivery<Row, Table<Key, Row>>(delivery)) }

    private func set(_ row: Row?, by delivery: Delivery<Row, Table<Key, Row>>) -> Sent {
        delivery.change { [key] in
            guard var table = delivery.targetValue, table[key] != row else { return nil }
            table[key] = row
            return .some(table)
        }
    }
}
