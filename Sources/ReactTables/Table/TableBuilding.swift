extension Table {
    /// Makes a table of keys in strictly rising order and their rows. O(n).
    @inlinable init(risingKeys keys: ContiguousArray<Key>, rows: ContiguousArray<Row>) {
        self.init()
        guard !keys.isEmpty else { return }
        rowCount = keys.count
        typealias Node = TableNode<Key, Row>
        var level = Node.parts(of: keys.count, most: Node.mostEntries).map { part in
            Node.leaf(ContiguousArray(part.lazy.map { Node.Entry(key: keys[$0], row: rows[$0]) }))
        }
        while level.count > 1 {
            level = Node.parts(of: level.count, most: Node.mostChildren).map { part in
                Node.inner(ContiguousArray(level[part].lazy.map(Node.Child.init)))
            }
        }
        root = level[0]
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

extension Table {
    /// Returns the results of `transform` that are not `nil`, under the keys of the rows. O(n).
    @inlinable func compactMapped<Mapped>(_ transform: (Key, Row) throws -> Mapped?) rethrows -> Table<Key, Mapped> {
        var (keys, rows) = (ContiguousArray<Key>(), ContiguousArray<Mapped>())
        for (key, row) in self {
            guard let mapped = try transform(key, row) else { continue }
            keys.append(key)
            rows.append(mapped)
        }
        return Table<Key, Mapped>(risingKeys: keys, rows: rows)
    }
}

extension TableNode {
    /// Divides `count` elements evenly among as few nodes of at most `most` elements as possible.
    @inlinable static func parts(of count: Int, most: Int) -> [Range<Int>] {
        let parts = (count + most - 1) / most
        return (0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts }
    }
}
