import ReactCore
import ReactTables

extension ShoppingList {
    /// Adds an item at the end of a section.
    public func add(_ name: String, to section: String) {
        items.update {
            let id = ($0.keys.last ?? 0) + 1
            let place = Place.between($0.rows.map(\.place).max(), nil)
            $0[id] = Item(name: name, section: section, place: place)
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
    /// all items. Two people may have put items at one place, on two devices. Those behind the one above make room.
    ///
    /// - Precondition: `rank` is 0, or at most the number of the others.
    public func move(_ id: Int, to rank: Int, of section: String) {
        let shown = sections.current[section]
        guard shown?.rank(of: id) != rank else { return }
        let others = shown?.filter { $0.key != id } ?? []
        let above = rank > 0 ? others[rank - 1] : nil
        items.update {
            let others = $0.filter { $0.key != id }
            let below = others.rows.map(\.place).filter { place in above.map { $0.row.place < place } ?? true }.min()
            var place = Place.between(above?.row.place, below)
            $0.update(id) {
                $0.section = section
                $0.place = place
            }
            for (key, item) in others where item.place == above?.row.place && key > above!.key {
                place = .between(place, below)
                $0.update(key) { $0.place = place }
            }
        }
    }
    /// Drops an item in front of the shown item at `offset`, as lists on screen tell it: the item itself still counts.
    public func drop(_ id: Int, at offset: Int, of section: String) {
        let isBefore = sections.current[section]?.rank(of: id).map { $0 < offset } ?? false
        move(id, to: isBefore ? offset - 1 : offset, of: section)
    }
}
