import ReactCore
import ReactTables

/// The window and the totals as lines of text. Prints the lines that came, changed or
/// moved, as they do.
final class Screen {
    private let book: OrderBook
    private let lifetime = Lifetime()

    init(_ book: OrderBook, print: @escaping @Sendable (String) -> Void) {
        self.book = book
        book.window.listened(by: lifetime).withChanges { _, changes in
            for (rank, id, _) in changes.removed { print("  order \(id) left row \(rank + 1)") }
            for (from, to, id, _, line) in changes.moved {
                print("  order \(id) moved from row \(from + 1) to row \(to + 1): \(Self.text(of: line))")
            }
            for (rank, _, line) in changes.inserted { print(Self.text(of: line, row: rank)) }
            for (rank, _, _, line) in changes.updated { print(Self.text(of: line, row: rank)) }
        }
        book.totals.listened(by: lifetime).withChanges { _, changes in
            for (_, region, _) in changes.removed { print("  \(region): no orders") }
            for (_, region, total) in changes.inserted { print(Self.text(of: total, region: region)) }
            for (_, region, _, total) in changes.updated { print(Self.text(of: total, region: region)) }
        }
    }
    /// All lines, changed or not.
    func all() -> [String] {
        book.window.current.rows.enumerated().map { Self.text(of: $1, row: $0) }
            + book.totals.current.map { Self.text(of: $0.row, region: $0.key) }
    }

    /// The first lines of a region, as many as there are on screen. `nil` if the region has no order.
    func section(of region: String) -> [String]? {
        book.sections.current[region]?.prefix(OrderBook.height).enumerated().map { Self.text(of: $1.row, row: $0) }
    }

    private static func text(of line: Line, row: Int) -> String {
        "  \(row + 1). order \(line.order.id): \(text(of: line))"
    }
    private static func text(of line: Line) -> String {
        "\(line.order.amount), \(line.customer.name), \(line.customer.region)"
    }
    private static func text(of total: Total, region: String) -> String {
        "  \(region): \(total.count) \(total.count == 1 ? "order" : "orders"), \(total.amount)"
    }
}
