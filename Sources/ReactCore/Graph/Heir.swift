import Synchronization

/// A thread that waits for the turn of a vertex: see `HandingOn`.
///
///     waits ──the turn is offered──▶ isCalled ──it is awake──▶ comes ──▶ hasTurn
///       └─────────────────────────────────┴──────────────────────┴─────▶ isOut
final class Heir: Sendable {
    enum State: UInt8, AtomicRepresentable {
        case waits, isCalled, comes, hasTurn
        /// It has withdrawn, or nothing is left to be delivered.
        case isOut

        var isOver: Bool { self == .hasTurn || self == .isOut }
    }
    private let known: Atomic<State>

    init(_ state: State) { known = Atomic(state) }

    var state: State { known.load(ordering: .acquiring) }
    /// The lock of the vertex is held.
    func become(_ state: State) { known.store(state, ordering: .releasing) }
}
