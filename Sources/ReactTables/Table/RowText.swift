/// The text of a collection of keys and rows.
enum RowText {
    /// Returns the number of rows, and the first three: `100000 rows: [1: a, 2: b, 3: c, …]`.
    static func of<Key, Row>(
        _ rows: some RandomAccessCollection<(key: Key, row: Row)>, _ describe: (Any) -> String
    ) -> String {
        of(rows.count, rows.prefix(3).map { "\(describe($0.key)): \(describe($0.row))" })
    }
    /// Returns the number of rows, and up to three of them.
    static func of(_ count: Int, _ rows: [String]) -> String {
        let shown = rows.prefix(3) + (count > min(rows.count, 3) ? ["…"] : [])
        let pairs = shown.isEmpty ? "[:]" : "[\(shown.joined(separator: ", "))]"
        return "\(count) \(count == 1 ? "row" : "rows"): \(pairs)"
    }
}
