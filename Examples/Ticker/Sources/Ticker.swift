import Dispatch
import Foundation
import ReactCore
import ReactGraph
import ReactScheduling
import Streams
import Synchronization

/// The command.
@main
enum Ticker {
    /// The least time between two changes of a row, by the clock of the file.
    static let quiet = Duration.milliseconds(250)

    static func main() {
        run(Array(CommandLine.arguments.dropFirst()))
    }

    static func run(_ arguments: [String]) {
        // A closed output pipe is reported like any other output error.
        signal(SIGPIPE, SIG_IGN)
        guard FileHandle.standardOutput.isOpen else { fail(toWrite: String(cString: strerror(EBADF))) }
        if arguments.contains("--help") { return write(Options.usage) }
        do {
            let options = try Options(arguments)
            let trades = try PriceFile.read(path: options.path)
            let recorder = options.recording.map { _ in GraphRecorder() }
            switch options.pace {
            case .fast:
                let market = settled(trades)
                write(Table.text(options.top.map { market.leaders($0).current.quotes } ?? market.quotes))
                try save(recorder, market, to: options.recording)
            case .speed(let factor):
                try save(recorder, showLive(trades, top: options.top, speed: factor), to: options.recording)
            }
        } catch {
            end(over: error.message)
        }
    }

    /// The table after the last trade, on the virtual clock.
    static func finalTable(of trades: [Trade]) -> String { Table.text(settled(trades).quotes) }
    private static func settled(_ trades: [Trade]) -> Market {
        let scheduler = VirtualScheduler()
        let market = Market(symbols: symbols(in: trades), quiet: quiet, on: scheduler)
        Replay(trades, into: market.trades, on: scheduler).begin()
        scheduler.run(atMost: .max)
        return market
    }

    /// Shows the table each time it changes, at most twenty times a second, until it has all trades.
    private static func showLive(_ trades: [Trade], top: Int?, speed: Double) -> Market {
        // A serial queue, so that the table changes in order.
        let queue = DispatchQueue(label: "ticker")
        let scheduler = Speed(factor: speed, base: queue)
        let market = Market(symbols: symbols(in: trades), quiet: quiet, on: scheduler)
        let screen = Screen(isTerminal: isatty(STDOUT_FILENO) == 1)
        let isComplete = DispatchSemaphore(value: 0)
        let interval = Duration.milliseconds(50)
        let frames =
            if let top {
                market.leaders(top).sample(every: interval, on: queue)
            } else {
                combine(market.rows, sampledEvery: interval, on: queue).map { quotes in
                    (quotes: quotes, tradeCount: quotes.reduce(0) { $0 + $1.tradeCount })
                }
            }
        // The first frame comes before anything runs on the queue, because two threads that cannot write would both
        // report it.
        screen.listen(to: frames).with { [weak screen] quotes, tradeCount in
            screen?.show(Table.text(quotes))
            if tradeCount == trades.count { isComplete.signal() }
        }
        Replay(trades, into: market.trades, on: scheduler).begin()
        isComplete.wait()
        return market
    }
    /// Writes the page of the record, if there is one.
    private static func save(_ recorder: GraphRecorder?, _ market: Market, to file: String?) throws(InputError) {
        guard let recorder, let file else { return }
        do {
            let page = recorder.page(of: market.trades, title: "The record of the market")
            try Data(page.utf8).writeWhole(to: file)
        } catch {
            throw InputError(message: "--record: “\(file)” cannot be written: \(error.localizedDescription)")
        }
    }

    /// The symbols in the order in which they first occur.
    static func symbols(in trades: [Trade]) -> [String] {
        var seen: Set<String> = []
        return trades.map(\.symbol).filter { seen.insert($0).inserted }
    }
}

extension Data {
    /// Writes a whole file, or leaves the old file intact. If the path is a link, writes the file that the link leads
    /// to. Anything but a regular file, such as a pipe, cannot be replaced as a whole.
    fileprivate func writeWhole(to path: String) throws {
        var target = path
        // Follows as many links as a system does. Names in these folders stand for files that are already open.
        for _ in 0..<40 where !["/dev/", "/proc/"].contains(where: target.hasPrefix) {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { break }
            let folder = URL(fileURLWithPath: target).deletingLastPathComponent()
            target = URL(fileURLWithPath: next, relativeTo: folder).path
        }
        let type = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        let isReplaceable = type == nil || type == .typeRegular
        try write(to: URL(fileURLWithPath: target), options: isReplaceable ? .atomic : [])
    }
}

/// Shows one text after another. On a terminal, each text replaces the one before. Otherwise each is written below it.
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
            // Moves up by that number of lines, and clears the screen from there on.
            write("\u{1B}[\(above)F\u{1B}[J" + text)
        } else {
            write("\n" + text)
        }
    }
}

/// Writes at once, unlike `print` into a pipe. Ends the process if nothing can be written.
private func write(_ text: String) {
    if let reason = FileHandle.standardOutput.writeAll(text) { fail(toWrite: reason) }
}

private func fail(toWrite reason: String) -> Never { end(over: "the output cannot be written. \(reason)") }

/// Ends the process because of unusable input or output.
private func end(over problem: String) -> Never {
    FileHandle.standardError.writeAll("ticker: \(problem.withControlPictures)\n")
    exit(2)
}
