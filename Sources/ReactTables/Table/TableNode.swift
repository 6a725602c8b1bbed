/// A node of a table's B+ tree, in which all leaves are at one depth, and hold the rows.
///
/// The elements of a leaf are rows with their keys, and the elements of an inner node are its children. A node has at
/// most `mostEntries` or `mostChildren` elements. It has at least half as many, except the root, and the last node of
/// each level (see `divide`).
///
/// A node is a value. A change copies the arrays on the way to its row that another tree refers to as well.
@usableFromInline
enum TableNode<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    /// A leaf. Its keys rise.
    case leaf(ContiguousArray<Entry>)
    /// An inner node. All its children are at one height.
    case inner(ContiguousArray<Child>)

    /// A row and its key.
    @usableFromInline struct Entry: Sendable {
        @usableFromInline var key: Key
        @usableFromInline var row: Row
        @inlinable init(key: Key, row: Row) {
            self.key = key
            self.row = row
        }
    }
    /// A child of an inner node.
    @usableFromInline struct Child: Sendable {
        /// Every key below this child is at least `bound`. Every key below the child before is less.
        @usableFromInline var bound: Key
        /// The number of rows in and below the node.
        @usableFromInline var count: Int
        @usableFromInline var node: TableNode
        @inlinable init(_ node: TableNode) {
            bound = node.smallestBound
            count = node.count
            self.node = node
        }
    }
    /// At least 24, and more of small entries, because each leaf also takes 48 bytes, and its parent about 40.
    @inlinable static var mostEntries: Int { Swift.min(Swift.max(24, 384 / MemoryLayout<Entry>.stride), 96) }
    @inlinable static var mostChildren: Int { 8 }

    /// The number of rows in and below this node.
    @inlinable var count: Int {
        switch self {
        case .leaf(let entries): entries.count
        case .inner(let children): children.reduce(0) { $0 + $1.count }
        }
    }
    /// The smallest key of a leaf, or the smallest bound of an inner node.
    @inlinable var smallestBound: Key {
        switch self {
        case .leaf(let entries): entries[0].key
        case .inner(let children): children[0].bound
        }
    }
    /// Returns true if the two nodes are one in memory.
    @inlinable func isIdentical(to other: TableNode) -> Bool {
        switch (self, other) {
        case (.leaf(let a), .leaf(let b)): a.span.isIdentical(to: b.span)
        case (.inner(let a), .inner(let b)): a.span.isIdentical(to: b.span)
        default: false
        }
    }

    /// Makes room for one more element, and for few others, so that an array is at most a quarter larger than
    /// necessary. By itself, it would double.
    @inlinable static func makeRoom<Element>(in elements: inout ContiguousArray<Element>) {
        guard elements.count == elements.capacity else { return }
        elements.reserveCapacity(elements.count + Swift.max(1, elements.count / 4))
    }
    /// Gives back the room of elements that went, if an array is much larger than necessary.
    @inlinable static func giveBackRoom<Element>(of elements: inout ContiguousArray<Element>) {
        guard elements.capacity > elements.count + elements.count / 3 + 2 else { return }
        var fitting = ContiguousArray<Element>()
        fitting.reserveCapacity(elements.count)
        fitting.append(contentsOf: elements)
        elements = fitting
    }

    /// Returns the number of keys that are smaller than `key`, in a leaf with these entries.
    @inlinable static func slot(of key: Key, in entries: ContiguousArray<Entry>) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
    /// Returns the place of a key in a leaf with these entries, or the place where it belongs.
    @inlinable static func place(of key: Key, in entries: ContiguousArray<Entry>) -> (slot: Int, isThere: Bool) {
        let slot = slot(of: key, in: entries)
        return (slot, slot < entries.count && entries[slot].key == key)
    }
    /// Returns the child below which `key` is, or belongs.
    @inlinable static func slot(of key: Key, in children: ContiguousArray<Child>) -> Int {
        var (low, high) = (1, children.count)
        while low < high {
            let middle = (low + high) / 2
            if key < children[middle].bound { high = middle } else { low = middle + 1 }
        }
        return low - 1
    }
    /// Returns the child below which the row of a rank is, and the row's rank there.
    @inlinable static func slot(ofRank rank: Int, in children: ContiguousArray<Child>) -> (slot: Int, rank: Int) {
        var (slot, rank) = (0, rank)
        while rank >= children[slot].count {
            rank -= children[slot].count
            slot += 1
        }
        return (slot, rank)
    }
}
