/// A node of a table's B+ tree, in which all leaves are at one depth, and hold the rows.
///
/// A leaf holds up to `most` keys in rising order, and their rows. An inner node holds up to `most` children. Its
/// `keys` are lower bounds of its children: no key of a child is smaller than the child's bound, and every key of the
/// child before it is smaller. A node holds at least `least` keys, except the root, and the last node of each level
/// (see `split`).
///
/// Sendable: a node changes only through `own`, in a mutating function of the one table that refers to it. A node that
/// two tables share is copied first, so nobody changes a node that another thread reads. Exclusive access to that table
/// includes its nodes. Exclusivity is therefore not checked again for the nodes, which would take a third of the time
/// of a lookup.
@usableFromInline
final class TableNode<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>:
    @unchecked Sendable
{
    /// A child and the number of rows below it.
    @usableFromInline struct Child {
        @usableFromInline var node: TableNode
        @usableFromInline var count: Int
        @inlinable init(_ node: TableNode, count: Int) {
            self.node = node
            self.count = count
        }
    }
    @inlinable static var most: Int { 24 }
    @inlinable static var least: Int { most / 2 }

    @exclusivity(unchecked) @usableFromInline var keys: ContiguousArray<Key>
    /// Empty in an inner node.
    @exclusivity(unchecked) @usableFromInline var rows: ContiguousArray<Row>
    /// Empty in a leaf.
    @exclusivity(unchecked) @usableFromInline var children: ContiguousArray<Child>
    /// The number of levels below this node: 0 in a leaf.
    @usableFromInline let height: Int

    @inlinable init(
        height: Int, keys: ContiguousArray<Key>, rows: ContiguousArray<Row>, children: ContiguousArray<Child>
    ) {
        self.height = height
        self.keys = keys
        self.rows = rows
        self.children = children
    }
    /// Makes a leaf.
    @inlinable convenience init(keys: ContiguousArray<Key>, rows: ContiguousArray<Row>) {
        self.init(height: 0, keys: keys, rows: rows, children: [])
    }
    /// Makes an inner node of children at one height.
    @inlinable convenience init(keys: ContiguousArray<Key>, children: ContiguousArray<Child>) {
        self.init(height: children[0].node.height + 1, keys: keys, rows: [], children: children)
    }

    @inlinable var isLeaf: Bool { height == 0 }
    /// The number of rows in and below this node.
    @inlinable var count: Int { isLeaf ? keys.count : children.reduce(0) { $0 + $1.count } }

    /// Replaces a node that others refer to as well by a copy, so that it can be changed. The arrays are copied when
    /// they change.
    @inlinable static func own(_ node: inout TableNode) {
        guard !isKnownUniquelyReferenced(&node) else { return }
        node = TableNode(height: node.height, keys: node.keys, rows: node.rows, children: node.children)
    }

    /// Returns the number of keys of a leaf that are smaller than `key`.
    @inlinable func lowerBound(of key: Key) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
    /// Returns the place of a key in a leaf.
    @inlinable func slot(of key: Key) -> (slot: Int, isThere: Bool) {
        let slot = lowerBound(of: key)
        return (slot, slot < keys.count && keys[slot] == key)
    }
    /// Returns the child of an inner node below which `key` is, or belongs.
    @inlinable func childSlot(for key: Key) -> Int {
        var (low, high) = (1, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if key < keys[middle] { high = middle } else { low = middle + 1 }
        }
        return low - 1
    }
    /// Returns the child of an inner node below which the row of a rank is, and the row's rank there.
    @inlinable func childSlot(forRank rank: Int) -> (slot: Int, rank: Int) {
        var (slot, rank) = (0, rank)
        while rank >= children[slot].count {
            rank -= children[slot].count
            slot += 1
        }
        return (slot, rank)
    }
}
