/// Returns `starts` and all elements that they lead to, each once, the nearest first.
func reached<Element: Hashable>(
    from starts: some Sequence<Element>, _ next: (Element) -> some Sequence<Element>
) -> [Element] {
    var found = starts.uniqued, seen = Set(found), place = 0
    while place < found.count {
        for element in next(found[place]) where seen.insert(element).inserted { found.append(element) }
        place += 1
    }
    return found
}

extension Sequence where Element: Hashable {
    /// The elements, each once, in the order in which they come first.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Equatable {
    /// Returns true if the other value is of the same type, and equal.
    func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
