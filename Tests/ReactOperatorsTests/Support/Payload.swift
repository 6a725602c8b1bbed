/// A value that can be watched going.
final class Payload: Sendable, Equatable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (lhs: Payload, rhs: Payload) -> Bool { lhs.number == rhs.number }
}

/// A reference that holds nothing.
final class Weak<Object: AnyObject> {
    weak var object: Object?
    init(_ object: Object? = nil) { self.object = object }
}
