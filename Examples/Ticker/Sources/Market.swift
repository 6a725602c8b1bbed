import ReactCore
import ReactOperators
import ReactScheduling

/// What is known of one symbol.
struct Quote: Equatable, Sendable {
    let symbol: String
    var time: Duration?
    var first = 0.0
    var last = 0.0
    var low = 0.0
    var high = 0.0
    var tradeCount = 0

    init(symbol: String) { self.symbol = symbol }

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

/// The graph: trades go in, a table comes out.
///
///     trades ── switch by symbol ─┬─ case A ── scan ── throttle ── row A ─┐
///                                 ├─ case B ── scan ── throttle ── row B ─┼─ combine ── table
///                                 └─ case C ── scan ── throttle ── row C ─┘
///
/// A row follows its symbol once that has been quiet for a moment: a burst of trades is one change of the table.
struct Market {
    let trades = MutableNode<Trade>().named("trades")
    let table: Node<[Quote]>

    /// - Parameters:
    ///   - symbols: The rows of the table, in order.
    ///   - quiet: How long a symbol must not have been traded before its row changes.
    ///   - scheduler: The clock by which `quiet` is measured; the table changes where it runs work.
    init(symbols: [String], quiet: Duration, on scheduler: some Scheduler) {
        let bySymbol = trades.switch { $0.symbol }
        let rows = symbols.map { symbol in
            // Not empty before the first trade, so that the table is there from the start.
            let row = Node(Quote(symbol: symbol)).named(symbol)
            row.link(
                to: bySymbol.case(symbol)
                    .scan(Quote(symbol: symbol)) { quote, trade in quote.adding(trade) }
                    .throttle(quiet, on: scheduler)
            )
            return row
        }
        table = Node.combine(rows).named("table")
    }
}
