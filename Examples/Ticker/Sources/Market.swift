import ReactCore
import ReactOperators
import ReactScheduling

/// What is known of one symbol.
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
/// A row changes with the first trade at once, and then at most once a moment, to the newest figures: however busy a
/// symbol is, its row is up to date. What a trade costs does not depend on how many symbols there are; a table costs as
/// much as it has rows, so who wants few tables makes them of the rows.
struct Market {
    let trades = MutableNode<Trade>().named("trades")
    /// A node for each symbol, never empty.
    let rows: [Node<Quote>]

    /// - Parameters:
    ///   - symbols: The rows of the table, in order.
    ///   - quiet: The least time between two changes of a row.
    ///   - scheduler: The clock by which `quiet` is measured; the rows change where it runs work.
    init(symbols: [String], quiet: Duration, on scheduler: some Scheduler) {
        let routes = Routes(symbols: symbols, from: trades)
        rows = symbols.map { symbol in
            // Not empty before the first trade, so that the table is there from the start.
            let row = Node(Quote(symbol: symbol)).named(symbol)
            row.link(
                to: routes.trades(of: symbol)
                    .scan(Quote(symbol: symbol)) { quote, trade in
                        // A row keeps the routes alive, as it does whatever else is upstream of it.
                        withExtendedLifetime(routes) { quote.adding(trade) }
                    }
                    .sample(every: quiet, on: scheduler)
            )
            return row
        }
    }

    /// The quotes as they are now.
    var quotes: [Quote] { rows.compactMap(\.value) }

    /// All rows as one node, which changes with each of them.
    var table: Node<[Quote]> { Node.combine(rows).named("table") }
}

/// Hands each trade to the node of its symbol, which is found by its name: by `switch` and `case`, every case would
/// hear each time that another symbol is traded.
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
