// Changes of a tree's shape.

extension TreeNode {
    /// Returns the entries of the leaf at a path, and makes them and all nodes on the way this tree's own. Each of
    /// these nodes counts `change` more rows.
    @usableFromInline mutating func own(_ path: TreePath, adding change: Int = 0, level: Int = 0) -> AnyEntries {
        // Moved out of `self`, so that the array has no second owner, and changes in place.
        switch consume self {
        case .leaf(var entries):
            if !isKnownUniquelyReferenced(&entries) { entries = entries.copy() }
            self = .leaf(entries)
            return entries
        case .inner(let bounds, var children):
            defer { self = .inner(bounds: bounds, children) }
            children[path[level]].count += change
            return children[path[level]].node.own(path, adding: change, level: level + 1)
        }
    }

    /// Divides the nodes at a path that have too many elements.
    mutating func divide(at path: TreePath) {
        guard let (bound, right) = divideBelow(path, level: 0, isLast: true) else { return }
        self = .inner(bounds: bound, [Child(self), Child(right)])
    }
    /// Divides the nodes at a path, from this one down. Returns the right part of this node, if it is divided. `isLast`
    /// is true if no node of this level is to the right.
    ///
    /// Elements are divided before the last one if that was appended to the whole level, and otherwise in the middle.
    /// Rows that come in the order of their keys therefore leave full nodes behind.
    private mutating func divideBelow(
        _ path: TreePath, level: Int, isLast: Bool
    ) -> (bound: AnyEntries, right: TreeNode)? {
        let isAppended: Bool
        switch consume self {
        case .leaf(let entries):
            isAppended = isLast && path.slot == entries.count - 1
            self = .leaf(entries)
        case .inner(var bounds, var children):
            let slot = path[level]
            isAppended = isLast && slot == children.count - 1
            if let (bound, right) = children[slot].node.divideBelow(path, level: level + 1, isLast: isAppended) {
                let child = Child(right)
                children[slot].count -= child.count
                // By itself, the array would double.
                children.reserveCapacity(children.count + 1)
                children.insert(child, at: slot + 1)
                bounds = bounds.replacing(slot..<slot, with: bound)
            }
            self = .inner(bounds: bounds, children)
        }
        guard elementCount > most else { return nil }
        let (left, bound, right) = split(at: isAppended ? most : elementCount / 2)
        self = left
        return (bound, right)
    }

    /// Fills up the nodes at a path that have too few elements, or merges them with a neighbour.
    mutating func refill(at path: TreePath) {
        _ = refillBelow(path, level: 0)
        while case .inner(_, let children) = self, children.count == 1 { self = children[0].node }
    }
    /// Fills up the nodes at a path, from the children of this one down. Returns true if this one has too few elements
    /// then.
    private mutating func refillBelow(_ path: TreePath, level: Int) -> Bool {
        switch consume self {
        case .leaf(let entries): self = .leaf(entries)
        case .inner(var bounds, var children):
            let slot = path[level]
            if children[slot].node.refillBelow(path, level: level + 1) { Self.refill(slot, of: &children, &bounds) }
            self = .inner(bounds: bounds, children)
        }
        return elementCount < most / 2
    }
    private static func refill(_ slot: Int, of children: inout ContiguousArray<Child>, _ bounds: inout AnyEntries) {
        guard children.count > 1 else {
            // The only child of a level's last node.
            if children[slot].count == 0 { children = [] }
            return
        }
        let left = Swift.max(0, slot - 1)
        let joined = joined(children, bounds, left..<left + 2)
        guard joined.elementCount > joined.most else {
            children.replaceSubrange(left...left + 1, with: CollectionOfOne(Child(joined)))
            bounds = bounds.replacing(left..<left + 1, with: nil)
            return
        }
        let parts = joined.split(at: joined.elementCount / 2)
        children[left] = Child(parts.left)
        children[left + 1] = Child(parts.right)
        bounds = bounds.replacing(left..<left + 1, with: parts.bound)
    }

    /// Makes a tree of leaves in the order of their keys.
    init(leaves: [AnyEntries]) {
        var level = leaves.map { (bound: $0.bound(at: 0), node: TreeNode.leaf($0)) }
        while level.count > 1 {
            level = Self.parts(of: level.count, most: Self.mostChildren).map { part in
                let bounds = level[part.lowerBound].bound.part(0..<0).appending(level[part].dropFirst().map(\.bound))
                let children = ContiguousArray(level[part].map { Child($0.node) })
                return (level[part.lowerBound].bound, .inner(bounds: bounds, children))
            }
        }
        self = level[0].node
    }
    /// Divides `count` elements evenly among as few nodes of at most `most` elements as possible.
    static func parts(of count: Int, most: Int) -> [Range<Int>] {
        let parts = (count + most - 1) / most
        return (0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts }
    }
}

/// Returns the places of `count` elements in strictly rising order; of elements that are equal, the last. Returns `nil`
/// if they are in that order already.
@usableFromInline func risingPlaces(of count: Int, _ isBefore: (Int, Int) -> Bool) -> ContiguousArray<Int>? {
    guard !(1..<Swift.max(1, count)).allSatisfy({ isBefore($0 - 1, $0) }) else { return nil }
    var places = ContiguousArray(0..<count)
    places.sort { isBefore($0, $1) || !isBefore($1, $0) && $0 < $1 }
    var rising = ContiguousArray<Int>()
    for place in places {
        if let last = rising.last, !isBefore(last, place) { rising.removeLast() }
        rising.append(place)
    }
    return rising
}
