import ReactCore

/// Returns true if `a` comes before `b` in the order of all keys. A key that does not equal itself, as NaN, comes after
/// all that do.
@inlinable @inline(__always) func comesBefore<Key: Comparable>(_ a: Key, _ b: Key) -> Bool { a < b || b != b && a == a }

/// Returns true if two keys are equal, or neither equals itself, as NaN.
@inlinable func isOneKey<Key: Equatable>(_ a: Key, _ b: Key) -> Bool { a == b || a != a && b != b }

/// Returns which of two keys comes next: both if they are equal. One is true, even if each is smaller than the other.
@inlinable func next<Key: Comparable>(of a: Key, _ b: Key) -> (isFirst: Bool, isSecond: Bool) {
    let isFirst = a == b || !comesBefore(b, a)
    return (isFirst, !isFirst || a == b || !comesBefore(a, b))
}

/// A key inside the library, whose parts are told instead.
protocol InnerKey {}

/// Says that `<` and `==` are no order. Each type is named once.
@usableFromInline func reportNoOrder<Value>(_ a: Value, _ b: Value, _ problem: StaticString) {
    if a is any InnerKey { return }
    guard typesWithoutOrder.withLock({ $0.insert(ObjectIdentifier(Value.self)).inserted }) else { return }
    warn(
        "`<` and `==` of \(Value.self) are no order: of \(a) and \(b), each \(problem). Rows may be missing, stand "
            + "anywhere, or stay when they are gone. Of two values, let just one of a < b, a == b and b < a be true.")
}
private let typesWithoutOrder = Lock<Set<ObjectIdentifier>>([])
