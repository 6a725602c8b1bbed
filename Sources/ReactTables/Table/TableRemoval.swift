extension TableNode {
    /// Removes a key that is in the tree.
    @inlinable static func remove(_ key: Key, from node: inout TableNode) {
        own(&node)
        guard !node.isLeaf else {
            let slot = node.lowerBound(of: key)
            node.keys.remove(at: slot)
            node.rows.remove(at: slot)
            return
        }
        let slot = node.childSlot(for: key)
        remove(key, from: &node.children[slot].node)
        node.children[slot].count -= 1
        if node.children[slot].node.keys.count < least { node.refillChild(slot) }
    }
    /// Merges a child that holds fewer than `least` elements with a neighbour, or fills it up from the neighbour.
    @inlinable func refillChild(_ slot: Int) {
        guard children.count > 1 else {
            // The only child of a level's last node.
            if children[slot].count == 0 { (keys, children) = ([], []) }
            return
        }
        let left = Swift.max(0, slot - 1)
        let right = left + 1
        let (a, b) = (children[left].node, children[right].node)
        let both = TableNode(
            height: a.height, keys: a.keys + b.keys, rows: a.rows + b.rows, children: a.children + b.children
        )
        guard both.keys.count > Self.most else {
            children[left] = Child(both, count: both.count)
            keys.remove(at: right)
            children.remove(at: right)
            return
        }
        let middle = both.keys.count / 2
        let (first, second) = (both.part(0..<middle), both.part(middle..<both.keys.count))
        children[left] = Child(first, count: first.count)
        children[right] = Child(second, count: second.count)
        keys[right] = second.keys[0]
    }
}
