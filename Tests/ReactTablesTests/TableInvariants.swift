import TestSupport

@testable import ReactTables

extension Table {
    /// Returns a description of the first broken invariant of the table's tree, or `nil` if there is none. O(n).
    func brokenInvariant() -> String? {
        guard count > 0 else { return root.count == 0 ? nil : "an empty table with \(root.count) rows" }
        if count != root.count { return "a count of \(count), and \(root.count) rows" }
        if case .inner(_, let children) = root, children.count < 2 { return "a root with one child" }
        return Self.brokenInvariant(of: root, isRoot: true, isLast: true, from: nil, below: nil)
    }
    // `isLast` is true if no node of this level is to the right. Keys are in `lower ..< upper`.
    private static func brokenInvariant(
        of node: TreeNode, isRoot: Bool, isLast: Bool, from lower: Key?, below upper: Key?
    ) -> String? {
        if node.elementCount == 0 || node.elementCount > node.most { return "a node of \(node.elementCount) elements" }
        if !isRoot && !isLast && node.elementCount < node.most / 2 {
            return "a node of only \(node.elementCount) elements"
        }
        switch node {
        case .leaf(let entries):
            return brokenKeys(Entries<Key, Row>.of(entries).list.map(\.key), lower, upper)
        case .inner(let bounds, let children):
            let bounds = Entries<Key, Present>.of(bounds).list.map(\.key)
            if bounds.count != children.count - 1 { return "\(bounds.count) bounds of \(children.count) children" }
            if let broken = brokenKeys(bounds, lower, upper) { return broken }
            for (slot, child) in children.enumerated() {
                if child.node.height != node.height - 1 {
                    return "a child at height \(child.node.height) below height \(node.height)"
                }
                if child.count != child.node.count {
                    return "a child of \(child.node.count) rows that counts as \(child.count)"
                }
                let isLastChild = slot == children.count - 1
                let broken = brokenInvariant(
                    of: child.node, isRoot: false, isLast: isLast && isLastChild,
                    from: slot == 0 ? lower : bounds[slot - 1], below: isLastChild ? upper : bounds[slot]
                )
                if let broken { return broken }
            }
            return nil
        }
    }
    private static func brokenKeys(_ keys: [Key], _ lower: Key?, _ upper: Key?) -> String? {
        if !zip(keys, keys.dropFirst()).allSatisfy({ comesBefore($0, $1) }) { return "keys that do not rise: \(keys)" }
        if let lower, let first = keys.first, comesBefore(first, lower) {
            return "the key \(first) under a lower bound of \(lower)"
        }
        if let upper, let last = keys.last, !comesBefore(last, upper) {
            return "the key \(last) over a bound of \(upper)"
        }
        return nil
    }
}
