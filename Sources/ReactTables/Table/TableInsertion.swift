extension TableNode {
    /// The result of setting a row.
    @usableFromInline enum Insertion {
        /// The key had a row.
        case replaced
        case inserted
        /// A row was inserted, and the node was split. `right` is its new neighbour, which took over some of its rows.
        case split(right: TableNode)
    }

    /// Sets the row of a key in or below `node`. `isLast` is true if no node of this level is to the right.
    @inlinable static func set(_ row: Row, of key: Key, in node: inout TableNode, isLast: Bool) -> Insertion {
        own(&node)
        guard !node.isLeaf else { return node.setInLeaf(row, of: key, isLast: isLast) }
        let slot = node.childSlot(for: key)
        let isLastChild = slot == node.children.count - 1
        let insertion = set(row, of: key, in: &node.children[slot].node, isLast: isLast && isLastChild)
        if case .replaced = insertion { return .replaced }
        if key < node.keys[0] { node.keys[0] = key }
        node.children[slot].count += 1
        guard case .split(let right) = insertion else { return .inserted }
        let count = right.count
        node.children[slot].count -= count
        node.keys.insert(right.keys[0], at: slot + 1)
        node.children.insert(Child(right, count: count), at: slot + 1)
        return node.splitIfFull(afterAppending: isLast && isLastChild)
    }
    @inlinable func setInLeaf(_ row: Row, of key: Key, isLast: Bool) -> Insertion {
        let (slot, isThere) = slot(of: key)
        guard !isThere else {
            rows[slot] = row
            return .replaced
        }
        keys.insert(key, at: slot)
        rows.insert(row, at: slot)
        return splitIfFull(afterAppending: isLast && slot == keys.count - 1)
    }
    /// Splits a node that holds more than `most` elements. It is split before the last element if that was appended to
    /// the whole level, and otherwise in the middle. Rows that come in the order of their keys therefore leave full
    /// nodes behind.
    @inlinable func splitIfFull(afterAppending isAppended: Bool) -> Insertion {
        guard keys.count > Self.most else { return .inserted }
        let middle = isAppended ? Self.most : keys.count / 2
        let right = part(middle..<keys.count)
        let left = part(0..<middle)
        (keys, rows, children) = (left.keys, left.rows, left.children)
        return .split(right: right)
    }
    /// Makes a node of some of this node's elements. Its arrays are no larger than necessary.
    @inlinable func part(_ range: Range<Int>) -> TableNode {
        TableNode(
            height: height, keys: ContiguousArray(keys[range]), rows: isLeaf ? ContiguousArray(rows[range]) : [],
            children: isLeaf ? [] : ContiguousArray(children[range])
        )
    }
}
