/// The catalogue of the shop. An answer takes time, and may fail.
nonisolated public struct Catalogue: Sendable {
    var find: @Sendable (_ text: String) async throws -> [Suggestion]

    /// The catalogue did not answer.
    struct Unreachable: Error, CustomStringConvertible {
        var description: String { "the catalogue does not answer" }
    }

    /// A catalogue to try the list with. It answers after 400 milliseconds, but not a text that begins with `down`.
    public static func sample(_ clock: any Clock<Duration>) -> Catalogue {
        let products = [
            "bakery": ["bread", "rolls", "cake"], "dairy": ["butter", "cheese", "milk", "yoghurt"],
            "fruit": ["apples", "bananas", "berries", "pears"], "household": ["bin bags", "soap"],
        ]
        let all = products.flatMap { section, names in names.map { Suggestion(name: $0, section: section) } }
            .sorted { $0.name < $1.name }
        return Catalogue { text in
            try await clock.sleep(for: .milliseconds(400))
            if text.hasPrefix("down") { throw Unreachable() }
            return all.filter { $0.name.hasPrefix(text.lowercased()) }
        }
    }
}
