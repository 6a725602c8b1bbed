/// A wait for a thread that holds a lock of a few instructions: it spins a little, then yields, then sleeps. The holder
/// was preempted, and must get to run even if this thread has the higher priority.
package struct Waiting {
    private var attempts = 0

    package init() {}

    /// Returns when another attempt is worthwhile.
    package mutating func wait(for place: UInt) {
        if ScheduleFuzzing.handsOn(for: place) { return }
        attempts += 1
        if attempts > 200 {
            Platform.sleep(microseconds: 20)
        } else if attempts > 40 {
            Platform.letOthersRun()
        }
    }
}
