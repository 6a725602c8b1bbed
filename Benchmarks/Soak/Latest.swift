import ReactCore

/// The newest of something, for listeners.
final class Latest<Value: Sendable>: Sendable {
    private let state: Lock<Value>
    init(_ value: Value) { state = Lock(value) }

    var value: Value { state.withLock { $0 } }
    /// Puts `value` in, and returns what was there.
    @discardableResult func exchange(_ value: Value) -> Value {
        state.withLock { state in
            defer { state = value }
            return state
        }
    }
}
