#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ShoppingModel
import SwiftUI

/// The app. Its project needs one line: `ShoppingApp.main()`.
public struct ShoppingApp: App {
    @State private var opened = Opened()

    public init() {}

    public var body: some Scene {
        WindowGroup {
            switch opened.result {
            case .success(let screen): ShoppingView(screen)
            case .failure(let error): ContentUnavailableView(String(describing: error), systemImage: "doc.questionmark")
            }
        }
    }
}

/// The list that was kept, or the reason why it cannot be read. It is left as it is then.
private final class Opened {
    let result: Result<Screen, any Error>

    init() {
        let storage = Storage.file(URL.documentsDirectory.appending(path: "shopping.json").path(percentEncoded: false))
        result = Result {
            let document = try storage.load() ?? Document()
            let catalogue = Catalogue.sample(ContinuousClock())
            return Screen(ShoppingList(document, catalogue: catalogue, storage: storage))
        }
    }
}
#endif
