import Foundation

// From the data of a value, back to the value.
extension JournalValue {
    /// Makes the data of a value that a recorder has seen.
    ///
    /// - Throws: An error of the value's coding; `ChangedValue` if the data is decoded as another value.
    init<Value: Codable>(recording value: Value) throws {
        try self.init(encoding: value)
        guard !(Value.self is any LiteralType.Type) else { return }
        let back = try decoded(as: Value.self)
        guard let isSame = isEqual(value, back) else {
            if try JournalValue(encoding: back) != self { throw ChangedValue() }
            return
        }
        if isSame { return }
        // A value with a NaN is equal to none; then the data is compared.
        let again = try decoded(as: Value.self)
        if try isEqual(back, again) ?? true || JournalValue(encoding: back) != self { throw ChangedValue() }
    }
    private struct ChangedValue: Error, CustomStringConvertible {
        var description: String { "it is decoded as another value" }
    }

    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        let quick: Any? =
            switch content {
            case .integer(let value): Value.self == Double.self ? Double(value) : value
            case .number(let bits): Double(bitPattern: bits)
            case .text(let value): value
            case .boolean(let value): value
            default: nil
            }
        // A dynamic cast also makes optionals, and leaves all other types alone.
        if let quick, let value = quick as? Value { return value }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(Value.self, from: Data(json.utf8))
    }
    /// The JSON from which the value's type decodes it, with the keys in order. Infinities and NaN are texts.
    var json: String {
        switch content {
        case .null: "null"
        case .redacted: "{\"$redacted\":true}"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let bits): Double(bitPattern: bits).json
        case .digits(let text): text
        case .text(let value): value.jsonLiteral
        case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
        case .dictionary(let values):
            "{"
                + values.sorted { $0.key < $1.key }.map { "\($0.key.jsonLiteral):\($0.value.json)" }
                .joined(separator: ",") + "}"
        }
    }
}

extension Double {
    fileprivate var json: String {
        guard isFinite else { return "\"\(self)\"" }
        // A type of integers wants digits, and no exponent.
        let isWhole = magnitude < 1e38 && self != 0 && self == rounded()
        return isWhole ? Decimal(string: "\(self)")?.description ?? "\(self)" : "\(self)"
    }
}

/// Returns whether two values are equal; `nil` if their type does not say so.
private func isEqual<Value>(_ one: Value, _ other: Value) -> Bool? {
    func compare<Equals: Equatable>(_ one: Equals) -> Bool { other as? Equals == one }
    return (one as? any Equatable).map { compare($0) }
}

/// A type whose values Swift writes as literals that look like their `JournalValue`. All its values come back.
protocol LiteralType {}
/// A literal type whose optional is one, too. That of an optional is none: `nil` in an optional looks like `nil`.
private protocol WrappedLiteralType: LiteralType {}
extension Bool: WrappedLiteralType {}
extension String: WrappedLiteralType {}
extension Int: WrappedLiteralType {}
extension Int64: WrappedLiteralType {}
extension Double: WrappedLiteralType {}
extension Float: WrappedLiteralType {}
extension Array: WrappedLiteralType, LiteralType where Element: LiteralType {}
extension Optional: LiteralType where Wrapped: WrappedLiteralType {}
