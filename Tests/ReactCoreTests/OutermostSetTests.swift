import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

@Suite("The end of an outermost set")
struct OutermostSetTests {
    private typealias Waiter = OutermostSet.Waiter

    let a = MutableNode(1), b = MutableNode(1), lifetime = Lifetime(), log = Recorder<String>()

    init() {
        let sum = a.combine(b).map { $0 + $1 }
        sum.listened(by: lifetime).with { [log] in log.record("sum \($0)") }
        _ = log.take()
    }

    @Test("settled work comes after all combinations, and what waits for the end after that")
    func order() {
        b.listened(by: lifetime).with { [log, a] value in
            let set = OutermostSet.current
            set.whenOver(Waiter { _ in log.record("over \(value)") })
            set.whenSettled {
                log.record("settled \(value), sets a")
                a.value = value
            }
        }
        #expect(log.take() == ["settled 1, sets a", "sum 2", "over 1"])
        batch {
            b.value = 2
            b.value = 3
            log.record("the batch's last words")
        }
        #expect(
            log.take() == [
                "the batch's last words", "sum 4", "settled 2, sets a", "sum 5", "settled 3, sets a", "sum 6", "over 2",
                "over 3",
            ])
    }

    @Test("settled work that calls for more has it done in the same set")
    func more() {
        b.listened(by: lifetime).with { [log, b] value in
            let set = OutermostSet.current
            set.whenOver(Waiter { _ in log.record("over \(value)") })
            if value < 4 { set.whenSettled { b.value = value + 1 } }
        }
        #expect(log.take() == ["sum 3", "sum 4", "sum 5", "over 1", "over 2", "over 3", "over 4"])
    }

    @Test("a waiter that sets a node begins a set of its own")
    func waiterSets() {
        b.listened(by: lifetime).with { [log, b] value in
            OutermostSet.current.whenOver(
                Waiter { _ in
                    log.record("over \(value)")
                    if value < 3 { b.value = value + 1 }
                })
        }
        #expect(log.take() == ["over 1", "sum 3", "over 2", "sum 4", "over 3"])
    }

    @Test("a hundred thousand pieces of settled work, each called for by the one before, need no stack")
    func deep() throws {
        let last = Scale.scaled(100_000)
        try runOnSmallStack {
            let node = MutableNode(0), lifetime = Lifetime()
            node.listened(by: lifetime).with { value in
                if value < last { OutermostSet.current.whenSettled { node.value = value + 1 } }
            }
            #expect(node.value == last)
            lifetime.cancel()
        }
    }

    @Test("another thread is told when a set is over, and told at once that it is, but not both")
    func otherThread() {
        let inside = Latch(), goOn = Latch(), known = Locked<OutermostSet?>(nil)
        b.listened(by: lifetime).with { value in
            guard value == 2 else { return }
            known.value = OutermostSet.current
            inside.arrive()
            goOn.wait()
        }
        let setter = Worker { [b] in b.value = 2 }
        inside.wait()
        let set = known.value!
        #expect(!set.isOver)
        let isToBeTold = set.whenOver(Waiter { [log] _ in log.record("told") })
        #expect(isToBeTold)
        _ = log.take()
        goOn.arrive()
        setter.join()
        #expect(set.isOver)
        let isToldAgain = set.whenOver(Waiter { [log] _ in log.record("told twice") })
        #expect(!isToldAgain)
        b.value = 3
        #expect(log.take() == ["sum 3", "told", "sum 4"])
    }
}
