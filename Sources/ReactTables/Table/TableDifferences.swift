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
        while old.slot < a.children.count, new.slot < b.children.count,
            a.children[old.slot].node === b.children[new.slot].node
        {
            let count = a.children[old.slot].count
            old.rank += count
            new.rank += count
            old.slot += 1
            new.slot += 1
        }
        let isAtEnd = old.slot == a.children.count || new.slot == b.children.count
        old.leaveIfAtEnd()
        new.leaveIfAtEnd()
        if isAtEnd { return }
        if a.height >= b.height { old.descend(a) }
        if b.height >= a.height { new.descend(b) }
    }
    /// Compares two leaves until one of them ends, or until a difference.
    @inlinable mutating func nextInLeaves(_ a: TableNode<Key, Row>, _ b: TableNode<Key, Row>) -> Difference? {
        if a === b, old.slot == new.slot {
            let count = a.keys.count - old.slot
            old.pass(count)
            new.pass(count)
            return nil
        }
        while old.slot < a.keys.count, new.slot < b.keys.count {
            let (key, other) = (a.keys[old.slot], b.keys[new.slot])
            if key == other {
                let (before, now) = (old.slot, new.slot)
                old.slot += 1
                new.slot += 1
                old.rank += 1
                new.rank += 1
                guard a.rows[before] == b.rows[now] else {
                    old.leaveIfAtEnd()
                    new.leaveIfAtEnd()
                    return (other, a.rows[before], b.rows[now])
                }
            } else if key < other {
                let row = a.rows[old.slot]
                old.pass(1)
                return (key, row, nil)
            } else {
                let row = b.rows[new.slot]
                new.pass(1)
                return (other, nil, row)
            }
        }
        old.leaveIfAtEnd()
        new.leaveIfAtEnd()
        return nil
    }
}

extension TableCursor {
    /// Moves over `count` rows of a leaf.
    @inlinable mutating func pass(_ count: Int) {
        slot += count
        rank += count
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
