#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import ReactScheduling
import ShoppingModel
import SwiftUI

/// The field for a new item, with the suggestions of the catalogue.
struct DraftView: View {
    let screen: Screen
    @Bindable var draft: ObservedMutableNode<String>

    var body: some View {
        Section {
            HStack {
                TextField("New item", text: $draft.value)
                    .onSubmit { screen.list.takeDraft() }
                if screen.isSuggesting.current { ProgressView() }
            }
            ForEach(screen.suggestions.value?.finished ?? [], id: \.name) { suggestion in
                Button(suggestion.name) { screen.list.take(suggestion) }
                    .badge(suggestion.section)
            }
            if let failure = screen.suggestions.value?.failure {
                Text(String(describing: failure)).foregroundStyle(.secondary)
            }
        }
    }
}
#endif
