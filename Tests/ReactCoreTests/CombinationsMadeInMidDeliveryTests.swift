import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Combinations made in mid-delivery") struct CombinationsMadeInMidDeliveryTests {
    let listener = Lifetime()

    @Test("a combination made in a listener has its first value at once, as every other operator's result has")
    func inListener() {
        let (a, b, trigger) = (MutableNode(1), MutableNode(2), MutableNode<Int>())
        let made = Recorder<[Int?]>()
        trigger.listened(by: listener).with { _ in
            made.record([
                a.map { $0 }.value, a.zip(b).value?.1, combine(a, b).value?.1, Node.combine([a, b]).value?.last,
            ])
        }
        trigger.value = 1
        #expect(made.events == [[1, 2, 2, 2]])
    }

    @Test("a combination of combinations made in a listener has its first value at once")
    func rowInListener() {
        let (a, b, trigger) = (MutableNode(1), MutableNode(2), MutableNode<Int>())
        let made = Recorder<Int?>()
        trigger.listened(by: listener).with { _ in
            let sum = combine(a, b).mapEach { $0 + $1 }
            made.record(combine(sum, a).mapEach { $0 + $1 }.value)
        }
        trigger.value = 1
        #expect(made.events == [4])
    }

    @Test("a combination made in a batch has its first value at once, and is whole when the batch ends")
    func inBatch() {
        let (a, b) = (MutableNode(1), MutableNode(2))
        let heard = Recorder<[Int]>()
        batch {
            let pair = combine(a, b).mapEach { [$0, $1] }
            #expect(pair.value == [1, 2])
            pair.listened(by: listener).with { heard.record($0) }
            _ = heard.take()
            a.value = 10
            b.value = 20
            #expect(pair.value == [1, 2])
        }
        #expect(heard.events == [[10, 20]])
    }

    @Test(
        "a combination made between two sets of a batch has its inputs' values of that moment, and both new ones when the batch ends"
    )
    func betweenSets() {
        let (a, b) = (MutableNode(1), MutableNode(2))
        let pair = batch {
            a.value = 10
            let pair = combine(a, b).mapEach { [$0, $1] }
            #expect(pair.value == [10, 2])
            b.value = 20
            return pair
        }
        #expect(pair.value == [10, 20])
    }

    @Test(
        "a combination made in the middle of another thread's set has a value when the call returns, and another with the set"
    )
    func byAnotherThread() {
        let source = MutableNode(1)
        let copy = source.map { $0 }
        let made = Locked<Node<(Int, Int)>?>(nil)
        let heard = Recorder<[Int]>()
        source.listened(by: listener).with { [unowned listener] value in
            guard value == 2 else { return }
            Worker {
                let pair = combine(source, copy)
                pair.listened(by: listener).with { heard.record([$0, $1]) }
                made.value = pair
            }.join()
        }
        source.value = 2
        // The set cannot end before the other thread has: so the maker waits in vain.
        waitForLate(at: source)
        #expect(heard.events == [[2, 1], [2, 2]])
        #expect(made.value?.value.map { [$0, $1] } == [2, 2])
        made.value = nil
    }

    @Test("a combination that a listener makes has its inputs' values of that moment, and takes part in the set")
    func copyInListener() {
        let source = MutableNode(1)
        let copy = source.map { $0 }
        let heard = Recorder<[Int]>()
        source.listened(by: listener).with { [unowned listener] value in
            guard value == 2 else { return }
            combine(source, copy).listened(by: listener).with { heard.record([$0, $1]) }
        }
        source.value = 2
        source.value = 3
        #expect(heard.events == [[2, 1], [2, 2], [3, 3]])
    }

    @Test(
        "a combination of one that waits for the end of the batch has a value at once, and another when the batch ends")
    func belowWaiting() {
        let (a, b) = (MutableNode(1), MutableNode(2))
        let sum = combine(a, b).mapEach { $0 + $1 }
        let heard = Recorder<[Int]>()
        batch {
            a.value = 10
            let pair = combine(a, sum)
            pair.listened(by: listener).with { heard.record([$0, $1]) }
            b.value = 20
            #expect(heard.events == [[10, 3]])
        }
        #expect(heard.events == [[10, 3], [10, 30]])
    }

    @Test("a combination of other nodes has its first value at once, though others wait for the end of the batch")
    func besideWaiting() {
        let (a, b) = (MutableNode(1), MutableNode(2))
        let sums = (0..<3).map { _ in combine(a, b).mapEach { $0 + $1 } }
        let apart = combine(b, b.map { $0 }).mapEach { $0 * $1 }
        batch {
            a.value = 10
            #expect(combine(apart, b).value?.0 == 4)
        }
        #expect(sums.map { $0.value } == [12, 12, 12])
    }

    @Test(
        "a combination that a listener makes has a value at once, also of nodes that the set has yet to reach"
    )
    func betweenBranches() {
        let source = MutableNode(1)
        let before = source.map { $0 }
        let dropped = source.filter { $0 < 2 }
        let here = source.map { $0 }
        let after = source.map { $0 }
        let other = MutableNode(0)
        let found = Recorder<[Int?]>()
        here.listened(by: listener).with { value in
            guard value == 2 else { return }
            found.record([before, dropped, source, after].map { combine($0, other).value?.0 })
        }
        source.value = 2
        #expect(found.events == [[2, 1, 2, 1]])
        withExtendedLifetime((before, dropped, after)) {}
    }

    @Test(
        "a combination made by another thread in the middle of a batch has a value when the call returns, and fires with the batch"
    )
    func belowAnothersWaiting() {
        let (a, b) = (MutableNode(1), MutableNode(2))
        let sum = combine(a, b).mapEach { $0 + $1 }
        let made = Locked<Node<(Int, Int)>?>(nil)
        let heard = Recorder<[Int]>()
        batch {
            a.value = 10
            Worker { [listener] in
                let pair = combine(a, sum)
                pair.listened(by: listener).with { heard.record([$0, $1]) }
                made.value = pair
            }.join()
        }
        waitForLate(at: a)
        #expect(heard.events == [[10, 3], [10, 12]])
        made.value = nil
    }

    @Test("a new combination does not wait for a slow listener beside its inputs for longer than a moment")
    func besideSlowListener() {
        let source = MutableNode(0)
        let end = source.map { $0 + 1 }
        let aside = source.map { $0 }
        let (isInside, goOn) = (Latch(), Latch())
        aside.listened(by: listener).with {
            guard $0 == 1 else { return }
            isInside.arrive()
            goOn.wait()
        }
        let setting = Worker { source.value = 1 }
        isInside.wait()
        // A combination has a value of what the nodes hold.
        #expect(combine(end, source).value.map { [$0, $1] } == [2, 1])
        // An operator with state, and one that follows a node, begin when they are linked.
        let (row, followed) = (end.zip(source), source.flattenMap { _ in end })
        #expect(row.isEmpty && followed.isEmpty)
        goOn.arrive()
        setting.join()
        waitForLate(at: source)
        #expect(row.value.map { [$0, $1] } == [2, 1])
        #expect(followed.value == 2)
    }

    @Test("a settled node that is made in a batch has its value at once, and the last one when the batch ends")
    func settledInBatch() {
        let node = MutableNode(1)
        let heard = Recorder<Int>()
        batch {
            node.value = 2
            let settled = node.settled()
            #expect(settled.value == 2)
            settled.listened(by: listener).with { heard.record($0) }
            node.value = 3
            node.value = 4
        }
        #expect(heard.events == [2, 4])
    }
}
