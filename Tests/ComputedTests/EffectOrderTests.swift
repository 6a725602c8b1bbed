import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("The order of effects") struct EffectOrderTests {
    let calls = Recorder<String>()
    let lifetime = Lifetime()

    @Test("effects run in the order in which they were made, whichever is reached first")
    func order() {
        let (a, b) = (MutableNode(1), MutableNode(1))
        let calls = calls
        lifetime.effect { read in calls.record("first \(try read(b))") }
        lifetime.effect { read in calls.record("second \(try read(a))") }
        lifetime.effect { read in calls.record("third \(try read(b)) \(try read(a))") }
        _ = calls.take()
        batch {
            a.value = 2
            b.value = 2
        }
        #expect(calls.take() == ["first 2", "second 2", "third 2 2"])
    }

    @Test("an effect that another effect ends because of a value does not run with that value")
    func parentFirst() {
        let row = MutableNode<Int?>(1)
        let calls = calls
        let child = Lifetime()
        // Reached before the parent, as it reads the row itself, and the parent what is made of it.
        let made = row.map { $0 }
        lifetime.effect { read in if try read(made) == nil { child.cancel() } }
        child.effect { read in calls.record(try read(row).map { "\($0)" } ?? "nil") }
        row.value = .some(nil)
        #expect(calls.take() == ["1"])
    }

    @Test("a settled node fires after all effects, and an effect's set runs earlier effects before later ones")
    func rounds() {
        let (a, b) = (MutableNode(1), MutableNode(1))
        let calls = calls
        a.settled().listened(by: lifetime).with { calls.record("settled \($0)") }
        lifetime.effect { read in calls.record("first \(try read(b))") }
        lifetime.effect { read in b.value = try read(a) }
        lifetime.effect { read in calls.record("third \(try read(a))") }
        _ = calls.take()
        a.value = 2
        #expect(calls.take() == ["first 2", "third 2", "settled 2"])
    }

    @Test("a combination, a computed and an effect of an effect's node work as those of any other node")
    func nodesOfEffects() throws {
        let a = MutableNode(1)
        let calls = calls
        lifetime.effect { read in calls.record("effect \(try read(a))") }
        let effect = try #require(a.downstreamNodes.first as? Node<Void>)
        let both = combine(effect, a) { $1 }
        let made = computed { read -> Int in
            _ = try read(effect)
            return try read(a)
        }
        lifetime.effect { read in
            _ = try read(effect)
            calls.record("after \(try read(a))")
        }
        _ = calls.take()
        a.value = 2
        #expect(both.value == 2 && made.value == 2)
        #expect(calls.take().last == "after 2")
    }
}
