/// A place in a table's tree, which moves from left to right: before a row in a leaf, or before a whole child of an
/// inner node.
@usableFromInline struct TableCursor<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable> {
    /// The node that contains the place. `nil` at the end.
    @usableFromInline var node: TableNode<Key, Row>?
    @usableFromInline var slot = 0
    /// The number of rows before the place.
    @usableFromInline var rank = 0
    /// The nodes above, the root first, each with the slot of the child that contains the place.
    @usableFromInline var above: ContiguousArray<(node: TableNode<Key, Row>, slot: Int)> = []

    /// Makes a cursor before the first row.
    @inlinable init(_ table: Table<Key, Row>) {
        node = table.root
        if let node { above.reserveCapacity(node.height) }
    }
    /// Makes a cursor before the row at a rank.
    @inlinable init(_ table: Table<Key, Row>, rank: Int) {
        self.init(table)
        self.rank = rank
        guard rank < table.count else {
            node = nil
            return
        }
        var rank = rank
        while let node, !node.isLeaf {
            (slot, rank) = node.childSlot(forRank: rank)
            descend(node)
        }
        slot = rank
    }

    /// Moves from before a child to before the child's first element.
    @inlinable mutating func descend(_ inner: TableNode<Key, Row>) {
        above.append((inner, slot))
        node = inner.children[slot].node
        slot = 0
    }
    /// Moves up from the end of a node.
    @inlinable mutating func leaveIfAtEnd() {
        while let now = node, slot == now.keys.count {
            guard let last = above.popLast() else { return node = nil }
            node = last.node
            slot = last.slot + 1
        }
    }
    /// Moves over the next row and returns it. Returns `nil` at the end.
    @inlinable mutating func next() -> (key: Key, row: Row)? {
        while let now = node {
            guard now.isLeaf else {
                descend(now)
                continue
            }
            let element = (now.keys[slot], now.rows[slot])
            slot += 1
            rank += 1
            leaveIfAtEnd()
            return element
        }
        return nil
    }
}
