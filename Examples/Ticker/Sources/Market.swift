import ReactCore
import ReactOperators
import ReactScheduling
import ReactTables

/// The figures of one symbol.
struct Quote: Equatable, Sendable, CustomStringConvertible {
    let symbol: String
    var time: Duration?
    var first = 0.0
    var last = 0.0
    var low = 0.0
    var high = 0.0
    var tradeCount = 0

    init(symbol: String) { self.symbol = symbol }

    var description: String { tradeCount == 0 ? "not traded" : "\(last) in \(tradeCount) trades" }

    func adding(_ trade: Trade) -> Quote {
        var quote = self
        if tradeCount == 0 { (quote.first, quote.low, quote.high) = (trade.price, trade.price, trade.price) }
        quote.time = trade.time
        quote.last = trade.price
        quote.low = min(quote.low, trade.price)
        quote.high = max(quote.high, trade.price)
        quote.tradeCount += 1
        return quote
    }
}

/// The graph: trades go in, quotes come out.
///
///     trades ── routes ─┬─ trades of A ── scan ── sample ── row A ─┐
///                       ├─ trades of B ── scan ── sample ── row B ─┼─ combine ── table
///                       └─ trades of C ── scan ── sample ── row C ─┘
///
/// A row changes at once with the first trade, and then at most once in the time `quiet`, to the newest figures.
/// However busy a symbol is, its row is therefore at most that much behind. The cost of a trade does not depend on the
/// number of symbols. A table costs O(rows). For fewer tables, combine `rows` with `sampledEvery`.
struct Market {
    let trades = MutableNode<Trade>().named("trades")
    /// A node for each symbol, never empty.
    let rows: [Node<Quote>]
    private let symbols: [String]

    /// - Parameters:
    ///   - symbols: The rows of the table, in order.
    ///   - quiet: The least time between two changes of a row.
    ///   - scheduler: The clock by which `quiet` is measured, and the place where the rows change.
    init(symbols: [String], quiet: Duration, on scheduler: some Scheduler) {
        self.symbols = symbols
        let routes = Routes(symbols: symbols, from: trades)
        rows = symbols.map { symbol in
            // Not empty before the first trade, so that the table exists from the start.
            let row = Node(Quote(symbol: symbol)).named(symbol)
            row.link(
                to: routes.trades(of: symbol)
                    .scan(Quote(symbol: symbol)) { quote, trade in
                        // A row keeps the routes alive, like everything else upstream of it.
                        withExtendedLifetime(routes) { quote.adding(trade) }
                    }
                    .sample(every: quiet, on: scheduler)
            )
            return row
        }
    }

    /// The present quotes.
    var quotes: [Quote] { rows.compactMap(\.value) }

    /// All rows as one node, which changes with each row.
    var table: Node<[Quote]> { Node.combine(rows).named("table") }

    /// The symbols that were traded most often, and the number of all trades.
    ///
    /// A trade costs O(log rows): the table of rows changes by one row, and so does the sorted table.
    func leaders(_ count: Int) -> Node<(quotes: [Quote], tradeCount: Int)> {
        let table = Node.rows(of: Array(zip(symbols, rows))).named("quotes")
        let quotes = table.sorted(by: \.tradeCount, descending: true).window(rows: Node(0..<count)).named("leaders")
        return combine(quotes, table.sum(of: \.tradeCount)).mapEach { (quotes: $0, tradeCount: $1) }
    }
}

/// Passes each trade to the node of its symbol, which it finds by name. `switch` and `case` are not used, because every
/// case would be called when another symbol is traded.
private final class Routes: Listener, Sendable {
    let lifetime = Lifetime()
    private let nodes: [String: MutableNode<Trade>]

    init(symbols: [String], from trades: Node<Trade>) {
        nodes = Dictionary(uniqueKeysWithValues: symbols.map { ($0, MutableNode().named("trades of \($0)")) })
        listen(to: trades).call(Routes.hand)
    }

    func trades(of symbol: String) -> Node<Trade> { nodes[symbol]! }

    private func hand(_ trade: Trade) { nodes[trade.symbol]?.value = trade }
}
