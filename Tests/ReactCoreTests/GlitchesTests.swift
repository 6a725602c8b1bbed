import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Glitches") struct GlitchesTests {
    @Test("a combination of two branches of one node fires once a set, never with one new and one old")
    func diamond() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let sum = combine(node.map { $0 }, node.map { $0 * 10 }).mapEach { $0 + $1 }
        let heard = sum.heard(by: listener)
        node.value = 2
        node.value = 3
        #expect(heard.events == [11, 22, 33])
    }

    @Test("a combination of a node with one derived from it fires once a set")
    func triangle() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let pair = combine(node.map { $0 }.map { $0 + 1 }, node).mapEach { [$0, $1] }
        let heard = pair.heard(by: listener)
        node.value = 5
        #expect(heard.events == [[2, 1], [6, 5]])
    }

    @Test("a combination of a node with itself fires once a set")
    func sameNodeTwice() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let heard = combine(node, node).mapEach { [$0, $1] }.heard(by: listener)
        node.value = 2
        #expect(heard.events == [[1, 1], [2, 2]])
    }

    @Test("a combination fires after everything else that the set reaches")
    func firesLast() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let node = MutableNode(0)
        let other = Node(0)
        let sum = combine(node, other).mapEach { $0 + $1 }
        let late = node.map { $0 }.map { $0 }
        sum.log("sum", to: log, by: listener)
        late.log("late", to: log, by: listener)
        node.log("node", to: log, by: listener)
        _ = log.take()
        node.value = 1
        #expect(log.take() == ["node1", "late1", "sum1"])
    }

    @Test("a combination above another fires first, however they were built", arguments: [false, true])
    func combineAboveCombine(upperFirst: Bool) {
        let listener = Lifetime()
        let node = MutableNode(1)
        let log = Recorder<String>()
        let left = node.map { $0 }
        let right = node.map { $0 * 10 }
        let upper = Node<Int>()
        let buildUpper = { _ = upper.link(to: combine(left, right).mapEach { $0 + $1 }) }
        if upperFirst { buildUpper() }
        let lower = combine(node, upper).mapEach { [$0, $1] }
        if !upperFirst { buildUpper() }
        upper.log("upper", to: log, by: listener)
        lower.log("lower", to: log, by: listener)
        _ = log.take()
        node.value = 2
        #expect(log.take() == ["upper22", "lower[2, 22]"])
    }

    @Test("combinations on paths of every length settle with one firing each, in the order of their depth")
    func unevenPaths() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let node = MutableNode(1)
        var sums = [node as Node<Int>]
        for index in 0..<6 {
            var long = sums[index]
            for _ in 0..<(6 - index) { long = long.map { $0 } }
            let sum = combine(sums[max(0, index - 1)], long).mapEach { $0 + $1 }
            sums.append(sum)
        }
        for (index, sum) in sums.enumerated().reversed() { sum.log("\(index):", to: log, by: listener) }
        _ = log.take()
        node.value = 2
        // 2; 2+2; 2+4; 4+6; 6+10; 10+16; 16+26
        #expect(log.take() == ["0:2", "1:4", "2:6", "3:10", "4:16", "5:26", "6:42"])
    }

    @Test("60 diamonds in a row settle with one emission a diamond")
    func sixtyDiamonds() {
        let listener = Lifetime()
        let node = MutableNode<UInt64>(0)
        let emissions = Locked([Int](repeating: 0, count: 60))
        var last: Node<UInt64> = node
        for index in 0..<60 {
            let above = last
            last = combine(above.map { $0 }, above.map { $0 }).mapEach { $0 &+ $1 }
            last.listened(by: listener).with { _ in emissions.withLock { $0[index] += 1 } }
        }
        emissions.value = [Int](repeating: 0, count: 60)
        node.value = 1
        #expect(emissions.value == [Int](repeating: 1, count: 60))
        #expect(last.value == 1 << 60)
    }

    @Test("a ladder in which every rung combines the two before it fires every rung once")
    func ladder() {
        let listener = Lifetime()
        let node = MutableNode<UInt64>(1)
        let fired = Locked(0)
        var before: Node<UInt64> = node
        var last: Node<UInt64> = node.fork()
        for _ in 0..<80 {
            (before, last) = (last, combine(before, last).mapEach { $0 &+ $1 })
            last.listened(by: listener).with { _ in fired.increment() }
        }
        fired.value = 0
        node.value = 1
        #expect(fired.value == 80)
        // The 82nd Fibonacci number: the ladder begins with 1, 1.
        #expect(last.value == 61_305_790_721_611_591)
    }

    @Test("a set by a listener leaves its combinations to the set that called it")
    func nestedSet() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let first = MutableNode(0)
        let second = MutableNode(0)
        let pair = combine(first, second).mapEach { [$0, $1] }
        pair.log("pair", to: log, by: listener)
        first.listened(by: listener).with { value in
            second.value = value * 10
            log.record("listener done")
        }
        first.log("first", to: log, by: listener)
        _ = log.take()
        first.value = 1
        #expect(log.take() == ["listener done", "first1", "pair[1, 10]"])
    }

    @Test("a set from two listeners deep leaves its combinations to the outermost set")
    func nestedTwice() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let a = MutableNode(0)
        let b = MutableNode(0)
        let c = MutableNode(0)
        combine(b, c).mapEach { [$0, $1] }.log("bc", to: log, by: listener)
        combine(a, c).mapEach { [$0, $1] }.log("ac", to: log, by: listener)
        b.listened(by: listener).with { c.value = $0 + 1 }
        a.listened(by: listener).with { value in
            b.value = value + 1
            log.record("a done")
        }
        _ = log.take()
        a.value = 1
        let events = log.take()
        #expect(events.first == "a done")
        #expect(events.dropFirst().sorted() == ["ac[1, 3]", "bc[2, 3]"])
    }

    @Test("a set by a listener of a combination is combined again, and ends with the newest of each")
    func setByListenerOfCombination() {
        let listener = Lifetime()
        let first = MutableNode(1)
        let second = MutableNode(1)
        let pair = combine(first, second).mapEach { [$0, $1] }
        let heard = pair.heard(by: listener)
        pair.listened(by: listener).with { values in
            if values[0] < 3 { first.value = values[0] + 1 }
        }
        #expect(heard.take() == [[1, 1], [2, 1], [3, 1]])
        second.value = 2
        #expect(heard.take() == [[3, 2]])
        first.value = 2
        #expect(heard.take() == [[2, 2], [3, 2]])
    }

    @Test("the queued set of a delivering node reaches its combination in the end")
    func queuedSetReachesCombination() {
        let listener = Lifetime()
        let node = MutableNode(0)
        let sum = combine(node.map { $0 }, node.map { $0 * 10 }).mapEach { $0 + $1 }
        let heard = sum.heard(by: listener)
        node.listened(by: listener).with { if $0 == 1 { node.value = 2 } }
        node.value = 1
        #expect(heard.last == 22)
        #expect(heard.events.allSatisfy { $0.isMultiple(of: 11) })
    }

    @Test("a node with two links passes on event by event, and a combination below it still fires once")
    func mergeThenCombine() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let merged = Node<Int>()
        merged.link(to: node.map { $0 + 1 })
        merged.link(to: node.map { $0 + 2 })
        let heardMerged = merged.heard(by: listener)
        let heard = combine(merged, node).mapEach { [$0, $1] }.heard(by: listener)
        node.value = 10
        #expect(heardMerged.events == [11, 12])
        #expect(heard.events == [[12, 10]])
    }

    @Test("an edge linked later moves combinations below it down: they still fire once, and last")
    func linkedLater() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let loose = Node(0)
        let lower = combine(node, loose).mapEach { [$0, $1] }
        let upper = combine(node.map { $0 }, node.map { $0 }).mapEach { $0 + $1 }
        let heard = lower.heard(by: listener)
        loose.link(to: upper)
        _ = heard.take()
        node.value = 5
        #expect(heard.events == [[5, 10]])
    }

    @Test("a combination cut from one input is silent")
    func cutInput() {
        let listener = Lifetime()
        let left = MutableNode(1)
        let right = MutableNode(2)
        let pair = combine(left, right)
        let heard = pair.mapEach { [$0, $1] }.heard(by: listener)
        pair.removeUpstreamNode(left)
        left.value = 3
        right.value = 4
        #expect(heard.events == [[1, 2]])
    }
}
