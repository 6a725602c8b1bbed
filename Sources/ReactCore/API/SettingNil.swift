/// What `value = nil` means: a node of an optional type has a `nil` to hold; any other is emptied.
extension MutableNode {
    @usableFromInline @inline(never) func setNil() {
        if let type = Value.self as? any Holdable.Type, let none = type.init(nilLiteral: ()) as? Value {
            setValue(none)
        } else {
            clean()
        }
    }
}
