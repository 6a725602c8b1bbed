import ReactCore
import ReactOperators
import TestSupport
import Testing

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
