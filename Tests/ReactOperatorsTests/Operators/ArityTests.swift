import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Every number of nodes has an overload of its own, so each is asked.
@Suite("Two to eleven nodes")
struct ArityTests {
    private let nodes = (1...11).map { MutableNode(1 << $0) }

    /// What is heard of a sum when each node in turn becomes 0: as long as each counts once, these are unique.
    private func check(_ sum: Node<Int>, of count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        let heard = sum.recorded()
        var left = (1...count).reduce(0) { $0 + 1 << $1 }
        var expected = [left]
        for index in 0..<count {
            left -= 1 << (index + 1)
            expected.append(left)
            nodes[index].value = 0
        }
        #expect(heard.events == expected, sourceLocation: sourceLocation)
        for index in 0..<11 { nodes[index].value = 1 << (index + 1) }
    }

    @Test("combine and mapEach take from two to eleven nodes, each in its place")
    func combineAndMapEach() {
        let n = nodes
        check(combine(n[0], n[1]).mapEach { $0 + $1 }, of: 2)
        check(combine(n[0], n[1], n[2]).mapEach { $0 + $1 + $2 }, of: 3)
        check(combine(n[0], n[1], n[2], n[3]).mapEach { $0 + $1 + $2 + $3 }, of: 4)
        check(combine(n[0], n[1], n[2], n[3], n[4]).mapEach { $0 + $1 + $2 + $3 + $4 }, of: 5)
        check(combine(n[0], n[1], n[2], n[3], n[4], n[5]).mapEach { [$0, $1, $2, $3, $4, $5].sum }, of: 6)
        check(combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6]).mapEach { [$0, $1, $2, $3, $4, $5, $6].sum }, of: 7)
        check(
            combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]).mapEach { [$0, $1, $2, $3, $4, $5, $6, $7].sum },
            of: 8)
        check(
            combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]).mapEach {
                [$0, $1, $2, $3, $4, $5, $6, $7, $8].sum
            }, of: 9)
        check(
            combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]).mapEach {
                [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9].sum
            }, of: 10)
        check(
            combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10]).mapEach {
                [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10].sum
            }, of: 11)
    }

    @Test("mapEach takes functions, and closures that name their parameters")
    func mapEachByFunction() {
        @Sendable func median(_ a: Int, _ b: Int, _ c: Int) -> Int { [a, b, c].sorted()[1] }
        let (a, b, c) = (MutableNode(3), MutableNode(5), MutableNode(4))
        #expect(combine(a, b).mapEach(max).value == 5)
        #expect(combine(a, b, c).mapEach(median).value == 4)
        #expect(combine(a, b).mapEach { (x: Int, y: Int) -> Int in x - y }.value == -2)
    }

    @Test("combine by a function takes from two to eleven nodes, each in its place")
    func combineByFunction() {
        let n = nodes
        check(combine(n[0], n[1]) { $0 + $1 }, of: 2)
        check(combine(n[0], n[1], n[2]) { $0 + $1 + $2 }, of: 3)
        check(combine(n[0], n[1], n[2], n[3]) { $0 + $1 + $2 + $3 }, of: 4)
        check(combine(n[0], n[1], n[2], n[3], n[4]) { $0 + $1 + $2 + $3 + $4 }, of: 5)
        check(combine(n[0], n[1], n[2], n[3], n[4], n[5]) { [$0, $1, $2, $3, $4, $5].sum }, of: 6)
        check(combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6]) { [$0, $1, $2, $3, $4, $5, $6].sum }, of: 7)
        check(combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]) { [$0, $1, $2, $3, $4, $5, $6, $7].sum }, of: 8)
        check(
            combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]) { [$0, $1, $2, $3, $4, $5, $6, $7, $8].sum },
            of: 9)
        check(
            combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]) {
                [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9].sum
            }, of: 10)
        check(
            combine(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10]) {
                [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10].sum
            }, of: 11)
    }

    @Test("zip takes from two to eleven nodes, each in its place, and waits for the last of them")
    func zips() {
        let n = nodes
        func check(_ rows: Node<[Int]>, of count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
            let first = (1...count).map { 1 << $0 }
            let heard = rows.recorded()
            for index in 0..<count { nodes[index].value = -index }
            #expect(heard.events == [first, (0..<count).map(-)], sourceLocation: sourceLocation)
            for index in 0..<11 { nodes[index].value = 1 << (index + 1) }
        }
        check(zip(n[0], n[1]).mapEach { [$0, $1] }, of: 2)
        check(zip(n[0], n[1], n[2]).mapEach { [$0, $1, $2] }, of: 3)
        check(zip(n[0], n[1], n[2], n[3]).mapEach { [$0, $1, $2, $3] }, of: 4)
        check(zip(n[0], n[1], n[2], n[3], n[4]).mapEach { [$0, $1, $2, $3, $4] }, of: 5)
        check(zip(n[0], n[1], n[2], n[3], n[4], n[5]).mapEach { [$0, $1, $2, $3, $4, $5] }, of: 6)
        check(zip(n[0], n[1], n[2], n[3], n[4], n[5], n[6]).mapEach { [$0, $1, $2, $3, $4, $5, $6] }, of: 7)
        check(
            zip(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]).mapEach { [$0, $1, $2, $3, $4, $5, $6, $7] }, of: 8)
        check(
            zip(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]).mapEach { [$0, $1, $2, $3, $4, $5, $6, $7, $8] },
            of: 9)
        check(
            zip(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]).mapEach {
                [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9]
            }, of: 10)
        check(
            zip(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10]).mapEach {
                [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10]
            }, of: 11)
    }
}

extension [Int] {
    fileprivate var sum: Int { reduce(0, +) }
}

@Suite("Combining by a function")
struct CombineByFunctionTests {
    @Test("combining by a function makes one node, and each edge to it is called Combine")
    func oneNode() {
        let a = MutableNode(1), b = MutableNode(2), c = MutableNode(3)
        let sum = combine(a, b, c) { $0 + $1 + $2 }
        #expect(sum.upstreamNodes == [a, b, c])
        #expect(sum.upstreamTransforms.map(\.name) == ["Combine", "Combine", "Combine"])
    }

    @Test("its function is called once a set and once a batch, with all inputs up to date")
    func once() {
        let a = MutableNode(1), b = MutableNode(2)
        let calls = Recorder<String>()
        let twice = a.map { $0 * 2 }
        let text = combine(a, twice, b) { "\($0) \($1) \($2)" }
        let shown = combine(text, b) { text, b in
            calls.record("\(text) | \(b)")
            return text
        }
        a.value = 2
        batch {
            a.value = 3
            b.value = 4
        }
        #expect(calls.events == ["1 2 2 | 2", "2 4 2 | 2", "3 6 4 | 4"])
        #expect(shown.value == "3 6 4")
    }

    @Test("its function may set nodes, its own inputs too: that belongs to the same set")
    func settingFunction() {
        let a = MutableNode(1), b = MutableNode(10), seen = MutableNode(0)
        let sum = combine(a, b) { a, b in
            seen.value = a + b
            return a + b
        }
        let heardSeen = seen.recorded()
        let both = combine(sum, seen).recorded()
        a.value = 2
        #expect(heardSeen.events == [11, 12])
        #expect(both.events.map(\.0) == [11, 12])
        #expect(both.events.map(\.1) == [11, 12])

        let input = MutableNode(1)
        let limited = combine(input, b) { [weak input] value, _ in
            if value < 5 { input?.value = value + 1 }
            return value
        }
        let heard = limited.recorded()
        #expect(heard.events == [5])
        input.value = 3
        #expect(heard.events == [5, 3, 4, 5])
    }

    @Test("a listener attached while a combination's function runs hears each value once")
    func changesMeanwhile() {
        let a = MutableNode(1), b = MutableNode(10)
        let late = Recorder<Int>()
        let lifetime = Lifetime()
        let result = Later<Node<Int>>()
        let sum = combine(a, b) { a, b in
            if a == 2 { result.node?.listened(by: lifetime).with { late.record($0) } }
            return a + b
        }
        result.node = sum
        a.value = 2
        a.value = 3
        #expect(late.events == [11, 12, 13])
        result.node = nil
        lifetime.cancel()
    }

    /// A reference that a closure may set later.
    private final class Later<Object: AnyObject & Sendable>: Sendable {
        private let held = Lock<Object?>(nil)
        var node: Object? {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }

    @Test("a combination set from two threads ends with its function's result of both last values")
    func twoThreads() async {
        let a = MutableNode(0), b = MutableNode(0)
        let sum = combine(a, b) { $0 + $1 }
        let heard = sum.recorded()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for value in 1...2_000 { a.value = value } }
            group.addTask { for value in 1...2_000 { b.value = value } }
        }
        #expect(sum.value == 4_000)
        #expect(heard.events.last == 4_000)
        #expect(heard.events == heard.events.sorted())
    }

    private func all<each T: Sendable>(of node: repeat Node<each T>) -> Node<(repeat each T)> {
        combine(repeat each node)
    }
    private func rows<each T: Sendable>(of node: repeat Node<each T>) -> Node<(repeat each T)> {
        zip(repeat each node)
    }
    private func text<each T: Sendable>(of node: repeat Node<each T>) -> Node<String> {
        combine(repeat each node) { (value: repeat each T) in "\((repeat each value))" }
    }

    @Test("a pack of nodes is combined and zipped as well, and one node by itself")
    func packs() {
        let (a, b) = (MutableNode(1), MutableNode("one"))
        let (both, row, described) = (all(of: a, b), rows(of: a, b), text(of: a, b))
        a.value = 2
        #expect(both.value! == (2, "one"))
        #expect(row.value! == (1, "one"))
        #expect(described.value == #"(2, "one")"#)
        b.value = "two"
        #expect(row.value! == (2, "two"))
        #expect(both.mapEach { "\($0) \($1)" }.value == "2 two")
        let one: Node<Int> = combine(a)
        #expect(one.value == 2)
    }
}
