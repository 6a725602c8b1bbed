extension TableNode {
    /// The result of setting a row.
    @usableFromInline enum Insertion {
        /// The key had a row before.
        case replaced(Row)
        case inserted
        /// A row was inserted, and the node was divided. `right` took over some of its elements.
        case divided(right: TableNode)
    }

    /// Sets the row of a key. `isLast` is true if no node of this level is to the right.
    @inlinable mutating func set(_ row: Row, of key: Key, isLast: Bool) -> Insertion {
        // Moved out of `self`, so that the array has no second owner, and changes in place.
        switch consume self {
        case .leaf(var entries):
            let (slot, isThere) = Self.place(of: key, in: entries)
            if isThere {
                var row = row
                swap(&row, &entries[slot].row)
                self = .leaf(entries)
                return .replaced(row)
            }
            Self.makeRoom(in: &entries)
            entries.insert(Entry(key: key, row: row), at: slot)
            let right = Self.divide(&entries, most: Self.mostEntries, isAppended: isLast && slot == entries.count - 1)
            self = .leaf(entries)
            return right.map { .divided(right: .leaf($0)) } ?? .inserted
        case .inner(var children):
            let slot = Self.slot(of: key, in: children)
            let isLastChild = isLast && slot == children.count - 1
            let insertion = children[slot].node.set(row, of: key, isLast: isLastChild)
            if case .replaced = insertion {
                self = .inner(children)
                return insertion
            }
            if key < children[slot].bound { children[slot].bound = key }
            children[slot].count += 1
            guard case .divided(let right) = insertion else {
                self = .inner(children)
                return .inserted
            }
            let child = Child(right)
            children[slot].count -= child.count
            Self.makeRoom(in: &children)
            children.insert(child, at: slot + 1)
            let last = Self.divide(&children, most: Self.mostChildren, isAppended: isLastChild)
            self = .inner(children)
            return last.map { .divided(right: .inner($0)) } ?? .inserted
        }
    }
    /// Takes the right part off elements that are more than `most`, and returns it.
    ///
    /// Elements are divided before the last one if that was appended to the whole level, and otherwise in the middle.
    /// Rows that come in the order of their keys therefore leave full nodes behind. The two parts' arrays are no larger
    /// than necessary.
    @inlinable static func divide<Element>(
        _ elements: inout ContiguousArray<Element>, most: Int, isAppended: Bool
    ) -> ContiguousArray<Element>? {
        guard elements.count > most else { return nil }
        let middle = isAppended ? most : elements.count / 2
        let right = ContiguousArray(elements[middle...])
        elements = ContiguousArray(elements[..<middle])
        return right
    }
}
