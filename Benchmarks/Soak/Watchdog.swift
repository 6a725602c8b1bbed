import Foundation
import ReactCore

/// Turns a hang into a failure: if a round takes longer than the limit, the process dies with the backtraces of all
/// its threads.
final class Watchdog: Sendable {
    private struct State {
        var round = "the start"
        var deadline: SuspendingClock.Instant
    }
    private let limit: Duration
    private let state: Lock<State>

    init(limit: Duration) {
        self.limit = limit
        state = Lock(State(deadline: .now + limit))
        Thread.detachNewThread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 0.5)
                let state = state.withLock { $0 }
                if SuspendingClock.now > state.deadline {
                    fatalError("\(state.round) has not come back for \(limit): a deadlock, or a loop without end")
                }
            }
        }
    }

    /// Starts the time limit of the next round.
    func expect(_ round: String) {
        state.withLock { $0 = State(round: round, deadline: .now + limit) }
    }

    /// The backtracer reads its settings when the process starts: sets them, and starts the process anew, unless
    /// somebody has set them already.
    static func enableBacktracesOfAllThreads() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        setenv("SWIFT_BACKTRACE", "enable=yes,preset=full,color=no,interactive=no", 1)
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        #if os(Linux)
        execv("/proc/self/exe", &arguments)
        #else
        execvp(CommandLine.arguments[0], &arguments)
        #endif
        // If the process cannot be started again, the platform's backtraces are used.
    }
}
