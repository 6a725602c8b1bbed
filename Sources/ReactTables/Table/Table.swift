import ReactCore

/// A sorted map from keys to rows. Copies share structure.
@frozen public struct Table<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: Sendable {
    /// A key and its row.
    public typealias Element = (key: Key, row: Row)

    @usableFromInline var entries: [Element] = []

    /// Makes an empty table.
    @inlinable public init() {}
    /// Makes a table of rows. Of two rows with one key, the later one stays.
    @inlinable public init(_ rows: some Sequence<Row>, by key: (Row) -> Key) {
        for row in rows { self[key(row)] = row }
    }
    /// Makes a table of keys and rows. Of two rows with one key, the later one stays.
    @inlinable public init(_ rows: some Sequence<(Key, Row)>) {
        for (key, row) in rows { self[key] = row }
    }

    @inlinable func place(of key: Key) -> (rank: Int, isThere: Bool) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return (low, low < entries.count && entries[low].key == key)
    }
    /// The row of a key. Setting `nil` removes it.
    @inlinable public subscript(key: Key) -> Row? {
        get {
            let (rank, isThere) = place(of: key)
            return isThere ? entries[rank].row : nil
        }
        set {
            let (rank, isThere) = place(of: key)
            switch (newValue, isThere) {
            case (let row?, true): entries[rank].row = row
            case (let row?, false): entries.insert((key, row), at: rank)
            case (nil, true): entries.remove(at: rank)
            case (nil, false): break
            }
        }
    }
    /// The row at a rank.
    @inlinable public subscript(rank rank: Int) -> Element { entries[rank] }
    /// The number of smaller keys; `nil` for a key that is not there.
    @inlinable public func rank(of key: Key) -> Int? {
        let (rank, isThere) = place(of: key)
        return isThere ? rank : nil
    }
    /// Changes a row in place and returns what `change` returned; `nil` where there is no such row.
    @inlinable @discardableResult public mutating func update<R>(
        _ key: Key, _ change: (inout Row) throws -> R
    ) rethrows -> R? {
        let (rank, isThere) = place(of: key)
        return isThere ? try change(&entries[rank].row) : nil
    }
    /// Removes the rows for which `shouldBeRemoved` returns true.
    @inlinable public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
        try entries.removeAll(where: shouldBeRemoved)
    }
}

extension Table: RandomAccessCollection {
    /// A position.
    @frozen public struct Index: Comparable, Sendable {
        @usableFromInline let rank: Int
        @inlinable init(rank: Int) { self.rank = rank }
        /// Compares two positions of one table.
        @inlinable public static func < (a: Index, b: Index) -> Bool { a.rank < b.rank }
    }
    /// The first position.
    @inlinable public var startIndex: Index { Index(rank: 0) }
    /// The position after the last row.
    @inlinable public var endIndex: Index { Index(rank: entries.count) }
    /// The next position.
    @inlinable public func index(after i: Index) -> Index { Index(rank: i.rank + 1) }
    /// The previous position.
    @inlinable public func index(before i: Index) -> Index { Index(rank: i.rank - 1) }
    /// The position `distance` further.
    @inlinable public func index(_ i: Index, offsetBy distance: Int) -> Index { Index(rank: i.rank + distance) }
    /// The number of positions between two.
    @inlinable public func distance(from start: Index, to end: Index) -> Int { end.rank - start.rank }
    /// The key and row at a position.
    @inlinable public subscript(position: Index) -> Element { entries[position.rank] }
    /// The keys, in their order.
    @inlinable public var keys: some RandomAccessCollection<Key> { lazy.map { $0.key } }
    /// The rows, in the order of their keys.
    @inlinable public var rows: some RandomAccessCollection<Row> { lazy.map { $0.row } }
}

extension Table: Equatable {
    /// Compares keys and rows.
    @inlinable public static func == (a: Table, b: Table) -> Bool { a.entries.elementsEqual(b.entries, by: ==) }
}
extension Table: Hashable where Row: Hashable {
    /// Hashes keys and rows.
    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(entries.count)
        for (key, row) in entries {
            hasher.combine(key)
            hasher.combine(row)
        }
    }
}
extension Table: ExpressibleByDictionaryLiteral {
    /// Makes a table of keys and rows.
    @inlinable public init(dictionaryLiteral elements: (Key, Row)...) { self.init(elements) }
}
