import ReactCore
import Synchronization

/// The line in which values wait for the loop of one iterator, and the loop for values.
///
///                        a value's set is over
///         suspended ──────────────────────────▶ elsewhere
///             ▲                                     │
///             └─────────────────────────────────────┘        either, at its end ──▶ ended
///                        asks, and nothing is ready
///
/// A value joins the line when the node delivers it, in the middle of a set or a batch. It is ready once that set is
/// over. Everything derived from it is then current when the loop sees it, except for combinations that wait for
/// another thread's batch. Values leave in order: if the first one is not ready, the loop waits, even if others are.
/// While the loop is elsewhere, nobody notifies it; it looks when it returns.
///
/// Invariants:
/// - While the loop is suspended, the first value's set is not over, or a thread is about to look at the line: the
///   thread of that set, or one in `goOn`. `tellers` are the sets whose threads will look, and some sets that are over.
/// - An ended line is empty, and stays empty.
/// - While `newest` is open, the loop is elsewhere, and nothing else waits.
/// - No value is released and no loop is resumed under the lock, because both may run user code.
///
/// The code that runs for each value is inlinable, so that it is compiled for the type. Generic code would spend its
/// time looking the type up.
@usableFromInline final class ValueLine<Value: Sendable>: Sendable {
    /// A value in line, and the transaction that brought it.
    @usableFromInline struct Place: Sendable {
        @usableFromInline let value: Value
        @usableFromInline let transaction: Transaction

        @inlinable init(_ value: Value, from transaction: Transaction) {
            self.value = value
            self.transaction = transaction
        }
    }
    @usableFromInline enum Loop: Sendable {
        case elsewhere
        case suspended(CheckedContinuation<Value?, Never>)
        case ended
    }
    @usableFromInline struct State: Sendable {
        @usableFromInline let buffering: NodeBuffering
        @usableFromInline let newest: NewestPlace<Place>
        @usableFromInline var loop = Loop.elsewhere
        @usableFromInline var places = Queue<Place>()
        @usableFromInline var tellers: [Transaction] = []
        /// The number of values that the line has dropped because it was full, besides those that `newest` counts.
        @usableFromInline var dropped = 0
    }
    /// The action for a suspended loop.
    @usableFromInline enum Step {
        case none
        case resume(CheckedContinuation<Value?, Never>, Value)
        case wait(Transaction)
    }
    @usableFromInline let newest: NewestPlace<Place>
    @usableFromInline let state: Lock<State>

    @usableFromInline init(_ buffering: NodeBuffering) {
        newest = NewestPlace(isOpen: buffering.keepsOne)
        state = Lock(State(buffering: buffering, newest: newest))
    }

    /// Takes a value from a delivery. Inlined into the closure that the edge calls with every value, also with values
    /// that nobody awaits.
    @inlinable @inline(__always) func receive(_ raw: ErasedEdgeCall) -> NextEdge {
        let delivery = EdgeCall<Value, Never>(raw)
        let new = Place(delivery.value, from: delivery.transaction)
        var place: Place? = new
        guard newest.exchange(&place) else { return add(new) }
        withExtendedLifetime(place) {}
        return .nothing
    }
    @inlinable @inline(never) func add(_ place: Place) -> NextEdge {
        let (dropped, isAwaited) = state.withLock { $0.add(place) }
        if isAwaited { goOn() }
        withExtendedLifetime(dropped) {}
        return .nothing
    }

    /// Resumes the loop if it is suspended and the first value is ready. If that value's set is not over, arranges for
    /// another call at its end.
    @inlinable func goOn() {
        while true {
            switch state.withLock({ $0.step() }) {
            case .none: return
            case .resume(let continuation, let value): return continuation.resume(returning: value)
            case .wait(let set): if set.whenOver({ self.goOn() }) { return }
            }
        }
    }

    /// Takes the first value. Returns `nil` if none is ready, and `.some(nil)` if the line has ended.
    @inlinable func take() -> Value?? {
        state.withLock { state -> Value?? in
            if case .ended = state.loop { return .some(nil) }
            state.closeNewest()
            return state.takeIfReady().map(Optional.some)
        }
    }
    /// Suspends the loop until there is a value, or until the line ends.
    @inlinable func wait(_ continuation: CheckedContinuation<Value?, Never>) {
        let isOver = state.withLock { state in
            switch state.loop {
            case .ended: return true
            case .suspended: refuseSecondLoop()
            case .elsewhere:
                state.loop = .suspended(continuation)
                return false
            }
        }
        if isOver { continuation.resume(returning: nil) } else { goOn() }
    }
    /// The number of values that the line has dropped because it was full.
    @usableFromInline var droppedCount: Int {
        state.withLock { state in
            state.closeNewest()
            return state.dropped + newest.replacedCount
        }
    }
    @usableFromInline func refuseSecondLoop() -> Never {
        misuse(
            "next() is called while another next() of the same iterator waits: an iterator serves one loop; make one for each"
        )
    }
    /// Releases all values, and ends a loop that waits.
    @usableFromInline func end() {
        let (continuation, places) = state.withLock { state in
            state.closeNewest()
            defer { (state.loop, state.places, state.tellers) = (.ended, Queue(), []) }
            return (state.continuation, state.places)
        }
        continuation?.resume(returning: nil)
        withExtendedLifetime(places) {}
    }
}

extension ValueLine.State {
    /// Adds a value, unless it is to be dropped. Returns the dropped value, and whether a loop is suspended.
    @inlinable mutating func add(_ place: ValueLine.Place) -> (dropped: ValueLine.Place?, isAwaited: Bool) {
        if isFull {
            if case .ended = loop {} else { dropped += 1 }
            return (place, false)
        }
        // The loop may have opened `newest` since the caller looked.
        var oldest: ValueLine.Place? = place
        if newest.exchange(&oldest) { return (oldest, false) }
        oldest = nil
        if case .newest(let limit) = buffering, places.count == limit {
            oldest = places.popFirst()
            dropped += 1
        }
        places.append(place)
        return (oldest, continuation != nil)
    }
    /// Makes the value in `newest`, and all later ones, wait in line.
    @inlinable mutating func closeNewest() {
        if let place = newest.close() { places.append(place) }
    }
    /// True if the next value is dropped. A value that the loop waits for does not count.
    @inlinable var isFull: Bool {
        if case .ended = loop { return true }
        guard case .oldest(let limit) = buffering else { return false }
        return continuation == nil ? places.count >= limit : places.count > limit
    }
    @inlinable var continuation: CheckedContinuation<Value?, Never>? {
        if case .suspended(let continuation) = loop { continuation } else { nil }
    }
    /// Takes the first value, if it is ready, for a loop that then goes elsewhere.
    @inlinable mutating func takeIfReady() -> Value? {
        guard let first = places.first, first.transaction.isOver else { return nil }
        let value = places.popFirst()?.value
        if buffering.keepsOne { newest.open() }
        return value
    }
    @inlinable mutating func step() -> ValueLine.Step {
        guard let continuation, let set = places.first?.transaction else { return .none }
        if let value = takeIfReady() {
            loop = .elsewhere
            return .resume(continuation, value)
        }
        if tellers.contains(set) { return .none }
        tellers.removeAll { $0.isOver }
        tellers.append(set)
        return .wait(set)
    }
}
