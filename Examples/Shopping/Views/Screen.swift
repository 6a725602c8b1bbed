#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import ReactScheduling
import ReactTables
import ShoppingModel

/// The nodes of a list, as objects that SwiftUI observes. Make it once, beside the list.
public final class Screen {
    let list: ShoppingList
    let title: ObservedMutableNode<String>
    let search: ObservedMutableNode<String>
    let draft: ObservedMutableNode<String>
    let sections: ObservedNode<Table<String, SortedTable<Int, Item>>>
    let remaining: ObservedNode<Int>
    let suggestions: ObservedNode<TaskPhase<[Suggestion]>>
    let isSuggesting: ObservedNode<Bool>
    let saved: ObservedNode<TaskPhase<Void>>
    let canUndo: ObservedNode<Bool>
    let canRedo: ObservedNode<Bool>

    public init(_ list: ShoppingList) {
        self.list = list
        title = ObservedMutableNode(list.title)
        search = ObservedMutableNode(list.search)
        draft = ObservedMutableNode(list.draft)
        sections = ObservedNode(list.sections)
        remaining = ObservedNode(list.remaining)
        suggestions = ObservedNode(list.suggestions)
        isSuggesting = ObservedNode(list.isSuggesting)
        saved = ObservedNode(list.saved)
        canUndo = ObservedNode(list.canUndo)
        canRedo = ObservedNode(list.canRedo)
    }
}
#endif
