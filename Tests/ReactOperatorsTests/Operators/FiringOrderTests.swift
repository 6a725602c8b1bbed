import ReactCore
import ReactOperators
import TestSupport
import Testing

/// What fires first follows from what a set reaches: not from other graphs, and not from links of the past.
@Suite("The order of firing") struct FiringOrderTests {
    let heard = Recorder<String>()
    let lifetime = Lifetime()

    func listen<Value>(to node: Node<Value>, as name: String) {
        node.listened(by: lifetime).with { [heard] in heard.record("\(name) \($0)") }
    }

    /// A ring through a combination.
    struct Ring {
        let a = MutableNode(0), b = MutableNode(0)
        let sum: Node<Int>
        init() {
            sum = combine(a, b) { $0 + $1 }
            b.link(to: sum)
        }
        func end() { b.removeUpstreamNodes() }
    }

    @Test("a ring in another graph changes nothing", arguments: [false, true])
    func strangers(hasRing: Bool) {
        let ring = hasRing ? Ring() : nil
        defer { ring?.end() }
        let source = MutableNode(1), copy = MutableNode(0)
        let settled = source.settled()
        settled.link(to: copy).cancel()
        copy.link(to: settled)
        let back = settled.link(to: copy)
        back.cancel()
        listen(to: settled, as: "settled")
        listen(to: combine(source, copy), as: "combined")
        _ = heard.take()
        source.value = 2
        #expect(heard.events == ["combined (2, 0)", "settled 2", "combined (2, 2)"])
        copy.removeUpstreamNodes()
    }

    @Test("a settled node fires after the combinations that the set reaches, also in a ring", arguments: [false, true])
    func settledInRing(isSynced: Bool) {
        let source = MutableNode(1), copy = MutableNode(0)
        let settled = source.settled()
        let ring = isSynced ? settled.sync(with: copy) : copy.link(to: settled)
        defer { ring.cancel() }
        listen(to: settled, as: "settled")
        listen(to: combine(source, copy), as: "combined")
        let first = heard.take().last
        source.value = 2
        #expect(first == (isSynced ? "combined (1, 0)" : "combined (1, 1)"))
        #expect(heard.events.first?.hasPrefix("combined (2, ") ?? false)
        #expect(Array(heard.events.dropFirst()) == ["settled 2", "combined (2, 2)"])
    }

    @Test("a withLatest that the set does not reach makes nothing late", arguments: [false, true])
    func unreached(isBelow: Bool) {
        let tap = MutableNode(1), text = MutableNode("a"), count = MutableNode(0), heard = heard
        let event: Node<Int> = isBelow ? tap.withLatest(from: text).map { $0.0 } : tap.map { $0 }
        listen(to: combine(event, count) { $0 + $1 }, as: "combined")
        lifetime.effect { read in heard.record("first \(try read(event) + read(count))") }
        lifetime.effect { read in heard.record("second \(try read(count))") }
        _ = heard.take()
        count.value = 5
        #expect(heard.take() == ["combined 6", "first 6", "second 5"])
        batch {
            tap.value = 2
            count.value = 6
        }
        let late = ["second 6", "combined 8", "first 8"], early = ["combined 8", "first 8", "second 6"]
        #expect(heard.events == (isBelow ? late : early))
    }

    @Test(
        "a combination that was linked below a withLatest, a settled node or an effect fires as others, once that is cut",
        arguments: [0, 1, 2])
    func linksOfThePast(kind: Int) throws {
        let tap = MutableNode(0), source = MutableNode(0), heard = heard
        var made: Node<Int> = tap.withLatest(from: Node(0)).map { $0.0 }
        if kind == 1 { made = tap.settled() }
        if kind == 2 {
            lifetime.effect { read in _ = try read(tap) }
            made = try #require(tap.downstreamNodes.last as? Node<Void>).mapReplace(0)
        }
        let input = MutableNode(0)
        let link = input.link(to: made)
        let sum = combine(source, input) { $0 + $1 }
        listen(to: sum, as: "combined")
        lifetime.effect { read in heard.record("effect \(try read(source))") }
        link.cancel()
        _ = heard.take()
        source.value = 1
        #expect(heard.events == ["combined 1", "effect 1"])
    }

    @Test("while the link stands, a set that does not reach the withLatest fires in the same order")
    func linksThatStand() {
        let tap = MutableNode(0), source = MutableNode(0), heard = heard
        let input = MutableNode(0)
        input.link(to: tap.withLatest(from: Node(0)).map { $0.0 })
        listen(to: combine(source, input) { $0 + $1 }, as: "combined")
        lifetime.effect { read in heard.record("effect \(try read(source))") }
        _ = heard.take()
        source.value = 1
        #expect(heard.events == ["combined 1", "effect 1"])
    }

    @Test("an effect that begins to read below a withLatest that fires runs once in a set with equal values")
    func beginsToRead() {
        let tap = MutableNode(0), text = MutableNode(0), heard = heard
        let event = tap.withLatest(from: text).map { $0.0 }
        lifetime.effect { read in
            let number = try read(tap)
            heard.record(number == 0 ? "no" : "\(number) \(read.ifAny(event) ?? -1)")
        }
        _ = heard.take()
        tap.value = 1
        #expect(heard.take().last == "1 1")
        tap.value = 2
        #expect(heard.take() == ["2 2"])
    }

    @Test("withLatest below another one fires after it, with the values that the first has led to")
    func chains() {
        let tap = MutableNode(0), text = MutableNode(0), heard = heard
        let first = tap.withLatest(from: text).map { $0.0 * 10 + $0.1 }
        let second = tap.withLatest(from: combine(first, text) { $0 + $1 })
        listen(to: second, as: "second")
        listen(to: combine(second.map { $0.1 }, first, tap), as: "combined")
        lifetime.effect { read in text.value = try read(tap) }
        lifetime.effect { read in heard.record("effect \(try read(second))") }
        _ = heard.take()
        tap.value = 1
        #expect(heard.events == ["second (1, 12)", "combined (12, 11, 1)", "effect (1, 12)"])
    }

    @Test("in a ring with a withLatest, each combination fires once for a set")
    func lateInRing() {
        let tap = MutableNode(1), back = MutableNode(0)
        let sum = combine(tap, back) { $0 + $1 }
        let late = sum.withLatest(from: tap)
        let link = back.link(to: late.map { $0.0 * 10 })
        defer { link.cancel() }
        let calls = sum.recorded()
        tap.value = 2
        #expect(calls.events.count == 2)
        #expect(late.current == (calls.events[1], 2))
    }

    @Test("of many pairs of withLatest and combination that a batch reaches, each fires once, in linear time")
    func manyPairs() throws {
        func steps(_ count: Int) throws -> Int {
            let taps = (0..<count).map { MutableNode($0) }, text = MutableNode(0)
            let below = taps.map { tap in combine(tap.withLatest(from: text).map { $0.0 }, tap) { $0 == $1 ? 1 : 0 } }
            let heard = below.map { $0.recorded() }
            let counter = StepCounter()
            counter.counting { batch { for tap in taps { tap.value = tap.current + 1 } } }
            #expect(heard.allSatisfy { $0.events == [1, 1] })
            return counter.value
        }
        let (few, many) = (try steps(100), try steps(1_000))
        #expect(many <= 12 * max(few, 100))
    }
    @Test("of a chain of combinations below a withLatest that a set reaches, each fires once, in linear time")
    func deepChain() throws {
        func steps(_ count: Int) throws -> Int {
            let tap = MutableNode(0), text = MutableNode(0)
            var last: Node<Int> = tap.withLatest(from: text).map { $0.0 }
            let chain = (0..<count).map { _ in
                last = combine(last, tap) { $0 + $1 }
                return last
            }
            let counter = StepCounter()
            let heard = chain[count - 1].recorded()
            counter.counting { tap.value = 1 }
            #expect(heard.events == [0, count + 1])
            return counter.value
        }
        let (few, many) = (try steps(100), try steps(1_000))
        #expect(many <= 12 * max(few, 100))
    }
}
