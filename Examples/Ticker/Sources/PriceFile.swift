import Streams

/// One trade: time, symbol and price.
struct Trade: Equatable, Sendable, CustomStringConvertible {
    /// The time since midnight.
    let time: Duration
    let symbol: String
    let price: Double

    var description: String { "\(symbol) at \(price)" }
}

/// An error on the command line or in a file, with a message for the user.
struct InputError: Error, Equatable {
    let message: String
}

/// Reads files of prices: a heading, then one trade for each line, in the order of time.
///
///     time,symbol,price
///     09:30:00.000,ACME,101.25
///
/// Lines end in LF or CRLF. A byte order mark, blank lines and spaces around fields are skipped. The time is
/// `hours:minutes:seconds`, with up to nine decimals of a second. Fields in quotes are not supported.
enum PriceFile {
    static let heading = ["time", "symbol", "price"]

    static func read(path: String) throws(InputError) -> [Trade] {
        let bytes = try readFile(path) { InputError(message: "cannot read \"\(path)\": \($0)") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw InputError(message: "\(path): the file is not UTF-8.")
        }
        return try parse(text, path: path)
    }

    static func parse(_ text: String, path: String) throws(InputError) -> [Trade] {
        var trades: [Trade] = []
        var hasHeading = false
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let parser = LineParser(path: path, line: index + 1, text: line)
            guard let fields = try parser.fields() else { continue }
            if hasHeading {
                trades.append(try parser.trade(fields, after: trades.last))
            } else {
                try parser.checkHeading(fields)
                hasHeading = true
            }
        }
        if trades.isEmpty {
            throw InputError(message: "\(path): there is no trade in the file.")
        }
        return trades
    }
}

/// One line of the file, with the file and number for messages.
private struct LineParser {
    let path: String
    let line: Int
    let text: Substring

    struct Field {
        let column: Int
        let text: Substring
    }

    func error(_ column: Int, _ problem: String) -> InputError {
        InputError(message: "\(path):\(line):\(column): \(problem)")
    }

    /// The three fields, trimmed, each with the column in which it begins. `nil` for a blank line.
    func fields() throws(InputError) -> [Field]? {
        var fields: [Field] = []
        var column = 1
        let content = text.drop { $0 == "\u{FEFF}" }
        if content.allSatisfy(\.isWhitespace) { return nil }
        for part in content.split(separator: ",", omittingEmptySubsequences: false) {
            let padding = part.prefix(while: \.isWhitespace).count
            var trimmed = part.dropFirst(padding)
            while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
            if trimmed.first == "\"" {
                throw error(column + padding, "a field in quotes; write it without them.")
            }
            fields.append(Field(column: column + padding, text: trimmed))
            column += part.count + 1
        }
        guard fields.count == PriceFile.heading.count else {
            let extra = fields.count > PriceFile.heading.count ? fields[PriceFile.heading.count].column : column
            throw error(extra, "expected the three fields time,symbol,price, and found \(fields.count).")
        }
        return fields
    }

    func checkHeading(_ fields: [Field]) throws(InputError) {
        for (field, name) in zip(fields, PriceFile.heading) where field.text.lowercased() != name {
            throw error(field.column, "expected the heading time,symbol,price, and found “\(field.text)” for \(name).")
        }
    }

    func trade(_ fields: [Field], after last: Trade?) throws(InputError) -> Trade {
        guard let time = Duration(clockTime: fields[0].text) else {
            throw error(fields[0].column, "“\(fields[0].text)” is not a time such as 09:30:00.250.")
        }
        if let last, time < last.time {
            let problem = "\(time.clockTime) is before \(last.time.clockTime), the time of the trade above."
            throw error(fields[0].column, problem)
        }
        guard !fields[1].text.isEmpty else {
            throw error(fields[1].column, "the symbol is missing.")
        }
        guard let price = price(fields[2].text) else {
            throw error(fields[2].column, "“\(fields[2].text)” is not a price such as 101.25.")
        }
        return Trade(time: time, symbol: String(fields[1].text), price: price)
    }

    private func price(_ text: Substring) -> Double? {
        let isDecimal = text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard isDecimal, let price = Double(text), price.isFinite, price > 0 else { return nil }
        return price
    }
}

extension Duration {
    /// Reads `hours:minutes:seconds`, with up to nine decimals of a second.
    init?(clockTime text: Substring) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let seconds = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let hour = Duration.number(parts[0], below: 24),
            let minute = Duration.number(parts[1], below: 60),
            let second = Duration.number(seconds[0], below: 60)
        else { return nil }
        var nanosecond = 0
        if seconds.count == 2 {
            let decimals = seconds[1]
            guard (1...9).contains(decimals.count), let number = Duration.number(decimals, below: 1_000_000_000) else {
                return nil
            }
            nanosecond = (decimals.count..<9).reduce(number) { scaled, _ in scaled * 10 }
        }
        self = .seconds(3_600 * hour + 60 * minute + second) + .nanoseconds(nanosecond)
    }

    private static func number(_ text: Substring, below limit: Int) -> Int? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text), number < limit else { return nil }
        return number
    }

    /// The time of day, to the millisecond: `09:30:00.250`.
    var clockTime: String {
        let (seconds, attoseconds) = components
        func padded(_ number: Int64, to width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(seconds / 3_600, to: 2) + ":" + padded(seconds / 60 % 60, to: 2) + ":"
            + padded(seconds % 60, to: 2) + "." + padded(attoseconds / 1_000_000_000_000_000, to: 3)
    }
}
