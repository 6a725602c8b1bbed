extension Table {
    /// Returns a description of the first broken invariant of the table's tree, or `nil` if there is none. O(n), for
    /// tests.
    package func brokenInvariant() -> String? {
        guard let root else { return count == 0 ? nil : "an empty tree with a count of \(count)" }
        if count != root.count { return "a count of \(count), and \(root.count) rows" }
        if !root.isLeaf && root.children.count < 2 { return "a root with one child" }
        return root.brokenInvariant(isRoot: true, isLast: true, from: nil, below: nil)
    }
}

extension TableNode {
    // `isLast` is true if no node of this level is to the right. Keys are in `lower ..< upper`.
    fileprivate func brokenInvariant(isRoot: Bool, isLast: Bool, from lower: Key?, below upper: Key?) -> String? {
        if keys.isEmpty || keys.count > Self.most { return "a node of \(keys.count) keys" }
        if !isRoot && !isLast && keys.count < Self.least { return "a node of only \(keys.count) keys" }
        if !zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return "keys that do not rise: \(Array(keys))" }
        if let lower, keys[0] < lower { return "the key \(keys[0]) under a lower bound of \(lower)" }
        if let upper, keys[keys.count - 1] >= upper {
            return "the key \(keys[keys.count - 1]) over a bound of \(upper)"
        }
        if isLeaf {
            return rows.count == keys.count && children.isEmpty
                ? nil : "a leaf of \(keys.count) keys, \(rows.count) rows"
        }
        if children.count != keys.count || !rows.isEmpty { return "\(keys.count) bounds of \(children.count) children" }
        for (slot, child) in children.enumerated() {
            if child.node.height != height - 1 {
                return "a child at height \(child.node.height) below height \(height)"
            }
            if child.count != child.node.count {
                return "a child of \(child.node.count) rows that counts as \(child.count)"
            }
            let isLastChild = slot == children.count - 1
            let broken = child.node.brokenInvariant(
                isRoot: false, isLast: isLast && isLastChild, from: keys[slot],
                below: isLastChild ? upper : keys[slot + 1]
            )
            if let broken { return broken }
        }
        return nil
    }
}
