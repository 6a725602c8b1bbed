import Dispatch
import Foundation
import ReactCore
import ReactScheduling
import Synchronization
import TestSupport
import Testing

@testable import ticker

@Suite("The market")
struct MarketTests {
    private func trade(_ milliseconds: Int, _ symbol: String, _ price: Double) -> Trade {
        Trade(time: .milliseconds(milliseconds), symbol: symbol, price: price)
    }

    @Test("the ten symbols of many that are traded most often are shown, while four threads trade")
    func leaders() {
        let scheduler = VirtualScheduler()
        let symbols = (0..<(Scale.gate.isSmall ? 600 : 2_000)).map { "S\($0)" }
        let market = Market(symbols: symbols, quiet: .milliseconds(250), on: scheduler)
        let leaders = market.leaders(10), lifetime = Lifetime(), frames = Mutex(0)
        lifetime.listen(to: leaders).with { quotes, _ in
            #expect(quotes.map(\.tradeCount) == quotes.map(\.tradeCount).sorted(by: >))
            frames.withLock { $0 += 1 }
        }
        // Thread t trades the symbols t, t + 4, t + 8 …: the first ten 20 to 11 times, and all others once.
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in stride(from: thread, to: symbols.count, by: 4) {
                for time in 0..<max(1, 20 - number) { market.trades.value = trade(time, symbols[number], 1) }
            }
        }
        waitForLate(at: market.trades)
        scheduler.run()
        #expect(leaders.current.quotes.map(\.symbol) == Array(symbols[..<10]))
        #expect(leaders.current.quotes.map(\.tradeCount) == Array((11...20).reversed()))
        #expect(leaders.current.tradeCount == symbols.count + (1...20).reduce(0) { $0 + $1 - 1 })
        #expect(frames.withLock { $0 } > 10)
    }

    @Test("the table is there from the start, and a busy row changes at once, then once an interval")
    func burst() {
        let scheduler = VirtualScheduler()
        let market = Market(symbols: ["A", "B"], quiet: .milliseconds(250), on: scheduler)
        let tables = Mutex<[String]>([])
        let lifetime = Lifetime()
        lifetime.listen(to: market.table).with { quotes in
            let text = quotes.map { "\($0.symbol) \($0.last) \($0.tradeCount)" }.joined(separator: ", ")
            tables.withLock { $0.append("\(scheduler.now): \(text)") }
        }
        let trades = [
            trade(0, "A", 1), trade(100, "A", 2), trade(200, "B", 7), trade(300, "A", 3), trade(1_000, "B", 8),
        ]
        Replay(trades, into: market.trades, on: scheduler).begin()
        scheduler.run()
        #expect(
            tables.withLock { $0 } == [
                "0.0 seconds: A 0.0 0, B 0.0 0",
                "0.0 seconds: A 1.0 1, B 0.0 0",
                "0.2 seconds: A 1.0 1, B 7.0 1",
                "0.25 seconds: A 2.0 2, B 7.0 1",
                "0.5 seconds: A 3.0 3, B 7.0 1",
                "1.0 seconds: A 3.0 3, B 8.0 2",
            ]
        )
    }

    @Test("the sample's last table has the figures that another program worked out, and is the same each time")
    func sample() throws {
        let trades = try PriceFile.read(path: sampleFile)
        #expect(trades.count == 645)
        for _ in 0..<3 {
            #expect(
                Ticker.finalTable(of: trades) == """
                    09:30:59.629
                    symbol    last  change     low    high  trades
                    CRUX      7.79  -0.64%    7.79    8.00     123
                    FLUX     14.68  -2.33%   14.68   15.08     106
                    ECHO     64.63  -0.14%   64.44   65.16      73
                    DYNE    310.84  -2.37%  307.14  318.72     125
                    BOLT     42.05  -0.12%   41.68   42.27     116
                    ACME    100.98  -0.27%  100.24  102.79     102

                    """
            )
        }
    }

    @Test("on the real clock the last table is the same, and each table follows the one before")
    func live() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Ticker.run([sampleFile, "--speed", "200"])
            exit(0)
        }
        let output = try #require(result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) })
        let tables = output.components(separatedBy: "\n\n")
        #expect(tables.count > 1)
        #expect(tables.first?.contains("BOLT       -       -") == true)
        // `contains`, because the test library adds its own marks to the output of a child process.
        #expect(tables.last?.contains(Ticker.finalTable(of: try PriceFile.read(path: sampleFile))) == true)
    }

    @Test("thousands of symbols are as many rows")
    func manySymbols() throws {
        let count = Scale.gate.isSmall ? 1_500 : 40_000
        let trades = (0..<count).map { trade($0 * 300, "S\($0)", Double($0 + 1)) }
        let lines = Ticker.finalTable(of: trades).split(separator: "\n")
        #expect(lines.count == count + 2)
        // The column is as wide as its heading at least.
        let name = "S\(count - 1)".padding(toLength: 6, withPad: " ", startingAt: 0)
        #expect(lines.last == "\(name)  \(count).00  +0.00%  \(count).00  \(count).00       1")
    }

    @Test("a row stays alive with what leads to it when the market is gone")
    func lifetime() {
        let scheduler = VirtualScheduler()
        var market: Market? = Market(symbols: ["A"], quiet: .milliseconds(1), on: scheduler)
        let row = market!.rows[0]
        let trades = market!.trades
        market = nil
        trades.value = trade(0, "A", 5)
        scheduler.run()
        #expect(row.value?.last == 5)
    }

    @Test("a scheduler with a speed divides intervals and multiplies the clock")
    func speed() {
        let base = VirtualScheduler()
        let fast = Speed(factor: 4, base: base)
        let ran = Mutex<[Duration]>([])
        _ = fast.schedule(after: .seconds(8)) { ran.withLock { $0.append(base.now) } }
        base.run()
        #expect(ran.withLock { $0 } == [.seconds(2)])
        #expect(fast.clockReading == .seconds(8))
    }
}

private let sampleFile = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Data/prices.csv").path
