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
/// Its functions call the key's and the row's `<`, `==` and `deinit` on the calling thread, with no lock held.
///
/// **Keys.** `<` and `==` of the keys must be an order: of two keys, just one of `a < b`, `a == b` and `b < a` is true,
/// and if `a < b` and `b < c`, then `a < c`. Keys of which neither is smaller are one key here. If `<` is no order,
/// rows may be missing or not be found. Debug builds then write a line to standard error, which names two keys. A key
/// that does not equal itself, as NaN, is one key, and stands behind all others.
///
/// **Rows.** A row that does not equal itself, as NaN or a structure with it, counts as changed whenever a row near it
/// has changed. Operators then call their closures for it as well. Put `nil` in place of such numbers, or use a type
/// whose `==` takes NaN for equal.
///
/// - Complexity: A copy O(1). Finding, changing, inserting or removing one row O(log n). `changes(from:)` O(d · log n)
///   for d changed rows if one table was made of the other, and at most O(n). From ten rows on, memory is at most
///   twice that of an array of keys and rows, if a key and its row take 4 bytes or more.
@frozen public struct Table<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    /// A key and its row.
    public typealias Element = (key: Key, row: Row)

    /// A leaf without rows in an empty table.
    @usableFromInline var root: TreeNode
    @usableFromInline var rowCount = 0
    /// The number of keys that have come and gone. An index of an earlier age is invalid.
    @usableFromInline var age = 0

    /// Makes an empty table.
    @inlinable public init() { root = .leaf(Entries<Key, Row>([])) }
    /// Makes a table of rows, under the keys that `key` returns. Of two rows with one key, the later one stays.
    ///
    /// `key` is asked only here. A row that changes its own id later, as in ``update(_:_:)``, stays under its old key.
    ///
    ///     let words = Table(["pear", "fig", "plum"], by: \.count)
    ///     print(words)     // 2 rows: [3: fig, 4: plum]
    ///
    /// - Complexity: O(n) for rows in the order of their keys, otherwise O(n log n). `key` is called once for each row.
    @inlinable public init(_ rows: some Sequence<Row>, by key: (Row) -> Key) {
        self.init(entries: ContiguousArray(rows.map { .init(key: key($0), row: $0) }))
    }
    /// Makes a table of keys and rows. Of two rows with one key, the later one stays.
    ///
    /// - Complexity: O(n) for keys in rising order, otherwise O(n log n).
    @inlinable public init(_ rows: some Sequence<(Key, Row)>) {
        self.init(entries: ContiguousArray(rows.map { .init(key: $0.0, row: $0.1) }))
    }

    /// The row of a key, or `nil` if there is none. Setting `nil` removes the row.
    ///
    /// The key path of a row, `\.[id]`, can be given to `focus`. To change a part of a row in place, use
    /// ``update(_:_:)``. Reading a row, changing it and setting it again copies the row.
    ///
    /// - Complexity: O(log n).
    @inlinable public subscript(key: Key) -> Row? {
        get { row(at: path(to: key)) }
        set {
            if let newValue { set(newValue, of: key) } else { remove(key) }
        }
    }
    /// Returns the number of smaller keys, or `nil` if the key is not in the table.
    ///
    /// - Complexity: O(log n).
    @inlinable public func rank(of key: Key) -> Int? {
        let path = path(to: key)
        return path.isThere ? root.rank(of: path) : nil
    }
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
        let path = path(to: key)
        guard path.isThere else { return nil }
        return try change(&Entries<Key, Row>.of(root.own(path)).list[path.slot].row)
    }
    /// Removes the rows for which `shouldBeRemoved` returns true.
    ///
    /// If `shouldBeRemoved` throws, the table stays as it was.
    ///
    /// - Complexity: O(n), and O(log n) for each row that goes. Parts in which no row goes stay shared with copies.
    @inlinable public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        for (key, _) in try filter(shouldBeRemoved) { remove(key) }
    }

    /// Returns the way to a key.
    @inlinable @inline(never) func path(to key: Key) -> TreePath {
        var path = TreePath()
        Self.find(key, from: root, &path)
        return path
    }
    @inlinable static func find(_ key: Key, from node: TreeNode, _ path: inout TreePath) {
        switch node {
        case .leaf(let entries): (path.slot, path.isThere) = Entries<Key, Row>.of(entries).place(of: key)
        case .inner(let bounds, let children):
            let (slot, isBound) = Entries<Key, Present>.of(bounds).place(of: key)
            path.append(isBound ? slot + 1 : slot)
            find(key, from: children[isBound ? slot + 1 : slot].node, &path)
        }
    }
    @inlinable func row(at path: TreePath) -> Row? {
        guard path.isThere else { return nil }
        var row: Row?
        root.withLeaf(at: path) { row = Entries<Key, Row>.of($0).list[path.slot].row }
        return row
    }

    /// Sets the row of a key. Returns the row that the key had before.
    @inlinable @inline(never) @discardableResult mutating func set(_ row: Row, of key: Key) -> Row? {
        let path = path(to: key)
        guard path.isThere else {
            insert(row, of: key, at: path)
            return nil
        }
        let entries = Entries<Key, Row>.of(root.own(path))
        #if DEBUG
        let old = entries.list[path.slot].key
        if old != key, old == old { reportNoOrder(old, key, "is neither smaller than the other nor equal to it") }
        #endif
        var row = row
        swap(&row, &entries.list[path.slot].row)
        return row
    }
    @usableFromInline mutating func insert(_ row: Row, of key: Key, at path: TreePath) {
        let entries = Entries<Key, Row>.of(root.own(path, adding: 1))
        #if DEBUG
        if path.slot > 0, key < entries.list[path.slot - 1].key {
            reportNoOrder(entries.list[path.slot - 1].key, key, "is smaller than the other")
        }
        #endif
        entries.insert(.init(key: key, row: row), at: path.slot)
        if entries.count > entries.most { root.divide(at: path) }
        rowCount += 1
        age += 1
    }
    /// Removes the row of a key, if there is one, and returns it.
    @inlinable @discardableResult mutating func remove(_ key: Key) -> Row? {
        let path = path(to: key)
        return path.isThere ? remove(at: path) : nil
    }
    @usableFromInline mutating func remove(at path: TreePath) -> Row {
        let entries = Entries<Key, Row>.of(root.own(path, adding: -1))
        let row = entries.remove(at: path.slot)
        if entries.count < entries.most / 2 { root.refill(at: path) }
        rowCount -= 1
        age += 1
        if count == 0 { root = Table().root }
        return row
    }
}

extension Table {
    /// Makes a table of entries in strictly rising order. O(n).
    @usableFromInline init(rising entries: ContiguousArray<Entries<Key, Row>.Entry>) {
        self.init()
        guard !entries.isEmpty else { return }
        rowCount = entries.count
        let all = Entries<Key, Row>(entries)
        root = TreeNode(leaves: TreeNode.parts(of: entries.count, most: all.most).map { all.part($0) })
    }
    /// Makes a table of entries in any order. Of two with one key, the later one stays.
    @inlinable init(entries: ContiguousArray<Entries<Key, Row>.Entry>) {
        let places = risingPlaces(of: entries.count) { comesBefore(entries[$0].key, entries[$1].key) }
        self.init(rising: places.map { ContiguousArray($0.map { entries[$0] }) } ?? entries)
    }
    /// Returns the results of `transform` that are not `nil`, under the keys of the rows. O(n).
    @inlinable func compactMapped<Mapped>(_ transform: (Key, Row) throws -> Mapped?) rethrows -> Table<Key, Mapped> {
        var entries = ContiguousArray<Entries<Key, Mapped>.Entry>()
        for (key, row) in self {
            if let mapped = try transform(key, row) { entries.append(.init(key: key, row: mapped)) }
        }
        return Table<Key, Mapped>(rising: entries)
    }

    /// Calls `body` for each key whose rows differ, in the order of the keys, with its ranks in both tables. Returns
    /// false if `body` stops.
    ///
    /// `old` is `nil` for a key that came, and `new` is `nil` for a key that went. Parts that the two tables share are
    /// skipped.
    @inlinable func compare(
        with old: Table, _ body: (_ key: Key, _ old: Row?, _ new: Row?, _ ranks: TreeRanks) -> Bool
    ) -> Bool {
        root.compare(with: old.root) { ranks, old, new in
            let old = old.map { Entries<Key, Row>.of($0).list } ?? []
            let new = new.map { Entries<Key, Row>.of($0).list } ?? []
            var (slot, newSlot) = (0, 0)
            while slot < old.count || newSlot < new.count {
                var (isOld, isNew) = (slot < old.count, newSlot < new.count)
                if isOld, isNew { (isOld, isNew) = next(of: old[slot].key, new[newSlot].key) }
                if !(isOld && isNew && old[slot].row == new[newSlot].row) {
                    let key = isNew ? new[newSlot].key : old[slot].key
                    let goesOn = body(key, isOld ? old[slot].row : nil, isNew ? new[newSlot].row : nil, ranks)
                    guard goesOn else { return false }
                }
                if isOld { (slot, ranks.old) = (slot + 1, ranks.old + 1) }
                if isNew { (newSlot, ranks.new) = (newSlot + 1, ranks.new + 1) }
            }
            return true
        }
    }
    @usableFromInline typealias Difference = (key: Key, old: Row?, new: Row?, ranks: TreeRanks)
    /// Returns the keys whose rows differ, in their order.
    @inlinable @inline(never) func differences(from old: Table) -> [Difference] {
        var differences: [Difference] = []
        _ = compare(with: old) {
            differences.append(($0, $1, $2, $3))
            return true
        }
        return differences
    }
    /// Sets the row of a key, or removes it. Returns false if the key had that row, or none, before.
    @inlinable mutating func put(_ row: Row?, of key: Key) -> Bool {
        guard row != self[key] else { return false }
        self[key] = row
        return true
    }
}
