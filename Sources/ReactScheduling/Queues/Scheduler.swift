import ReactCore

/// A place and a clock for work.
///
/// Two methods make a scheduler of any type:
///
///     struct Inline: Scheduler {
///         func schedule(_ work: @escaping @Sendable () -> Void) { work() }
///         func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
///             DispatchQueue.main.schedule(after: interval, work)
///         }
///     }
///
/// **Order.** Work that is scheduled for one moment runs in the order in which it was scheduled. On a concurrent queue
/// it starts in that order. The operators of this module keep their order even on a scheduler that breaks this promise.
///
/// **Threads.** Both methods are called from any thread. No lock of this library is held meanwhile, so a scheduler may
/// run the work before it returns.
///
/// **Memory.** A scheduler releases work once it has run. If it releases cancelled work at once, `debounce` has at most
/// one pending piece of work, however many values come.
public protocol Scheduler: Sendable {
    /// Runs `work` as soon as possible, after all work that was scheduled before it.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Runs `work` once, when `interval` has passed, unless it is cancelled before.
    ///
    /// An interval of zero or less has passed already. Dropping the result cancels nothing.
    @discardableResult
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable

    /// The time on the scheduler's own clock, counted from any fixed moment. `nil`, the default, if it has none.
    ///
    /// This is the clock that `schedule(after:_:)` measures by, and it never runs backwards. With it, `debounce` keeps
    /// one timer for a whole burst of values. Without it, `debounce` cancels its timer and makes a new one for each
    /// value.
    var clockReading: Duration? { get }
}

extension Scheduler {
    /// Returns `nil`: a scheduler need not have a clock to read.
    public var clockReading: Duration? { nil }
}

/// A scheduler whose work belongs to no thread. A value that waits for a busy graph leaves on a thread of the library.
protocol SchedulerOfNoThread: Scheduler {}

extension Scheduler {
    /// Runs work that a busy graph has held up; `nil` if a thread of the library does.
    var again: (@Sendable (_ work: @escaping @Sendable () -> Void) -> Void)? {
        self is any SchedulerOfNoThread ? nil : schedule
    }
}
