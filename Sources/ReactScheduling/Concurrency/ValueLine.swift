import ReactCore
import Synchronization

/// Where values wait for the loop of one iterator, and the loop for values.
///
///                        a value's set is over
///         suspended ──────────────────────────▶ elsewhere
///             ▲                                     │
///             └─────────────────────────────────────┘        either, at its end ──▶ ended
///                        asks, and nothing is ready
///
/// A value joins the line when the node delivers it, in the middle of a set or a batch. It is ready once that is over: so
/// whatever is derived from the value is up to date when the loop sees it. Values leave in order; where the first one is not
/// ready, the loop waits, even if others are. While the loop is elsewhere nobody is told of anything: when it comes, it looks.
///
/// Invariants:
/// - While the loop is suspended, the first value's set is not over, or its thread, or one that is in `goOn`, is about to look
///   at the line. `tellers` are the sets whose threads will, and some that are over.
/// - An ended line is empty, and stays so.
/// - Under the lock, no value is let go of and nothing is resumed: both may run user code.
///
/// What runs for each value is inlinable, so that it is compiled for the type: generic code would spend its time on looking that up.
@usableFromInline final class ValueLine<Value: Sendable>: Sendable {
    /// A value in line, and the set that brought it.
    @usableFromInline struct Place: Sendable {
        @usableFromInline let value: Value
        @usableFromInline let set: OutermostSet

        @inlinable init(_ value: Value, from set: OutermostSet) {
            self.value = value
            self.set = set
        }
    }
    @usableFromInline enum Loop: Sendable {
        case elsewhere
        case suspended(UnsafeContinuation<Value?, Never>)
        case ended
    }
    @usableFromInline struct State: Sendable {
        @usableFromInline let buffering: NodeBuffering
        @usableFromInline var loop = Loop.elsewhere
        @usableFromInline var places = Queue<Place>()
        @usableFromInline var tellers: [OutermostSet] = []
        /// Whether a value was ever put in line.
        @usableFromInline var isUsed = false

        @usableFromInline init(_ buffering: NodeBuffering) { self.buffering = buffering }
    }
    /// What a loop finds that asks.
    @usableFromInline enum Answer {
        case value(Value)
        case nothingYet
        case ended
    }
    /// What is to be done for a suspended loop.
    @usableFromInline enum Step {
        case none
        case resume(UnsafeContinuation<Value?, Never>, Value)
        case wait(OutermostSet)
    }
    @usableFromInline let state: Lock<State>

    @usableFromInline init(_ buffering: NodeBuffering) { state = Lock(State(buffering)) }

    /// Takes a value from a delivery; `waiter` tells this line when a set is over.
    @inlinable func receive(_ value: Value, telling waiter: OutermostSet.Waiter) {
        let set = OutermostSet.current
        let (dropped, isAwaited) = state.withLock { $0.add(value, from: set) }
        if isAwaited { goOn(telling: waiter) }
        withExtendedLifetime(dropped) {}
    }
    /// Whether no value has come yet that was kept, and one would be.
    var isUnused: Bool { state.withLock { !$0.isUsed && !$0.isFull } }

    /// Resumes the loop, if it is suspended and the first value is ready; or has this told again when that may be.
    @inlinable func goOn(telling waiter: OutermostSet.Waiter) {
        while true {
            switch state.withLock({ $0.step() }) {
            case .none: return
            case .resume(let continuation, let value): return continuation.resume(returning: value)
            case .wait(let set): if set.whenOver(waiter) { return }
            }
        }
    }

    /// Takes the first value, if it is ready.
    @inlinable func take() -> Answer {
        state.withLock { state in
            if case .ended = state.loop { return .ended }
            return state.takeIfReady().map(Answer.value) ?? .nothingYet
        }
    }
    /// Suspends the loop until there is a value, or the end.
    @inlinable func wait(_ continuation: UnsafeContinuation<Value?, Never>, telling waiter: OutermostSet.Waiter) {
        let isOver = state.withLock { state in
            switch state.loop {
            case .ended: return true
            case .suspended: refuseSecondLoop()
            case .elsewhere:
                state.loop = .suspended(continuation)
                return false
            }
        }
        if isOver { continuation.resume(returning: nil) } else { goOn(telling: waiter) }
    }
    @usableFromInline func refuseSecondLoop() -> Never {
        misuse(
            "next() is called while another next() of the same iterator waits: an iterator serves one loop; make one for each"
        )
    }
    /// Lets go of all values, and ends the loop where it waits.
    @usableFromInline func end() {
        let (continuation, places) = state.withLock { state in
            let ended = (state.continuation, state.places)
            state.loop = .ended
            state.places = Queue()
            state.tellers = []
            return ended
        }
        continuation?.resume(returning: nil)
        withExtendedLifetime(places) {}
    }
}

extension ValueLine.State {
    /// Adds a value, unless it is to be dropped. Answers what was dropped, and whether a loop is suspended.
    @inlinable mutating func add(_ value: Value, from set: OutermostSet) -> (dropped: Value?, isAwaited: Bool) {
        if isFull { return (value, false) }
        var dropped: Value?
        if case .newest(let limit) = buffering, places.count == limit { dropped = places.popFirst()?.value }
        places.append(ValueLine.Place(value, from: set))
        isUsed = true
        return (dropped, continuation != nil)
    }
    /// Whether the next value is dropped. The one that the loop waits for does not count.
    @inlinable var isFull: Bool {
        switch loop {
        case .ended: return true
        case .elsewhere:
            if case .oldest(let limit) = buffering { return places.count >= limit }
        case .suspended:
            if case .oldest(let limit) = buffering { return places.count > limit }
        }
        return false
    }
    @inlinable var continuation: UnsafeContinuation<Value?, Never>? {
        if case .suspended(let continuation) = loop { continuation } else { nil }
    }
    @inlinable mutating func takeIfReady() -> Value? {
        guard let first = places.first, first.set.isOver else { return nil }
        return places.popFirst()?.value
    }
    @inlinable mutating func step() -> ValueLine.Step {
        guard let continuation, let set = places.first?.set else { return .none }
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
