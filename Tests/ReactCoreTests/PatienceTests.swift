import TestSupport
import Testing

@testable import ReactCore

/// What a set does that finds its node another thread's.
@Suite("Looking again for a moment") struct PatienceTests {
    /// How many of the sets in turn were queued at once before one looked again.
    private func passedOver(_ patience: inout SpinBackoff) -> Int {
        var count = 0
        while !patience.begin() { count += 1 }
        return count
    }

    @Test("after a moment in vain one set is queued at once, then two, then four, and never more than 64")
    func penalties() {
        var patience = SpinBackoff()
        var counts = [passedOver(&patience)]
        for _ in 0..<8 {
            patience.end(hasHadTurn: false)
            counts.append(passedOver(&patience))
        }
        #expect(counts == [0, 1, 2, 4, 8, 16, 32, 64, 64])
    }
    @Test("once a set has had its turn, the next one looks again before it is queued")
    func reward() {
        var patience = SpinBackoff()
        for _ in 0..<8 {
            _ = passedOver(&patience)
            patience.end(hasHadTurn: false)
        }
        _ = passedOver(&patience)
        patience.end(hasHadTurn: true)
        #expect(patience == SpinBackoff())
    }

    @Test("a set is tried again when the node is idle, until it is made")
    func idle() {
        let engine = Engine.current
        engine.backoff = SpinBackoff()
        var tries = 0
        let isSet = engine.tryForAMoment(at: MutableNode(0).vertex) {
            tries += 1
            return tries == 2
        }
        #expect(isSet && tries == 2)
        #expect(engine.backoff == SpinBackoff())
    }
    @Test(
        "a set is not tried while the node is busy, and the next one is queued at once, as is a set within another set"
    )
    func busy() {
        let node = MutableNode(0), other = MutableNode(0)
        let listener = Lifetime()
        let found = Recorder<Bool>()
        @Sendable func look(at node: MutableNode<Int>) {
            found.record(Engine.current.tryForAMoment(at: node.vertex) { true })
        }
        node.listened(by: listener).with { [unowned node, unowned other] value in
            guard value == 1 else { return }
            Worker {
                Engine.current.backoff = SpinBackoff()
                for node in [node, other, other] { look(at: node) }
            }.join()
            look(at: other)
        }
        node.value = 1
        #expect(found.events == [false, false, true, false])
        withExtendedLifetime((listener, other)) {}
    }
}
