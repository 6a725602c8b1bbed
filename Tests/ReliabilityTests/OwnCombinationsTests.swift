import ReactCore
import ReactOperators
import TestSupport
import Testing

/// When a set returns, what it leads to is up to date, but for what another thread has reached, and what is downstream of that.
@Suite("Own combinations", .serialized) struct OwnCombinationsTests {
    let held = MutableNode(0)
    let shared = MutableNode(0)
    let own = MutableNode(1)
    let withHeld: Node<Int>
    let sum: Node<Int>

    init() {
        withHeld = combine(held, shared).mapEach { $0 + $1 }
        sum = combine(shared, own).mapEach { $0 + $1 }
    }

    @Test("a set of a graph that another thread keeps busy by a batch is late, and makes its combinations after that")
    func batchElsewhere() {
        batch {
            held.value = 1
            // The set is late, because this batch keeps the graph. Its own node can be read at once.
            let seen = setElsewhere()
            #expect(seen == [1, 1])
        }
        waitForLate(at: held)
        #expect([sum.value, withHeld.value] == [11, 6])
    }

    @Test(
        "a set of a graph that another thread keeps busy by a listener is late, and makes its combinations after that"
    )
    func slowListenerElsewhere() {
        let listener = Lifetime()
        let (isInside, goesOn) = (Latch(), Latch())
        // It comes after the combination, which so is reached when the listener is called.
        let aside = held.map { $0 }
        aside.listened(by: listener).with { value in
            guard value == 1 else { return }
            isInside.arrive()
            goesOn.wait()
        }
        let slow = Worker { [held] in held.value = 1 }
        isInside.wait()
        let seen = setElsewhere()
        #expect(seen == [1, 1])
        goesOn.arrive()
        slow.join()
        waitForLate(at: held)
        #expect([sum.value, withHeld.value] == [11, 6])
    }

    @Test("a combination of combinations shows a batch and another thread's set one after the other")
    func downstreamWaits() {
        let listener = Lifetime()
        let both = combine(withHeld, sum).mapEach { [$0, $1] }
        let heard = Recorder<[Int]>()
        both.listened(by: listener).with { heard.record($0) }
        _ = heard.take()
        batch {
            held.value = 1
            _ = setElsewhere()
        }
        waitForLate(at: held)
        #expect(heard.events == [[1, 1], [6, 6], [6, 11]])
    }

    @Test(
        "a combination that another thread has reached, in a ring with one that has yet to fire, is left to it, and no thread waits for itself"
    )
    func ring() {
        let around = combine(withHeld, own).mapEach { $0 + $1 }
        let link = shared.link(to: around)
        defer { link.cancel() }
        batch {
            held.value = 1
            Worker { [shared, own] in
                batch {
                    shared.value = 5
                    own.value = 6
                }
            }.join()
        }
        waitForLate(at: held)
        #expect(withHeld.value == held.value! + shared.value!)
        #expect(sum.value == shared.value! + own.value!)
    }

    /// Sets two nodes on another thread; returns what their combination has after each.
    private func setElsewhere() -> [Int?] {
        let seen = Recorder<Int?>()
        Worker { [shared, own, sum] in
            shared.value = 5
            seen.record(sum.value)
            own.value = 6
            seen.record(sum.value)
        }.join()
        return seen.events
    }
}
