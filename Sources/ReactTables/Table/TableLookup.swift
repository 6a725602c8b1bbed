extension TableNode {
    /// Returns the row of a key, or `nil` if there is none.
    @inlinable func row(of key: Key) -> Row? {
        switch self {
        case .leaf(let entries):
            let (slot, isThere) = Self.place(of: key, in: entries)
            return isThere ? entries[slot].row : nil
        case .inner(let children): return children[Self.slot(of: key, in: children)].node.row(of: key)
        }
    }
    /// Returns the number of smaller keys, or `nil` if the key is not there.
    @inlinable func rank(of key: Key) -> Int? {
        switch self {
        case .leaf(let entries):
            let (slot, isThere) = Self.place(of: key, in: entries)
            return isThere ? slot : nil
        case .inner(let children):
            let slot = Self.slot(of: key, in: children)
            guard let rank = children[slot].node.rank(of: key) else { return nil }
            return children[..<slot].reduce(rank) { $0 + $1.count }
        }
    }
    /// Returns the leaf that contains the row of a rank, and the row's place there.
    @inlinable func leaf(ofRank rank: Int) -> (entries: ContiguousArray<Entry>, slot: Int) {
        switch self {
        case .leaf(let entries): return (entries, rank)
        case .inner(let children):
            let (slot, rank) = Self.slot(ofRank: rank, in: children)
            return children[slot].node.leaf(ofRank: rank)
        }
    }
    /// Changes the row of a key. Returns `nil` if there is none.
    @inlinable mutating func update<R>(_ key: Key, _ change: (inout Row) throws -> R) rethrows -> R? {
        // Moved out of `self`, so that the array has no second owner, and changes in place.
        switch consume self {
        case .leaf(var entries):
            defer { self = .leaf(entries) }
            let (slot, isThere) = Self.place(of: key, in: entries)
            return isThere ? try change(&entries[slot].row) : nil
        case .inner(var children):
            defer { self = .inner(children) }
            return try children[Self.slot(of: key, in: children)].node.update(key, change)
        }
    }
}
