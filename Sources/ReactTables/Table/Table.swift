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
///   for d changed rows if one table was made of the other, and at most O(n). From ten rows on, memory is at most
///   twice that of an array of keys and rows, if a key and its row take 4 bytes or more.
@frozen public struct Table<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    /// A key and its row.
    public typealias Element = (key: Key, row: Row)

    /// A leaf without rows in an empty table.
    @usableFromInline var root = TableNode<Key, Row>.leaf([])
    @usableFromInline var rowCount = 0
    /// The number of keys that have come and gone. An index of an earlier age is invalid.
    @usableFromInline var age = 0

    /// Makes an empty table.
    @inlinable public init() {}
    /// Makes a table of rows, under the keys that `key` returns. Of two rows with one key, the later one stays.
    ///
    /// `key` is asked only here. A row that changes its own id later, as in ``update(_:_:)``, stays under its old key.
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
        get { root.row(of: key) }
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
        require(
            rank >= 0 && rank < count,
            "a table of \(count) \(count == 1 ? "row" : "rows") has no rank \(rank). Ask for one in 0 ..< count.")
        let (entries, slot) = root.leaf(ofRank: rank)
        return (entries[slot].key, entries[slot].row)
    }
    /// Returns the number of smaller keys, or `nil` if the key is not in the table.
    ///
    /// - Complexity: O(log n).
    @inlinable public func rank(of key: Key) -> Int? { root.rank(of: key) }
    /// Changes a row in place. Returns the result of `change`, or `nil` if there is no such row.
    ///
    /// The row stays under `key`, even if `change` gives it another id. To move it, remove it and insert it again:
    ///
    ///     struct Order: Equatable { var id: Int, total: Int }
    ///     var orders = Table([Order(id: 7, total: 30)], by: \.id)
    ///     if var order = orders.removeValue(forKey: 7) {
    ///         order.id = 8
    ///         orders[8] = order
    ///     }
    ///     print(orders.keys.first!)    // 8
    ///
    /// If `change` throws, the row stays as `change` has left it. `change` must not use the table, because the table is
    /// being changed.
    ///
    /// - Complexity: O(log n). The row is copied only if the table shares it with another table.
    @inlinable @discardableResult public mutating func update<R>(
        _ key: Key, _ change: (inout Row) throws -> R
    ) rethrows -> R? {
        try root.update(key, change)
    }
    /// Removes the rows for which `shouldBeRemoved` returns true.
    ///
    /// If `shouldBeRemoved` throws, the table stays as it was.
    ///
    /// - Complexity: O(n), and O(log n) for each row that goes. Parts in which no row goes stay shared with copies.
    @inlinable public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        for (key, _) in try filter(shouldBeRemoved) { remove(key) }
    }

    /// Sets the row of a key. Returns the row that the key had before.
    @inlinable @discardableResult mutating func set(_ row: Row, of key: Key) -> Row? {
        switch root.set(row, of: key, isLast: true) {
        case .replaced(let old): return old
        case .inserted: break
        case .divided(let right): root = .inner([TableNode.Child(root), TableNode.Child(right)])
        }
        rowCount += 1
        age += 1
        return nil
    }
    /// Sets the row of a key, or removes it. Returns the row that the key had before.
    @inlinable mutating func replace(_ key: Key, by row: Row?) -> Row? {
        if let row { set(row, of: key) } else { remove(key) }
    }
    /// Removes the row of a key, if there is one, and returns it.
    @inlinable @discardableResult mutating func remove(_ key: Key) -> Row? {
        guard let row = root.row(of: key) else { return nil }
        removePresent(key)
        return row
    }
    /// Removes the row of a key that is in the table.
    @inlinable mutating func removePresent(_ key: Key) {
        _ = root.remove(key)
        rowCount -= 1
        age += 1
        while case .inner(let children) = root, children.count == 1 { root = children[0].node }
        if count == 0 { root = .leaf([]) }
    }
}
