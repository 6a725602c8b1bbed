import ReactCore

/// An operator's state, which one value at a time borrows, and changes in place.
///
/// Unchecked, because it has a subclass for each type of state. Only the value that borrows the state uses it.
@usableFromInline class LentState: @unchecked Sendable {
    /// The calls of the operator's closures since the state was lent.
    @exclusivity(unchecked) @usableFromInline final var calls = 0
    @inlinable init() {}
}
/// A state with its type.
///
/// Unchecked, as its base is.
@usableFromInline final class StateBox<State: Sendable>: LentState, @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var state: State
    @inlinable init(_ state: State) { self.state = state }
}

/// The state of an operator from one value to the next. One value at a time borrows it.
///
/// Invariants:
/// - The state belongs to the connections by which its values came. A value that comes by another connection finds no
///   state.
/// - The value that borrows the state has it alone, so collections in it change in place.
/// - A value whose connection ends while it is being worked on leaves nothing behind.
/// - A state that is replaced is released after the step that replaces it, because that may run user code.
///
/// The type of the state stands in `StateBox`, so this class is compiled once, and not for each operator of a client.
///
/// Unchecked, because only the owner of the region uses its fields.
@usableFromInline final class Remembered: OperatorState, @unchecked Sendable {
    @exclusivity(unchecked) private var state: LentState?
    /// If the operator has two inputs, the connections of their edges by which the state's values came.
    @exclusivity(unchecked) private var inputs: [Connection] = []
    /// The states of connections that have ended.
    private let ended = Lock<[LentState]>([])
    /// True if the operator follows a pair of nodes.
    private let isOfPair: Bool
    private let hasClosures: Bool
    private let calls = Lock(0)
    @usableFromInline let wanted: String?

    /// `wanted` describes the only values that the operator passes on, as the end of a sentence.
    @usableFromInline init(_ wanted: StaticString, ofPair isOfPair: Bool = false, hasClosures: Bool = true) {
        self.isOfPair = isOfPair
        self.wanted = wanted.description
        self.hasClosures = hasClosures
    }
    @usableFromInline var callCount: Int? { hasClosures ? calls.withLock { $0 } : nil }

    /// Lends the state. Returns `nil` for the first value of a connection.
    @usableFromInline func lend(to delivery: ErasedEdgeCall) -> LentState? {
        let inputs = inputs(of: delivery)
        return EdgeCall<Never, Never>(delivery).whileCurrent { self.inputs == inputs ? state.take() : nil } ?? nil
    }
    /// Takes the state back, unless its connection has ended. Returns false if it has.
    @usableFromInline @discardableResult func takeBack(_ lent: LentState, from delivery: ErasedEdgeCall) -> Bool {
        if lent.calls > 0 { calls.withLock { $0 += lent.calls } }
        lent.calls = 0
        var (other, otherInputs): (LentState?, [Connection]) = (lent, inputs(of: delivery))
        let isCurrent: Void? = EdgeCall<Never, Never>(delivery).whileCurrent {
            swap(&state, &other)
            swap(&inputs, &otherInputs)
        }
        withExtendedLifetime((other, otherInputs)) {}
        return isCurrent != nil
    }
    private func inputs(of delivery: ErasedEdgeCall) -> [Connection] {
        guard isOfPair else { return [] }
        return delivery.edge.takeUnretainedValue().source?.upstreamTransforms.map(\.connection) ?? []
    }
    @usableFromInline func willDisconnect() {
        guard let old = state.take() else { return }
        ended.withLock { $0.append(old) }
    }
    @usableFromInline func discard(_ connection: Connection) {
        let old = ended.withLock { exchange(&$0, with: []) }
        withExtendedLifetime(old) {}
    }
}
