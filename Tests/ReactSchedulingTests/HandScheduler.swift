import Dispatch
import ReactCore
import ReactScheduling

/// A scheduler as the protocol allows it, whose work runs when the test says so, on the thread that says so.
///
/// Nothing is ever dropped: cancelling is without effect, so that a timer may fire late.
final class HandScheduler: Scheduler {
    private let works = Lock<[@Sendable () -> Void]>([])
    /// Called whenever an operator reads the clock.
    private let onReading = Box<@Sendable () -> Void>()
    /// What the next timer holds: it goes with that.
    private let wire = Box<Tripwire.Wire>()
    private let shown: Box<Duration>
    private let asked = Log<Duration>()

    /// `reading` is what its clock shows, until the test says otherwise.
    init(reading: Duration? = nil) { shown = Box(reading) }

    var reading: Duration? {
        get { shown.value }
        set { shown.value = newValue }
    }
    var clockReading: Duration? {
        onReading.take()?()
        return reading
    }
    /// After what intervals work was to run, in the order in which it was scheduled.
    var intervals: [Duration] { asked.entries }

    /// Calls `body` once, when an operator reads the clock next.
    func whenClockIsRead(_ body: @escaping @Sendable () -> Void) { onReading.value = body }

    /// Has the next timer hold `wire`: whoever lets go of that timer is held up.
    func giveNextTimer(_ wire: Tripwire.Wire) { self.wire.value = wire }

    func schedule(_ work: @escaping @Sendable () -> Void) { works.withLock { $0.append(work) } }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        asked.add(interval)
        schedule(work)
        return Timer(wire.take())
    }
    private final class Timer: Cancelable {
        private let wire: Tripwire.Wire?
        init(_ wire: Tripwire.Wire?) { self.wire = wire }
        func cancel() {}
    }

    /// Takes the work that was scheduled first.
    func take() -> @Sendable () -> Void { works.withLock { $0.removeFirst() } }
    /// Runs all that is scheduled, also by that.
    func runAll() {
        while let work = works.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
    }
}

/// Holds up whichever thread lets go of it, once: it stands for a thread that the system does not run for a moment.
final class Tripwire: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    /// What travels beside a value, and is let go with it.
    final class Wire: Sendable {
        private let tripwire: Tripwire
        fileprivate init(_ tripwire: Tripwire) { self.tripwire = tripwire }
        deinit {
            tripwire.reached.signal()
            _ = tripwire.released.waitForSignals()
        }
    }
    func makeWire() -> Wire { Wire(self) }

    /// Runs `work` on another thread until that lets go of the wire, then `meanwhile` here, then the rest of `work`.
    func hold(_ work: @escaping @Sendable () -> Void, meanwhile: () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue(label: "held up").async {
            work()
            done.signal()
        }
        guard reached.waitForSignals() else { return false }
        meanwhile()
        released.signal()
        return done.waitForSignals()
    }
}

extension Box {
    /// Takes the value out.
    func take() -> Value? { exchange(nil) }
}
