import Foundation

// From values to their data.
extension JournalValue {
    /// Makes the data that `JSONEncoder` would make. But numbers keep all their digits, −0 its sign, and the parts of
    /// a set or a dictionary stand in order, so that equal values have equal data.
    init<Value: Encodable>(encoding value: Value) throws { try self.init(encoding: value, at: []) }

    fileprivate init<Value: Encodable>(encoding value: Value, at path: [any CodingKey]) throws {
        guard path.count <= JournalValue.greatestDepth else { throw TooDeep() }
        if let data = try JournalValue.known(value, at: path) {
            self = data
        } else {
            let part = EncodedPart()
            try value.encode(to: JournalEncoder(part: part, codingPath: path))
            self = part.data
        }
    }
    private struct TooDeep: Error, CustomStringConvertible {
        var description: String { "it is nested more than \(JournalValue.greatestDepth) levels deep" }
    }
    /// The order of the parts of a set: numbers by size, all others by their texts.
    fileprivate static func precedes(_ one: JournalValue, _ other: JournalValue) -> Bool {
        if let number = one.size, let otherNumber = other.size, number != otherNumber { return number < otherNumber }
        return one.description < other.description
    }
    private var size: Double? {
        switch content {
        case .integer(let value): Double(value)
        case .number(let bits): Double(bitPattern: bits).isFinite ? Double(bitPattern: bits) : nil
        case .digits(let text): Double(text)
        default: nil
        }
    }
}

extension JournalValue {
    /// Returns the data of a value that does not encode itself; `nil` for all others.
    private static func known(_ value: any Encodable, at path: [any CodingKey]) throws -> JournalValue? {
        switch value {
        case let value as Int: JournalValue(.integer(value))
        case let value as Double: JournalValue(value)
        case let value as String: JournalValue(.text(value))
        case let value as Bool: JournalValue(.boolean(value))
        // By its own digits: those of the `Double` are others.
        case let value as Float: JournalValue(digits: "\(value)")
        case let value as any StandardInteger:
            Int(exactly: value).map { JournalValue(.integer($0)) } ?? JournalValue(digits: "\(value)")
        // Decoders of JSON read these three in a way of their own.
        case let value as Decimal: JournalValue(value)
        case let value as Data: JournalValue(.text(value.base64EncodedString()))
        case let value as URL: JournalValue(.text(value.absoluteString))
        case let value as any EncodableParts: try value.data(at: path)
        default: nil
        }
    }
}

/// An integer of the standard library. One of the user's own may encode itself in another way.
private protocol StandardInteger: FixedWidthInteger {}
extension Int8: StandardInteger {}
extension Int16: StandardInteger {}
extension Int32: StandardInteger {}
extension Int64: StandardInteger {}
extension Int128: StandardInteger {}
extension UInt: StandardInteger {}
extension UInt8: StandardInteger {}
extension UInt16: StandardInteger {}
extension UInt32: StandardInteger {}
extension UInt64: StandardInteger {}
extension UInt128: StandardInteger {}

/// A collection whose parts stand in order in its data.
private protocol EncodableParts {
    /// Returns `nil` for a value that is to encode itself.
    func data(at path: [any CodingKey]) throws -> JournalValue?
}
extension Set: EncodableParts where Element: Encodable {
    fileprivate func data(at path: [any CodingKey]) throws -> JournalValue? {
        let parts = try map { try JournalValue(encoding: $0, at: path) }
        return JournalValue(.list(parts.sorted(by: JournalValue.precedes)))
    }
}
extension Dictionary: EncodableParts where Key: Encodable, Value: Encodable {
    /// A dictionary whose keys are no texts is a list of keys and values in turn.
    fileprivate func data(at path: [any CodingKey]) throws -> JournalValue? {
        if Key.self is any CodingKeyRepresentable.Type { return nil }
        let pairs = try map {
            (key: try JournalValue(encoding: $0.key, at: path), value: try JournalValue(encoding: $0.value, at: path))
        }
        return JournalValue(
            .list(pairs.sorted { JournalValue.precedes($0.key, $1.key) }.flatMap { [$0.key, $0.value] }))
    }
}

/// The parts of itself that a value has written so far.
private final class EncodedPart {
    enum Slot {
        case value(JournalValue), part(EncodedPart)
        var data: JournalValue {
            switch self {
            case .value(let data): data
            case .part(let part): part.data
            }
        }
    }
    var single: JournalValue?
    var list: [Slot]?
    var dictionary: [String: Slot]?

    /// A value that has written nothing is an empty dictionary.
    var data: JournalValue {
        if let list { return JournalValue(.list(list.map(\.data))) }
        return single ?? JournalValue(.dictionary((dictionary ?? [:]).mapValues(\.data)))
    }
}

private struct JournalEncoder: Encoder {
    let part: EncodedPart
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if part.dictionary == nil { part.dictionary = [:] }
        return KeyedEncodingContainer(KeyedParts(part: part, codingPath: codingPath))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if part.list == nil { part.list = [] }
        return ListedParts(part: part, codingPath: codingPath)
    }
    func singleValueContainer() -> any SingleValueEncodingContainer { SinglePart(part: part, codingPath: codingPath) }
}

private struct SinglePart: SingleValueEncodingContainer {
    let part: EncodedPart
    let codingPath: [any CodingKey]

    func encodeNil() { part.single = JournalValue(.null) }
    func encode<Value: Encodable>(_ value: Value) throws {
        part.single = try JournalValue(encoding: value, at: codingPath)
    }
}

private struct KeyedParts<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let part: EncodedPart
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { part.dictionary?[key.stringValue] = .value(JournalValue(.null)) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let data = try JournalValue(encoding: value, at: codingPath + [key])
        part.dictionary?[key.stringValue] = .value(data)
    }
    private func encoder(for key: any CodingKey) -> JournalEncoder {
        let inner = EncodedPart()
        part.dictionary?[key.stringValue] = .part(inner)
        return JournalEncoder(part: inner, codingPath: codingPath + [key])
    }
    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
        encoder(for: key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { encoder(for: PartKey.base) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }
}

private struct ListedParts: UnkeyedEncodingContainer {
    let part: EncodedPart
    let codingPath: [any CodingKey]
    var count: Int { part.list?.count ?? 0 }
    private var path: [any CodingKey] { codingPath + [PartKey.place(count)] }

    func encodeNil() { part.list?.append(.value(JournalValue(.null))) }
    func encode<Value: Encodable>(_ value: Value) throws {
        let data = try JournalValue(encoding: value, at: path)
        part.list?.append(.value(data))
    }
    private func encoderOfNext() -> JournalEncoder {
        let (inner, path) = (EncodedPart(), path)
        part.list?.append(.part(inner))
        return JournalEncoder(part: inner, codingPath: path)
    }
    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        encoderOfNext().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoderOfNext().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoderOfNext() }
}

/// The key of an element of a list, or of the part that a superclass writes.
private enum PartKey: CodingKey {
    case place(Int), base

    init?(stringValue: String) { nil }
    init?(intValue: Int) { self = .place(intValue) }
    var stringValue: String { intValue.map { "Index \($0)" } ?? "super" }
    var intValue: Int? { if case .place(let place) = self { place } else { nil } }
}
