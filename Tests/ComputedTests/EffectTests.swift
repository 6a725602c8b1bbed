import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Effects") struct EffectTests {
    let calls = Recorder<String>()
    let lifetime = Lifetime()

    @Test("an effect runs at once, and then once for each set or batch that changes a node that it read")
    func runs() {
        let (a, b) = (MutableNode(1), MutableNode(2))
        let calls = calls
        lifetime.effect { read in calls.record("\(try read(a) + read(b))") }
        #expect(calls.take() == ["3"])
        a.value = 10
        batch {
            a.value = 20
            b.value = 30
        }
        #expect(calls.take() == ["12", "50"])
    }

    @Test("an effect runs after every computed and combine that the set reaches, however deep")
    func runsLast() {
        let a = MutableNode(1)
        let calls = calls
        lifetime.effect { read in calls.record("effect \(try read(a))") }
        let deep = (0..<5).reduce(a as Node<Int>) { node, _ in computed { read in try read(node) + 1 } }
        deep.listened(by: lifetime).with { calls.record("deep \($0)") }
        combine(deep, a).listened(by: lifetime).with { calls.record("combine \($0) \($1)") }
        _ = calls.take()
        a.value = 2
        #expect(calls.take() == ["deep 7", "combine 7 2", "effect 2"])
    }

    @Test("an effect's set belongs to the same outermost set, and the effects that it reaches run after this one")
    func innerSets() {
        let (a, b) = (MutableNode(1), MutableNode(0))
        let calls = calls
        let tenfold = computed { read in try read(b) * 10 }
        lifetime.effect { read in
            let value = try read(a)
            calls.record("first \(value)")
            b.value = value
            calls.record("first ends, tenfold \(tenfold.value!)")
        }
        lifetime.effect { read in calls.record("second \(try read(tenfold)) \(try read(a))") }
        _ = calls.take()
        a.value = 2
        #expect(calls.take() == ["first 2", "first ends, tenfold 10", "second 20 2"])
    }

    @Test("an effect that sets a node that it reads runs again until the node no longer changes")
    func setsItself() {
        let a = MutableNode(0)
        let calls = calls
        lifetime.effect { read in
            let value = try read(a)
            calls.record("\(value)")
            if value < 3 { a.value = value + 1 }
        }
        #expect(calls.take() == ["0", "1", "2", "3"])
    }

    @Test("a read after a set of its own gives an effect the new value")
    func readsWhatItSet() {
        let (a, b) = (MutableNode(0), MutableNode(0))
        let calls = calls
        lifetime.effect { read in
            let value = try read(a)
            if try read(b) != value { b.value = value }
            calls.record("\(try read(a)) \(try read(b))")
        }
        _ = calls.take()
        a.value = 5
        #expect(calls.take().first == "5 5")
    }

    @Test("a cancelled effect runs no more, and releases the nodes that it read")
    func cancelled() throws {
        try withLifetimeTracking { tracker in
            let a = MutableNode(1)
            let held = tracker.track("held")
            let calls = calls
            let effect = lifetime.effect { read in calls.record("\(held) \(try read(a))") }
            #expect(a.hasDownstreamNode)
            effect.cancel()
            a.value = 2
            #expect(calls.take() == ["held 1"])
            #expect(!a.hasDownstreamNode)
        }
    }

    @Test("an effect ends with its listener")
    func endsWithListener() {
        final class Screen: Listener { let lifetime = Lifetime() }
        let a = MutableNode(1)
        let calls = calls
        var screen: Screen? = Screen()
        screen?.effect { read in calls.record("\(try read(a))") }
        screen = nil
        a.value = 2
        #expect(calls.take() == ["1"])
        #expect(!a.hasDownstreamNode)
    }

    @Test("an effect that stops another in the same set keeps it from running")
    func stopsAnother() {
        let a = MutableNode(1)
        let calls = calls
        let second = Locked<(any Cancelable)?>(nil)
        lifetime.effect { read in
            if try read(a) == 2 { second.value?.cancel() }
            calls.record("first")
        }
        second.value = lifetime.effect { read in calls.record("second \(try read(a))") }
        _ = calls.take()
        a.value = 2
        #expect(calls.take() == ["first"])
        second.value = nil
    }

    @Test("an effect that stops itself runs to its end, and no more")
    func stopsItself() {
        let a = MutableNode(1)
        let calls = calls
        let own = Locked<(any Cancelable)?>(nil)
        own.value = lifetime.effect { read in
            let value = try read(a)
            if value == 2 { own.value?.cancel() }
            calls.record("\(value) \(read.ifAny(a) ?? 0)")
        }
        _ = calls.take()
        a.value = 2
        a.value = 3
        #expect(calls.take().first?.hasPrefix("2") ?? false)
        own.value = nil
    }

    @Test("an effect waits for a node without a value")
    func waits() {
        let a = MutableNode<Int>()
        let calls = calls
        lifetime.effect { read in calls.record("\(try read(a))") }
        #expect(calls.take() == [])
        a.value = 1
        #expect(calls.take() == ["1"])
    }

    @Test("an effect that is made in a batch runs when the batch ends, and not at all if its listener has gone by then")
    func madeInABatch() {
        let a = MutableNode(1)
        let calls = calls
        batch {
            lifetime.effect { read in calls.record("lasting \(try read(a))") }
            Lifetime().effect { read in calls.record("gone \(try read(a))") }
            a.value = 2
            #expect(calls.take() == [])
        }
        #expect(calls.take() == ["lasting 2"])
    }

    @Test(
        "an effect that sets itself off without end is cut off with a message that names it and the nodes that it read",
        .enabled(if: Scale.runsTraps))
    func withoutEnd() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Screen: Listener { let lifetime = Lifetime() }
            let (a, screen) = (MutableNode(0).named("counter"), Screen())
            screen.effect { read in a.value = try read(a) + 1 }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("a single set has run an effect of Screen 10000 times"), "\(message)")
        #expect(message.contains("Node(named: counter, value: 10000)"), "\(message)")
    }

    @Test(
        "an effect that sets itself off without end is named by its lifetime and the place that made it",
        .enabled(if: Scale.runsTraps))
    func namedByItsPlace() async {
        let line = #line + 1
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (a, screen) = (MutableNode(0), Lifetime(named: "login screen"))
            screen.effect { read in a.value = try read(a) + 1 }
        }
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "ComputedTests/EffectTests.swift:\(line)")
        let text = misuse(in: result?.standardErrorContent)
        #expect(text.hasPrefix("a single set has run an effect of Lifetime(named: login screen) 10000"), "\(text)")
        #expect(
            text.contains("It read Node<Int>(10000), which has no name (give it one by named(_:)), in its last run:"),
            "\(text)")
    }

    @Test(
        "an effect that keeps setting a node to NaN is told that NaN counts as changed each time",
        .enabled(if: Scale.runsTraps))
    func notANumber() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let level = MutableNode(1.0).named("level"), screen = Lifetime()
            screen.effect { read in level.value = try read(level) * .nan }
        }
        let text = misuse(in: result?.standardErrorContent)
        #expect(text.contains("It read Node(named: level, value: nan)"), "\(text)")
        #expect(
            text.contains("A value that does not equal itself, such as NaN, counts as changed each time."), "\(text)")
    }

    @Test("an effect that sets itself off 9,000 times is let run")
    func manyRounds() {
        let a = MutableNode(0)
        lifetime.effect { read in
            let value = try read(a)
            if value < 9_000 { a.value = value + 1 }
        }
        #expect(a.value == 9_000)
        a.value = 0
        #expect(a.value == 9_000)
    }
}
