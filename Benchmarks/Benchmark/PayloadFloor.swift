import Synchronization

/// The loop, for values of any type; per hop. It is compiled for each, as the cases are.
final class PayloadFloor<Value: Sendable> {
    private final class Stage {
        let transform: @Sendable (Value) -> Value
        let value: Mutex<Value>

        init(_ value: Value, _ transform: @escaping @Sendable (Value) -> Value) {
            self.transform = transform
            self.value = Mutex(value)
        }
    }
    private let stages: [Stage]
    private let hear: (Value) -> Void

    init(
        length: Int, of value: Value, _ transform: @escaping @Sendable (Value) -> Value, hear: @escaping (Value) -> Void
    ) {
        stages = (0..<length).map { _ in Stage(value, transform) }
        self.hear = hear
    }
    func set(_ value: Value) {
        var value = value
        for stage in stages {
            let made = stage.transform(value)
            stage.value.withLock { $0 = made }
            value = made
        }
        hear(value)
    }
}
