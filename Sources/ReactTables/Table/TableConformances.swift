import ReactCore

extension Table: Equatable {
    /// Returns true if two tables have equal keys and rows. Parts that they share are skipped.
    ///
    /// - Complexity: O(d · log n) for d changed rows if one table was made of the other, and at most O(n). The
    ///   comparison stops at the first difference.
    @inlinable public static func == (a: Table, b: Table) -> Bool {
        a.count == b.count && b.compare(with: a) { _, _, _, _ in false }
    }
}

extension Table: Hashable where Row: Hashable {
    /// Hashes all keys and rows. O(n).
    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for (key, row) in self {
            hasher.combine(key)
            hasher.combine(row)
        }
    }
}

extension Table: ExpressibleByDictionaryLiteral {
    /// Makes a table of keys and rows. Of two rows with one key, the later one stays.
    @inlinable public init(dictionaryLiteral elements: (Key, Row)...) { self.init(elements) }
}

extension Table: Encodable where Key: Encodable, Row: Encodable {
    /// Writes an array of pairs, `[[key, row], …]`, in the order of the keys.
    public func encode(to encoder: any Encoder) throws {
        var pairs = encoder.unkeyedContainer()
        for (key, row) in self {
            var pair = pairs.nestedUnkeyedContainer()
            try pair.encode(key)
            try pair.encode(row)
        }
    }
}

extension Table: Decodable where Key: Decodable, Row: Decodable {
    /// Reads an array of pairs, `[[key, row], …]`, in any order.
    ///
    /// Throws `DecodingError.dataCorrupted` for a key that is there twice, and for a pair that has more than a key and
    /// a row.
    public init(from decoder: any Decoder) throws {
        var pairs = try decoder.unkeyedContainer()
        var entries = ContiguousArray<Entries<Key, Row>.Entry>()
        while !pairs.isAtEnd {
            var pair = try pairs.nestedUnkeyedContainer()
            entries.append(.init(key: try pair.decode(Key.self), row: try pair.decode(Row.self)))
            guard pair.isAtEnd else {
                throw DecodingError.dataCorruptedError(
                    in: pair, debugDescription: "A pair of a table has more than a key and a row.")
            }
        }
        self.init(entries: entries)
        guard count == entries.count else {
            throw DecodingError.dataCorruptedError(
                in: pairs, debugDescription: "\(entries.count) pairs of a table have only \(count) different keys."
            )
        }
    }
}

extension Table: RowsByKey {
    @usableFromInline package func description(ofRowsNotIn other: Any) -> String? {
        guard let other = other as? Table else { return nil }
        let rows = differences(from: other).lazy.compactMap { key, _, row, _ in row.map { "\(key): \($0)" } }
        return RowText.of(count, Array(rows.prefix(4)))
    }
}

extension Table: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of rows, and the first three: `100000 rows: [1: a, 2: b, 3: c, …]`.
    ///
    /// - Complexity: O(1), besides describing three rows.
    public var description: String { RowText.of(self) { ValueText.of($0) } }
    /// The number of rows, and the first three, as for a debugger.
    public var debugDescription: String { RowText.of(self) { ValueText.ofPart($0) } }
    /// Keys and rows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .dictionary) }
}
