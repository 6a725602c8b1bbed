import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Two synced nodes agree whenever nothing is under way, whoever set what.
@Suite("Synced nodes agree", .serialized) struct SyncAgreementTests {
    let listener = Lifetime()

    @Test("two synced nodes agree when a listener of the one has set the other")
    func setByListener() {
        let (field, model) = (MutableNode("a"), MutableNode("a"))
        let sync = field.sync(with: model)
        field.listened(by: listener).with { if $0.hasPrefix(" ") { model.value = String($0.dropFirst()) } }
        field.value = " b"
        #expect([field.value, model.value] == ["b", "b"])
        model.value = "c"
        #expect([field.value, model.value] == ["c", "c"])
        sync.cancel()
    }

    @Test("two synced nodes agree when a listener of the one has pulsed a node that the other follows")
    func pulsedByListener() {
        let (x, y, taps) = (MutableNode(0), MutableNode(0), MutableNode<Int>())
        let sync = x.sync(with: y)
        y.link(to: taps)
        let (heardX, heardY) = (x.heard(by: listener), y.heard(by: listener))
        x.listened(by: listener).with { if $0 == 1 { taps.pulse(9) } }
        x.value = 1
        #expect([x.value, y.value] == [1, 1])
        #expect(heardX.events.contains(9) && heardY.events.contains(9))
        sync.cancel()
    }

    @Test("two synced nodes agree when another thread has set the one while the other was delivering")
    func setMeanwhile() {
        let (x, y) = (MutableNode(0), MutableNode(0))
        let sync = x.sync(with: y)
        let (isInside, goesOn) = (Latch(), Latch())
        x.listened(by: listener).with { value in
            guard value == 1 else { return }
            isInside.arrive()
            goesOn.wait()
        }
        let (heardX, heardY) = (x.heard(by: listener), y.heard(by: listener))
        let other = Worker { x.value = 1 }
        isInside.wait()
        y.value = 2
        goesOn.arrive()
        other.join()
        waitForLate(at: x)
        // The other thread has set x first.
        #expect([x.value, y.value] == [2, 2])
        #expect([heardX.last, heardY.last] == [2, 2])
        sync.cancel()
    }

    @Test("two synced nodes that two threads set agree after each round")
    func setAtOnce() {
        let rounds = Scale.scaled(5_000)
        let (x, y) = (MutableNode(0), MutableNode(0))
        let sync = x.sync(with: y)
        let apart = Locked(0)
        let (gate, back) = (Gate(2), Gate(2))
        concurrently(2) { thread in
            for round in 1...rounds {
                gate.pass()
                if thread == 0 { x.value = round } else { y.value = -round }
                back.pass()
                if thread == 0 {
                    waitForLate(at: x, y)
                    if x.value != y.value { apart.increment() }
                }
                back.pass()
            }
        }
        #expect(apart.value == 0, "apart in that many of \(rounds) rounds")
        sync.cancel()
    }

    @Test("three nodes that are synced in a row agree when all three were set at once")
    func row() {
        let rounds = Scale.scaled(5_000)
        let nodes = (0..<3).map { _ in MutableNode(0) }
        let syncs = CancelableBag()
        for (node, next) in zip(nodes, nodes.dropFirst()) { syncs.add(node.sync(with: next)) }
        let apart = Locked(0)
        let (gate, back) = (Gate(3), Gate(3))
        concurrently(3) { thread in
            for round in 1...rounds {
                gate.pass()
                nodes[thread].value = 3 * round + thread
                back.pass()
                if thread == 0 {
                    waitForLate(at: nodes)
                    if Set(nodes.map(\.value)).count > 1 { apart.increment() }
                }
                back.pass()
            }
        }
        #expect(apart.value == 0, "apart in that many of \(rounds) rounds")
        syncs.cancel()
    }

    @Test("two nodes that two threads set while they are being synced agree afterwards", arguments: [false, true])
    func madeMeanwhile(otherIsEmpty: Bool) {
        let rounds = Scale.scaled(1_000)
        let apart = Locked(0)
        for round in 1...rounds {
            let (x, y) = (MutableNode(0), otherIsEmpty ? MutableNode<Int>() : MutableNode(-1))
            let sync = Locked<(any Cancelable)?>(nil)
            concurrently(3) { thread in
                switch thread {
                case 0: sync.value = x.sync(with: y)
                case 1: for turn in 1...3 { x.value = round + turn }
                default: for turn in 1...3 { y.value = -round - turn }
                }
            }
            waitForLate(at: x, y)
            if x.value != y.value { apart.increment() }
            sync.value?.cancel()
        }
        #expect(apart.value == 0, "apart in that many of \(rounds) rounds")
    }

    @Test("if one edge of a sync is cut, the other goes on, even if values waited at the cut")
    func oneWay() {
        let (x, y) = (MutableNode(0), MutableNode(0))
        x.sync(with: y)
        let isSet = Locked(false)
        y.listened(by: listener).with { value in
            guard value == 1, !isSet.value else { return }
            isSet.value = true
            x.value = 2
            y.removeUpstreamNode(x)
        }
        y.value = 1
        y.value = 3
        #expect([x.value, y.value] == [3, 3])
        x.value = 4
        #expect(y.value == 3)
        y.value = 5
        #expect([x.value, y.value] == [5, 5])
        x.removeUpstreamNode(y)
    }

    @Test("nodes that are synced through functions agree as these say, when a listener of the one has set the other")
    func throughFunctions() {
        let (celsius, kelvin) = (MutableNode(0), MutableNode(0))
        let sync = kelvin.sync(with: celsius, transform: { $0 + 273 }, revert: { $0 - 273 })
        celsius.listened(by: listener).with { if $0 == 100 { kelvin.value = 300 } }
        celsius.value = 100
        #expect(kelvin.value! == celsius.value! + 273)
        sync.cancel()
    }
}
