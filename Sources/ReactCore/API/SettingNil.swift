/// What `value = nil` means: a node of an optional type has a `nil` to hold; any other is emptied.
extension MutableNode {
    @usableFromInline @inline(never) func setNil() {
        if let type = Value.self as? any HasNil.Type, let none = type.none as? Value { setValue(none) } else { clean() }
    }
}

/// A type that has a `nil` among its values: an optional.
private protocol HasNil {
    static var none: Self { get }
}
extension Optional: HasNil {}
