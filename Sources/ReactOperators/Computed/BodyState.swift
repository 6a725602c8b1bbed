/// The state of a body between its calls and during one, and its transitions.
///
///                    begin                             end
///     resting ─────────────────────▶ calling ─────────────────────▶ resting
///        ▲                              │ arrive, giveUp, lose         ▲
///        │ arrive                       ▼             end              │
///     givenUp ◀────────────────────── void ────────────────────────────┘
///
/// The transitions are pure: each changes the state, and returns the work that is to be done. `ComputedCore` does
/// that work.
///
/// `mustCall` is true if the body has to be called when its join fires next, even if all inputs hold equal values.
@usableFromInline package enum BodyState: Hashable, Sendable {
    /// No call is under way.
    case resting(mustCall: Bool)
    /// No call is under way. The last one was given up when it had read this many inputs, and no value has arrived
    /// since. The body has to be called when its join fires next.
    case givenUp(read: Int32)
    /// A call is under way. `mustCall` is true if somebody has required a call since this one began.
    case calling(mustCall: Bool)
    /// A call is under way, and its result will be dropped.
    case void(Reason, mustCall: Bool)

    /// The reason for which the result of a call is dropped.
    @usableFromInline package enum Reason: Hashable, Sendable {
        /// An edge that the call has read was cut. The join does not fire again for that.
        case cut
        /// A node that the call has read cannot be connected yet, because its graph is busy. The call is repeated when
        /// the node has been connected.
        case unlinked
        /// The call could not go on. It is repeated.
        case givenUp
        /// An input has changed while values were compared. It is repeated.
        case outdated
    }

    // MARK: Properties

    /// True if a call is under way that may read.
    @inlinable @inline(__always) package var isOpen: Bool { if case .calling = self { true } else { false } }
    /// True if a call is under way.
    package var isInCall: Bool { if case .void = self { true } else { isOpen } }
    /// True if no call is under way, and none was given up.
    @inlinable @inline(__always) package var isResting: Bool { if case .resting = self { true } else { false } }
    /// True if the call under way will be repeated, at once or later.
    package var isRepeated: Bool { if case .void(let reason, _) = self { reason != .cut } else { false } }
    /// The number of inputs that are certain to be read again by the next call.
    package var confirmed: Int32 { if case .givenUp(let read) = self { read } else { 0 } }

    // MARK: Transitions

    /// Begins a call. Returns true if the body is called even if all inputs hold equal values.
    package mutating func begin() -> Bool {
        let mustCall = self != .resting(mustCall: false)
        self = .calling(mustCall: false)
        return mustCall
    }
    package enum Skip { case isSkipped, isRepeated, mustCall }
    /// Ends a call before the body is called, because all inputs hold equal values. Does not end it if the body must be
    /// called all the same. If an input has changed meanwhile, the call has to be repeated.
    package mutating func skip() -> Skip {
        switch self {
        case .calling(mustCall: true):
            self = .calling(mustCall: false)
            return .mustCall
        case .void(.outdated, _), .void(.givenUp, _):
            self = .resting(mustCall: true)
            return .isRepeated
        case .resting, .givenUp, .calling, .void(.cut, _), .void(.unlinked, _):
            self = .resting(mustCall: false)
            return .isSkipped
        }
    }
    /// Notes that a value has arrived. A call is void from then on, unless its own thread brings the value: that leads
    /// to another call, and leaves this one valid.
    package mutating func arrive(byCaller isByCaller: Bool) {
        switch self {
        case .resting: break
        case .givenUp: self = .resting(mustCall: true)
        case .calling(let mustCall): if !isByCaller { self = .void(.outdated, mustCall: mustCall) }
        case .void(_, let mustCall): if !isByCaller { self = .void(.outdated, mustCall: mustCall) }
        }
    }
    /// Notes that the next call must take place, even if all inputs hold equal values.
    package mutating func requireCall() {
        switch self {
        case .resting: self = .resting(mustCall: true)
        case .givenUp: break
        case .calling: self = .calling(mustCall: true)
        case .void(let reason, _): self = .void(reason, mustCall: true)
        }
    }
    /// Notes that the call under way cannot go on.
    package mutating func giveUp() {
        switch self {
        case .calling(let mustCall), .void(.cut, let mustCall): self = .void(.givenUp, mustCall: mustCall)
        case .resting, .givenUp, .void: break
        }
    }
    /// Notes that the call under way has read a node that cannot be connected yet.
    package mutating func awaitLink() {
        if case .calling(let mustCall) = self { self = .void(.unlinked, mustCall: mustCall) }
    }
    /// Notes that an input has gone. `wasRead` is true if the call under way has read it.
    package mutating func lose(wasRead: Bool) {
        if wasRead, case .calling(let mustCall) = self { self = .void(.cut, mustCall: mustCall) }
    }
    /// Ends a call that has read `read` inputs. Returns true if it has to be repeated at once.
    package mutating func end(read: Int32) -> Bool {
        switch self {
        case .calling(let mustCall), .void(.cut, let mustCall), .void(.unlinked, let mustCall):
            self = .resting(mustCall: mustCall)
            return false
        case .void(.givenUp, _): self = .givenUp(read: read)
        case .resting, .givenUp, .void(.outdated, _): self = .resting(mustCall: true)
        }
        return true
    }
}
