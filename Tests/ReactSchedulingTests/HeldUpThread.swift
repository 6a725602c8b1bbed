#if SCHEDULE_FAULTS
import Dispatch
import ReactCore
import TestSupport

/// Holds a thread up at one of the places where it is about to take a lock, and holds none.
final class HeldUpThread: ScheduleControl {
    private let place: Int
    private let meanwhile: () -> Void
    private var reached = 0
    private var held = 0

    private init(at place: Int, _ meanwhile: @escaping () -> Void) {
        self.place = place
        self.meanwhile = meanwhile
    }
    func reach(_ point: SchedulePoint, at _: UInt) {
        switch point {
        case .lockIsTaken, .vertexIsLocked: held += 1
        case .lockIsLetGo, .vertexIsUnlocked: held -= 1
        case .lockIsToBeTaken, .vertexIsToBeLocked:
            guard held == 0 else { return }
            reached += 1
            if reached == place { meanwhile() }
        default: break
        }
    }
    func wait(for place: UInt) {}

    /// Does `work`, and where that is at its place of this number, counted from 1, has another thread do `meanwhile` from beginning to
    /// end; answers whether there is such a place.
    static func run(
        _ work: () -> Void, heldUpAt place: Int, meanwhile: @escaping @Sendable () -> Void
    ) -> Bool {
        let thread = HeldUpThread(at: place) {
            let done = DispatchSemaphore(value: 0)
            DispatchQueue(label: "meanwhile").async {
                meanwhile()
                done.signal()
            }
            _ = done.waitForSignals()
        }
        ScheduleFuzzing.control(thisThreadBy: thread)
        defer { ScheduleFuzzing.control(thisThreadBy: nil) }
        work()
        return thread.reached >= place
    }
}
#endif
