import Foundation

/// A place that threads pass together, time and again: each waits there until all have come.
public final class Gate: Sendable {
    private struct State {
        var missing: Int
        var round = 0
    }
    private let count: Int
    private let state: Locked<State>

    public init(_ count: Int) {
        self.count = count
        state = Locked(State(missing: count))
    }

    public func pass() {
        let round = state.withLock { state in
            let round = state.round
            state.missing -= 1
            if state.missing == 0 { state = State(missing: count, round: round + 1) }
            return round
        }
        while state.withLock({ $0.round == round }) { sched_yield() }
    }
}
