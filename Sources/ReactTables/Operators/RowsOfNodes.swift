import ReactCore

extension Node {
    /// "Rows" of nodes: each node is a row.
    public static func rows<Key>(of nodes: [(Key, Node<Value>)]) -> Node<Table<Key, Value>> where Value: Equatable {
        let now = Node<Table<Key, Value>>(Table())
        var keys: Set<Key> = []
        for (key, node) in nodes {
            require(
                keys.insert(key).inserted,
                "rows(of:): two nodes have the key \(key), and a table has one row for a key; give each node a key of its own"
            )
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
