import Testing

@testable import ticker

@Suite("The table")
struct TableTests {
    @Test("columns are aligned, and a symbol without trades shows dashes")
    func table() {
        var quote = Quote(symbol: "ACME")
        for (second, price) in [(1, 100.0), (2, 98.5), (3, 1_050), (4, 105.25)] {
            quote = quote.adding(Trade(time: .milliseconds(34_200_000 + second * 1_001), symbol: "ACME", price: price))
        }
        #expect(
            Table.text([quote, Quote(symbol: "BO")]) == """
                09:30:04.004
                symbol    last  change    low     high  trades
                ACME    105.25  +5.25%  98.50  1050.00       4
                BO           -       -      -        -       0

                """
        )
    }

    @Test("control characters of a symbol are shown by their pictures")
    func controlCharacters() {
        let table = Table.text([Quote(symbol: "A\u{1B}[31m\u{9B}\u{202E}\n")])
        #expect(table.split(separator: "\n").count == 3)
        #expect(table.contains("\nA␛[31m��␊"))
    }

    @Test("before the first trade there is no time")
    func noTime() {
        #expect(Table.text([]) == "--:--:--.---\nsymbol  last  change  low  high  trades\n")
    }
}
