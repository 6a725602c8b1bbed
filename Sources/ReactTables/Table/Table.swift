import ReactCore

/// A sorted map from keys to rows. Copies share structure.
///
/// A table is a value, so a node can hold it. Two versions share the parts in which nothing has changed, and
/// `changes(from:)` skips these parts.
///
///     struct Order: Equatable { var id: Int, total: Int }
///     var orders = Table([Order(id: 7, total: 30), Order(id: 3, total: 12)], by: \.id)
///     let before = orders
///     orders[5] = Order(id: 5, total: 8)
///     orders.update(7) { $0.total += 1 }
///     print(orders.rows.map(\.total))                      // [12, 8, 31]
///     print(orders.changes(from: before).inserted.count)   // 1
///
/// A table is a persistent B+ tree. If it shares no nodes with a copy, a change happens in place. Otherwise a change
/// copies the O(log n) nodes on the way to its row.
///
/// Its functions call the key's and the row's `<`, `==` and `deinit` on the calling thread, with no lock held. `<` and
/// `==` of the keys must be a total order. A row that does not equal itself, as NaN, counts as changed if its part of
/// the table is not shared.
///
/// - Complexity: A copy O(1). Finding, changing, inserting or removing one row O(log n). `changes(from:)` O(d · log n)
///   for d changed rows if one table was made of the other, and at most O(n). Memory is at most twice that of an array
///   of keys and rows.
@frozen public struct Table<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    /// A key and its row.
    public typealias Element = (key: Key, row: Row)

    /// `nil` in an empty table.
    @usableFromInline var root: TableNode<Key, Row>?
    @usableFromInline var rowCount = 0
    /// The number of keys that have come and gone. An index of an earlier age is invalid.
    @usableFromInline var age = 0

    /// Makes an empty table.
    @inlinable public init() {}
    /// Makes a table of rows, under the keys that `key` returns. Of two rows with one key, the later one stays.
    ///
    ///     let words = Table(["pear", "fig", "plum"], by: \.count)
    ///     print(words)     // 2 rows: [3: fig, 4: plum]
    ///
    /// - Complexity: O(n) for rows in the order of their keys, otherwise O(n log n). `key` is called once for each row.
    @inlinable public init(_ rows: some Sequence<Row>, by key: (Row) -> Key) {
        let rows = ContiguousArray(rows)
        self.init(keys: ContiguousArray(rows.map(key)), rows: rows)
    }
    /// Makes a table of keys and rows. Of two rows with one key, the later one stays.
    ///
    /// - Complexity: O(n) for keys in rising order, otherwise O(n log n).
    @inlinable public init(_ rows: some Sequence<(Key, Row)>) {
        var (keys, values) = (ContiguousArray<Key>(), ContiguousArray<Row>())
        keys.reserveCapacity(rows.underestimatedCount)
        values.reserveCapacity(rows.underestimatedCount)
        for (key, row) in rows {
            keys.append(key)
            values.append(row)
        }
        self.init(keys: keys, rows: values)
    }

    /// The row of a key, or `nil` if there is none. Setting `nil` removes the row.
    ///
    /// The key path of a row, `\.[id]`, can be given to `focus`. To change a part of a row in place, use
    /// ``update(_:_:)``. Reading a row, changing it and setting it again copies the row.
    ///
    /// - Complexity: O(log n).
    @inlinable public subscript(key: Key) -> Row? {
        get {
            guard let (leaf, slot) = place(of: key) else { return nil }
            return leaf.rows[slot]
        }
        set {
            if let newValue { set(newValue, of: key) } else { remove(key) }
        }
    }
    /// The key and row at a rank, 0 for the smallest key.
    ///
    /// Traps if `rank` is not in `0 ..< count`.
    ///
    /// - Complexity: O(log n).
    @inlinable public subscript(rank rank: Int) -> Element {
        require(rank >= 0 && rank < count, "a table of \(count) rows has no rank \(rank). Ask for one in 0 ..< count.")
        var (node, rank) = (root!, rank)
        while !node.isLeaf {
            let (slot, below) = node.childSlot(forRank: rank)
            (node, rank) = (node.children[slot].node, below)
        }
        return (node.keys[rank], node.rows[rank])
    }
    /// Returns the number of smaller keys, or `nil` if the key is not in the table.
    ///
    /// - Complexity: O(log n).
    @inlinable public func rank(of key: Key) -> Int? {
        guard var node = root else { return nil }
        var rank = 0
        while !node.isLeaf {
            let slot = node.childSlot(for: key)
            for before in 0..<slot { rank += node.children[before].count }
            node = node.children[slot].node
        }
        let (slot, isThere) = node.slot(of: key)
        return isThere ? rank + slot : nil
    }
    /// Changes a row in place. Returns the result of `change`, or `nil` if there is no such row.
    ///
    /// If `change` throws, the row stays as `change` has left it. `change` must not use the table, because the table is
    /// being changed.
    ///
    /// - Complexity: O(log n). The row is copied only if the table shares it with another table.
    @inlinable @discardableResult public mutating func update<R>(
        _ key: Key, _ change: (inout Row) throws -> R
    ) rethrows -> R? {
        guard place(of: key) != nil else { return nil }
        return try TableNode.update(key, in: &root!, change)
    }
    /// Removes the rows for which `shouldBeRemoved` returns true.
    ///
    /// If `shouldBeRemoved` throws, the table stays as it was.
    ///
    /// - Complexity: O(n), and O(log n) for each row that goes. Parts in which no row goes stay shared with copies.
    @inlinable public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        for (key, _) in try filter(shouldBeRemoved) { remove(key) }
    }

    /// Returns the leaf and the slot of a key, or `nil` if the key is not in the table.
    @inlinable func place(of key: Key) -> (leaf: TableNode<Key, Row>, slot: Int)? {
        guard var node = root else { return nil }
        while !node.isLeaf { node = node.children[node.childSlot(for: key)].node }
        let (slot, isThere) = node.slot(of: key)
        return isThere ? (node, slot) : nil
    }
    @inlinable mutating func set(_ row: Row, of key: Key) {
        guard root != nil else {
            self = Table(risingKeys: [key], rows: [row])
            return
        }
        switch TableNode.set(row, of: key, in: &root!, isLast: true) {
        case .replaced: return
        case .inserted: break
        case .split(let right):
            let left = root!
            root = TableNode(
                keys: [left.keys[0], right.keys[0]],
                children: [TableNode.Child(left, count: left.count), TableNode.Child(right, count: right.count)]
            )
        }
        rowCount += 1
        age += 1
    }
    @inlinable mutating func remove(_ key: Key) {
        guard place(of: key) != nil else { return }
        TableNode.remove(key, from: &root!)
        rowCount -= 1
        age += 1
        while let node = root, node.children.count == 1 { root = node.children[0].node }
        if count == 0 { root = nil }
    }
}

extension TableNode {
    /// Changes the row of a key that is in the tree.
    @inlinable static func update<R>(
        _ key: Key, in node: inout TableNode, _ change: (inout Row) throws -> R
    ) rethrows -> R {
        own(&node)
        if node.isLeaf { return try change(&node.rows[node.lowerBound(of: key)]) }
        return try update(key, in: &node.children[node.childSlot(for: key)].node, change)
    }
}
