#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import ReactScheduling
import ReactTables
import ShoppingModel
import SwiftUI

/// The list on screen.
public struct ShoppingView: View {
    private let screen: Screen

    public init(_ screen: Screen) { self.screen = screen }

    public var body: some View {
        NavigationStack {
            List {
                DraftView(screen: screen, draft: screen.draft)
                ForEach(screen.sections.current, id: \.key) { section in
                    SectionView(list: screen.list, name: section.key, items: section.row)
                }
            }
            // A row keeps its key wherever it moves, so it is seen to move.
            .animation(.default, value: screen.sections.current)
            .searchable(text: Bindable(screen.search).value)
            .navigationTitle(Bindable(screen.title).value)
            .toolbar {
                ToolbarItemGroup { EditButtons(screen: screen) }
                ToolbarItem(placement: .status) { StatusView(screen: screen) }
            }
        }
    }
}

struct EditButtons: View {
    let screen: Screen

    var body: some View {
        Button("Undo", systemImage: "arrow.uturn.backward") { screen.list.undo() }
            .disabled(!screen.canUndo.current)
        Button("Redo", systemImage: "arrow.uturn.forward") { screen.list.redo() }
            .disabled(!screen.canRedo.current)
        Button("Remove bought items", systemImage: "trash") { screen.list.removeDone() }
    }
}

struct StatusView: View {
    let screen: Screen

    var body: some View {
        if let failure = screen.saved.value?.failure {
            Text("Not saved: \(String(describing: failure))")
        } else {
            Text("\(screen.remaining.current) to buy")
        }
    }
}
#endif
