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
        withKnownIssue("each of the two values goes to the other node once") { #expect(field.value == model.value) }
        model.value = "c"
        #expect([field.value, model.value] == ["c", "c"])
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
        withKnownIssue("each of the two values goes to the other node once") {
            #expect(x.value == y.value)
            #expect(heardX.last == heardY.last)
        }
        sync.cancel()
    }

    @Test("two synced nodes that two threads set agree after each round")
    func setAtOnce() {
        let rounds = Scale.scaled(20_000)
        let (x, y) = (MutableNode(0), MutableNode(0))
        let sync = x.sync(with: y)
        let apart = Locked(0)
        let (gate, back) = (Gate(2), Gate(2))
        concurrently(2) { thread in
            for round in 1...rounds {
                gate.pass()
                if thread == 0 { x.value = round } else { y.value = -round }
                back.pass()
                if thread == 0, x.value != y.value { apart.increment() }
            }
        }
        withKnownIssue("each of the two values goes to the other node once", isIntermittent: true) {
            #expect(apart.value == 0, "apart in that many of \(rounds) rounds")
        }
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
                if thread == 0, Set(nodes.map(\.value)).count > 1 { apart.increment() }
            }
        }
        withKnownIssue("each value goes to the other nodes once", isIntermittent: true) {
            #expect(apart.value == 0, "apart in that many of \(rounds) rounds")
        }
        syncs.cancel()
    }

    @Test("nodes that are synced through functions agree as these say, when a listener of the one has set the other")
    func throughFunctions() {
        let (celsius, kelvin) = (MutableNode(0), MutableNode(0))
        let sync = kelvin.sync(with: celsius, transform: { $0 + 273 }, revert: { $0 - 273 })
        celsius.listened(by: listener).with { if $0 == 100 { kelvin.value = 300 } }
        celsius.value = 100
        withKnownIssue("each of the two values goes to the other node once") {
            #expect(kelvin.value! == celsius.value! + 273)
        }
        sync.cancel()
    }
}
