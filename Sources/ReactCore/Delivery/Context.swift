/// What travels beside a value: anything the setter wants its receivers to see.
public typealias NodeContext = any Sendable

/// The context of a value, in a box, so that having none costs nothing.
@usableFromInline final class ContextBox: Sendable {
    let value: NodeContext?
    /// The pulse that the value is of.
    let pulse: Pulse?
    /// Whether an edge that is called apart from its source's delivery brings the pulse's value: see PulseTrace.swift.
    let isOfReplay: Bool

    init(_ value: NodeContext?, _ pulse: Pulse? = nil, isOfReplay: Bool = false) {
        self.value = value
        self.pulse = pulse
        self.isOfReplay = isOfReplay
    }
    @usableFromInline static func box(_ context: NodeContext?) -> ContextBox? { context.map { ContextBox($0) } }
}
