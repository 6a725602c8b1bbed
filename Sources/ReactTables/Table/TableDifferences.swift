/// Finds the rows in which two tables differ, in the order of their keys. Parts that the tables share are skipped.
@usableFromInline struct TableDifferences<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable> {
    @usableFromInline typealias Node = TableNode<Key, Row>
    /// A key whose rows differ. `old` is `nil` for a key that came, and `new` is `nil` for a key that went.
    @usableFromInline typealias Difference = (key: Key, old: Row?, new: Row?)
    /// Takes a difference, and the ranks of its key in the two tables. Returns false to stop.
    @usableFromInline typealias Body = (Difference, _ oldRank: Int, _ newRank: Int) -> Bool

    /// The ranks of the next rows to compare.
    @usableFromInline var (oldRank, newRank) = (0, 0)

    @inlinable init() {}

    /// Compares two tables. Returns false if `body` stops.
    @inlinable mutating func compare(_ old: Table<Key, Row>, _ new: Table<Key, Row>, _ body: Body) -> Bool {
        if old.root.isIdentical(to: new.root) { return true }
        if old.isEmpty { return new.root.forEach { pass((nil, $0), body) } }
        if new.isEmpty { return old.root.forEach { pass(($0, nil), body) } }
        let levels = old.root.levels(above: new.root)
        if levels == 0 { return compareNodes(old.root, new.root, body) }
        return compareNodes(old.root.lowered(by: levels), new.root.lowered(by: -levels), body)
    }
    /// Compares two nodes at one height.
    @inlinable mutating func compareNodes(_ old: Node, _ new: Node, _ body: Body) -> Bool {
        switch (old, new) {
        case (.leaf(let old), .leaf(let new)): compareRows(old, new, body)
        case (.inner(let old), .inner(let new)): compareChildren(old, new, body)
        default: preconditionFailure("the nodes of one level have different heights")
        }
    }
    /// Compares the children of two nodes at one height. Between two bounds that both nodes have, each has one child or
    /// more. If each has one, these two are compared. Otherwise the children of each are merged first.
    @inlinable mutating func compareChildren(
        _ old: ContiguousArray<Node.Child>, _ new: ContiguousArray<Node.Child>, _ body: Body
    ) -> Bool {
        var (slot, newSlot) = (0, 0)
        while true {
            var shared = 0
            while slot < old.count, newSlot < new.count, old[slot].node.isIdentical(to: new[newSlot].node) {
                shared += old[slot].count
                slot += 1
                newSlot += 1
            }
            oldRank += shared
            newRank += shared
            guard slot < old.count, newSlot < new.count else { break }
            let (from, newFrom) = (slot, newSlot)
            Self.moveToCommonBound(&slot, of: old, &newSlot, of: new)
            let isPair = slot == from + 1 && newSlot == newFrom + 1
            let goesOn =
                isPair
                ? compareNodes(old[from].node, new[newFrom].node, body)
                : compareNodes(Node.merged(old[from..<slot]), Node.merged(new[newFrom..<newSlot]), body)
            guard goesOn else { return false }
        }
        for child in old[slot...] where !child.node.forEach({ pass(($0, nil), body) }) { return false }
        for child in new[newSlot...] where !child.node.forEach({ pass((nil, $0), body) }) { return false }
        return true
    }
    /// Moves two places on to the next children whose bounds are equal, or to the ends.
    @inlinable static func moveToCommonBound(
        _ slot: inout Int, of a: ContiguousArray<Node.Child>, _ other: inout Int, of b: ContiguousArray<Node.Child>
    ) {
        slot += 1
        other += 1
        while slot < a.count, other < b.count, a[slot].bound != b[other].bound {
            if a[slot].bound < b[other].bound { slot += 1 } else { other += 1 }
        }
        if slot == a.count || other == b.count { (slot, other) = (a.count, b.count) }
    }
    /// Compares the rows of two leaves.
    @inlinable mutating func compareRows(
        _ old: ContiguousArray<Node.Entry>, _ new: ContiguousArray<Node.Entry>, _ body: Body
    ) -> Bool {
        var (slot, newSlot) = (0, 0)
        while true {
            let from = slot
            while slot < old.count, newSlot < new.count, old[slot].key == new[newSlot].key,
                old[slot].row == new[newSlot].row
            {
                slot += 1
                newSlot += 1
            }
            oldRank += slot - from
            newRank += slot - from
            guard slot < old.count, newSlot < new.count else { break }
            let (a, b) = (old[slot], new[newSlot])
            let (isOld, isNew) = (!(b.key < a.key), !(a.key < b.key))
            guard pass((isOld ? a : nil, isNew ? b : nil), body) else { return false }
            if isOld { slot += 1 }
            if isNew { newSlot += 1 }
        }
        for entry in old[slot...] where !pass((entry, nil), body) { return false }
        for entry in new[newSlot...] where !pass((nil, entry), body) { return false }
        return true
    }
    /// Moves over a key whose rows differ.
    @inlinable mutating func pass(_ entries: (old: Node.Entry?, new: Node.Entry?), _ body: Body) -> Bool {
        defer {
            if entries.old != nil { oldRank += 1 }
            if entries.new != nil { newRank += 1 }
        }
        guard let key = entries.new?.key ?? entries.old?.key else { return true }
        return body((key, entries.old?.row, entries.new?.row), oldRank, newRank)
    }
}

extension TableNode {
    /// Calls `body` with each entry, until it returns false.
    @inlinable func forEach(_ body: (Entry) -> Bool) -> Bool {
        switch self {
        case .leaf(let entries): entries.allSatisfy(body)
        case .inner(let children): children.allSatisfy { $0.node.forEach(body) }
        }
    }
    /// Returns how many more levels are below this node than below another.
    @inlinable func levels(above other: TableNode) -> Int {
        switch (self, other) {
        case (.leaf, .leaf): 0
        case (.inner(let children), .leaf): children[0].node.levels(above: other) + 1
        case (.leaf, .inner(let children)): levels(above: children[0].node) - 1
        case (.inner(let children), .inner(let others)): children[0].node.levels(above: others[0].node)
        }
    }
    /// Returns one node with all elements that are `levels` lower, or this node if `levels` is not positive.
    @inlinable func lowered(by levels: Int) -> TableNode {
        guard levels > 0, case .inner(let children) = self else { return self }
        return Self.merged(children[...]).lowered(by: levels - 1)
    }
    /// Returns one node with all elements of neighbours, which may be too many.
    @inlinable static func merged(_ children: ArraySlice<Child>) -> TableNode {
        var entries: ContiguousArray<Entry> = []
        var inner: ContiguousArray<Child> = []
        for child in children {
            switch child.node {
            case .leaf(let more): entries += more
            case .inner(let more): inner += more
            }
        }
        return inner.isEmpty ? .leaf(entries) : .inner(inner)
    }
}

extension Table {
    /// Calls `body` for each key whose rows differ, in the order of the keys.
    ///
    /// `old` is `nil` for a key that came, and `new` is `nil` for a key that went. Parts that the two tables share are
    /// skipped.
    @inlinable func forEachDifference(from old: Table, _ body: (_ key: Key, _ old: Row?, _ new: Row?) -> Void) {
        var differences = TableDifferences<Key, Row>()
        _ = differences.compare(old, self) { difference, _, _ in
            body(difference.key, difference.old, difference.new)
            return true
        }
    }
}
