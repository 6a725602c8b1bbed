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

    @Test("ten thousand effects, each within the one before, end in little stack")
    func manyWithin() throws {
        try runOnSmallStack {
            let screen = Lifetime(), a = MutableNode(1)
            var inner = screen
            for _ in 0..<10_000 {
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

@Suite("Equal values") struct EqualValuesReadTests {
    let calls = Recorder<String>()
    let lifetime = Lifetime()

    @Test("an effect that sets a node that it reads to an equal value comes to rest")
    func setsEqual() {
        let level = MutableNode(7)
        let calls = calls
        lifetime.effect { read in
            let value = try read(level)
            calls.record("\(value)")
            level.value = min(value, 10)
        }
        #expect(calls.take() == ["7"])
        level.value = 20
        #expect(calls.take() == ["20", "10"])
        #expect(level.value == 10)
    }

    @Test("a combination of a node and of one that an effect sets after it fires twice in a set")
    func combinationBesideAnEffect() {
        let node = MutableNode(1), double = MutableNode(0)
        let calls = calls
        lifetime.effect { read in double.value = try 2 * read(node) }
        combine(node, double).listened(by: lifetime).with { calls.record("\($0.0) \($0.1)") }
        #expect(calls.take() == ["1 2"])
        node.value = 2
        #expect(calls.take() == ["2 2", "2 4"])
    }

    @Test("a body is called only if one of the values that it read differs, also in a batch that changes back")
    func changesBack() {
        let (a, b) = (MutableNode(1), MutableNode("x"))
        let calls = calls
        lifetime.effect { read in calls.record("\(try read(a))\(read.ifAny(b) ?? "–")") }
        a.value = 1
        batch {
            a.value = 2
            a.value = 1
            b.value = "x"
        }
        #expect(calls.take() == ["1x"])
        b.value = "y"
        b.value = nil
        b.value = nil
        a.value = 1
        #expect(calls.take() == ["1y", "1–"])
        batch {
            a.value = 3
            b.value = "x"
            b.value = nil
        }
        #expect(calls.take() == ["3–"])
    }

    @Test("a body that has read a value that cannot be compared is called whenever that is set")
    func notEquatable() {
        struct Box: Sendable { let value: Int }
        let (a, b) = (MutableNode(Box(value: 1)), MutableNode(1))
        let calls = calls
        lifetime.effect { read in calls.record("\(try read(a).value) \(try read(b))") }
        a.value = Box(value: 1)
        b.value = 1
        #expect(calls.take() == ["1 1", "1 1"])
    }

    @Test("a body that throws NoValue itself keeps the value that the node has")
    func throwsNoValue() {
        let input = MutableNode("1")
        let number = computed { read in
            guard let number = Int(try read(input)) else { throw NoValue() }
            return number
        }
        input.value = "1x"
        #expect(number.value == 1)
        input.value = "2"
        #expect(number.value == 2)
    }

    @Test("values that are read in generic code are compared as well")
    func generic() {
        func count<Value: Sendable>(_ node: Node<Value>) {
            let calls = calls
            lifetime.effect { read in
                _ = try read(node)
                calls.record("run")
            }
        }
        let a = MutableNode([1])
        count(a)
        a.value = [1]
        #expect(calls.take() == ["run"])
        a.value = [2]
        #expect(calls.take() == ["run"])
    }

    @Test("a pulse that equals the node's last value is read all the same")
    func pulses() {
        let taps = MutableNode("tap")
        let calls = calls
        lifetime.effect { read in calls.record(read.ifAny(taps) ?? "–") }
        taps.pulse("tap")
        taps.pulse("tap")
        #expect(calls.take() == ["tap", "tap", "tap"])
    }

    @Test("a read after the effect's own set counts with the value that it returned")
    func readsAgain() {
        let (a, b) = (MutableNode(1), MutableNode(0))
        let calls = calls
        lifetime.effect { read in
            b.value = try read(a)
            calls.record("\(try read(b))")
        }
        #expect(calls.take() == ["1"])
        a.value = 2
        #expect(calls.take() == ["2"])
    }

    @Test("a replaced value is released when the body has run, and when the edge is cut")
    func isLetGoOf() throws {
        try withLifetimeTracking { tracker in
            struct Value: Equatable, Sendable {
                let number: Int
                let held: Tracked
                static func == (one: Value, other: Value) -> Bool { one.number == other.number }
            }
            let a = MutableNode(Value(number: 1, held: tracker.track("1")))
            let calls = calls
            let effect = lifetime.effect { read in calls.record("\(try read(a).number)") }
            a.value = Value(number: 2, held: tracker.track("2"))
            #expect(tracker.live == ["2"])
            a.value = Value(number: 2, held: tracker.track("equal"))
            a.value = Value(number: 3, held: tracker.track("3"))
            #expect(tracker.live == ["3"])
            a.value = Value(number: 3, held: tracker.track("last"))
            effect.cancel()
            #expect(tracker.live == ["last"])
            #expect(calls.take() == ["1", "2", "3"])
        }
    }

    @Test("a comparison may set nodes: no lock is held")
    func comparisonSets() {
        struct Value: Equatable, Sendable {
            let number: Int
            let compared: MutableNode<Int>
            static func == (one: Value, other: Value) -> Bool {
                one.compared.value = (one.compared.value ?? 0) + 1
                return one.number == other.number
            }
        }
        let compared = MutableNode(0)
        let a = MutableNode(Value(number: 1, compared: compared))
        let calls = calls
        lifetime.effect { read in calls.record("\(try read(a).number) \(read.untracked(compared) ?? 0)") }
        a.value = Value(number: 1, compared: compared)
        #expect(calls.take() == ["1 0"])
        #expect(compared.value == 1)
        a.value = Value(number: 2, compared: compared)
        #expect(calls.take() == ["2 2"])
    }
}

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
