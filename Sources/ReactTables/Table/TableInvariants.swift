extension Table {
    /// Returns a description of the first broken invariant of the table's tree, or `nil` if there is none. O(n), for
    /// tests.
    package func brokenInvariant() -> String? {
        guard count > 0 else { return root.count == 0 ? nil : "an empty table with \(root.count) rows" }
        if count != root.count { return "a count of \(count), and \(root.count) rows" }
        if case .inner(let children) = root, children.count < 2 { return "a root with one child" }
        return root.brokenInvariant(isRoot: true, isLast: true, from: nil, below: nil)
    }
}

extension TableNode {
    /// The number of levels below this node.
    private var height: Int {
        switch self {
        case .leaf: 0
        case .inner(let children): children[0].node.height + 1
        }
    }
    // `isLast` is true if no node of this level is to the right. Keys are in `lower ..< upper`.
    fileprivate func brokenInvariant(isRoot: Bool, isLast: Bool, from lower: Key?, below upper: Key?) -> String? {
        switch self {
        case .leaf(let entries):
            return Self.brokenKeys(entries.map(\.key), most: Self.mostEntries, isRoot || isLast, lower, upper)
        case .inner(let children):
            let broken = Self.brokenKeys(children.map(\.bound), most: Self.mostChildren, isRoot || isLast, lower, upper)
            if let broken { return broken }
            for (slot, child) in children.enumerated() {
                if child.node.height != height - 1 {
                    return "a child at height \(child.node.height) below height \(height)"
                }
                if child.count != child.node.count {
                    return "a child of \(child.node.count) rows that counts as \(child.count)"
                }
                let isLastChild = slot == children.count - 1
                let broken = child.node.brokenInvariant(
                    isRoot: false, isLast: isLast && isLastChild, from: child.bound,
                    below: isLastChild ? upper : children[slot + 1].bound
                )
                if let broken { return broken }
            }
            return nil
        }
    }
    private static func brokenKeys(
        _ keys: [Key], most: Int, _ mayHaveFew: Bool, _ lower: Key?, _ upper: Key?
    ) -> String? {
        if keys.isEmpty || keys.count > most { return "a node of \(keys.count) elements" }
        if !mayHaveFew && keys.count < most / 2 { return "a node of only \(keys.count) elements" }
        if !zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return "keys that do not rise: \(keys)" }
        if let lower, keys[0] < lower { return "the key \(keys[0]) under a lower bound of \(lower)" }
        if let upper, keys[keys.count - 1] >= upper {
            return "the key \(keys[keys.count - 1]) over a bound of \(upper)"
        }
        return nil
    }
}
