/// Any optional type, so that generic code can ask whether a value is `nil`.
@usableFromInline package protocol Holdable: ExpressibleByNilLiteral {
    // Mutating, because unspecialised code then makes no copy for the call. It changes nothing, so other threads may
    // read meanwhile. But the thread sanitizer takes the call for a write, so it is given a copy.
    mutating func isNothing() -> Bool
    var describedIfAny: String? { get }
    static var wrappedType: Any.Type { get }
}
extension Optional: Holdable {
    @inlinable package mutating func isNothing() -> Bool { isAbsent }
    @usableFromInline package var describedIfAny: String? { map { ValueText.of($0) } }
    @usableFromInline package static var wrappedType: Any.Type { Wrapped.self }
}
extension Optional where Wrapped: ~Copyable {
    /// True if the optional is `nil`. It is declared for types that cannot be copied, because unspecialised code would
    /// copy others for the question.
    @inlinable var isAbsent: Bool {
        switch self {
        case .none: true
        case .some: false
        }
    }
}

/// Describes values.
package enum ValueText {
    /// The number of characters of each description that are read; `nil` for all. Text and the collections of the
    /// standard library are described only as far as these characters need.
    @TaskLocal package static var limit: Int?

    /// The value's description, or the beginning of that with more than `limit` characters.
    package static func of<Value>(_ value: Value) -> String {
        guard let limit, let long = value as? any PartlyDescribable else { return String(describing: value) }
        return long.description(ofFirst: limit + 1)
    }
}
/// A value whose description begins with those of its first parts, each with one character or more.
private protocol PartlyDescribable {
    func description(ofFirst count: Int) -> String
}
extension String: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { String(prefix(count)) }
}
extension Substring: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { String(prefix(count)) }
}
extension Array: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { "\(prefix(count))" }
}
extension ArraySlice: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { "\(prefix(count))" }
}
extension Set: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String { "\(Array(prefix(count)))" }
}
extension Dictionary: PartlyDescribable {
    fileprivate func description(ofFirst count: Int) -> String {
        let parts = prefix(count).map { "\(String(reflecting: $0.key)): \(String(reflecting: $0.value))" }
        return parts.isEmpty ? "[:]" : "[\(parts.joined(separator: ", "))]"
    }
}
