import ReactCore
import ReactScheduling

/// Plays trades into a node, each at its time, on the clock of any scheduler. One timer is pending at a time.
final class Replay: Sendable {
    private let trades: [Trade]
    private let node: MutableNode<Trade>
    private let scheduler: any Scheduler
    private let start: Duration

    /// - Precondition: `scheduler` has a clock to read, and `trades` is not empty.
    init(_ trades: [Trade], into node: MutableNode<Trade>, on scheduler: any Scheduler) {
        guard let start = scheduler.clockReading else { preconditionFailure("Replay needs a scheduler with a clock.") }
        self.trades = trades
        self.node = node
        self.scheduler = scheduler
        self.start = start
    }

    /// Plays the first trade now, and the others at their times. The scheduled work keeps the replay alive.
    func begin() {
        play(0)
    }

    private func play(_ index: Int) {
        guard index < trades.count, let reading = scheduler.clockReading else { return }
        // Measures from the start each time, so that one slow trade does not delay all later ones.
        let due = trades[index].time - trades[0].time
        scheduler.schedule(after: due - (reading - start)) { [self] in
            node.value = trades[index]
            play(index + 1)
        }
    }
}

/// A scheduler whose clock runs faster or slower than the clock of `base`.
struct Speed<Base: Scheduler>: Scheduler {
    let factor: Double
    let base: Base

    var clockReading: Duration? { base.clockReading.map { $0 * factor } }

    func schedule(_ work: @escaping @Sendable () -> Void) {
        base.schedule(work)
    }

    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        base.schedule(after: interval / factor, work)
    }
}
