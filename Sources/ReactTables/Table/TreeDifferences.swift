/// The ranks of the next rows to compare, in two trees.
@usableFromInline struct TreeRanks {
    @usableFromInline var (old, new) = (0, 0)
}

// Finds the leaves in which two trees differ. Parts that the trees share are skipped.
extension TreeNode {
    /// Compares the entries of two leaves, or of several joined ones, and moves the ranks over them. `nil` stands for
    /// none. Returns false to stop.
    @usableFromInline typealias Comparison = (inout TreeRanks, _ old: AnyEntries?, _ new: AnyEntries?) -> Bool

    /// Compares two trees, in the order of their keys. Returns false if `body` stops.
    @usableFromInline func compare(with old: TreeNode, _ body: Comparison) -> Bool {
        var ranks = TreeRanks()
        if isIdentical(to: old) { return true }
        if old.elementCount == 0 { return forEachLeaf { body(&ranks, nil, $0) } }
        if elementCount == 0 { return old.forEachLeaf { body(&ranks, $0, nil) } }
        let levels = old.height - height
        return Self.compare(old.lowered(by: levels), lowered(by: -levels), &ranks, body)
    }
    /// The number of levels below this node.
    var height: Int {
        guard case .inner(_, let children) = self else { return 0 }
        return children[0].node.height + 1
    }
    /// Returns one node with all elements that are `levels` lower, or this node if `levels` is not positive.
    private func lowered(by levels: Int) -> TreeNode {
        guard levels > 0, case .inner(let bounds, let children) = self else { return self }
        return Self.joined(children, bounds, children.indices).lowered(by: levels - 1)
    }
    /// Compares two nodes at one height.
    private static func compare(
        _ old: TreeNode, _ new: TreeNode, _ ranks: inout TreeRanks, _ body: Comparison
    ) -> Bool {
        switch (old, new) {
        case (.leaf(let old), .leaf(let new)): body(&ranks, old, new)
        case (.inner(let bounds, let old), .inner(let newBounds, let new)):
            compare(old, bounds, new, newBounds, &ranks, body)
        default: preconditionFailure("the nodes of one level have different heights")
        }
    }
    /// Compares the children of two nodes at one height. Between two bounds that both nodes have, each has one child or
    /// more. If each has one, these two are compared. Otherwise the children of each are joined first.
    private static func compare(
        _ old: ContiguousArray<Child>, _ bounds: AnyEntries, _ new: ContiguousArray<Child>, _ newBounds: AnyEntries,
        _ ranks: inout TreeRanks, _ body: Comparison
    ) -> Bool {
        var (slot, newSlot) = (0, 0)
        while true {
            while slot < old.count, newSlot < new.count, old[slot].node.isIdentical(to: new[newSlot].node) {
                ranks.old += old[slot].count
                ranks.new += old[slot].count
                slot += 1
                newSlot += 1
            }
            guard slot < old.count, newSlot < new.count else { break }
            let (from, newFrom) = (slot, newSlot)
            slot += 1
            newSlot += 1
            // Moves on to the next bound that both have. Most often, they have the same bounds.
            while bounds !== newBounds, slot < old.count, newSlot < new.count {
                let isOlder = bounds.isBefore(slot - 1, newBounds, newSlot - 1)
                if !isOlder, !newBounds.isBefore(newSlot - 1, bounds, slot - 1) { break }
                if isOlder { slot += 1 } else { newSlot += 1 }
            }
            if slot == old.count || newSlot == new.count { (slot, newSlot) = (old.count, new.count) }
            let goesOn =
                slot == from + 1 && newSlot == newFrom + 1
                ? compare(old[from].node, new[newFrom].node, &ranks, body)
                : compare(joined(old, bounds, from..<slot), joined(new, newBounds, newFrom..<newSlot), &ranks, body)
            guard goesOn else { return false }
        }
        for child in old[slot...] where !child.node.forEachLeaf({ body(&ranks, $0, nil) }) { return false }
        for child in new[newSlot...] where !child.node.forEachLeaf({ body(&ranks, nil, $0) }) { return false }
        return true
    }
}
