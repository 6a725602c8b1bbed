/// A value that can be watched going.
public final class Payload: Sendable, Equatable {
    public let number: Int

    public init(_ number: Int = 0) { self.number = number }

    public static func == (lhs: Payload, rhs: Payload) -> Bool { lhs.number == rhs.number }
}

/// A reference that holds nothing.
public final class Weak<Object: AnyObject> {
    public weak var object: Object?

    public init(_ object: Object? = nil) { self.object = object }
}
