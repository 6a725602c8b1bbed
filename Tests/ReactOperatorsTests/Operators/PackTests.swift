import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Combinations and zips of more nodes than have an overload of their own: a tuple is put together piece by piece.
@Suite("Packs of nodes") struct PackTests {
    /// Plain data of many sizes, so that the tuple has gaps.
    private struct Plain: Equatable, Sendable {
        enum Suit: UInt8 { case clubs, hearts }
        struct Odd: Equatable {
            var wide: UInt32 = 0
            var narrow: UInt8 = 0
        }
        var a: Int8 = 0
        var b = 0
        var c = false
        var d: Int16 = 0
        var e: Double = 0
        var f: Int?
        var g = Odd()
        var h: UInt8 = 0
        var i: Suit = .clubs
        var j: Int?? = .some(nil)
    }
    private struct Sources {
        let a = MutableNode<Int8>(), b = MutableNode<Int>(), c = MutableNode<Bool>(), d = MutableNode<Int16>()
        let e = MutableNode<Double>(), f = MutableNode<Int?>(), g = MutableNode<Plain.Odd>(), h = MutableNode<UInt8>()
        let i = MutableNode<Plain.Suit>(), j = MutableNode<Int??>()

        func set(_ plain: Plain) {
            (a.value, b.value, c.value, d.value, e.value) = (plain.a, plain.b, plain.c, plain.d, plain.e)
            f.setValue(plain.f)
            (g.value, h.value, i.value) = (plain.g, plain.h, plain.i)
            j.setValue(plain.j)
        }
    }
    private let plain = [
        Plain(
            a: -1, b: .min, c: true, d: 300, e: 0.5, f: 7, g: .init(wide: 1 << 31, narrow: 9), h: 255, i: .hearts, j: 8),
        Plain(
            a: 127, b: .max, c: false, d: -300, e: -.infinity, f: nil, g: .init(wide: 3), h: 1, i: .clubs, j: .some(nil)
        ),
        Plain(a: 2, b: 4, c: true, d: 5, e: 6, f: 0, g: .init(wide: 7, narrow: 8), h: 9, i: .hearts, j: .none),
    ]

    @Test("a combination of ten plain values of different sizes has each in its place")
    func plainCombination() {
        let s = Sources()
        let all = combine(s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i, s.j).map {
            Plain(a: $0.0, b: $0.1, c: $0.2, d: $0.3, e: $0.4, f: $0.5, g: $0.6, h: $0.7, i: $0.8, j: $0.9)
        }
        let made = combine(s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i, s.j) {
            Plain(a: $0, b: $1, c: $2, d: $3, e: $4, f: $5, g: $6, h: $7, i: $8, j: $9)
        }
        let heard = all.recorded()
        for value in plain { batch { s.set(value) } }
        #expect(heard.events == plain)
        #expect(made.value == plain.last)
        s.d.value = -1
        #expect(all.value?.d == -1 && all.value?.e == 6)
    }
    @Test("a zip of ten plain values of different sizes has each in its place, also where some waited")
    func plainZip() {
        let s = Sources()
        let rows = zip(s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i, s.j).map {
            Plain(a: $0.0, b: $0.1, c: $0.2, d: $0.3, e: $0.4, f: $0.5, g: $0.6, h: $0.7, i: $0.8, j: $0.9)
        }
        let heard = rows.recorded()
        for value in plain { (s.a.value, s.d.value) = (value.a, value.d) }
        for value in plain { s.f.setValue(value.f) }
        for value in plain {
            (s.b.value, s.c.value, s.e.value) = (value.b, value.c, value.e)
            (s.g.value, s.h.value, s.i.value) = (value.g, value.h, value.i)
            s.j.setValue(value.j)
        }
        #expect(heard.events == plain)
    }

    /// Ten sources of texts, of which all wait for the last.
    private func textNodes() -> [MutableNode<String>] { (0..<10).map { _ in MutableNode() } }
    private func zipped(_ n: [MutableNode<String>]) -> Node<String> {
        zip(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]).map {
            [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8, $0.9].joined(separator: " ")
        }
    }
    /// A text that is too long to be kept in place.
    private func text(_ node: Int, _ number: Int) -> String { "text \(number) of source \(node), of some length" }

    @Test("a zip of ten texts pairs the first of all, then the second, however far some are ahead")
    func zippedTexts() {
        let nodes = textNodes()
        let heard = zipped(nodes).recorded()
        for (index, node) in nodes.enumerated().reversed() {
            for number in 1...(index + 1) { node.value = text(index, number) }
        }
        nodes[0].value = text(0, 2)
        #expect(heard.events == (1...2).map { number in nodes.indices.map { text($0, number) }.joined(separator: " ") })
    }
    @Test("a combination of ten texts has the newest of each")
    func combinedTexts() {
        let n = textNodes()
        let all = combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]).map {
            [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8, $0.9]
        }
        for (index, node) in n.enumerated() { node.value = text(index, 1) }
        n[3].value = text(3, 2)
        #expect(all.value == n.indices.map { text($0, $0 == 3 ? 2 : 1) })
    }

    private final class Payload: Sendable {}
    private struct Pair: Equatable, Sendable {
        var left: Int32 = 0
        var right: Int32 = 0
    }

    @Test("plain values, nothing at all, texts and objects are combined and zipped beside one another")
    func mixed() {
        let (small, nothing, word) = (MutableNode<Int8>(), MutableNode<Void>(), MutableNode<String>())
        let (pair, object) = (MutableNode<Pair>(), MutableNode<Payload>())
        let payloads = (0..<2).map { _ in Payload() }
        let all = combine(small, nothing, pair, small, pair, nothing, word, small, object, pair)
        let rows = zip(small, nothing, pair, small, pair, nothing, word, small, object, pair)
        // Of a row one value each comes from a node, which stands there several times.
        for number in 1...2 {
            small.value = Int8(number)
            nothing.value = ()
            word.value = text(0, number)
            pair.value = Pair(left: Int32(number), right: -1)
            object.value = payloads[number - 1]
            for tuple in [all.value, rows.value] {
                #expect(tuple?.0 == Int8(number) && tuple?.3 == Int8(number) && tuple?.7 == Int8(number))
                #expect(
                    tuple?.2 == Pair(left: Int32(number), right: -1) && tuple?.4 == tuple?.2 && tuple?.9 == tuple?.2)
                #expect(tuple?.6 == text(0, number) && tuple?.8 === payloads[number - 1])
            }
        }
    }
    @Test("plain values that fill eight bytes, but need not lie at eight, are copied whole")
    func unaligned() {
        let (small, pair) = (MutableNode<Int32>(7), MutableNode(Pair(left: 1, right: 2)))
        let all = combine(small, pair, pair, small, pair, small, small, pair, pair, small)
        pair.value = Pair(left: 3, right: 4)
        let (one, two) = (all.value?.1, all.value?.8)
        #expect(one == Pair(left: 3, right: 4) && two == one)
        #expect(all.value?.0 == 7 && all.value?.9 == 7)
    }

    @Test("values that wait in a zip of ten are released with their edge, or with the zip")
    func lifetimes() {
        let n = (0..<10).map { _ in MutableNode<Payload>() }
        let count = Locked(0)
        weak var first: Payload?
        weak var second: Payload?
        weak var cut: Payload?
        do {
            let rows = zip(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9])
            let lifetime = Lifetime()
            rows.listened(by: lifetime).with { _ in count.increment() }
            do {
                let payloads = (Payload(), Payload(), Payload())
                (first, second, cut) = payloads
                n[0].value = payloads.0
                n[0].value = payloads.1
                n[1].value = payloads.2
            }
            n[0].clean()
            n[1].clean()
            #expect(first != nil && second != nil && cut != nil)
            rows.upstreamTransforms[1].cancel()
            #expect(cut == nil)
        }
        #expect(first == nil && second == nil)
        #expect(count.value == 0)
    }
}
