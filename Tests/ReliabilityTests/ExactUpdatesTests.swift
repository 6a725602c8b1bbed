import ReactCore
import TestSupport
import Testing

@Suite("Exact updates") struct ExactUpdatesTests {
    @Test("updates from four threads add up, and are heard one by one")
    func updates() {
        let updates = Scale.heavy(250_000)
        let listener = Lifetime()
        let counter = MutableNode(0)
        let last = Locked(-1)
        let skipped = Locked(0)
        counter.listened(by: listener).with { value in
            last.withLock { last in
                if value != last + 1 { skipped.increment() }
                last = value
            }
        }
        concurrently(4) { _ in
            for _ in 0..<updates { counter.update { $0 += 1 } }
        }
        waitForLate(at: counter)
        #expect(counter.value == 4 * updates)
        #expect(last.value == 4 * updates)
        #expect(skipped.value == 0)
    }
}
