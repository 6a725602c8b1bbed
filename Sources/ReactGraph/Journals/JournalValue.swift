import Foundation

/// A value as plain data: null, a boolean, an integer, a number, a text, a list, a dictionary, or the mark of a value
/// that was redacted.
///
/// Equal values have equal data, whether they were recorded or read from a file. A number without a fraction is an
/// integer, so `3.0` and `3` are equal.
public struct JournalValue: Codable, Sendable, Hashable, CustomStringConvertible {
    indirect enum Content: Hashable, Sendable {
        case null, redacted
        case boolean(Bool)
        case integer(Int)
        /// A whole number above `Int.max`.
        case unsigned(UInt64)
        /// The bits of a number that is no whole one, of an infinity, or of NaN.
        case number(UInt64)
        case text(String)
        case list([JournalValue])
        case dictionary([String: JournalValue])
    }
    let content: Content

    init(_ content: Content) { self.content = content }
    init(_ number: Double) {
        if let whole = Int(exactly: number), number != 0 || number.sign == .plus {
            content = .integer(whole)
        } else if let whole = UInt64(exactly: number), number != 0 {
            content = .unsigned(whole)
        } else {
            content = .number((number.isNaN ? .nan : number).bitPattern)
        }
    }
    static let redacted = JournalValue(.redacted)

    /// As Swift writes it: `30`, `"text"`, `[1, 2]`, `["key": 1]`, with the keys in order; `null`, and `redacted`.
    public var description: String {
        switch content {
        case .null: "null"
        case .redacted: "redacted"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .number(let bits): "\(Double(bitPattern: bits))"
        case .text(let value): value.debugDescription
        case .list(let values): "\(values)"
        case .dictionary(let values):
            values.isEmpty
                ? "[:]"
                : "["
                    + values.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value)" }.joined(
                        separator: ", ") + "]"
        }
    }
}

// As JSON. A value that JSON cannot write is an object with one key that begins with a dollar sign.
extension JournalValue {
    private static let redactedKey = "$redacted", numberKey = "$number"

    /// Reads a value from its JSON.
    public init(from decoder: any Decoder) throws { self = try JournalValue.read(from: decoder.singleValueContainer()) }
    private static func read(from single: any SingleValueDecodingContainer) throws -> JournalValue {
        // The order decides the cost, because each try in vain makes an error.
        if let value = try? single.decode(Int.self) { return JournalValue(.integer(value)) }
        if let value = try? single.decode(String.self) { return JournalValue(.text(value)) }
        if let value = try? single.decode(UInt64.self) { return JournalValue(.unsigned(value)) }
        if let value = try? single.decode(Double.self) { return JournalValue(value) }
        if let value = try? single.decode(Bool.self) { return JournalValue(.boolean(value)) }
        if single.decodeNil() { return JournalValue(.null) }
        if let values = try? single.decode([JournalValue].self) { return JournalValue(.list(values)) }
        let values = try single.decode([String: JournalValue].self)
        guard values.count == 1, let (key, value) = values.first else { return JournalValue(.dictionary(values)) }
        if key == redactedKey { return redacted }
        if key == numberKey, case .text(let text) = value.content, let number = Double(text) {
            return JournalValue(number)
        }
        return JournalValue(.dictionary(values))
    }
    /// Writes the value as JSON.
    public func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch content {
        case .null: try single.encodeNil()
        case .redacted: try single.encode([JournalValue.redactedKey: true])
        case .boolean(let value): try single.encode(value)
        case .integer(let value): try single.encode(value)
        case .unsigned(let value): try single.encode(value)
        case .number(let bits):
            let number = Double(bitPattern: bits)
            if number.isFinite && (number != 0 || encoder.userInfo[JournalValue.isForDecoding] != nil) {
                try single.encode(number)
            } else if encoder.userInfo[JournalValue.isForDecoding] != nil {
                try single.encode("\(number)")
            } else {
                try single.encode([JournalValue.numberKey: "\(number)"])
            }
        case .text(let value): try single.encode(value)
        case .list(let values): try single.encode(values)
        case .dictionary(let values): try single.encode(values)
        }
    }
}

// From values, and back. The most frequent types take a short way; all others take the way of JSON.
extension JournalValue {
    init<Value: Encodable>(encoding value: Value) throws { self = try JournalValue.of(value) }
    private static func of<Value: Encodable>(_ value: Value) throws -> JournalValue {
        if Value.self == Int.self, let value = value as? Int { return JournalValue(.integer(value)) }
        if Value.self == String.self, let value = value as? String { return JournalValue(.text(value)) }
        if Value.self == Double.self, let value = value as? Double { return JournalValue(value) }
        if Value.self == Bool.self, let value = value as? Bool { return JournalValue(.boolean(value)) }
        if let values = value as? [Double] { return JournalValue(.list(values.map { JournalValue($0) })) }
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try JSONDecoder().decode(JournalValue.self, from: encoder.encode(value))
    }
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        let quick: Any? =
            switch content {
            case .integer(let value): Value.self == Double.self ? Double(value) : value
            case .unsigned(let value): Value.self == Double.self ? Double(value) : value
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
    /// The JSON from which the value's type decodes it: infinities and NaN are texts.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.userInfo[JournalValue.isForDecoding] = true
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
    private static let isForDecoding = CodingUserInfoKey(rawValue: "isForDecoding")!
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
