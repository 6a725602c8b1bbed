/// A user-defined value that travels beside a node's value to every receiver.
public typealias NodeContext = any Sendable

/// The context of a value, in a box, so that a value without context costs nothing.
@usableFromInline final class ContextBox: Sendable {
    let value: NodeContext?
    /// The pulse that delivers the value, if one does.
    let pulse: Pulse?
    /// True if the edge is called outside of its source's delivery, and brings the pulse's value; see PulseTrace.swift.
    let isOfReplay: Bool

    init(_ value: NodeContext?, _ pulse: Pulse? = nil, isOfReplay: Bool = false) {
        self.value = value
        self.pulse = pulse
        self.isOfReplay = isOfReplay
    }
    @usableFromInline static func box(_ context: NodeContext?) -> ContextBox? { context.map { ContextBox($0) } }
}
