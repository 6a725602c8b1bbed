import ReactCore
import ReactOperators
import ReactScheduling
import ReactTables
import ShoppingModel

/// Shows the list as lines of text, and prints the lines that change.
final class Screen: Listener {
    let lifetime = Lifetime()
    private let list: ShoppingList
    private let print: (String) -> Void

    /// `isKept` is false for a list that is saved nowhere.
    init(_ list: ShoppingList, isKept: Bool, print: @escaping (String) -> Void) {
        self.list = list
        self.print = print
        listen(to: list.title.distinctUntilChanged()).call(Screen.showTitle)
        listen(to: list.sections).withChangesOnMainActor { [weak self] _, changes in self?.show(changes) }
        listen(to: list.remaining.distinctUntilChanged()).call(Screen.showRemaining)
        listen(to: list.isSuggesting.filter { $0 }).call(Screen.showSpinner)
        listen(to: list.suggestions).call(Screen.showSuggestions)
        if isKept { listen(to: list.saved.successes()).call(Screen.showSaved) }
    }

    /// The whole list.
    var lines: [String] {
        list.sections.current.flatMap { section, items in
            items.enumerated().map { text(of: section, $0, $1.key, $1.row) }
        }
    }

    private func show(_ changes: TableChanges<String, SortedTable<Int, Item>>) {
        for (_, section, _) in changes.removed { print("  \(section): nothing") }
        for (_, section, items) in changes.inserted {
            for (row, item) in items.enumerated() { print(text(of: section, row, item.key, item.row)) }
        }
        for (_, section, old, new) in changes.updated { show(new.changes(from: old), in: section) }
    }
    private func show(_ changes: SortedTableChanges<Int, Item>, in section: String) {
        for (row, id, _) in changes.removed { print("  \(section) \(row + 1): #\(id) leaves") }
        for (from, to, id, _, item) in changes.moved {
            print(text(of: section, to, id, item) + ", from row \(from + 1)")
        }
        for (row, id, item) in changes.inserted { print(text(of: section, row, id, item)) }
        for (row, id, _, item) in changes.updated { print(text(of: section, row, id, item)) }
    }
    private func text(of section: String, _ row: Int, _ id: Int, _ item: Item) -> String {
        "  \(section) \(row + 1): #\(id) \(item.name)\(item.isDone ? ", bought" : "")"
    }

    private func showTitle(_ title: String) { print("  title: \(title)") }
    private func showRemaining(_ count: Int) { print("  \(count) to buy") }
    private func showSpinner(_ isSuggesting: Bool) { print("  looking for suggestions …") }
    private func showSaved(_ saved: Void) { print("  saved") }
    private func showSuggestions(_ phase: TaskPhase<[Suggestion]>) {
        switch phase {
        case .running: break
        case .finished([]): if !list.draft.current.isEmpty { print("  no suggestion") }
        case .finished(let found):
            let texts = found.enumerated().map { "\($0 + 1) \($1.name) (\($1.section))" }
            print("  suggestions: \(texts.joined(separator: ", "))")
        case .failed(let error, last: _): print("  no suggestion: \(error)")
        }
    }
}
