import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Cut in the middle of a call") struct CutInMidCallTests {
    enum Cut: CaseIterable { case removal, cancelling }

    @Test("a computed whose inputs are removed drops the result of a call that then reads another node")
    func readsAnother() {
        let a = MutableNode(1), b = MutableNode(2), pair = combine(a, b)
        let isSecond = Locked(false), isIn = Latch(), mayGo = Latch()
        let either = computed { read in
            guard isSecond.value else { return try read(a) }
            isIn.arrive()
            mayGo.wait()
            return try read(b)
        }
        isSecond.value = true
        let worker = Worker { a.value = 3 }
        isIn.wait()
        either.removeUpstreamNodes()
        mayGo.arrive()
        worker.join()
        waitForLate(at: a, b, either)
        #expect(either.current == 1 && either.upstreamNodes == [])
        withExtendedLifetime(pair) {}
    }

    @Test(
        "a computed whose inputs are removed while its body runs elsewhere follows nothing, and keeps its value",
        arguments: 0...2, Cut.allCases)
    func removed(afterReads reads: Int, by cut: Cut) {
        let a = MutableNode(1), b = MutableNode(100), isOn = Locked(false), isIn = Latch(), mayGo = Latch()
        @Sendable func pass(_ place: Int) {
            guard place == reads, isOn.value else { return }
            isOn.value = false
            isIn.arrive()
            mayGo.wait()
        }
        let sum = computed { read in
            pass(0)
            let x = try read(a)
            pass(1)
            let y = try read(b)
            pass(2)
            return x + y
        }
        isOn.value = true
        let worker = Worker { a.value = 2 }
        isIn.wait()
        // Waits for the graph in vain, because the body waits for the next line.
        switch cut {
        case .removal: sum.removeUpstreamNodes()
        case .cancelling: sum.upstreamTransforms.forEach { $0.cancel() }
        }
        mayGo.arrive()
        worker.join()
        waitForLate(at: a, b, sum)
        b.value = 101
        a.value = 3
        #expect(sum.upstreamNodes == [] && sum.current == 101)
    }
}
