import Foundation

// From values to their data.
extension JournalValue {
    /// Makes the data that `JSONEncoder` would make. But numbers keep all their digits, −0 its sign, and the parts of
    /// a set or a dictionary stand in order, so that equal values have equal data.
    init<Value: Encodable>(encoding value: Value) throws { try self.init(encoding: value, at: []) }

    fileprivate init<Value: Encodable>(encoding value: Value, at path: [any CodingKey]) throws {
        guard path.count <= JournalValue.greatestDepth else {
            throw JournalFault(description: "it is nested more than \(JournalValue.greatestDepth) levels deep")
        }
        if let data = try JournalValue.known(value, at: path) {
            self = data
        } else {
            let part = EncodedPart(at: path)
            try value.encode(to: part)
            self = part.data
        }
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
    /// Returns the data of a value that does not encode itself; `nil` for all others.
    private static func known(_ value: any Encodable, at path: [any CodingKey]) throws -> JournalValue? {
        switch value {
        case let value as Int: JournalValue(.integer(value))
        case let value as Double: JournalValue(value)
        case let value as String: JournalValue(.text(value))
        case let value as Bool: JournalValue(.boolean(value))
        // By its own digits: those of the `Double` are others.
        case let value as Float: JournalValue(digits: "\(value)")
        case let value as any FixedWidthInteger where standardIntegers.contains(ObjectIdentifier(type(of: value))):
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

/// Tells why a value cannot be in a journal.
struct JournalFault: Error, CustomStringConvertible {
    let description: String
}

/// The integers of the standard library but `Int`. One of the user's own may encode itself in another way.
private let standardIntegers = Set(
    [
        Int8.self, Int16.self, Int32.self, Int64.self, Int128.self,
        UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
    ].map { (type: any FixedWidthInteger.Type) in ObjectIdentifier(type) })

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

/// The parts of itself that a value has written so far: one value, a list, or a dictionary.
private final class EncodedPart: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
    /// Makes the data of a part, which may not be complete yet.
    private typealias Slot = () -> JournalValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    private var single: JournalValue?
    private var list: [Slot]?
    private var dictionary: [String: Slot] = [:]

    init(at path: [any CodingKey]) { codingPath = path }

    /// A value that has written nothing is an empty dictionary.
    var data: JournalValue {
        if let list { return JournalValue(.list(list.map { $0() })) }
        return single ?? JournalValue(.dictionary(dictionary.mapValues { $0() }))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedParts(part: self))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if list == nil { list = [] }
        return self
    }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    // The value itself, or the next element of its list.
    var count: Int { list?.count ?? 0 }
    private var path: [any CodingKey] { list == nil ? codingPath : codingPath + [PartKey.place(count)] }
    func encodeNil() { add(JournalValue(.null)) }
    func encode<Value: Encodable>(_ value: Value) throws { add(try JournalValue(encoding: value, at: path)) }
    private func add(_ data: JournalValue) {
        if list == nil { single = data } else { list?.append { data } }
    }
    private func partOfNext() -> EncodedPart {
        let inner = EncodedPart(at: path)
        list?.append { inner.data }
        return inner
    }
    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
        partOfNext().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { partOfNext().unkeyedContainer() }
    func superEncoder() -> any Encoder { partOfNext() }

    // The parts of its dictionary.
    func add(_ data: JournalValue, forKey key: any CodingKey) { dictionary[key.stringValue] = { data } }
    func part(for key: any CodingKey) -> EncodedPart {
        let inner = EncodedPart(at: codingPath + [key])
        dictionary[key.stringValue] = { inner.data }
        return inner
    }
}

private struct KeyedParts<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let part: EncodedPart
    var codingPath: [any CodingKey] { part.codingPath }

    func encodeNil(forKey key: Key) { part.add(JournalValue(.null), forKey: key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        part.add(try JournalValue(encoding: value, at: codingPath + [key]), forKey: key)
    }
    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
        part.part(for: key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        part.part(for: key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { part.part(for: PartKey.base) }
    func superEncoder(forKey key: Key) -> any Encoder { part.part(for: key) }
}

/// The key of an element of a list, or of the part that a superclass writes.
private enum PartKey: CodingKey {
    case place(Int), base

    init?(stringValue: String) { nil }
    init?(intValue: Int) { self = .place(intValue) }
    var stringValue: String { intValue.map { "Index \($0)" } ?? "super" }
    var intValue: Int? { if case .place(let place) = self { place } else { nil } }
}
