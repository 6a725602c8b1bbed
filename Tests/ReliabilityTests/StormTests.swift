import HeapProbe
import ReactCore
import TestSupport
import Testing

#if os(macOS) || os(Linux)
/// Each test runs in a process of its own, where nobody else makes nodes.
@Suite("Storms", .serialized) struct StormTests {
    #if DEBUG
    @Test(
        "threads that link, cut, re-point, listen and drop while others set leave nothing over")
    func nothingIsLeftOver() async {
        await #expect(processExitsWith: .success) {
            let seed = SeededGenerator.announced().seed
            let before = InstanceCounts.now
            for round in 0..<20 {
                Watchdog.watch("storm \(round), EASYREACT_SEED=\(seed)") {
                    let left = storm(round, steps: Scale.heavy(5000), seed: seed)
                    #expect(left.isEmpty, "after storm \(round), EASYREACT_SEED=\(seed)")
                }
                // A thread lets go of what it keeps for itself when it ends, which is after its last line.
                #expect(eventually { InstanceCounts.now == before }, "after storm \(round), EASYREACT_SEED=\(seed)")
            }
        }
    }
    #endif

    /// The first storms fill what the library, the runtime and the C library keep for the next time. So this looks for twenty in
    /// a row after which the heap is never more than 1 % above what it was before them. With a leak there are none.
    @Test(
        "over twenty storms memory stays within 1 %", .disabled(if: Scale.isSanitized, "sanitizers keep what is freed"))
    func memory() async {
        await #expect(processExitsWith: .success) {
            let seed = SeededGenerator.announced().seed
            let (enough, atMost) = (20, 300)
            var before = 0
            var calm = -1
            for round in 0..<atMost where calm < enough {
                Watchdog.watch("storm \(round), EASYREACT_SEED=\(seed)") {
                    _ = storm(round, steps: Scale.heavy(2000), seed: seed)
                }
                calm += 1
                let now = heap_bytes_in_use()
                if Double(now) > 1.01 * Double(before) {
                    before = now
                    calm = 0
                }
            }
            #expect(calm == enough, "after \(atMost) storms the heap still grows: it is \(before) bytes now")
        }
    }
}

/// Four threads play for a while. Returns the labels of the values that are left over.
private func storm(_ round: Int, steps: Int, seed: UInt64) -> [String] {
    let tracker = LifetimeTracker()
    let playground = Playground(tracker)
    concurrently(4) { thread in
        var random = SeededGenerator(seed: seed &+ UInt64(round * 4 + thread) &* 0x9E37_79B9)
        for _ in 0..<steps { playground.play(&random) }
    }
    playground.close()
    // What is late lets go of what it holds on a thread of the library.
    _ = eventually(within: .seconds(60)) { tracker.live.isEmpty }
    return tracker.live
}
#endif
