import Dispatch
import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Ends of effects") struct EffectEndsTests {
    let calls = Recorder<String>()
    let lifetime = Lifetime()

    @Test("an effect that ends its lifetime in its first run runs to its end, and no more")
    func endsItself() {
        let a = MutableNode(1)
        let (calls, lifetime) = (calls, Lifetime())
        lifetime.effect { [unowned lifetime] read in
            calls.record("\(try read(a))")
            lifetime.cancel()
        }
        a.value = 2
        #expect(calls.take() == ["1"])
        #expect(!a.hasDownstreamNode)
    }

    @Test("an effect whose first run sets a node that ends it, and a node that it has read, does not run again")
    func endedByWhatItSets() {
        let (a, isDone) = (MutableNode(1), MutableNode(false))
        let (calls, screen) = (calls, Lifetime())
        isDone.listened(by: lifetime).with { [unowned screen] in if $0 { screen.cancel() } }
        screen.effect { read in
            let value = try read(a)
            calls.record("\(value)")
            isDone.value = true
            a.value = value + 1
        }
        a.value = 5
        #expect(calls.take() == ["1"])
        #expect(!a.hasDownstreamNode)
    }

    @Test("an effect that another thread ends during its first run does not run again")
    func endedElsewhere() {
        let a = MutableNode(1)
        let (calls, screen) = (calls, Lifetime())
        screen.effect { [unowned screen] read in
            calls.record("\(try read(a))")
            guard calls.count == 1 else { return }
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { [unowned screen] in
                screen.cancel()
                done.signal()
            }
            done.wait()
        }
        a.value = 2
        a.value = 3
        #expect(calls.take() == ["1"])
        #expect(!a.hasDownstreamNode)
    }

    @Test("an effect within an effect that ends their lifetime in its first run ends both")
    func endedWithin() {
        let a = MutableNode(1)
        let (calls, screen) = (calls, Lifetime())
        screen.effect { [unowned screen] read in
            calls.record("outer \(try read(a))")
            screen.effect { [unowned screen] read in
                calls.record("inner \(try read(a))")
                screen.cancel()
            }
        }
        a.value = 2
        #expect(calls.take() == ["outer 1", "inner 1"])
        #expect(!a.hasDownstreamNode)
    }

    @Test("an effect that is ended before its batch is over does not run")
    func endedInABatch() {
        let a = MutableNode(1)
        let (calls, screen) = (calls, Lifetime())
        batch {
            screen.effect { read in calls.record("\(try read(a))") }
            screen.cancel()
        }
        a.value = 2
        #expect(calls.take() == [])
        #expect(!a.hasDownstreamNode)
    }

    @Test("an effect that has read nothing is held until it ends, with all objects that its body holds")
    func readsNothing() throws {
        try withLifetimeTracking { tracker in
            let a = MutableNode(1)
            let screen = Lifetime()
            let held = tracker.track("held")
            screen.effect { [held] read in
                withExtendedLifetime(held) {}
                _ = read.untracked(a)
            }
            withExtendedLifetime(consume held) {}
            #expect(tracker.live == ["held"])
            screen.cancel()
            #expect(tracker.live == [])
        }
    }
}

@Suite("Nodes and listeners made by a run of a body") struct BodyLifetimeTests {
    let calls = Recorder<String>()
    let lifetime = Lifetime()

    @Test("an effect ends with its listening, although somebody else holds its node")
    func nodeIsHeld() throws {
        let a = MutableNode(1)
        let calls = calls
        let effect = lifetime.effect { read in
            calls.record("\(try read(a))")
            read.lifetime.hold(BlockCancelable { calls.record("ends") })
        }
        let node = try #require(a.downstreamNodes.first)
        effect.cancel()
        a.value = 2
        #expect(calls.take() == ["1", "ends"])
        withExtendedLifetime(node) {}
    }

    @Test("an effect whose listen edge gets another listener goes on, and ends with that one")
    func movesOn() throws {
        let (a, other) = (MutableNode(1), Lifetime())
        let calls = calls
        lifetime.effect { read in calls.record("\(try read(a))") }
        let edge = try #require(a.downstreamNodes.first?.listenEdges.first as? ListenEdge<Void>)
        edge.to = other
        lifetime.cancel()
        a.value = 2
        other.cancel()
        a.value = 3
        #expect(calls.take() == ["1", "2"])
    }

    @Test("read.lifetime ends before the body runs again, and when the effect ends")
    func ends() {
        let a = MutableNode(1)
        let calls = calls
        let effect = lifetime.effect { read in
            let value = try read(a)
            calls.record("begins \(value)")
            read.lifetime.hold(BlockCancelable { calls.record("ends \(value)") })
        }
        a.value = 2
        #expect(calls.take() == ["begins 1", "ends 1", "begins 2"])
        effect.cancel()
        #expect(calls.take() == ["ends 2"])
    }

    @Test("inner effects and listeners go with the run that made them")
    func innerEffects() {
        let (a, b) = (MutableNode(1), MutableNode(1))
        let calls = calls
        lifetime.effect { read in
            let outer = try read(a)
            read.lifetime.effect { inner in calls.record("effect \(outer).\(try inner(b))") }
            b.listened(by: read.lifetime).with { calls.record("listener \(outer).\($0)") }
        }
        #expect(calls.take() == ["effect 1.1", "listener 1.1"])
        a.value = 2
        #expect(calls.take() == ["effect 2.1", "listener 2.1"])
        b.value = 2
        #expect(calls.take() == ["listener 2.2", "effect 2.2"])
        batch {
            a.value = 3
            b.value = 3
        }
        #expect(calls.take() == ["listener 2.3", "effect 3.3", "listener 3.3"])
        lifetime.cancel()
        a.value = 4
        b.value = 4
        #expect(calls.take() == [])
        #expect(!b.hasListener && !b.hasDownstreamNode && !a.hasDownstreamNode)
    }

    @Test("a run that is not made, because nothing differs, leaves the lifetime of the last one as it is")
    func equalValue() {
        let a = MutableNode(1)
        let calls = calls
        lifetime.effect { read in
            _ = try read(a)
            read.lifetime.hold(BlockCancelable { calls.record("ends") })
        }
        a.value = 1
        #expect(calls.take() == [])
        a.value = 2
        #expect(calls.take() == ["ends"])
    }

    @Test("a computed node's own lifetime ends with the node, even if the body reads nothing")
    func ofComputed() {
        let (a, b) = (MutableNode(1), MutableNode(1))
        let calls = calls
        var made: Node<Int>? = computed { read in
            b.listened(by: read.lifetime).with { calls.record("\($0)") }
            return 1
        }
        b.value = 2
        #expect(calls.take() == ["1", "2"])
        made = nil
        b.value = 3
        #expect(calls.take() == [])
        made = computed { read in
            let value = try read(a)
            b.listened(by: read.lifetime).with { calls.record("\(value).\($0)") }
            return value
        }
        a.value = 2
        b.value = 4
        #expect(calls.take() == ["1.3", "2.3", "2.4"])
        made = nil
        #expect(!b.hasListener)
        withExtendedLifetime(made) {}
    }

    @Test("an effect that ends itself ends the listeners that the run attaches afterwards")
    func afterItsEnd() {
        let (a, b) = (MutableNode(1), MutableNode(1))
        let screen = Lifetime()
        screen.effect { [unowned screen] read in
            _ = try read(a)
            screen.cancel()
            b.listened(by: read.lifetime).with { _ in }
        }
        #expect(!b.hasListener)
    }

    @Test("thousands of effects, each within the one before, end in little stack")
    func manyWithin() throws {
        try runOnSmallStack {
            let screen = Lifetime(), a = MutableNode(1)
            var inner = screen
            for _ in 0..<(Scale.gate.isSmall ? 3_000 : 10_000) {
                let made = Locked<Lifetime?>(nil)
                inner.effect { read in
                    _ = try read(a)
                    made.value = read.lifetime
                }
                inner = made.value!
                made.value = nil
            }
            screen.cancel()
            // Another test's recorder, while it answers, may hold an effect's node.
            #expect(eventually { !a.hasDownstreamNode })
        }
    }
}
