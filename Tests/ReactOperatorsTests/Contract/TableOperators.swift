import ReactCore
import ReactOperators
import ReactTables

/// The operators of tables. Their sources hold tables: of 1 at "a"; of 1 at "a" and 2 at "b"; of 5 at "b".
extension OperatorUnderTest {
    static let tables: [Self] = [
        Self("rows", ["[1]", "[1, 2]", "[5]"]) { node in
            node.map { value -> [Int] in value == 1 ? [1] : value == nil ? [1, 2] : [5] }.rows { $0 < 2 ? "a" : "b" }
                .map(rows)
        },
        Self("rows of nodes", ["[1]", "[0]", "[3]"], isCombined: true) {
            // Without the empty table, which is there for an empty source too.
            Node.rows(of: [("a", $0.map { $0 ?? 0 })]).filter { !$0.isEmpty }.map(rows)
        },
        Self("filterRows", ["[]", "[2]", "[5]"]) { tables($0).filterRows { $0 > 1 }.map(rows) },
        Self("filterRows by a condition", ["[]", "[2]", "[5]"], isCombined: true) {
            tables($0).filterRows(by: Node { $0 > 1 }).map(rows)
        },
        Self("mapRows", ["[10]", "[10, 20]", "[50]"]) { tables($0).mapRows { $0 * 10 }.map(rows) },
        Self("compactMapRows", ["[]", "[20]", "[50]"]) {
            tables($0).compactMapRows { $0 > 1 ? $0 * 10 : nil }.map(rows)
        },
        Self("fold", ["1", "3", "5"]) {
            tables($0).fold(0) {
                $0 += $1
            } removing: {
                $0 -= $1
            }
        },
        Self("sum", ["1", "3", "5"]) { tables($0).sum { $0 } },
        Self("min", ["Optional(1)", nil, "Optional(5)"]) { tables($0).min { $0 } },
        Self("max", ["Optional(1)", "Optional(2)", "Optional(5)"]) { tables($0).max { $0 } },
        Self("grouped", ["[1]", "[1, 1]", "[1]"]) { tables($0).grouped { $0 }.map { $0.rows.map(\.count) } },
        Self("fold by group", ["[1]", "[1, 2]", "[5]"]) {
            tables($0).fold(by: { $0 }, 0) {
                $0 += $1
            } removing: {
                $0 -= $1
            }.map(rows)
        },
        Self("sorted", ["[1]", "[2, 1]", "[5]"]) {
            tables($0).sorted(by: { $0 }, descending: true).map { $0.map(\.row) }
        },
        Self("joined", ["[7]", "[7, 9]", "[]"], isCombined: true) {
            tables($0).joined(with: Node([1: 6, 2: 7]), on: { $0 }) { $0 + $1 }.map(rows)
        },
        Self("joined, of the other", ["[1]", "[1, 2]", "[5]"], isCombined: true) {
            Node<Table<Int, String>>([1: "a", 2: "b"]).joined(with: tables($0), on: { $0 }) { $1 }.map(rows)
        },
        Self("leftJoined", ["[7]", "[7, 9]", "[5]"], isCombined: true) {
            tables($0).leftJoined(with: Node([1: 6, 2: 7]), on: { $0 }) { $0 + ($1 ?? 0) }.map(rows)
        },
        Self("window", ["[1]", "[1, 2]", "[5]"], isCombined: true) { tables($0).window(rows: Node(-1..<9)) },
        Self("window, of the ranks", ["[1]", "[]", "[1, 2, 3]"], isCombined: true) {
            Node<Table<Int, Int>>([1: 1, 2: 2, 3: 3]).window(rows: $0.map { 0..<($0 ?? 0) })
        },
        Self("eachRow", [#"["a"]"#, #"["a", "b"]"#, #"["b"]"#]) {
            tables($0).eachRow { key, _ in key }.map { $0.map(\.output) }
        },
        Self("sorted by a node's order", ["[1]", "[2, 1]", "[5]"], isCombined: true) {
            tables($0).sorted(using: Node(RowOrder({ $0 }, descending: true))).map { $0.map(\.row) }
        },
        Self("window of sorted rows", ["[1]", "[2, 1]", "[5]"], isCombined: true) {
            tables($0).sorted(by: { $0 }, descending: true).window(rows: Node(-1..<9))
        },
        Self("window of ranks", ["[1]", "[2, 1]", "[5]"], isCombined: true) {
            tables($0).sorted(by: { $0 }, descending: true).window(ranks: Node(-1..<9)).map { $0.map(\.row) }
        },
        Self("eachRow of sorted rows", [#"["a"]"#, #"["b", "a"]"#, #"["b"]"#]) {
            tables($0).sorted(by: { $0 }, descending: true).eachRow { key, _ in key }.map { $0.map(\.output) }
        },
        Self("grouped and sorted", ["[1]", "[1, 1]", "[1]"]) {
            tables($0).grouped(by: { $0 }, sortedBy: RowOrder { $0 }).map { $0.rows.map(\.count) }
        },
        Self("runningSum", ["[1]", "[1, 3]", "[5]"]) {
            tables($0).sorted { $0 }.runningSum { $0 }.map { $0.map(\.row) }
        },
        Self("count", ["1", "2", "1"]) { tables($0).count { $0 < 9 } },
        Self("merged", ["[1]", "[1, 9]", "[12]"], isCombined: true) {
            tables($0).merged(with: Node(["b": 7])) { _, row, other in row.map { $0 + (other ?? 0) } }.map(rows)
        },
        Self("merged, of the other", ["[1]", "[1, 2]", "[5]"], isCombined: true) {
            Node<Table<String, Int>>(["b": 7]).merged(with: tables($0)) { $2 }.map(rows)
        },
        Self("flatMapRows", ["[1, 1]", "[1, 1, 2, 2]", "[5, 5]"]) {
            tables($0).flatMapRows { _, row in [0: row, 1: row] as Table }.map(rows)
        },
        Self("flattenRows", ["[1]", "[1, 2]", "[5]"], isCombined: true) {
            tables($0).map { $0.mapRows { Node($0) } }.flattenRows().map(rows)
        },
        Self("rekeyed", ["[1]", "[1, 2]", "[5]"]) { tables($0).rekeyed { "\($1)\($0)" }.map(rows) },
        Self("restricted", ["[]", "[2]", "[5]"], isCombined: true) {
            tables($0).restricted(to: Node("b"..<"c")).map(rows)
        },
        Self("row", ["nil", "Optional(2)", "Optional(5)"]) { tables($0).row("b") },
    ]

    private static func tables(_ node: Node<Int?>) -> Node<Table<String, Int>> {
        node.map { $0 == 1 ? ["a": 1] : $0 == nil ? ["a": 1, "b": 2] : ["b": 5] }
    }
    @Sendable private static func rows<Key, Row>(_ table: Table<Key, Row>) -> [Row] { Array(table.rows) }
}
