/// An optional.
@usableFromInline package protocol Holdable: ExpressibleByNilLiteral {
    // Mutating, for then code that is not specialised makes no copy for the call. Neither changes anything, so others may read
    // meanwhile; but the thread sanitizer takes the call for a write, and is given a copy.
    mutating func isNothing() -> Bool
    var describedIfAny: String? { get }
    static var wrappedType: Any.Type { get }
}
extension Optional: Holdable {
    @inlinable package mutating func isNothing() -> Bool { isAbsent }
    @usableFromInline package var describedIfAny: String? { map { String(describing: $0) } }
    @usableFromInline package static var wrappedType: Any.Type { Wrapped.self }
}
extension Optional where Wrapped: ~Copyable {
    /// Asked of any optional as of one that cannot be copied: code that is not specialised would copy it for the question.
    @inlinable var isAbsent: Bool {
        switch self {
        case .none: true
        case .some: false
        }
    }
}
