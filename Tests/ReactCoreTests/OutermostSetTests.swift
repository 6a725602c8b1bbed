import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

@Suite("The end of an outermost set")
struct OutermostSetTests {
    let a = MutableNode(1), b = MutableNode(1), lifetime = Lifetime(), log = Recorder<String>()

    init() {
        let sum = a.combine(b).map { $0 + $1 }
        sum.listened(by: lifetime).with { [log] in log.record("sum \($0)") }
        _ = log.take()
    }

    @Test("an observer of the end is called after all combinations, once for the whole of a batch")
    func order() {
        b.listened(by: lifetime).with { [log, a] value in
            Transaction.current.whenOver { log.record("over \(value)") }
            if value == 3 { a.value = 2 }
        }
        #expect(log.take() == ["over 1"])
        batch {
            b.value = 2
            b.value = 3
            log.record("the batch's last words")
        }
        #expect(log.take() == ["the batch's last words", "sum 5", "over 2", "over 3"])
    }

    @Test("a waiter that sets a node begins a set of its own")
    func waiterSets() {
        b.listened(by: lifetime).with { [log, b] value in
            Transaction.current.whenOver {
                log.record("over \(value)")
                if value < 3 { b.value = value + 1 }
            }
        }
        #expect(log.take() == ["over 1", "sum 3", "over 2", "sum 4", "over 3"])
    }

    @Test("another thread is told when a set is over, and told at once that it is, but not both")
    func otherThread() {
        let inside = Latch(), goOn = Latch(), known = Locked<Transaction?>(nil)
        b.listened(by: lifetime).with { value in
            guard value == 2 else { return }
            known.value = Transaction.current
            inside.arrive()
            goOn.wait()
        }
        let setter = Worker { [b] in b.value = 2 }
        inside.wait()
        let set = known.value!
        #expect(!set.isOver)
        let isToBeTold = set.whenOver { [log] in log.record("told") }
        #expect(isToBeTold)
        _ = log.take()
        goOn.arrive()
        setter.join()
        #expect(set.isOver)
        let isToldAgain = set.whenOver { [log] in log.record("told twice") }
        #expect(!isToldAgain)
        b.value = 3
        #expect(log.take() == ["sum 3", "told", "sum 4"])
    }
}

extension Transaction {
    /// The transaction under way on this thread.
    fileprivate static var current: Transaction { Transaction(of: Engine.currentUnretained) }
}
