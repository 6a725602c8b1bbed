/// The text of a collection of keys and rows.
enum RowText {
    /// Returns the number of rows, and the first three: `100000 rows: [1: a, 2: b, 3: c, …]`.
    static func of<Key, Row>(
        _ rows: some RandomAccessCollection<(key: Key, row: Row)>, _ describe: (Any) -> String
    ) -> String {
        let count = rows.count
        let first = rows.prefix(3).map { "\(describe($0.key)): \(describe($0.row))" } + (count > 3 ? ["…"] : [])
        let pairs = first.isEmpty ? "[:]" : "[\(first.joined(separator: ", "))]"
        return "\(count) \(count == 1 ? "row" : "rows"): \(pairs)"
    }
}
