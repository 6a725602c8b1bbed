import ReactCore

/// A scheduler whose clock moves only when told to, for tests that take no real time.
///
///     let scheduler = VirtualScheduler()
///     let search = MutableNode("")
///     let query = search.debounce(.milliseconds(300), on: scheduler)
///     search.value = "gra"
///     search.value = "graph"
///     scheduler.advance(by: .milliseconds(299))
///     print(query.value ?? "-")                   // -
///     scheduler.advance(by: .milliseconds(1))
///     print(query.value ?? "-")                   // graph
///
/// **Order.** Due work runs in the order of its times. Work that is due at one time runs in the order in which it was
/// scheduled.
///
/// **Re-entrancy.** Work may schedule more work, cancel work, and move the clock itself. The clock never goes back.
///
/// **Threads.** Everything may be called from any thread. Work runs on the thread that moves the clock. If two threads
/// move it at once, each piece of work still runs once, on one of the two. The two do not wait for each other.
///
/// **Memory.** Work that has run or was cancelled is released at once. All other work is released with the scheduler.
/// Work that captures the scheduler keeps it alive until the work has run.
public final class VirtualScheduler: SchedulerOfNoThread {
    private struct State {
        var now = Duration.zero
        var agenda = Agenda()
    }
    private let state = Lock(State())

    /// Makes a scheduler whose clock stands at zero.
    public init() {}

    /// The time since the start.
    public var now: Duration { state.withLock { $0.now } }

    /// The virtual time, for operators that ask for a clock. Equal to `now`.
    public var clockReading: Duration? { now }

    /// The number of pieces of work that wait. Zero when no timer is left.
    public var pendingCount: Int { state.withLock { $0.agenda.count } }

    /// Puts `work` behind the work that is due now. It runs when the clock is next moved, even by zero.
    ///
    /// - Complexity: O(log n) in the number of pieces of work that wait.
    public func schedule(_ work: @escaping @Sendable () -> Void) {
        state.withLock { _ = $0.agenda.add(work, at: $0.now) }
    }

    /// Runs `work` when the clock has moved by `interval`. Zero or less means now.
    ///
    /// - Complexity: O(log n) in the number of pieces of work that wait. Cancelling is O(1) amortised.
    @discardableResult
    public func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        timer(state.withLock { $0.agenda.add(work, at: $0.now.adding(max(interval, .zero))) })
    }

    /// Runs `work` when the clock has come to `due`. Returns an object that cancels that, or `nil` if the time has come
    /// already.
    func schedule(at due: Duration, _ work: @escaping @Sendable () -> Void) -> (any Cancelable)? {
        state.withLock { due > $0.now ? $0.agenda.add(work, at: due) : nil }.map(timer)
    }
    private func timer(_ number: UInt64) -> any Cancelable {
        BlockCancelable { [weak self] in
            // The work and the objects that it holds are released without the lock.
            let work = self?.state.withLock { $0.agenda.remove(number) }
            withExtendedLifetime(work) {}
        }
    }

    /// Moves the clock, and runs all due work on this thread, in order, including the work that this schedules.
    ///
    /// While a piece of work runs, `now` is the time for which it was scheduled.
    ///
    /// - Parameters:
    ///   - interval: The time by which to move the clock. Zero runs the work that is due already. The clock stops at
    ///     the longest `Duration`.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Precondition: `interval` is not negative.
    public func advance(by interval: Duration = .zero, file: StaticString = #fileID, line: UInt = #line) {
        require(
            interval >= .zero,
            "VirtualScheduler.advance(by:): the clock cannot go back, and \(interval) is negative. Pass zero or more.",
            file: file, line: line
        )
        let end = now.adding(interval)
        while let work = nextWork(dueBy: end) { work() }
        state.withLock { $0.now = max($0.now, end) }
    }

    /// Runs until nothing is left, and leaves the clock at the time of the last work.
    ///
    /// If work always schedules more work, as a node of `ticks` does, nothing ends that. Use `advance(by:)` instead.
    ///
    /// - Parameters:
    ///   - most: The number of pieces of work that may run. Pass more if a test needs more.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Precondition: nothing is left when `most` pieces of work have run.
    public func run(atMost most: Int = 1_000_000, file: StaticString = #fileID, line: UInt = #line) {
        var count = 0
        while let work = nextWork(dueBy: nil) {
            require(
                count < most,
                "VirtualScheduler.run(): \(most) pieces of work have run, up to the time \(now), and more are due. Work that "
                    + "always schedules more, such as a node of `ticks`, never ends: call advance(by:), or let go of it. "
                    + "If it does end, pass a greater number by run(atMost:).",
                file: file, line: line)
            count += 1
            work()
        }
    }

    private func nextWork(dueBy end: Duration?) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let (due, work) = state.agenda.removeFirst(dueBy: end) else { return nil }
            state.now = max(state.now, due)
            return work
        }
    }
}

/// Work, ordered by the time at which it is due, and then by the order in which it was added.
///
/// - `moments` is a heap: see `Heap`.
/// - Every number in `works` is in `moments` once. A number that is only in `moments` was cancelled. It is skipped when
///   it comes up. When such numbers make up more than half, they are removed.
private struct Agenda {
    private struct Moment {
        let due: Duration
        let number: UInt64

        static func < (lhs: Moment, rhs: Moment) -> Bool { (lhs.due, lhs.number) < (rhs.due, rhs.number) }
    }
    private var moments: [Moment] = []
    private var works: [UInt64: @Sendable () -> Void] = [:]
    private var nextNumber: UInt64 = 0

    var count: Int { works.count }

    /// Adds `work` and returns the number by which to remove it.
    mutating func add(_ work: @escaping @Sendable () -> Void, at due: Duration) -> UInt64 {
        let number = nextNumber
        nextNumber += 1
        works[number] = work
        moments.append(Moment(due: due, number: number))
        Heap.insertLast(of: &moments, count: moments.count) { $0 < $1 }
        return number
    }

    mutating func remove(_ number: UInt64) -> (@Sendable () -> Void)? {
        let work = works.removeValue(forKey: number)
        if moments.count > 2 * works.count + 16 {
            moments.removeAll { works[$0.number] == nil }
            // A sorted array is a heap.
            moments.sort(by: <)
        }
        return work
    }

    /// Takes out the first piece of work, unless it is due only after `end`.
    mutating func removeFirst(dueBy end: Duration?) -> (due: Duration, work: @Sendable () -> Void)? {
        while let first = moments.first {
            if let end, first.due > end { return nil }
            Heap.removeFirst(of: &moments, count: moments.count) { $0 < $1 }
            moments.removeLast()
            if let work = works.removeValue(forKey: first.number) { return (first.due, work) }
        }
        return nil
    }
}
