import Foundation
import Testing

@testable import ticker

/// A short file of prices: the recorder's page of it is small.
///
/// Tests that write a page run the command's own binary. A page's lines are looked up in the tables of the binary, and
/// those of the tests' binary take four times as long to read.
private let twoTrades = "time,symbol,price\n09:30:00.000,CRUX,7.84\n09:30:00.007,CRUX,7.85\n"

@Suite("The command line")
struct OptionsTests {
    @Test("a file, and a pace before or after it")
    func options() throws {
        #expect(try Options(["a.csv"]).pace == .speed(1))
        #expect(try Options(["a.csv", "--speed", "2.5"]).pace == .speed(2.5))
        #expect(try Options(["--fast", "a.csv"]).pace == .fast)
        #expect(try Options(["--fast", "a.csv"]).path == "a.csv")
        #expect(try Options(["a.csv"]).top == nil)
        #expect(try Options(["a.csv", "--top", "10"]).top == 10)
        #expect(try Options(["a.csv"]).recording == nil)
        #expect(try Options(["--record", "page.html", "a.csv"]).recording == "page.html")
    }

    @Test(
        "what makes no sense is told",
        arguments: [
            ([], "the file of prices is missing."),
            (["--fast"], "the file of prices is missing."),
            (["a.csv", "b.csv"], "b.csv: one file at a time, please."),
            (["a.csv", "--slow"], "--slow: there is no such option; --help lists them."),
            (["a.csv", "--speed"], "--speed: the number is missing."),
            (["a.csv", "--speed", "x"], "--speed: “x” is not a number from 0.001 to 1000000."),
            (["a.csv", "--speed", "0"], "--speed: “0” is not a number from 0.001 to 1000000."),
            (["a.csv", "--speed", "nan"], "--speed: “nan” is not a number from 0.001 to 1000000."),
            (["a.csv", "--top"], "--top: the number is missing."),
            (["a.csv", "--top", "0"], "--top: “0” is not a number from 1 to 10000."),
            (["a.csv", "--record"], "--record: the file is missing."),
            (["a.csv", "--fast", "--speed", "2"], "--speed: the speed has been given already."),
            (["a.csv", "--fast", "--fast"], "--fast: the speed has been given already."),
            (["a.csv", "--record", "b", "--record", "c"], "--record: the page has been given already."),
            (["a.csv", "--record", "./a.csv"], "--record: ./a.csv is the file of prices. Name another file."),
        ]
    )
    func mistakes(arguments: [String], message: String) {
        #expect(throws: InputError(message: message)) { try Options(arguments) }
    }

    @Test("a page that cannot be written ends the command with status 2 and one line on standard error")
    func unwritable() throws {
        let prices = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try twoTrades.write(to: prices, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: prices) }
        let (message, status) = try shell(
            "\"$0\" \"$1\" --fast --record /nowhere/page.html >/dev/null", file: prices.path)
        #expect(status == 2)
        #expect(message.hasPrefix("ticker: --record: “/nowhere/page.html” cannot be written: "))
        #expect(message.count { $0.isNewline } == 1)
    }

    @Test("a page goes to the file that a link leads to, and the link stays")
    func link() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appendingPathComponent("page.html").path,
            link = folder.appendingPathComponent("link").path
        try "old".write(toFile: page, atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: page)
        let prices = folder.appendingPathComponent("prices.csv")
        try twoTrades.write(to: prices, atomically: false, encoding: .utf8)
        let (message, status) = try shell(
            "\"$0\" \"$1\" --fast --record \"${1%/*}/link\" >/dev/null", file: prices.path)
        #expect(status == 0 && message == "")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == page)
        #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!"))
    }

    @Test("a mistake ends the command with status 2 and one line on standard error")
    func status() async throws {
        let result = await #expect(processExitsWith: .exitCode(2), observing: [\.standardErrorContent]) {
            Ticker.run(["/nowhere/prices.csv", "--speed", "much"])
        }
        let message = try #require(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) })
        #expect(message.contains("ticker: --speed: “much” is not a number from 0.001 to 1000000.\n"))
    }
}
