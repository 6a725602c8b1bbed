/// An optional.
@usableFromInline protocol Holdable: ExpressibleByNilLiteral {
    var isNothing: Bool { get }
    var describedIfAny: String? { get }
    static var wrappedType: Any.Type { get }
}
extension Optional: Holdable {
    @inlinable var isNothing: Bool { self == nil }
    @usableFromInline var describedIfAny: String? { map { String(describing: $0) } }
    @usableFromInline static var wrappedType: Any.Type { Wrapped.self }
}
