/// The differences between two tables, in the order of the keys. Parts that the tables share are skipped.
@usableFromInline struct TableDifferences<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable> {
    /// A key whose rows differ. `old` is `nil` for a key that came, and `new` is `nil` for a key that went.
    @usableFromInline typealias Difference = (key: Key, old: Row?, new: Row?)

    @usableFromInline var old: TableCursor<Key, Row>
    @usableFromInline var new: TableCursor<Key, Row>

    @inlinable init(from old: Table<Key, Row>, to new: Table<Key, Row>) {
        self.old = TableCursor(old)
        self.new = TableCursor(new)
        if old.root === new.root { (self.old.node, self.new.node) = (nil, nil) }
    }

    /// Returns the next difference, and `nil` at the end. Afterwards, the cursors are behind its rows.
    @inlinable mutating func next() -> Difference? {
        while true {
            guard let a = old.node else { return new.next().map { ($0.key, nil, $0.row) } }
            guard let b = new.node else { return old.next().map { ($0.key, $0.row, nil) } }
            switch (a.isLeaf, b.isLeaf) {
            case (true, true): if let difference = nextInLeaves(a, b) { return difference }
            case (true, false): new.descend(b)
            case (false, true): old.descend(a)
            case (false, false): skipSharedChildren(a, b)
            }
        }
    }
    /// Moves over the children that two inner nodes share, and into the first children that differ. If the nodes differ
    /// in height, moves into the child of the higher node only.
    @inlinable mutating func skipSharedChildren(_ a: TableNode<Key, Row>, _ b: TableNode<Key, Row>) {
        let (first, second) = (a.children, b.children)
        var (slot, other, rows) = (old.slot, new.slot, 0)
        while slot < first.count, other < second.count, first[slot].node === second[other].node {
            rows += first[slot].count
            slot += 1
            other += 1
        }
        old.pass(slot - old.slot, rows: rows)
        new.pass(other - new.slot, rows: rows)
        if slot == first.count || other == second.count { return }
        if a.height >= b.height { old.descend(a) }
        if b.height >= a.height { new.descend(b) }
    }
    /// Compares two leaves until one of them ends, or until a difference.
    @inlinable mutating func nextInLeaves(_ a: TableNode<Key, Row>, _ b: TableNode<Key, Row>) -> Difference? {
        let equal = a === b && old.slot == new.slot ? a.keys.count - old.slot : equalRows(a, b)
        let (slot, other) = (old.slot + equal, new.slot + equal)
        let isAtEnd = slot == a.keys.count || other == b.keys.count
        if isAtEnd {
            old.pass(equal, rows: equal)
            new.pass(equal, rows: equal)
            return nil
        }
        let (key, otherKey) = (a.keys[slot], b.keys[other])
        let (hasOld, hasNew) = (!(otherKey < key), !(key < otherKey))
        old.pass(equal + (hasOld ? 1 : 0), rows: equal + (hasOld ? 1 : 0))
        new.pass(equal + (hasNew ? 1 : 0), rows: equal + (hasNew ? 1 : 0))
        return (hasNew ? otherKey : key, hasOld ? a.rows[slot] : nil, hasNew ? b.rows[other] : nil)
    }
    /// Returns how many rows from here on are equal in the two leaves.
    @inlinable func equalRows(_ a: TableNode<Key, Row>, _ b: TableNode<Key, Row>) -> Int {
        let (keys, otherKeys, rows, otherRows) = (a.keys, b.keys, a.rows, b.rows)
        var (slot, other) = (old.slot, new.slot)
        while slot < keys.count, other < otherKeys.count, keys[slot] == otherKeys[other], rows[slot] == otherRows[other]
        {
            slot += 1
            other += 1
        }
        return slot - old.slot
    }
}

extension TableCursor {
    /// Moves over `count` entries of a node, which have `rows` rows.
    @inlinable mutating func pass(_ count: Int, rows: Int) {
        slot += count
        rank += rows
        leaveIfAtEnd()
    }
}

extension Table {
    /// Calls `body` for each key whose rows differ, in the order of the keys.
    ///
    /// `old` is `nil` for a key that came, and `new` is `nil` for a key that went. Parts that the two tables share are
    /// skipped.
    @inlinable func forEachDifference(from old: Table, _ body: (_ key: Key, _ old: Row?, _ new: Row?) -> Void) {
        var differences = TableDifferences(from: old, to: self)
        while let (key, old, new) = differences.next() { body(key, old, new) }
    }
}
