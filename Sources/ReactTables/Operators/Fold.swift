import ReactCore

extension Node {
    /// "Fold": keeps a result to which every row has been added.
    ///
    /// `removing` must undo `adding`. The result is passed on whenever a row has come, gone or changed, because it need
    /// not be `Equatable`.
    ///
    ///     let words = MutableNode<Table<Int, String>>([1: "to", 2: "be"])
    ///     let letters = words.fold(0) { $0 += $1.count } removing: { $0 -= $1.count }
    ///     words.update { $0[2] = "see" }
    ///     print(letters.current)       // 5
    ///
    /// **Memory.** Remembers its last input and the result until the edge is cut or re-pointed. Then it starts over
    /// from `initial`.
    ///
    /// - Parameters:
    ///   - initial: The result of an empty table.
    ///   - adding: Called once for each row that came, and with the new row of each that changed.
    ///   - removing: Called once for each row that went, and with the old row of each that changed, before `adding`.
    ///     Both are called in the order of the keys, on the thread that sets the table, with no lock held.
    /// - Returns: A new node with the result.
    /// - Complexity: O(d · log n) for d changed rows, besides the closures. A result with storage, such as an array,
    ///   is copied once for each table, because the node holds the one before.
    @inlinable public func fold<Key, Row, Result: Sendable>(
        _ initial: Result, adding: @escaping @Sendable (inout Result, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Row) -> Void
    ) -> Node<Result> where Value == Table<Key, Row> {
        remembering("Fold", FoldedRows(initial, { adding(&$0, $2) }, { removing(&$0, $2) }))
    }
    /// "Fold" by closures that take the key as well. See `fold(_:adding:removing:)` of rows for the rest.
    ///
    ///     let stock = MutableNode<Table<String, Int>>(["apple": 3, "fig": 0])
    ///     let missing = stock.fold(Set<String>()) { if $2 == 0 { $0.insert($1) } } removing: { $0.remove($1); _ = $2 }
    ///     stock.update { $0["apple"] = 0 }
    ///     print(missing.current.sorted())      // ["apple", "fig"]
    @inlinable public func fold<Key, Row, Result: Sendable>(
        _ initial: Result, adding: @escaping @Sendable (inout Result, Key, Row) -> Void,
        removing: @escaping @Sendable (inout Result, Key, Row) -> Void
    ) -> Node<Result> where Value == Table<Key, Row> {
        remembering("Fold", FoldedRows(initial, adding, removing))
    }
}

/// A result to which every row of a table has been added.
@usableFromInline
struct FoldedRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Result: Sendable>:
    Incremental
{
    @usableFromInline typealias Change = @Sendable (inout Result, Key, Row) -> Void
    @usableFromInline let (adding, removing): (Change, Change)
    @usableFromInline var input = Table<Key, Row>()
    @usableFromInline var output: Result

    @inlinable init(_ initial: Result, _ adding: @escaping Change, _ removing: @escaping Change) {
        output = initial
        (self.adding, self.removing) = (adding, removing)
    }

    @inlinable static var wanted: StaticString { "a result only if a row has come, gone or changed" }
    @inlinable mutating func update(to new: Table<Key, Row>, _ calls: inout Int) -> Bool {
        let old = input
        input = new
        var hasChanged = false
        for (key, before, now, _) in new.differences(from: old) {
            calls += before != nil && now != nil ? 2 : 1
            if let before { removing(&output, key, before) }
            if let now { adding(&output, key, now) }
            hasChanged = true
        }
        return hasChanged
    }
}
