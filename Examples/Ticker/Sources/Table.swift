import Foundation
import Streams

/// The table as text.
enum Table {
    private static let heading = ["symbol", "last", "change", "low", "high", "trades"]

    /// One line for the time, one for the heading, and one for each quote. Each line ends in a newline.
    static func text(_ quotes: [Quote]) -> String {
        let rows = [heading] + quotes.map(row)
        let widths = heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { cells in
            heading.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                return column == 0 ? cells[column] + space : space + cells[column]
            }.joined(separator: "  ")
        }
        let time = quotes.compactMap(\.time).max()?.clockTime ?? "--:--:--.---"
        return ([time] + lines).map { $0 + "\n" }.joined()
    }

    private static func row(_ quote: Quote) -> [String] {
        let symbol = quote.symbol.withControlPictures
        guard quote.tradeCount > 0 else { return [symbol, "-", "-", "-", "-", "0"] }
        return [
            symbol,
            String(format: "%.2f", quote.last),
            String(format: "%+.2f%%", (quote.last / quote.first - 1) * 100),
            String(format: "%.2f", quote.low),
            String(format: "%.2f", quote.high),
            String(quote.tradeCount),
        ]
    }
}
