import Dispatch
import Foundation
import ReactCore
import ReactScheduling
import Synchronization

/// The command.
@main
enum Ticker {
    /// How long a symbol must be quiet before its row changes, by the clock of the file.
    static let quiet = Duration.milliseconds(250)

    static func main() {
        run(Array(CommandLine.arguments.dropFirst()))
    }

    static func run(_ arguments: [String]) {
        if arguments.contains("--help") {
            print(Options.usage, terminator: "")
            return
        }
        do {
            let options = try Options(arguments)
            let trades = try PriceFile.read(path: options.path)
            switch options.pace {
            case .fast: write(finalTable(of: trades))
            case .speed(let factor): showLive(trades, speed: factor)
            }
        } catch {
            FileHandle.standardError.write(Data("ticker: \(error.message)\n".utf8))
            exit(2)
        }
    }

    /// The table when all has settled, on the virtual clock.
    static func finalTable(of trades: [Trade]) -> String {
        let scheduler = VirtualScheduler()
        let market = Market(symbols: symbols(in: trades), quiet: quiet, on: scheduler)
        Replay(trades, into: market.trades, on: scheduler).begin()
        scheduler.run()
        return Table.text(market.table.value(or: []))
    }

    /// Shows every table, until all trades are in it.
    private static func showLive(_ trades: [Trade], speed: Double) {
        // Serial: the table changes on one thread, in order.
        let scheduler = Speed(factor: speed, base: DispatchQueue(label: "ticker"))
        let market = Market(symbols: symbols(in: trades), quiet: quiet, on: scheduler)
        let screen = Screen(isTerminal: isatty(STDOUT_FILENO) == 1)
        let isComplete = DispatchSemaphore(value: 0)
        screen.listen(to: market.table).with { [weak screen] quotes in
            screen?.show(Table.text(quotes))
            if quotes.map(\.tradeCount).reduce(0, +) == trades.count { isComplete.signal() }
        }
        Replay(trades, into: market.trades, on: scheduler).begin()
        isComplete.wait()
    }

    /// The symbols in the order in which they first occur.
    static func symbols(in trades: [Trade]) -> [String] {
        var seen: Set<String> = []
        return trades.map(\.symbol).filter { seen.insert($0).inserted }
    }
}

/// Shows one text after another: each over the last on a terminal, else one below the other.
private final class Screen: Listener, Sendable {
    let lifetime = Lifetime()
    private let isTerminal: Bool
    private let lineCount = Mutex(0)

    init(isTerminal: Bool) {
        self.isTerminal = isTerminal
    }

    func show(_ text: String) {
        let above = lineCount.withLock { count in
            defer { count = text.count(where: \.isNewline) }
            return count
        }
        if above == 0 {
            write(text)
        } else if isTerminal {
            // Up so many lines, and clear from there on.
            write("\u{1B}[\(above)F\u{1B}[J" + text)
        } else {
            write("\n" + text)
        }
    }
}

/// Writes at once, unlike `print` into a pipe.
private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
}
