import ReactCore
import ReactGraph

extension ShoppingList {
    /// The nodes that are set from outside, for a journal: a bug report that a test replays.
    public var journalSources: JournalSources {
        var sources = JournalSources()
        sources.add(title)
        sources.add(items)
        sources.add(search)
        sources.add(draft)
        sources.add(steps)
        return sources
    }
    /// The nodes that a replay compares.
    public var watched: [AnyNode] { [sections, remaining, suggestions, isSuggesting, canUndo, canRedo] }
}
