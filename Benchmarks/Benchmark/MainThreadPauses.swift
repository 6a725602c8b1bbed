import Foundation
import ReactCore

/// How long sets on the main thread take beside three threads that set the same node without a pause, and how long they
/// take on another thread.
///
/// Prints percentiles, because the longest sets count here: one that takes 16 ms drops a frame. The time of the clock
/// contains what the system's scheduler takes from a thread. The thread's own processor time does not.
enum MainThreadPauses {
    private static let sets = 20_000

    /// Precondition: this is the main thread.
    static func printPercentiles() {
        print("thread", "time", "50 %", "99 %", "99.9 %", "longest", "pauses", separator: "\t")
        printPercentiles(of: "main", measured())
        let other = Thread { printPercentiles(of: "other", measured()) }
        other.start()
        while !other.isFinished { usleep(1_000) }
    }

    private struct Measured {
        var clock: [Double] = [], processor: [Double] = [], pauses = 0
    }
    private static func measured() -> Measured {
        let node = MutableNode(0), lifetime = Lifetime(), sum = Sum()
        node.listened(by: lifetime).with { sum.add($0) }
        let isOver = NSLock(), done = DispatchGroup()
        // The threads go on until they can take the lock.
        isOver.lock()
        for _ in 0..<3 {
            done.enter()
            Thread.detachNewThread {
                while !isOver.try() { node.value = 1 }
                isOver.unlock()
                done.leave()
            }
        }
        var measured = Measured()
        for number in 0..<sets {
            let processor = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID), pauses = pausesOfThisThread()
            measured.clock.append(time { node.value = 1 } / 1_000)
            measured.processor.append(Double(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - processor) / 1_000)
            measured.pauses += pausesOfThisThread() - pauses
            // A moment in which the thread waits for the next event.
            if number % 20 == 19 { usleep(1_000) }
        }
        isOver.unlock()
        done.wait()
        return withExtendedLifetime(lifetime) { measured }
    }
    private static func printPercentiles(of thread: String, _ measured: Measured) {
        for (kind, times) in [("clock", measured.clock), ("processor", measured.processor)] {
            let sorted = times.sorted()
            let figures = [0.5, 0.99, 0.999, 1].map { part in
                String(format: "%.1f µs", sorted[max(Int((Double(sorted.count) * part).rounded(.up)) - 1, 0)])
            }
            print(
                thread, kind, figures.joined(separator: "\t"), kind == "clock" ? "\(measured.pauses)" : "",
                separator: "\t")
        }
    }
    /// The number of times that this thread has given up its processor by itself.
    private static func pausesOfThisThread() -> Int {
        #if canImport(Glibc)
        var usage = rusage()
        getrusage(__rusage_who_t(1), &usage)  // RUSAGE_THREAD, which is a GNU extension
        return usage.ru_nvcsw
        #else
        return 0
        #endif
    }
    private static func nanoseconds(of clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
