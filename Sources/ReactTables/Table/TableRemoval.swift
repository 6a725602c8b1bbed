extension TableNode {
    /// Removes a key that is there. Returns true if the node has too few elements afterwards.
    @inlinable mutating func remove(_ key: Key) -> Bool {
        // Moved out of `self`, so that the array has no second owner, and changes in place.
        switch consume self {
        case .leaf(var entries):
            entries.remove(at: Self.slot(of: key, in: entries))
            Self.giveBackRoom(of: &entries)
            self = .leaf(entries)
            return entries.count < Self.mostEntries / 2
        case .inner(var children):
            let slot = Self.slot(of: key, in: children)
            let hasTooFew = children[slot].node.remove(key)
            children[slot].count -= 1
            if hasTooFew { Self.refill(slot, of: &children) }
            self = .inner(children)
            return children.count < Self.mostChildren / 2
        }
    }
    /// Merges a child that has too few elements with a neighbour, or fills it up from the neighbour.
    @inlinable static func refill(_ slot: Int, of children: inout ContiguousArray<Child>) {
        guard children.count > 1 else {
            // The only child of a level's last node.
            if children[slot].count == 0 { children = [] }
            return
        }
        let left = Swift.max(0, slot - 1)
        let nodes = evenly(children[left].node, children[left + 1].node)
        let bound = children[left].bound
        children.replaceSubrange(left...left + 1, with: nodes.map(Child.init))
        children[left].bound = bound
    }
    /// Returns the elements of two neighbours in one node, or evenly in two if they are too many for one.
    @inlinable static func evenly(_ a: TableNode, _ b: TableNode) -> [TableNode] {
        switch (a, b) {
        case (.leaf(let a), .leaf(let b)): evenly(a + b, most: mostEntries).map { .leaf($0) }
        case (.inner(let a), .inner(let b)): evenly(a + b, most: mostChildren).map { .inner($0) }
        default: preconditionFailure("the nodes of one level have different heights")
        }
    }
    @inlinable static func evenly<Element>(
        _ elements: ContiguousArray<Element>, most: Int
    ) -> [ContiguousArray<Element>] {
        var left = elements
        giveBackRoom(of: &left)
        guard let right = divide(&left, most: most, isAppended: false) else { return [elements] }
        return [left, right]
    }
}
