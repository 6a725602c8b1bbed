import ReactCore
import ReactScheduling
import ReactTables
import Synchronization

@testable import ShoppingModel

/// A list in virtual time, with a storage that keeps all that is saved.
final class Shop {
    let clock = VirtualScheduler()
    let kept = Kept()
    let list: ShoppingList

    init(_ document: Document = Document()) {
        list = ShoppingList(
            document, catalogue: .sample(clock.clock), storage: kept.storage, on: clock, executor: clock)
    }
    /// A list with some items: `["dairy": ["milk", "butter"]]`.
    convenience init(_ sections: KeyValuePairs<String, [String]>) {
        self.init()
        for (section, names) in sections { for name in names { list.add(name, to: section) } }
    }
    /// The names that are shown, by section.
    var shown: [String: [String]] {
        Dictionary(uniqueKeysWithValues: list.sections.current.map { ($0.key, $0.row.map(\.row.name)) })
    }
    /// The number of an item.
    func id(_ name: String) -> Int { list.items.current.first { $0.row.name == name }!.key }
}

/// The documents that were saved. While it is full, saving fails.
nonisolated final class Kept: Sendable {
    private let state = Mutex<(documents: [Document], isFull: Bool)>(([], false))

    var documents: [Document] { state.withLock { $0.documents } }
    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }
    var storage: Storage {
        Storage(
            load: { nil },
            save: { document in
                try self.state.withLock {
                    if $0.isFull { throw Storage.Failure("the disk is full") }
                    $0.documents.append(document)
                }
            })
    }
}
