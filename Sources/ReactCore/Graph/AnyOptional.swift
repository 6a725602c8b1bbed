/// Any optional type, so that generic code can ask whether a value is `nil`.
@usableFromInline package protocol AnyOptional: ExpressibleByNilLiteral {
    // Mutating, because unspecialised code then makes no copy for the call. It changes nothing, so other threads may
    // read meanwhile. But the thread sanitizer takes the call for a write, so it is given a copy.
    mutating func isNothing() -> Bool
    var describedIfAny: String? { get }
    static var wrappedType: Any.Type { get }
}

extension Optional: AnyOptional {
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
