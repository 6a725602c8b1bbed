import ReactTables

/// One thing to buy.
nonisolated public struct Item: Codable, Equatable, Sendable {
    public var name: String
    /// The section of the shop in which it is found.
    public var section: String
    public var isDone = false
    /// Its place in the order by hand.
    public var place: Place

    /// Returns true if the name contains `text`, in capitals or not.
    func matches(_ text: String) -> Bool {
        text.isEmpty || name.lowercased().contains(text.lowercased())
    }
}

/// A thing that the shop has.
nonisolated public struct Suggestion: Equatable, Sendable {
    public let name: String
    public let section: String
}
