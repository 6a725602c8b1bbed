import ReactCore
import ReactOperators
import TestSupport
import Testing

/// A value whose comparison runs a closure once.
private struct Watched: Equatable, Sendable {
    let number: Int
    let whenCompared = Locked<(@Sendable () -> Void)?>(nil)

    static func == (one: Watched, other: Watched) -> Bool {
        one.whenCompared.withLock { $0.take() }?()
        return one.number == other.number
    }
}

@Suite("Compared inputs") struct ComparedInputsTests {
    @Test("a body sees no half of a batch that another thread begins while the inputs are compared")
    func batchDuringComparison() {
        let trigger = MutableNode(Watched(number: 0))
        let (first, second) = (MutableNode(0), MutableNode(0))
        let seen = Recorder<String>()
        let sum = computed { read in
            let (number, one, other) = (try read(trigger).number, try read(first), try read(second))
            seen.record("\(number) \(one) \(other)")
            return number + one + other
        }
        let (halfway, mayGoOn) = (Latch(), Latch())
        let setter = Locked<Worker?>(nil)
        trigger.current.whenCompared.value = {
            setter.value = Worker {
                batch {
                    first.value = 10
                    halfway.arrive()
                    mayGoOn.wait()
                    second.value = 10
                }
            }
            halfway.wait()
        }
        trigger.value = Watched(number: 1)
        mayGoOn.arrive()
        setter.value?.join()
        waitForLate(at: first, second)
        // The set is over before the batch begins.
        #expect(seen.take() == ["0 0 0", "1 0 0", "1 10 10"])
        #expect(sum.current == 21)
    }

    @Test("a value that an input's comparison sets is read, though the compared values are equal", arguments: [0, 1])
    func setByComparison(number: Int) {
        let trigger = MutableNode(Watched(number: 0)), other = MutableNode(0)
        let sum = computed { read in try read(trigger).number + read(other) }
        trigger.current.whenCompared.value = { other.value = 10 }
        trigger.value = Watched(number: number)
        #expect(sum.current == number + 10)
    }
}
