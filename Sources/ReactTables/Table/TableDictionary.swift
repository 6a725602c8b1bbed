// A table as a dictionary.

extension Table {
    /// Makes a table of the keys and values of a dictionary.
    ///
    ///     print(Table(["pear": 4, "apple": 3]))     // 2 rows: [apple: 3, pear: 4]
    ///
    /// - Complexity: O(n · log n).
    @inlinable public init(_ rows: [Key: Row]) {
        self.init(entries: ContiguousArray(rows.map { .init(key: $0.key, row: $0.value) }))
    }
    /// Makes a table of keys and rows, such as those of another table. Of two rows with one key, the later one stays.
    ///
    /// - Complexity: O(n) for keys in rising order, otherwise O(n · log n).
    @inlinable public init(_ rows: some Sequence<Element>) { self.init(rows.lazy.map { ($0.key, $0.row) }) }
    /// Makes a table of keys and rows. The rows of one key are combined, in the order in which they come.
    ///
    ///     print(Table([("a", 1), ("b", 2), ("a", 3)], uniquingKeysWith: +))     // 2 rows: [a: 4, b: 2]
    ///
    /// - Parameters:
    ///   - rows: The keys and rows.
    ///   - combine: Returns the row to keep of the one so far and the next one.
    /// - Complexity: O(n · log n).
    @inlinable public init(
        _ rows: some Sequence<(Key, Row)>, uniquingKeysWith combine: (Row, Row) throws -> Row
    ) rethrows {
        self.init()
        for (key, row) in rows { self[key] = try self[key].map { try combine($0, row) } ?? row }
    }
    /// Makes a table of keys and rows, such as those of another table. The rows of one key are combined, in the order
    /// in which they come.
    ///
    /// - Complexity: O(n · log n).
    @inlinable public init(
        _ rows: some Sequence<Element>, uniquingKeysWith combine: (Row, Row) throws -> Row
    ) rethrows {
        try self.init(rows.lazy.map { ($0.key, $0.row) }, uniquingKeysWith: combine)
    }

    /// The row of a key, or a default. Changing it sets the row.
    ///
    ///     var counts = Table<Character, Int>()
    ///     for letter in "abba" { counts[letter, default: 0] += 1 }
    ///     print(counts)     // 2 rows: [a: 2, b: 2]
    ///
    /// - Complexity: O(log n). To change a large row in place, use ``update(_:_:)``.
    @inlinable public subscript(key: Key, default row: @autoclosure () -> Row) -> Row {
        get { self[key] ?? row() }
        set { set(newValue, of: key) }
    }
    /// Sets the row of a key. Returns the row that the key had before.
    ///
    /// - Complexity: O(log n).
    @inlinable @discardableResult public mutating func updateValue(_ row: Row, forKey key: Key) -> Row? {
        set(row, of: key)
    }
    /// Removes the row of a key. Returns it, or `nil` if there was none.
    ///
    /// - Complexity: O(log n).
    @inlinable @discardableResult public mutating func removeValue(forKey key: Key) -> Row? { remove(key) }
    /// Returns a table of the rows for which `isIncluded` returns true.
    ///
    ///     let prices: Table = ["apple": 3, "melon": 9]
    ///     print(prices.filter { $0.row < 5 })       // 1 row: [apple: 3]
    ///
    /// - Complexity: O(n).
    @inlinable public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Table {
        try compactMapped { try isIncluded(($0, $1)) ? $1 : nil }
    }
    /// Returns a table of the results of `transform`, under the keys of the rows.
    ///
    ///     let prices: Table = ["apple": 3, "melon": 9]
    ///     print(prices.mapRows { $0 * 2 })          // 2 rows: [apple: 6, melon: 18]
    ///
    /// - Complexity: O(n).
    @inlinable public func mapRows<Output: Equatable & Sendable>(
        _ transform: (Row) throws -> Output
    ) rethrows -> Table<Key, Output> {
        try compactMapped { .some(try transform($1)) }
    }

    /// Returns the position of the smallest key that is not smaller than `key`, or `endIndex`.
    ///
    ///     let prices: Table = ["apple": 3, "melon": 9]
    ///     print(prices[prices.index(atOrAfter: "b")].key)     // melon
    ///
    /// - Complexity: O(log n).
    @inlinable public func index(atOrAfter key: Key) -> Index { Index(rank: root.rank(of: path(to: key)), age: age) }
    /// The rows whose keys are in a range.
    ///
    ///     let prices: Table = ["apple": 3, "melon": 9, "pear": 4]
    ///     print(prices[keys: "b"..<"n"].map(\.row))           // [9]
    ///
    /// - Complexity: O(log n).
    @inlinable public subscript(keys keys: Range<Key>) -> Slice<Table> {
        self[index(atOrAfter: keys.lowerBound)..<index(atOrAfter: keys.upperBound)]
    }
    /// The keys, in their order. O(1); a key at a position O(log n).
    ///
    /// `contains(_:)` and `firstIndex(of:)` take O(log n).
    @inlinable public var keys: Keys { Keys(self) }

    /// The keys of a table, in their order.
    public struct Keys: RankedCollection, Sendable {
        @usableFromInline let table: Table

        @inlinable init(_ table: Table) { self.table = table }

        /// Returns an iterator over the keys. Its `next()` is O(1) on average.
        @inlinable public func makeIterator() -> some IteratorProtocol<Key> { table.lazy.map { $0.key }.makeIterator() }
        /// The number of keys. O(1).
        @inlinable public var count: Int { table.count }
        @inlinable public var _age: Int { table.age }
        /// The key at a position. O(log n).
        @inlinable public subscript(position: RowIndex) -> Key { table[position].key }

        // `contains(_:)`, `firstIndex(of:)` and `lastIndex(of:)` of the standard library ask these.
        @inlinable public func _customContainsEquatableElement(_ key: Key) -> Bool? {
            .some(table.rank(of: key) != nil)
        }
        @inlinable public func _customIndexOfEquatableElement(_ key: Key) -> RowIndex?? {
            .some(table.rank(of: key).map { RowIndex(rank: $0, age: table.age) })
        }
        @inlinable public func _customLastIndexOfEquatableElement(_ key: Key) -> RowIndex?? {
            _customIndexOfEquatableElement(key)
        }
    }
}
