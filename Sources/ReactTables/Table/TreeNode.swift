/// A node of a table's B+ tree, in which all leaves are at one depth, and hold the rows.
///
/// The tree knows neither keys nor rows, so it is compiled once, and not for the types of each table. Whoever knows the
/// types finds the path to a key (see `Table.path(to:)`), and changes the leaf there.
///
/// The elements of a leaf are its entries, and the elements of an inner node are its children. A node has at most as
/// many elements as `most` says. It has at least half as many, except the root, and the last node of each level (see
/// `divide`).
///
/// A node is a value. A change copies the nodes on the way to its row that another tree refers to as well.
@usableFromInline enum TreeNode: Sendable {
    /// A leaf. Its keys rise.
    case leaf(AnyEntries)
    /// An inner node. All its children are at one height. Between each two of them is a bound: every key before it is
    /// smaller, and every key after it is not.
    case inner(bounds: AnyEntries, ContiguousArray<Child>)

    /// A child of an inner node, and the number of rows in and below it.
    @usableFromInline struct Child: Sendable {
        @usableFromInline var node: TreeNode
        @usableFromInline var count: Int
        init(_ node: TreeNode) {
            self.node = node
            count = node.count
        }
    }
    static let mostChildren = 8

    /// The number of rows in and below this node.
    var count: Int {
        switch self {
        case .leaf(let entries): entries.count
        case .inner(_, let children): children.reduce(0) { $0 + $1.count }
        }
    }
    var elementCount: Int {
        switch self {
        case .leaf(let entries): entries.count
        case .inner(_, let children): children.count
        }
    }
    var most: Int {
        switch self {
        case .leaf(let entries): entries.most
        case .inner: Self.mostChildren
        }
    }
    /// Returns true if the two nodes are one in memory.
    func isIdentical(to other: TreeNode) -> Bool {
        switch (self, other) {
        case (.leaf(let a), .leaf(let b)): a === b
        case (.inner(_, let a), .inner(_, let b)): a.span.isIdentical(to: b.span)
        default: false
        }
    }

    /// Returns the entries of the leaf that contains the row of a rank, and the row's slot there.
    @usableFromInline func leaf(ofRank rank: Int) -> (entries: AnyEntries, slot: Int) {
        switch self {
        case .leaf(let entries): return (entries, rank)
        case .inner(_, let children):
            var (slot, rank) = (0, rank)
            while rank >= children[slot].count {
                rank -= children[slot].count
                slot += 1
            }
            return children[slot].node.leaf(ofRank: rank)
        }
    }
    /// Returns the number of rows before a path.
    @usableFromInline func rank(of path: TreePath, level: Int = 0) -> Int {
        switch self {
        case .leaf: return path.slot
        case .inner(_, let children):
            let rank = children[path[level]].node.rank(of: path, level: level + 1)
            return children[..<path[level]].reduce(rank) { $0 + $1.count }
        }
    }
    /// Calls `body` with the entries of the leaf at a path.
    @usableFromInline func withLeaf(at path: TreePath, level: Int = 0, _ body: (AnyEntries) -> Void) {
        switch self {
        case .leaf(let entries): body(entries)
        case .inner(_, let children): children[path[level]].node.withLeaf(at: path, level: level + 1, body)
        }
    }
    /// Calls `body` with the entries of each leaf, until it returns false.
    func forEachLeaf(_ body: (AnyEntries) -> Bool) -> Bool {
        switch self {
        case .leaf(let entries): body(entries)
        case .inner(_, let children): children.allSatisfy { $0.node.forEachLeaf(body) }
        }
    }

    /// Returns one node with the elements of neighbours, which may be too many. Each is copied once.
    static func joined(
        _ children: ContiguousArray<Child>, _ bounds: AnyEntries, _ slots: Range<Int>
    ) -> TreeNode {
        let first = children[slots.lowerBound].node
        guard slots.count > 1 else { return first }
        let count = children[slots].reduce(0) { $0 + $1.node.elementCount }
        // The entries of leaves; or the bounds of inner nodes, and those between the nodes.
        var entries: [AnyEntries] = [], elements = ContiguousArray<Child>()
        for slot in slots {
            switch children[slot].node {
            case .leaf(let leaf): entries.append(leaf)
            case .inner(_, let others) where others.isEmpty: break
            case .inner(let inner, let others):
                entries += slot == slots.lowerBound ? [inner] : [bounds.part(slot - 1..<slot), inner]
                elements.reserveCapacity(count)
                elements += others
            }
        }
        let all = entries[0].appending(Array(entries.dropFirst()))
        return if case .leaf = first { .leaf(all) } else { .inner(bounds: all, elements) }
    }
    /// Returns the elements before a place, and the bound and the elements after it. Their arrays are no larger than
    /// necessary.
    func split(at place: Int) -> (left: TreeNode, bound: AnyEntries, right: TreeNode) {
        switch self {
        case .leaf(let entries):
            let right = entries.part(place..<entries.count)
            return (.leaf(entries.part(0..<place)), right.bound(at: 0), .leaf(right))
        case .inner(let bounds, let children):
            return (
                .inner(bounds: bounds.part(0..<place - 1), ContiguousArray(children[..<place])),
                bounds.part(place - 1..<place),
                .inner(bounds: bounds.part(place..<bounds.count), ContiguousArray(children[place...]))
            )
        }
    }
}

/// The way from the root of a tree to an entry, or to where it belongs.
@usableFromInline struct TreePath {
    /// The slots of the children on the way, four bits each, the root's first. A tree has at most 16 levels.
    @usableFromInline var slots: UInt64 = 0
    @usableFromInline var depth = 0
    /// The slot in the leaf.
    @usableFromInline var slot = 0
    /// True if the key is at that slot.
    @usableFromInline var isThere = false

    @inlinable init() {}

    subscript(level: Int) -> Int { Int(slots >> (UInt64(level) * 4) & 15) }

    @inlinable mutating func append(_ slot: Int) {
        slots |= UInt64(truncatingIfNeeded: slot) << (UInt64(truncatingIfNeeded: depth) * 4)
        depth += 1
    }
}
