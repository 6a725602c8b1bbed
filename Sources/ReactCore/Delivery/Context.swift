/// What travels beside a value: anything the setter wants its receivers to see.
public typealias NodeContext = any Sendable

/// What travels beside a value, in a box, so that having nothing costs nothing.
///
/// Unchecked, because what changes does so only while nobody else holds the box.
@usableFromInline final class ContextBox: @unchecked Sendable {
    private let own: NodeContext?
    /// The pulse that the value is of.
    let pulse: Pulse?
    /// Whether an edge that is called apart from its source's delivery brings the pulse's value: see PulseReplay.swift.
    let isOfReplay: Bool
    /// Of a box that is used again: what it holds now, if it does.
    private let place: UnsafeMutablePointer<NodeContext>?
    @exclusivity(unchecked) private(set) var isFull = false

    /// One that is used again has a `place`, and holds nothing yet.
    init(
        _ value: NodeContext?, _ pulse: Pulse? = nil, isOfReplay: Bool = false,
        place: UnsafeMutablePointer<NodeContext>? = nil
    ) {
        own = value
        self.pulse = pulse
        self.isOfReplay = isOfReplay
        self.place = place
    }
    deinit {
        if isFull { place?.deinitialize(count: 1) }
        place?.deallocate()
    }
    @usableFromInline static func box(_ context: NodeContext?) -> ContextBox? { context.map { ContextBox($0) } }

    var value: NodeContext? { isFull ? place?.pointee : own }
    /// Precondition: the context is there.
    func fill(_ context: NodeContext?) {
        // It begins with what it wraps, as every optional does that is not `nil`; so it is copied once.
        withUnsafePointer(to: context) {
            let wrapped = UnsafeRawPointer($0).assumingMemoryBound(to: NodeContext.self)
            place.unsafelyUnwrapped.initialize(to: wrapped.pointee)
        }
        isFull = true
    }
    func empty() {
        isFull = false
        place.unsafelyUnwrapped.deinitialize(count: 1)
    }
}
