import ReactCore

/// The newest of something, for listeners.
final class Latest<Value: Sendable>: Sendable {
    private let state: Lock<Value>
    init(_ value: Value) { state = Lock(value) }

    var value: Value { state.withLock { $0 } }
    /// Stores `value`, and returns the old one.
    @discardableResult func exchange(_ value: Value) -> Value {
        state.withLock { state in
            defer { state = value }
            return state
        }
    }
}
