import ReactTables

/// The part of a list that is stored, and that an undo brings back.
nonisolated public struct Document: Equatable, Sendable {
    var title = "Shopping"
    var items: Table<Int, Item> = [:]

    public init() {}
    init(title: String, items: Table<Int, Item>) {
        self.title = title
        self.items = items
    }
}

/// Written with the version of the format. Older versions are migrated when they are read.
nonisolated extension Document: Codable {
    private enum Key: CodingKey { case version, title, items }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(2, forKey: .version)
        try container.encode(title, forKey: .title)
        try container.encode(items, forKey: .items)
    }
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(Int.self, forKey: .version) {
        case 1:
            self.init(names: try container.decode([String].self, forKey: .items))
        case 2:
            let items = try container.decode(Table<Int, Item>.self, forKey: .items)
            if let number = items.keys.first(where: { !Self.numbers.contains($0) }) {
                throw DecodingError.dataCorruptedError(
                    forKey: .items, in: container,
                    debugDescription: "an item has a number from 1 to \(Self.numbers.upperBound), and not \(number)")
            }
            self.init(title: try container.decode(String.self, forKey: .title), items: items)
        case let version:
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "this program reads versions 1 and 2, not \(version)"
            )
        }
    }
    /// Version 1 had names alone.
    private init(names: [String]) {
        self.init()
        for (index, place) in Place.initial(names.count).enumerated() {
            items[index + 1] = Item(name: names[index], section: Self.otherSection, place: place)
        }
    }
    /// The section of items of which nobody has said one.
    static let otherSection = "other"
    /// The numbers that items may have. People type them.
    static let numbers = 1...1_000_000_000
}
