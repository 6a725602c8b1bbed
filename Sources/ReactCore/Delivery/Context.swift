/// What travels beside a value: anything the setter wants its receivers to see.
public typealias NodeContext = any Sendable

/// What travels beside a value, in a box, so that having nothing costs nothing.
@usableFromInline final class ContextBox: Sendable {
    let value: NodeContext?
    /// What a pulse leaves no trace of.
    let pulse: Pulse?

    init(_ value: NodeContext?, _ pulse: Pulse? = nil) {
        self.value = value
        self.pulse = pulse
    }
    @usableFromInline static func box(_ context: NodeContext?) -> ContextBox? { context.map { ContextBox($0) } }
}
