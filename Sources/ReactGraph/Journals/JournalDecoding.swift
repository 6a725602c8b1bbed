import Foundation

// From the data of a value, back to the value.
extension JournalValue {
    /// Makes the data of a value that a recorder has seen.
    ///
    /// - Throws: An error of the value's coding; a `JournalFault` if the data is decoded as another value.
    init<Value: Codable>(recording value: Value) throws {
        try self.init(encoding: value)
        guard !(Value.self is any LiteralType.Type) else { return }
        // `nil` if the type does not say whether two values are equal.
        let back = try decoded(as: Value.self), isSame = (value as? any Equatable)?.isEqual(to: back)
        if isSame == true { return }
        // A value with a NaN is equal to none; then the data is compared.
        let isOther = try isSame == false && (back as? any Equatable)?.isEqual(to: decoded(as: Value.self)) ?? true
        if try isOther || JournalValue(encoding: back) != self {
            throw JournalFault(description: "it is decoded as another value")
        }
    }

    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        let decoder = JSONDecoder(), marks = NonFiniteTexts(of: [self])
        if let marks {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: marks.infinity, negativeInfinity: marks.negativeInfinity, nan: marks.nan)
        }
        return try decoder.decode(Value.self, from: Data(json(marks).utf8))
    }
    /// Returns the JSON from which the value's type decodes it, with the keys in order. Infinities and NaN are `marks`.
    func json(_ marks: NonFiniteTexts?) -> String {
        switch content {
        case .null: "null"
        case .redacted: "{\"$redacted\":true}"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let bits): Double(bitPattern: bits).json(marks)
        case .digits(let text): text
        case .text(let value): value.jsonLiteral
        case .list(let values): "[\(values.map { $0.json(marks) }.joined(separator: ","))]"
        case .dictionary(let values):
            "{\(values.inOrder { "\($0.jsonLiteral):\($1.json(marks))" }.joined(separator: ","))}"
        }
    }
}

/// The texts of infinities and NaN in JSON, which is to hold no other text that is equal.
struct NonFiniteTexts {
    private let end: String
    var infinity: String { "inf" + end }
    var negativeInfinity: String { "-inf" + end }
    var nan: String { "nan" + end }

    /// Returns `nil` if no number of the values is infinite or NaN. So no text is read as a number then.
    init?(of values: [JournalValue]) {
        var (hasNonFinite, texts, waiting) = (false, Set<String>(), values)
        while let value = waiting.popLast() {
            switch value.content {
            case .number(let bits): hasNonFinite = hasNonFinite || !Double(bitPattern: bits).isFinite
            case .text(let text): texts.insert(text)
            case .list(let values): waiting += values
            case .dictionary(let values): waiting += values.values
            case .null, .redacted, .boolean, .integer, .digits: break
            }
        }
        guard hasNonFinite else { return nil }
        var end = ""
        while ["inf", "-inf", "nan"].contains(where: { texts.contains($0 + end) }) { end += "_" }
        self.end = end
    }
    fileprivate func text(of number: Double) -> String { number.isNaN ? nan : number < 0 ? negativeInfinity : infinity }
}

extension Double {
    fileprivate func json(_ marks: NonFiniteTexts?) -> String {
        guard isFinite else { return "\"\(marks?.text(of: self) ?? "\(self)")\"" }
        // A type of integers wants digits, and no exponent.
        let isWhole = magnitude < 1e38 && self != 0 && self == rounded()
        return isWhole ? Decimal(string: "\(self)")?.description ?? "\(self)" : "\(self)"
    }
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
