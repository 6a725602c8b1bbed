import Foundation

/// A value as plain data: null, a boolean, an integer, a number, a text, a list, a dictionary, or the mark of a value
/// that was redacted.
///
/// Equal values have equal data, whether they were recorded or read from a file. A number without a fraction is an
/// integer, so `3.0` and `3` are equal. A number keeps all its digits. The parts of a set stand in order.
/// Lists and dictionaries may be nested 100 levels deep.
public struct JournalValue: Codable, Sendable, Hashable, CustomStringConvertible {
    enum Content: Hashable, Sendable {
        case null, redacted
        case boolean(Bool)
        case integer(Int)
        /// The bits of a number that is no `Int`: with a fraction, large, −0, infinite, or NaN.
        case number(UInt64)
        /// The digits of a number of which a `Double` would lose some.
        case digits(String)
        case text(String)
        case list([JournalValue])
        case dictionary([String: JournalValue])
    }
    let content: Content

    init(_ content: Content) { self.content = content }
    init(_ number: Double) {
        if let whole = Int(exactly: number), number != 0 || number.sign == .plus {
            content = .integer(whole)
        } else {
            content = .number((number.isNaN ? .nan : number).bitPattern)
        }
    }
    init(_ number: Decimal) {
        let text = number.description
        if let whole = Int(text) {
            self.init(.integer(whole))
        } else if let double = Double(text), number.isNaN || Decimal(string: "\(double)") == number {
            self.init(double)
        } else {
            self.init(.digits(text))
        }
    }
    /// Makes a number of its digits; `nil` if they are none.
    init?(digits text: String) {
        guard let double = Double(text) else { return nil }
        self.init(double, exactly: Decimal(string: text))
    }
    /// Makes a number that was read in both ways. A `Decimal` has more digits, and knows neither −0 nor large
    /// exponents.
    private init(_ double: Double, exactly decimal: Decimal?) {
        if let decimal, double != 0, Double(decimal.description) == double {
            self.init(decimal)
        } else {
            self.init(double)
        }
    }
    static let redacted = JournalValue(.redacted)
    /// The depth to which lists and dictionaries may be nested. An error of a `JSONDecoder` takes time as the square of
    /// the depth, so a file of deep lists would take hours. A value in a file is some levels deeper.
    static let greatestDepth = 100

    /// As Swift writes it: `30`, `"text"`, `[1, 2]`, `["key": 1]`, with the keys in order; `null`, and `redacted`.
    public var description: String {
        switch content {
        case .null: "null"
        case .redacted: "redacted"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let bits): "\(Double(bitPattern: bits))"
        case .digits(let text): text
        case .text(let value): value.literal
        case .list(let values): "\(values)"
        case .dictionary(let values):
            values.isEmpty ? "[:]" : "[\(values.inOrder { "\($0.literal): \($1)" }.joined(separator: ", "))]"
        }
    }
}

extension [String: JournalValue] {
    /// Returns a text for each pair, in the order of the keys.
    func inOrder(_ text: (String, JournalValue) -> String) -> [String] {
        sorted { $0.key < $1.key }.map { text($0.key, $0.value) }
    }
}

// As a part of a journal's file. A value that JSON cannot write is an object with one key that begins with a dollar
// sign. A key of the value's own that begins with one gets another.
extension JournalValue {
    private static let redactedKey = "$redacted", numberKey = "$number", dollar = UInt8(ascii: "$")

    /// Reads a value from its JSON.
    public init(from decoder: any Decoder) throws { self = try JournalValue.read(from: decoder.singleValueContainer()) }
    private static func read(from single: any SingleValueDecodingContainer) throws -> JournalValue {
        // The order decides the cost, because each try in vain makes an error.
        if let value = try? single.decode(Int.self) {
            guard value == 0 || value.magnitude >= 1 << 53 else { return JournalValue(.integer(value)) }
            // Only a `Double` tells −0 from 0, and only a `Decimal` the fraction of a large number.
            let double = (try? single.decode(Double.self)) ?? Double(value)
            return JournalValue(double, exactly: (try? single.decode(Decimal.self)) ?? Decimal(value))
        }
        if let value = try? single.decode(String.self) { return JournalValue(.text(value)) }
        guard single.codingPath.count <= greatestDepth + 30 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: single.codingPath,
                    debugDescription: "A value of a journal is nested more than \(greatestDepth) levels deep."))
        }
        if let value = try? single.decode(Double.self) {
            return JournalValue(value, exactly: try? single.decode(Decimal.self))
        }
        if let value = try? single.decode(Bool.self) { return JournalValue(.boolean(value)) }
        if single.decodeNil() { return JournalValue(.null) }
        if let values = try? single.decode([JournalValue].self) { return JournalValue(.list(values)) }
        let values = try single.decode([String: JournalValue].self)
        if values.count == 1, let (key, value) = values.first {
            if key == redactedKey { return redacted }
            if key == numberKey, case .text(let text) = value.content, let number = JournalValue(digits: text) {
                return number
            }
        }
        guard values.keys.contains(where: { $0.utf8.starts(with: [dollar, dollar]) }) else {
            return JournalValue(.dictionary(values))
        }
        let pairs = values.map { key, value in
            (key.utf8.starts(with: [dollar, dollar]) ? String(key.unicodeScalars.dropFirst()) : key, value)
        }
        return JournalValue(.dictionary(Dictionary(pairs, uniquingKeysWith: { one, _ in one })))
    }
    /// Writes the value as JSON.
    public func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch content {
        case .null: try single.encodeNil()
        case .redacted: try single.encode([JournalValue.redactedKey: true])
        case .boolean(let value): try single.encode(value)
        case .integer(let value): try single.encode(value)
        case .number(let bits):
            let number = Double(bitPattern: bits)
            if number.isFinite, number != 0 {
                try single.encode(number)
            } else {
                try single.encode([JournalValue.numberKey: "\(number)"])
            }
        case .digits(let text): try single.encode([JournalValue.numberKey: text])
        case .text(let value): try single.encode(value)
        case .list(let values): try single.encode(values)
        case .dictionary(let values):
            let pairs = values.map { key, value in (key.utf8.first == JournalValue.dollar ? "$" + key : key, value) }
            try single.encode(Dictionary(uniqueKeysWithValues: pairs))
        }
    }
}

// A test writes a value of its own as a literal, for example in the place of a redacted one.
extension JournalValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A text.
    public init(stringLiteral value: String) { self.init(.text(value)) }
    /// An integer.
    public init(integerLiteral value: Int) { self.init(.integer(value)) }
    /// A number.
    public init(floatLiteral value: Double) { self.init(value) }
}
