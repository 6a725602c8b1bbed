import ReactCore
import ReactOperators
import ReactScheduling
import ReactTables

/// The view model of a shopping list.
///
///     title ──┬─▶ document ─▶ history ─┬─▶ debounce ─▶ mapInOrder(save) ─▶ saved
///     items ─┬┘                  ▲     └─▶ canUndo, canRedo
///            │        steps ─────┘  An undo sets title and items.
///            ├─▶ filterRows(by: search) ─▶ grouped ─▶ sections
///            └─▶ count ─▶ remaining
///     draft ───▶ debounce ─▶ mapLatest(find) ─▶ suggestions ─▶ upToDate ─▶ isSuggesting
///
/// Time is a parameter: scheduler and executor are the system's in an app, and one `VirtualScheduler` in tests.
public final class ShoppingList: Listener {
    public let lifetime = Lifetime()

    // The nodes that are set from outside.
    public let title = MutableNode("").named("title")
    public let items = MutableNode<Table<Int, Item>>([:]).named("items")
    public let search = MutableNode("").named("search")
    /// The name of a new item, while it is typed.
    public let draft = MutableNode("").named("draft")

    /// The items that the search finds, by section, as they were arranged.
    public let sections: Node<Table<String, SortedTable<Int, Item>>>
    /// The number of items that are still to buy.
    public let remaining: Node<Int>
    /// The suggestions of the catalogue for the draft.
    public let suggestions: Node<TaskPhase<[Suggestion]>>
    /// True from the first letter of a draft to the answer of the catalogue, for a spinner.
    public let isSuggesting: Node<Bool>
    /// The last attempt to save the list. The node is up to date when nothing is left to save.
    public let saved: Node<TaskPhase<Void>>
    public let canUndo, canRedo: Node<Bool>

    let document: Node<Document>
    let history: MutableNode<History>
    let steps = MutableNode<History.Step>().named("steps")

    public init(
        _ document: Document, catalogue: Catalogue, storage: Storage,
        on scheduler: some Scheduler = .main, executor: (any TaskExecutor)? = nil
    ) {
        let condition = search.map { text -> @Sendable (Item) -> Bool in { $0.matches(text) } }
        sections = items.filterRows(by: condition).grouped(by: \.section, sortedBy: RowOrder(\.place))
            .named("sections")
        remaining = items.count { !$0.isDone }.named("remaining")

        // An empty draft needs no answer, so it does not wait.
        let cleared = draft.filter(\.isEmpty), typed = draft.debounce(.milliseconds(300), on: scheduler)
        suggestions = merge(cleared, typed).distinctUntilChanged()
            .mapLatest(executorPreference: executor) { try await $0.isEmpty ? [] : catalogue.find($0) }
            .named("suggestions")
        isSuggesting = combine(suggestions.upToDate(), draft) { !$0 && !$1.isEmpty }.distinctUntilChanged()
            .named("isSuggesting")

        self.document = combine(title, items) { Document(title: $0, items: $1) }
        history = MutableNode(History(document))
        canUndo = history.map(\.canUndo).distinctUntilChanged().named("canUndo")
        canRedo = history.map(\.canRedo).distinctUntilChanged().named("canRedo")
        saved = history.map(\.present).distinctUntilChanged().skip(1)
            .debounce(.seconds(1), on: scheduler)
            .mapInOrder(executorPreference: executor) { try await storage.save($0) }
            .named("saved")

        show(document)
        listen(to: self.document).call(ShoppingList.record)
        listen(to: steps).call(ShoppingList.go)
    }

    /// Sets everything that a document has, in one batch.
    func show(_ document: Document) {
        batch {
            title.value = document.title
            items.value = document.items
        }
    }
    /// Each set is a step for undo, and so is each batch, because `document` is a combination.
    private func record(_ document: Document) { history.update { $0.record(document) } }

    private func go(_ step: History.Step) {
        history.update { $0.go(step) }
        show(history.current.present)
    }
    public func undo() { steps.pulse(.undo) }
    public func redo() { steps.pulse(.redo) }
}
