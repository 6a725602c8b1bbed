import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Closures that pulse a node which leads to their own node. The pulse is for the next call.
@Suite("Pulses within a call") struct PulsedWithinCallsTests {
    let tap = MutableNode<Int>()
    let base = MutableNode(1), factor = MutableNode(10)
    let calls = Recorder<String>()
    let lifetime = Lifetime()

    @Test("a function that pulses an input while the combination is made is called again with the pulse's value")
    func whileMade() {
        let merged = merge(tap, base), isFirst = Locked(true)
        let product = combine(merged, factor) { [tap, calls] one, other in
            calls.record("\(one) \(other)")
            if isFirst.value {
                isFirst.value = false
                tap.pulse(5)
            }
            return one * other
        }
        #expect(calls.take() == ["1 10", "5 10"])
        #expect(product.value == 50)
        factor.value = 20
        #expect(calls.take() == ["1 20"])
    }

    @Test("a body that pulses a node before it reads that reads the pulse in the next call, and there alone")
    func beforeTheRead() {
        let go = MutableNode(0), pulses = Locked(true)
        lifetime.effect { [tap, calls] read in
            if try read(go) == 1, pulses.value {
                pulses.value = false
                tap.pulse(5)
            }
            calls.record(read.ifAny(tap).map(String.init) ?? "–")
        }
        go.value = 1
        #expect(calls.take() == ["–", "–", "5"])
        go.value = 2
        #expect(calls.take() == ["–"])
    }

    @Test("a value that pulses a node when it goes, after the firing that has read it, leads to one more firing")
    func whileLetGo() {
        final class Last: Sendable {
            let number: Int, atEnd: @Sendable () -> Void
            init(_ number: Int, _ atEnd: @escaping @Sendable () -> Void) {
                (self.number, self.atEnd) = (number, atEnd)
            }
            deinit { atEnd() }
        }
        let (tap, factor, calls) = (tap, factor, calls)
        let event = tap.map { number in Last(number) { if number == 1 { tap.pulse(2) } } }
        lifetime.effect { read in calls.record("\(read.ifAny(event)?.number ?? 0) \(try read(factor))") }
        tap.pulse(1)
        #expect(calls.take() == ["0 10", "1 10", "2 10"])
        factor.value = 20
        #expect(calls.take() == ["0 20"])
    }

    @Test("a cut of an input that the call under way does not read keeps the result of the call")
    func cutUnread() {
        let isSecond = MutableNode(false), (base, factor) = (base, factor)
        let isIn = Latch(), mayGo = Latch()
        let chosen = computed { read in
            guard try read(isSecond) else { return try read(base) }
            isIn.arrive()
            mayGo.wait()
            return try read(factor)
        }
        let worker = Worker { isSecond.value = true }
        isIn.wait()
        // Waits for the graph in vain, because the body waits for the next line.
        chosen.upstreamTransforms(from: base)[0].cancel()
        mayGo.arrive()
        worker.join()
        waitForLate(at: isSecond, base, factor, chosen)
        #expect(chosen.current == 10 && chosen.upstreamNodes == [isSecond, factor])
    }
}
