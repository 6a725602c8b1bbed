import ReactCore
import ReactScheduling
import TestSupport

/// A scheduler whose timers say when they are released.
struct PartingScheduler: Scheduler {
    private final class Timer: Cancelable {
        let timer: any Cancelable
        let last: Farewell
        init(_ timer: any Cancelable, _ last: Farewell) { (self.timer, self.last) = (timer, last) }
        func cancel() { timer.cancel() }
    }
    let scheduler: VirtualScheduler
    let timerGoes: @Sendable () -> Void

    var clockReading: Duration? { scheduler.clockReading }
    func schedule(_ work: @escaping @Sendable () -> Void) { scheduler.schedule(work) }
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        Timer(scheduler.schedule(after: delay, work), Farewell(timerGoes))
    }
}
