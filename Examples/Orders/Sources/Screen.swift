import ReactCore
import ReactTables
import Synchronization

/// The window and the totals as lines of text. Prints the lines that have changed, as they change.
final class Screen {
    private let book: OrderBook
    private let lifetime = Lifetime()

    init(_ book: OrderBook, print: @escaping @Sendable (String) -> Void) {
        self.book = book
        let shown = Shown()
        book.window.listened(by: lifetime).with { lines in
            let old = shown.lines
            shown.lines = lines
            for row in 0..<Swift.max(old.count, lines.count) {
                let new = row < lines.count ? lines[row] : nil
                if row >= old.count || old[row] != new { print(Self.text(of: new, row: row)) }
            }
        }
        book.totals.listened(by: lifetime).withChanges { _, changes in
            for (_, region, _) in changes.removed { print("  \(region): no orders") }
            for (_, region, total) in changes.inserted { print(Self.text(of: total, region: region)) }
            for (_, region, _, total) in changes.updated { print(Self.text(of: total, region: region)) }
        }
    }
    /// All lines, changed or not.
    func all() -> [String] {
        book.window.current.enumerated().map { Self.text(of: $1, row: $0) }
            + book.totals.current.map { Self.text(of: $0.row, region: $0.key) }
    }

    private static func text(of line: Line?, row: Int) -> String {
        guard let line else { return "  \(row + 1). –" }
        return
            "  \(row + 1). order \(line.order.id): \(line.order.amount), \(line.customer.name), \(line.customer.region)"
    }
    private static func text(of total: Total, region: String) -> String {
        "  \(region): \(total.count) \(total.count == 1 ? "order" : "orders"), \(total.amount)"
    }
}

/// The lines that were printed last.
private final class Shown: Sendable {
    private let stored = Mutex<[Line]>([])
    var lines: [Line] {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
