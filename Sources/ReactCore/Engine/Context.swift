/// A user-defined value that travels beside a node's value to every receiver.
public typealias NodeContext = any Sendable

/// The context of a pass.
enum PassContext {
    case none
    /// The setter's own. It stays in place until the set is over. A box takes three times the instructions of a set
    /// with a context and one listener.
    case borrowed(UnsafePointer<NodeContext?>)
    /// Retained by the pass.
    case boxed(Unmanaged<ContextBox>)

    /// The pulse that the pass delivers, if it delivers one.
    var pulse: TransientValue? {
        if case .boxed(let box) = self { box._withUnsafeGuaranteedRef { $0.pulse } } else { nil }
    }
    var value: NodeContext? {
        switch self {
        case .none: nil
        case .borrowed(let context): context.pointee
        case .boxed(let box): box._withUnsafeGuaranteedRef { $0.value }
        }
    }
    /// The context in a box, which is made if there is none yet.
    var box: ContextBox? {
        mutating get {
            if case .borrowed(let context) = self { self = .boxed(.passRetained(ContextBox(context.pointee))) }
            if case .boxed(let box) = self { return box.takeUnretainedValue() } else { return nil }
        }
    }
}

/// The context of a value, in a box, so that a value without context costs nothing.
@usableFromInline final class ContextBox: Sendable {
    let value: NodeContext?
    /// The pulse that delivers the value, if one does.
    let pulse: TransientValue?
    /// True if the edge is called outside of its source's delivery, and brings the pulse's value.
    let isOfInitialDelivery: Bool

    init(_ value: NodeContext?, _ pulse: TransientValue? = nil, isOfInitialDelivery: Bool = false) {
        self.value = value
        self.pulse = pulse
        self.isOfInitialDelivery = isOfInitialDelivery
    }
    @usableFromInline static func box(_ context: NodeContext?) -> ContextBox? { context.map { ContextBox($0) } }
}
