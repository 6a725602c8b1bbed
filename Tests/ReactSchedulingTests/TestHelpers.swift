import Dispatch
import ReactCore
import ReactScheduling
import Synchronization

/// Entries in the order in which they were added, from any thread.
final class Log<Entry: Sendable>: Sendable {
    private let state = Lock<[Entry]>([])

    var entries: [Entry] { state.withLock { $0 } }
    func add(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

/// A variable that any thread may use.
final class Box<Value: Sendable>: Sendable {
    private let state: Lock<Value?>

    init(_ value: Value? = nil) { state = Lock(value) }

    var value: Value? {
        get { state.withLock { $0 } }
        set { _ = exchange(newValue) }
    }
    /// Sets it, and hands over what it held.
    func exchange(_ new: Value?) -> Value? {
        state.withLock { value in
            let old = value
            value = new
            return old
        }
    }
}

/// A number that any thread may raise.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func increment() { count.add(1, ordering: .sequentiallyConsistent) }
}

/// An object to watch the lifetime of.
final class Payload: Sendable {}

/// What a user may write: the two methods that are required, and no clock to read.
struct PlainScheduler<Base: Scheduler>: Scheduler {
    let base: Base

    func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        base.schedule(after: interval, work)
    }
}

/// A scheduler that runs everything before it returns, on the thread that asks.
struct InlineScheduler: Scheduler {
    func schedule(_ work: @escaping @Sendable () -> Void) { work() }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        work()
        return BlockCancelable {}
    }
}

/// Passes work on, and counts the timers: how many were made, and how many are pending.
final class CountingScheduler: Scheduler {
    private struct Counts {
        var made = 0
        var pending = 0
        var mostPending = 0
    }
    private let base: any Scheduler
    private let counts = Lock(Counts())

    init(_ base: some Scheduler) { self.base = base }

    var timersMade: Int { counts.withLock { $0.made } }
    var timersPending: Int { counts.withLock { $0.pending } }
    var mostTimersPending: Int { counts.withLock { $0.mostPending } }
    var clockReading: Duration? { base.clockReading }

    func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        counts.withLock { counts in
            counts.made += 1
            counts.pending += 1
            counts.mostPending = max(counts.mostPending, counts.pending)
        }
        // Either the work runs or it is cancelled; the first of the two counts.
        let ended = BlockCancelable { [self] in counts.withLock { $0.pending -= 1 } }
        let timer = base.schedule(after: interval) {
            ended.cancel()
            work()
        }
        return BlockCancelable {
            ended.cancel()
            timer.cancel()
        }
    }
}

extension DispatchSemaphore {
    /// Waits for as many signals, a quarter of an hour for each at most: only a test that fails waits so long.
    func waitForSignals(_ count: Int = 1) -> Bool {
        (0..<count).allSatisfy { _ in wait(timeout: .now() + 900) == .success }
    }
}
