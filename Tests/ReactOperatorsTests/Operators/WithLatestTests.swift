import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("withLatest")
struct WithLatestTests {
    @Test("withLatest is heard when its own node is set, with the other's newest, and not when the other is")
    func whenever() {
        let tap = MutableNode<Int>(), text = MutableNode("a")
        let heard = tap.withLatest(from: text).recorded()
        text.value = "b"
        tap.value = 1
        text.value = "c"
        tap.value = 2
        tap.value = 2
        #expect(heard.events.map { "\($0.0)\($0.1)" } == ["1b", "2c", "2c"])
    }

    @Test("withLatest names the nodes that its own node's value came through, and may return to others")
    func sendersOfTheLast() {
        let a = MutableNode(0), b = MutableNode(0), other = MutableNode(10)
        let sum = Node.merge([a, b]).withLatest(from: other).mapEach { value, _ in value }
        a.link(to: sum)
        defer { a.removeUpstreamNodes() }
        batch {
            a.value = 1
            b.value = 2
        }
        #expect(sum.value == 2 && a.value == 2)
    }

    @Test(
        "withLatest drops values that come while the other is empty, and keeps the other's last value when it is emptied"
    )
    func emptiness() {
        let tap = MutableNode(1), text = MutableNode<String>()
        let result = tap.withLatest(from: text)
        let heard = result.recorded()
        tap.value = 2
        text.value = "a"
        #expect(result.isEmpty)
        tap.value = 3
        text.clean()
        tap.value = 4
        #expect(heard.events.map { "\($0.0)\($0.1)" } == ["3a", "4a"])
    }

    @Test("withLatest fires once a set, after the combinations upstream of either, the first time too")
    func afterCombinations() {
        let a = MutableNode<Int>(), b = MutableNode(10)
        let sum = combine(a, b).mapEach { $0 + $1 }
        let product = combine(sum, a).mapEach { $0 * $1 }
        let heard = a.withLatest(from: product).recorded()
        let other = sum.withLatest(from: product).recorded()
        a.value = 1
        a.value = 2
        b.value = 20
        batch {
            a.value = 3
            b.value = 30
            a.value = 4
        }
        #expect(heard.events.map { "\($0.0) \($0.1)" } == ["1 11", "2 24", "4 136"])
        #expect(other.events.map { "\($0.0) \($0.1)" } == ["11 11", "12 24", "22 44", "34 136"])
    }

    @Test("a combination below withLatest fires once, after it")
    func below() {
        let a = MutableNode(1), b = MutableNode(2)
        let both = combine(a.withLatest(from: b).map { $0.0 * $0.1 }, a, b).mapEach { "\($0) \($1) \($2)" }
        let heard = both.recorded()
        a.value = 3
        b.value = 4
        batch {
            b.value = 5
            a.value = 6
        }
        #expect(heard.events == ["2 1 2", "6 3 2", "6 3 4", "30 6 5"])
    }

    @Test("the other's set by a listener of this node belongs to the same set")
    func setByListener() {
        let tap = MutableNode<Int>(), text = MutableNode("a")
        let lifetime = Lifetime()
        tap.listened(by: lifetime).with { text.value = "t\($0)" }
        let heard = tap.withLatest(from: text).recorded()
        tap.value = 1
        #expect(heard.events.map { "\($0.0)\($0.1)" } == ["1t1"])
    }

    /// Whoever sets the other node in the course of a set.
    enum Setter: CaseIterable { case listener, listenerOfComputed, listenerOfCombination, effect, effectOfEffect }

    @Test(
        "withLatest has the other's value at the end of the set, whoever sets the other in it",
        arguments: Setter.allCases)
    func setInTheSameSet(by setter: Setter) {
        let a = MutableNode(1), b = MutableNode(10), lifetime = Lifetime()
        let result = a.withLatest(from: b)
        // A combination of the result and of `a` is made once, with both.
        let below = Recorder<String>(), heard = Recorder<String>(), seen = Recorder<String>()
        combine(result.map { $0.0 * $0.1 }, a).listened(by: lifetime).with { below.record("\($0) \($1)") }
        switch setter {
        case .listener: a.listened(by: lifetime).with { b.value = $0 * 10 }
        case .listenerOfComputed:
            computed { read in try read(a) * 10 }.listened(by: lifetime).with { b.value = $0 }
        case .listenerOfCombination: combine(a, Node(10)) { $0 * $1 }.listened(by: lifetime).with { b.value = $0 }
        case .effect: lifetime.effect { read in b.value = try read(a) * 10 }
        case .effectOfEffect:
            let c = MutableNode(0)
            lifetime.effect { read in b.value = try read(c) * 10 }
            lifetime.effect { read in c.value = try read(a) }
        }
        lifetime.effect { read in seen.record("\(try read(result))") }
        result.listened(by: lifetime).with { heard.record("\($0)") }
        _ = (heard.take(), below.take(), seen.take())
        a.value = 2
        #expect(heard.take() == ["(2, 20)"])
        #expect(below.take() == ["40 2"])
        #expect(seen.take() == ["(2, 20)"])
    }

    @Test("cut on either side, withLatest is silent; linked again to the other, it goes on")
    func cut() throws {
        let tap = MutableNode<Int>(), text = MutableNode("a")
        let result = tap.withLatest(from: text)
        let heard = result.recorded()
        tap.value = 1
        let edge = try #require(result.upstreamTransforms(from: text).first as? Transform<String, (Int, String)>)
        #expect(result.upstreamTransforms.map(\.name) == ["WithLatest", "WithLatest"])
        edge.from = nil
        tap.value = 2
        edge.from = MutableNode("z")
        tap.value = 3
        result.removeUpstreamNode(tap)
        tap.value = 4
        #expect(heard.events.map { "\($0.0)\($0.1)" } == ["1a", "3z"])
    }

    @Test("withLatest passes nothing on once its other node is removed")
    func removed() {
        let tap = MutableNode<Int>(), text = MutableNode("a")
        let result = tap.withLatest(from: text)
        let heard = result.recorded()
        tap.value = 1
        // Nobody else holds the edge.
        result.removeUpstreamNode(text)
        tap.value = 2
        text.value = "b"
        tap.value = 3
        #expect(heard.events.map { "\($0.0)\($0.1)" } == ["1a"])
    }

    @Test("set from two threads, withLatest hears every value of its own node in order, and ends with the last of both")
    func threads() async {
        let tap = MutableNode<Int>(), text = MutableNode(0)
        let result = tap.withLatest(from: text)
        let heard = result.recorded()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for value in 1...1_000 { tap.value = value } }
            group.addTask { for value in 1...1_000 { text.value = value } }
        }
        tap.value = 1_001
        #expect(heard.events.map(\.0).last == 1_001)
        #expect(heard.events.map(\.0) == heard.events.map(\.0).sorted())
        #expect(heard.events.map(\.1) == heard.events.map(\.1).sorted())
        #expect(result.value?.1 == 1_000)
    }
}
