#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReactTables
import ShoppingModel
import SwiftUI

/// The items of one section, which can be dragged within it, and from one section to another.
struct SectionView: View {
    let list: ShoppingList
    let name: String
    let items: SortedTable<Int, Item>

    var body: some View {
        Section(name) {
            ForEach(items, id: \.key) { item in
                ItemRow(list: list, id: item.key, item: item.row)
                    .draggable(String(item.key))
            }
            .onMove { ranks, offset in
                for id in ids(at: ranks) { list.drop(id, at: offset, of: name) }
            }
            .onDelete { ranks in
                for id in ids(at: ranks) { list.remove(id) }
            }
            .dropDestination(for: String.self) { texts, offset in
                for id in texts.compactMap(Int.init) { list.drop(id, at: offset, of: name) }
            }
        }
    }
    private func ids(at ranks: IndexSet) -> [Int] { ranks.map { items[rank: $0].key } }
}

struct ItemRow: View {
    let list: ShoppingList
    let id: Int
    let item: Item
    /// The name while it is typed. A whole name is one step for undo.
    @State private var name = ""

    var body: some View {
        HStack {
            Button(item.isDone ? "Bought" : "To buy", systemImage: item.isDone ? "checkmark.circle.fill" : "circle") {
                list.edit(id) { $0.isDone.toggle() }
            }
            .labelStyle(.iconOnly)
            TextField("Item", text: $name)
                .strikethrough(item.isDone)
                .onSubmit { list.edit(id) { [name] in $0.name = name } }
        }
        .buttonStyle(.borderless)
        .onChange(of: item.name, initial: true) { name = item.name }
    }
}
#endif
