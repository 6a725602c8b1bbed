import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

/// A thread whose own set is delivered does not go on delivering for others for as long as those set.
@Suite("Nobody is kept", .serialized) struct NobodyIsKeptTests {
    private let listener = Lifetime()
    private let node = MutableNode(0)

    // So many that the other thread does not come to their end while this one waits for a processor.
    private let manySets = 500_000

    @Test("a set returns, though another thread sets the same node on and on, faster than its listener hears")
    func setReturns() {
        let setsUntilReturn = setWhileAnotherSets(manySets, stopsWhenReturned: true)
        #expect(setsUntilReturn < manySets, "the other thread has made all its sets by then")
    }

    @Test("a pulse returns, though another thread pulses the same node on and on, faster than its listener hears")
    func pulseReturns() {
        let pulsesUntilReturn = setWhileAnotherSets(manySets, stopsWhenReturned: true, pulses: true)
        #expect(pulsesUntilReturn < manySets, "the other thread has made all its pulses by then")
    }

    @Test("a combination of a node that is set on and on does not wait for the end of that")
    func combinationFires() {
        let pair = combine(node, MutableNode(0)).mapEach { value, _ in value }
        let heard = Recorder<Int>()
        pair.listened(by: listener).with { heard.record($0) }
        let sets = 5_000
        _ = setWhileAnotherSets(sets, stopsWhenReturned: false)
        #expect(heard.count > 10)
        #expect(heard.last == sets)
    }

    /// Sets the node once. From then on another thread sets it, `sets` times at most, and is a hundred sets ahead of what this one
    /// delivers. Returns how many of these it had begun when this thread's set returned.
    private func setWhileAnotherSets(_ sets: Int, stopsWhenReturned: Bool, pulses: Bool = false) -> Int {
        let set: @Sendable (Int) -> Void = { [node] in if pulses { node.pulse($0) } else { node.value = $0 } }
        let (begun, hasReturned, mayBegin) = (Locked(0), Locked(false), Latch())
        let thread = ObjectIdentifier(Thread.current)
        node.listened(by: listener).with { value in
            guard value > 0, ObjectIdentifier(Thread.current) == thread else { return }
            mayBegin.arrive()
            while begun.value < min(value + 100, sets) { sched_yield() }
        }
        let other = Worker {
            mayBegin.wait()
            while begun.value < sets, !(stopsWhenReturned && hasReturned.value) { set(begun.increment()) }
        }
        set(1)
        let setsUntilReturn = begun.value
        hasReturned.value = true
        other.join()
        return setsUntilReturn
    }
}
