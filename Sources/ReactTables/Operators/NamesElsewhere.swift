import ReactCore

// Ways to write an operator that the standard library has, and tables do not have. The compiler tells whoever tries one
// how to write it here. No program can call them, so no program contains them.

@available(*, unavailable, message: "give the part to sort by, as in 'sorted(by: \\.total, descending: true)'")
extension Node {
    public func sorted<Key, Row>(by areInIncreasingOrder: (Row, Row) -> Bool) -> Node<SortedTable<Key, Row>>
    where Value == Table<Key, Row> {
        fatalError()
    }
}
