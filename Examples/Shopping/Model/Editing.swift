import ReactCore
import ReactTables

extension ShoppingList {
    /// Adds an item at the end of a section.
    public func add(_ name: String, to section: String) {
        items.update { items in
            let last = items.keys.last ?? 0
            // Behind the greatest number, unless that is the last one.
            let id = last < Document.numbers.upperBound ? last + 1 : Document.numbers.first { items[$0] == nil }!
            let place = Place.between(items.rows.map(\.place).max(), nil)
            items[id] = Item(name: name, section: section, place: place)
        }
    }
    /// Adds a suggestion, and begins a new draft.
    public func take(_ suggestion: Suggestion) {
        add(suggestion.name, to: suggestion.section)
        draft.value = ""
    }
    /// Adds the draft as it is, in no special section.
    public func takeDraft() {
        guard !draft.current.isEmpty else { return }
        take(Suggestion(name: draft.current, section: Document.otherSection))
    }
    public func edit(_ id: Int, _ change: @escaping @Sendable (inout Item) -> Void) {
        items.update { $0.update(id, change) }
    }
    public func remove(_ id: Int) { items.update { $0[id] = nil } }
    /// Removes the items that have been bought.
    public func removeDone() { items.update { $0.removeAll { $0.row.isDone } } }

    /// Drops an item at a rank among the *other* items of a section that are shown.
    ///
    /// The search may hide items in between. So the item is put right behind the one above it, before the next one of
    /// all items. Items with equal places, which two machines may give, stand in the order of their numbers. If the
    /// next ones have the place of the one above, they get new places behind the item.
    ///
    /// - Precondition: `rank` is 0, or at most the number of the others.
    public func move(_ id: Int, to rank: Int, of section: String) {
        let shown = sections.current[section]
        guard shown?.rank(of: id) != rank else { return }
        let others = shown?.filter { $0.key != id } ?? []
        let above = rank > 0 ? others[rank - 1] : nil
        items.update { items in
            let rest = items.filter { $0.key != id }.sorted { ($0.row.place, $0.key) < ($1.row.place, $1.key) }
            let below = rest[(rest.firstIndex { $0.key == above?.key }.map { $0 + 1 } ?? 0)...]
            let equal = below.prefix { $0.row.place == above?.row.place }
            let end = below.dropFirst(equal.count).first?.row.place
            var last = above?.row.place
            for key in [id] + equal.map(\.key) {
                let place = Place.between(last, end)
                items.update(key) { $0.place = place }
                last = place
            }
            items.update(id) { $0.section = section }
        }
    }
    /// Drops an item in front of the shown item at `offset`, as lists on screen tell it: the item itself still counts.
    public func drop(_ id: Int, at offset: Int, of section: String) {
        let isBefore = sections.current[section]?.rank(of: id).map { $0 < offset } ?? false
        move(id, to: isBefore ? offset - 1 : offset, of: section)
    }
}
