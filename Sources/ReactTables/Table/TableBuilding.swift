extension Table {
    /// Makes a table of keys in strictly rising order and their rows. O(n).
    @inlinable init(risingKeys keys: ContiguousArray<Key>, rows: ContiguousArray<Row>) {
        self.init()
        guard !keys.isEmpty else { return }
        rowCount = keys.count
        var level = TableNode<Key, Row>.parts(of: keys.count).map {
            TableNode.Child(
                TableNode(keys: ContiguousArray(keys[$0]), rows: ContiguousArray(rows[$0])), count: $0.count
            )
        }
        while level.count > 1 {
            level = TableNode<Key, Row>.parts(of: level.count).map {
                let children = ContiguousArray(level[$0])
                let bounds = ContiguousArray(children.map { $0.node.keys[0] })
                let node = TableNode(keys: bounds, children: children)
                return TableNode.Child(node, count: node.count)
            }
        }
        root = level[0].node
    }
    /// Makes a table of keys and rows in any order. Of two rows with one key, the later one stays.
    @inlinable init(keys: ContiguousArray<Key>, rows: ContiguousArray<Row>) {
        guard let order = Self.risingOrder(of: keys) else {
            self.init(risingKeys: keys, rows: rows)
            return
        }
        self.init(
            risingKeys: ContiguousArray(order.lazy.map(\.key)), rows: ContiguousArray(order.lazy.map { rows[$0.place] })
        )
    }
    /// Returns the keys in rising order, each once and with its last place. Returns `nil` if `keys` are in strictly
    /// rising order already.
    @inlinable static func risingOrder(of keys: ContiguousArray<Key>) -> ContiguousArray<(key: Key, place: Int)>? {
        guard !zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        var order = ContiguousArray(keys.enumerated().lazy.map { (key: $1, place: $0) })
        order.sort { a, b in a.key < b.key || a.place < b.place && a.key == b.key }
        var count = 0
        for place in order.indices {
            if count > 0, order[count - 1].key == order[place].key { count -= 1 }
            order[count] = order[place]
            count += 1
        }
        order.removeSubrange(count...)
        return order
    }
}

extension TableNode {
    /// Divides `count` elements evenly among as few nodes as possible.
    @inlinable static func parts(of count: Int) -> ContiguousArray<Range<Int>> {
        let parts = (count + most - 1) / most
        return ContiguousArray((0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts })
    }
}
