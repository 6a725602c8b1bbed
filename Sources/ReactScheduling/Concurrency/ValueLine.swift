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
/// A value joins the line when the node delivers it, in the middle of a set or a batch. It is ready once that is over, which
/// its thread tells: so whatever is derived from the value is up to date when the loop sees it. Values leave in order; where
/// the first one is not ready, the loop waits, even if others are.
///
/// Invariants:
/// - `openSets` has each thread once whose set has brought a value here and is not over, and that thread will tell.
/// - While the loop is suspended, the first value is not ready.
/// - An ended line is empty, and stays so.
/// - Under the lock, no value is let go of and nothing is resumed: both may run user code.
///
/// What runs for each value is inlinable, so that it is compiled for the type: generic code would spend its time on looking that up.
@usableFromInline final class ValueLine<Value: Sendable>: Sendable {
    /// A value in line, with the number of the set that brought it.
    @usableFromInline struct Place: Sendable {
        @usableFromInline let value: Value
        @usableFromInline let set: UInt64

        @inlinable init(_ value: Value, from set: UInt64) {
            self.value = value
            self.set = set
        }
    }
    @usableFromInline enum Loop: Sendable {
        case elsewhere
        case suspended(UnsafeContinuation<Value?, Never>)
        case ended
    }
    @usableFromInline struct OpenSet: Sendable {
        @usableFromInline let thread: OutermostSet.Thread
        @usableFromInline let number: UInt64

        @inlinable init(on thread: OutermostSet.Thread, number: UInt64) {
            self.thread = thread
            self.number = number
        }
    }
    @usableFromInline struct State: Sendable {
        @usableFromInline let buffering: NodeBuffering
        @usableFromInline var loop = Loop.elsewhere
        @usableFromInline var places = Queue<Place>()
        @usableFromInline var openSets: [OpenSet] = []
        @usableFromInline var setCount: UInt64 = 0

        @usableFromInline init(_ buffering: NodeBuffering) { self.buffering = buffering }
    }
    /// What a loop finds that asks.
    @usableFromInline enum Answer {
        case value(Value)
        case nothingYet
        case ended
    }
    @usableFromInline let state: Lock<State>

    @usableFromInline init(_ buffering: NodeBuffering) { state = Lock(State(buffering)) }

    /// Takes a value from a delivery; `waiter` tells this line when a set is over.
    @inlinable func receive(_ value: Value, telling waiter: OutermostSet.Waiter) {
        let set = OutermostSet.current
        let (isFirst, dropped) = state.withLock { $0.add(value, from: set.thread) }
        if isFirst { set.whenOver(waiter) }
        withExtendedLifetime(dropped) {}
    }
    /// Whether no value has come yet that was kept, and one would be.
    var isUnused: Bool { state.withLock { $0.setCount == 0 && !$0.isFull } }

    /// Told by `waiter`.
    @inlinable func setIsOver(on thread: OutermostSet.Thread) {
        let resumed = state.withLock { state in
            state.close(thread)
            return state.resumeIfReady()
        }
        if let (continuation, value) = resumed { continuation.resume(returning: value) }
    }

    /// Takes the first value, if it is ready.
    @inlinable func take() -> Answer {
        state.withLock { state in
            if case .ended = state.loop { return .ended }
            return state.takeIfReady().map(Answer.value) ?? .nothingYet
        }
    }
    /// Suspends the loop until there is a value, or the end.
    @inlinable func wait(_ continuation: UnsafeContinuation<Value?, Never>) {
        let answer: Answer = state.withLock { state in
            switch state.loop {
            case .ended: return .ended
            case .suspended:
                refuseSecondLoop()
            case .elsewhere:
                if let value = state.takeIfReady() { return .value(value) }
                state.loop = .suspended(continuation)
                return .nothingYet
            }
        }
        switch answer {
        case .value(let value): continuation.resume(returning: value)
        case .ended: continuation.resume(returning: nil)
        case .nothingYet: break
        }
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
            state.openSets = []
            return ended
        }
        continuation?.resume(returning: nil)
        withExtendedLifetime(places) {}
    }
}

extension ValueLine.State {
    /// Adds a value, unless it is to be dropped. Answers whether it is the first of its set, and what was dropped.
    @inlinable mutating func add(_ value: Value, from thread: OutermostSet.Thread) -> (isFirst: Bool, dropped: Value?) {
        if isFull { return (false, value) }
        var dropped: Value?
        if case .newest(let limit) = buffering, places.count == limit { dropped = places.popFirst()?.value }
        if let set = openSets.last(where: { $0.thread == thread }) {
            places.append(ValueLine.Place(value, from: set.number))
            return (false, dropped)
        }
        setCount += 1
        openSets.append(ValueLine.OpenSet(on: thread, number: setCount))
        places.append(ValueLine.Place(value, from: setCount))
        return (true, dropped)
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
    @inlinable mutating func close(_ thread: OutermostSet.Thread) {
        if let index = openSets.lastIndex(where: { $0.thread == thread }) { openSets.remove(at: index) }
    }
    @inlinable mutating func takeIfReady() -> Value? {
        guard let first = places.first, !openSets.contains(where: { $0.number == first.set }) else { return nil }
        return places.popFirst()?.value
    }
    @inlinable mutating func resumeIfReady() -> (UnsafeContinuation<Value?, Never>, Value)? {
        guard let continuation, let value = takeIfReady() else { return nil }
        loop = .elsewhere
        return (continuation, value)
    }
}
