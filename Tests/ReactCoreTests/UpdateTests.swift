import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Update") struct UpdateTests {
    @Test("update changes the value in place and delivers it")
    func changes() {
        let listener = Lifetime()
        let node = MutableNode([1])
        let heard = node.map { $0.count }.heard(by: listener)
        node.update { $0.append(2) }
        #expect(node.value == [1, 2])
        #expect(heard.events == [1, 2])
    }

    @Test("update does nothing while the node is empty")
    func onEmpty() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let heard = node.heard(by: listener)
        node.update { _ in Issue.record("called for an empty node") }
        #expect(node.isEmpty)
        #expect(heard.events == [])
    }

    @Test("updates by a listener wait their turn, and start from the value of that turn")
    func queued() {
        let listener = Lifetime()
        let node = MutableNode(0)
        let heard = Recorder<Int>()
        node.listened(by: listener).with { value in
            heard.record(value)
            guard value == 1 else { return }
            node.update { $0 += 10 }
            node.value = 100
            node.update { $0 += 10 }
            if node.value != 1 { Issue.record("changed before its turn") }
        }
        node.value = 1
        #expect(heard.events == [0, 1, 11, 100, 110])
    }

    @Test("an update that waits behind a clean finds the node empty, and does nothing")
    func behindClean() {
        let listener = Lifetime()
        let node = MutableNode(0)
        let heard = Recorder<Int>()
        node.listened(by: listener).with { value in
            heard.record(value)
            guard value == 1 else { return }
            node.clean()
            node.update { _ in Issue.record("called for an empty node") }
        }
        node.value = 1
        #expect(heard.events == [0, 1])
        #expect(node.isEmpty)
    }

    @Test("while an update's closure changes the value, others read the one from before, whole")
    func othersReadTheOldValue() {
        let numbers = MutableNode([1, 2, 3])
        let seen = Recorder<[Int]?>()
        numbers.update { value in
            value[0] = 10
            Worker { seen.record(numbers.value) }.join()
            value[2] = 30
        }
        #expect(seen.events == [[1, 2, 3]])
        #expect(numbers.value == [10, 2, 30])
    }

    @Test("a set of its own node by an update's closure belongs to the same transaction: a combination fires once")
    func setsInside() {
        let listener = Lifetime()
        let node = MutableNode(0), other = MutableNode(0)
        let sums = combine(node, other).mapEach { $0 + $1 }.heard(by: listener)
        let heard = node.heard(by: listener)
        node.update { _ in for value in 1...100 { node.value = value } }
        #expect(heard.events == [0, 0] + Array(1...100))
        #expect(sums.events == [0, 100])
        node.update(context: "beside it") { _ in for value in 101...200 { node.value = value } }
        #expect(sums.events == [0, 100, 200])
    }

    @Test("after an update waited for its turn, its closure's sets of the node belong to the same transaction")
    func setsInsideWhenQueued() {
        let listener = Lifetime()
        let node = MutableNode(0), other = MutableNode(0)
        let sums = combine(node, other).mapEach { $0 + $1 }.heard(by: listener)
        node.listened(by: listener).with { value in
            if value == -1 { node.update { _ in for value in 1...100 { node.value = value } } }
        }
        node.value = -1
        #expect(sums.events == [0, 100])
    }

    @Test("updates from four threads add up")
    func addUp() {
        let listener = Lifetime()
        let node = MutableNode(0)
        let count = Scale.scaled(20_000)
        let heard = node.heard(by: listener)
        concurrently(4) { _ in for _ in 0..<count { node.update { $0 += 1 } } }
        waitForLate(at: node)
        #expect(node.value == 4 * count)
        #expect(heard.events == Array(0...(4 * count)))
    }

    @Test("updates and sets from two threads: every update is one step, none is split by a set")
    func againstSets() {
        struct Pair: Sendable, Equatable {
            var left = 0
            var right = 0
        }
        let listener = Lifetime()
        let node = MutableNode(Pair())
        let torn = Locked(0)
        node.listened(by: listener).with { if $0.left != $0.right { torn.increment() } }
        let count = Scale.scaled(10_000)
        concurrently(3) { thread in
            for turn in 0..<count {
                if thread == 0 {
                    node.value = Pair(left: turn, right: turn)
                } else {
                    node.update {
                        $0.left += 1
                        $0.right += 1
                    }
                }
            }
        }
        waitForLate(at: node)
        #expect(torn.value == 0)
        #expect(node.value?.left == node.value?.right)
    }

    @Test(
        "a set of its own node by a combination's function belongs to the same transaction: a combination downstream fires once"
    )
    func setByFunctionOfCombination() {
        let (a, b, other) = (MutableNode(0), MutableNode(0), MutableNode(0))
        let own = Locked<MutableNode<Int>?>(nil), listener = Lifetime()
        let sum = combine(a, b) { x, y in
            if x == 1 { for value in 1...100 { own.value?.value = value } }
            return x + y
        }.mutablify()
        own.value = sum
        let heard = combine(sum, other).mapEach { $0 + $1 }.heard(by: listener)
        a.value = 1
        #expect(heard.events == [0, 100])
        own.value = nil
    }

    @Test("an update that is queued has not run when it returns, so a result that it leaves outside is missed")
    func resultOutside() async {
        let listener = Lifetime()
        let names = MutableNode<Set<String>>([]), isMine = Locked(false), seen = Recorder<Bool>()
        names.listened(by: listener).with { value in
            guard value == ["first"] else { return }
            names.update { names in
                let isNew = names.insert("ada").inserted
                isMine.withLock { $0 = isNew }
            }
            seen.record(isMine.value)
        }
        names.value = ["first"]
        #expect(seen.events == [false])
        #expect(isMine.value)
        #expect(await names.withUpdate({ $0.insert("lin").inserted }) == true)
    }
}
