import Dispatch
import Foundation
import ReactCore
import ReactGraph
import ReactScheduling
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
        // Who closes the pipe that is written to is told of like any other output that cannot be written.
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
                write(Table.text(market.quotes))
                try save(recorder, market, to: options.recording)
            case .speed(let factor):
                try save(recorder, showLive(trades, speed: factor), to: options.recording)
            }
        } catch {
            end(over: error.message)
        }
    }

    /// The table when all has settled, on the virtual clock.
    static func finalTable(of trades: [Trade]) -> String { Table.text(settled(trades).quotes) }
    private static func settled(_ trades: [Trade]) -> Market {
        let scheduler = VirtualScheduler()
        let market = Market(symbols: symbols(in: trades), quiet: quiet, on: scheduler)
        Replay(trades, into: market.trades, on: scheduler).begin()
        scheduler.run()
        return market
    }

    /// Shows the table, as often as it changes but at most twenty times a second, until all trades are in it.
    private static func showLive(_ trades: [Trade], speed: Double) -> Market {
        // Serial: the table changes on one thread, in order.
        let queue = DispatchQueue(label: "ticker")
        let scheduler = Speed(factor: speed, base: queue)
        let market = Market(symbols: symbols(in: trades), quiet: quiet, on: scheduler)
        let screen = Screen(isTerminal: isatty(STDOUT_FILENO) == 1)
        let isComplete = DispatchSemaphore(value: 0)
        let frames = combine(market.rows, sampledEvery: .milliseconds(50), on: queue)
        // The first frame comes before anything runs on the queue: two threads that cannot write would both say so.
        screen.listen(to: frames).with { [weak screen] quotes in
            screen?.show(Table.text(quotes))
            if quotes.reduce(0, { $0 + $1.tradeCount }) == trades.count { isComplete.signal() }
        }
        Replay(trades, into: market.trades, on: scheduler).begin()
        isComplete.wait()
        return market
    }
    /// Writes the page of what happened, if it was recorded.
    private static func save(_ recorder: GraphRecorder?, _ market: Market, to file: String?) throws(InputError) {
        guard let recorder, let file else { return }
        do {
            let page = recorder.page(of: market.trades, title: "What happened in the market")
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
    /// Writes a file whole, or leaves what was there before; where the path is a link, what that leads to. What is no regular file, such
    /// as a pipe, cannot be replaced as a whole.
    fileprivate func writeWhole(to path: String) throws {
        var target = path
        // As many links as a system follows; and what lies in these folders stands for what is open already.
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

/// Writes at once, unlike `print` into a pipe. Ends the process where nothing can be written.
private func write(_ text: String) {
    if let reason = FileHandle.standardOutput.writeAll(text) { fail(toWrite: reason) }
}

private func fail(toWrite reason: String) -> Never { end(over: "the output cannot be written. \(reason)") }

/// Ends the process over something that somebody gave it and it cannot use.
private func end(over problem: String) -> Never {
    FileHandle.standardError.writeAll("ticker: \(problem.printable)\n")
    exit(2)
}
