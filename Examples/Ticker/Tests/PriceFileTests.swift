import Foundation
import Testing

@testable import ticker

@Suite("Reading price files")
struct PriceFileTests {
    private func parse(_ text: String) throws -> [Trade] {
        try PriceFile.parse(text, path: "prices.csv")
    }

    @Test("a trade a line, under a heading")
    func trades() throws {
        let trades = try parse(
            """
            time,symbol,price
            09:30:00.000,ACME,101.25
            09:30:01.5,BOLT,42
            """
        )
        #expect(
            trades == [
                Trade(time: .seconds(34_200), symbol: "ACME", price: 101.25),
                Trade(time: .milliseconds(34_201_500), symbol: "BOLT", price: 42),
            ]
        )
    }

    @Test("CRLF, a byte order mark, blank lines, spaces and capitals in the heading are all fine")
    func tolerance() throws {
        let trades = try parse("\u{FEFF}Time, Symbol, Price\r\n\r\n 23:59:59 ,\tACME , 0.01 \r\n\r\n")
        #expect(trades == [Trade(time: .seconds(86_399), symbol: "ACME", price: 0.01)])
    }

    @Test("two trades at one time keep their order")
    func sameTime() throws {
        let trades = try parse("time,symbol,price\n00:00:00,B,1\n00:00:00,A,2\n")
        #expect(trades.map(\.symbol) == ["B", "A"])
    }

    @Test(
        "what cannot be read is told with file, line, column and cause",
        arguments: [
            ("", "prices.csv: there is no trade in the file."),
            ("time,symbol,price\n", "prices.csv: there is no trade in the file."),
            (
                "09:30:00,ACME,1",
                "prices.csv:1:1: expected the heading time,symbol,price, and found “09:30:00” for time."
            ),
            (
                "time,symbol,volume\n",
                "prices.csv:1:13: expected the heading time,symbol,price, and found “volume” for price."
            ),
            (
                "time,symbol,price\n09:30:00,ACME",
                "prices.csv:2:15: expected the three fields time,symbol,price, and found 2."
            ),
            (
                "time,symbol,price\n09:30:00,ACME,1,250",
                "prices.csv:2:17: expected the three fields time,symbol,price, and found 4."
            ),
            (
                "time,symbol,price\n\n9h30,ACME,1",
                "prices.csv:3:1: “9h30” is not a time such as 09:30:00.250."
            ),
            (
                "time,symbol,price\n24:00:00,ACME,1",
                "prices.csv:2:1: “24:00:00” is not a time such as 09:30:00.250."
            ),
            (
                "time,symbol,price\n09:60:00,ACME,1",
                "prices.csv:2:1: “09:60:00” is not a time such as 09:30:00.250."
            ),
            (
                "time,symbol,price\n09:00:00.,ACME,1",
                "prices.csv:2:1: “09:00:00.” is not a time such as 09:30:00.250."
            ),
            ("time,symbol,price\n09:30:00,,1", "prices.csv:2:10: the symbol is missing."),
            (
                "time,symbol,price\n09:30:00,ACME, 1O1",
                "prices.csv:2:16: “1O1” is not a price such as 101.25."
            ),
            ("time,symbol,price\n09:30:00,ACME,", "prices.csv:2:15: “” is not a price such as 101.25."),
            ("time,symbol,price\n09:30:00,ACME,0", "prices.csv:2:15: “0” is not a price such as 101.25."),
            ("time,symbol,price\n09:30:00,ACME,-1", "prices.csv:2:15: “-1” is not a price such as 101.25."),
            ("time,symbol,price\n09:30:00,ACME,inf", "prices.csv:2:15: “inf” is not a price such as 101.25."),
            (
                "time,symbol,price\n09:30:00,\"ACME\",1",
                "prices.csv:2:10: a field in quotes; write it without them."
            ),
            (
                "time,symbol,price\n09:30:01,ACME,1\n09:30:00.5,ACME,1",
                "prices.csv:3:1: 09:30:00.500 is before 09:30:01.000, the time of the trade above."
            ),
        ]
    )
    func unreadable(text: String, message: String) {
        #expect(throws: InputError(message: message)) { try parse(text) }
    }

    @Test("a file that is missing, or is not UTF-8, is told by name")
    func files() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("prices-\(UUID()).csv").path
        let missing = #expect(throws: InputError.self) { try PriceFile.read(path: path) }
        #expect(missing?.message.hasPrefix("cannot read \"\(path)\": ") == true)
        try Data([0x74, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: InputError(message: "\(path): the file is not UTF-8.")) { try PriceFile.read(path: path) }
    }
}
