import ReactCore
import ReactOperators
import TestSupport
import Testing

// When and how a node is read.
extension ConformanceTests {
    @Test("a listener that reads a computed node sees the old value, and the computed node's own listener the new one")
    func staleReads() {
        let a = MutableNode(1)
        let b = computed { read in try read(a) * 10 }
        let lifetime = Lifetime()
        let calls = calls
        a.listened(by: lifetime).with { calls.record("a \($0), b \(b.value!)") }
        b.listened(by: lifetime).with { calls.record("b \($0), a \(a.value!)") }
        _ = calls.take()
        a.value = 2
        #expect(calls.take() == ["a 2, b 10", "b 20, a 2"])
    }

    @Test("a set that a listener makes belongs to the outermost set: each is made once")
    func setsByListeners() {
        let (a, b) = (MutableNode(1), MutableNode(1))
        let lifetime = Lifetime()
        a.listened(by: lifetime).with { b.value = $0 * 10 }
        let sum = counted("sum", calls) { read in try read(a) + read(b) }
        _ = calls.take()
        a.value = 2
        #expect(sum.value == 22)
        #expect(calls.take() == ["sum"])
    }

    @Test("untracked reads make no edge, and are not waited for")
    func untracked() {
        let (a, b) = (MutableNode(1).named("a"), MutableNode(1).named("b"))
        let sum = counted("sum", calls) { read in try read(a) + (read.untracked(b) ?? 0) }
        #expect(sum.inputNames == ["a"])
        _ = calls.take()
        b.value = 10
        #expect(sum.value == 2)
        #expect(calls.take() == [])
        a.value = 2
        #expect(sum.value == 12)
    }

    @Test("a node without a value is waited for; the value stays meanwhile")
    func waits() {
        let (a, b) = (MutableNode(1), MutableNode<Int>())
        let sum = counted("sum", calls) { read in try read(a) + read(b) }
        #expect(sum.isEmpty)
        a.value = 2
        #expect(sum.isEmpty)
        b.value = 10
        #expect(sum.value == 12)
        b.clean()
        a.value = 3
        #expect(sum.value == 12)
        b.value = 20
        #expect(sum.value == 23)
    }

    @Test("ifAny never reads a node as nil that has a value, also where that is still to change")
    func ifAnyInMidChange() {
        let selected = MutableNode("a"), query = MutableNode(""), lifetime = Lifetime()
        let results = computed { read in try read(query).count }
        let shown = Recorder<Int?>()
        lifetime.effect { read in
            query.value = try read(selected)
            shown.record(read.ifAny(results))
        }
        selected.value = "abc"
        #expect(!shown.events.contains(nil))
        #expect(shown.events.last == 3)
    }

    @Test("ifAny reads a node without a value as nil, and hears when it has one, and when it is emptied")
    func ifAny() {
        let a = MutableNode<Int>()
        let text = computed { read in read.ifAny(a).map { "\($0)" } ?? "–" }
        #expect(text.value == "–")
        a.value = 1
        #expect(text.value == "1")
        a.clean()
        #expect(text.value == "–")
    }

    @Test("a nil that a node holds is read as a value")
    func optionals() {
        let a = MutableNode<Int?>()
        let isNil = computed { read in try read(a) == nil }
        #expect(isNil.isEmpty)
        a.setValue(nil)
        #expect(isNil.value == true)
        a.setValue(3)
        #expect(isNil.value == false)
    }

    @Test("a failure that is a value is passed on, and gone with its cause")
    func failures() {
        struct Odd: Error, Equatable {}
        let a = MutableNode(1)
        let half = computed { read -> Result<Int, Odd> in
            let value = try read(a)
            return value.isMultiple(of: 2) ? .success(value / 2) : .failure(Odd())
        }
        let text = counted("text", calls) { read in
            switch try read(half) {
            case .success(let value): "\(value)"
            case .failure: "odd"
            }
        }
        #expect(text.value == "odd")
        _ = calls.take()
        a.value = 3
        #expect(calls.take() == [])
        a.value = 8
        #expect(text.value == "4")
        #expect(calls.take() == ["text"])
    }
}
