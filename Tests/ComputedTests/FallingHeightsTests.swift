import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

/// A node's height falls when the combinations that it was above have gone.
@Suite("Falling heights") struct FallingHeightsTests {
    /// A height that grew by one in a hundred rounds would be too high in the end.
    private static let rounds = Scale.isSmall ? 2_000 : 1_000_000

    @Test("to cut all inputs of a merge of n combinations looks at each a few times, and not at all for each")
    func removeAll() {
        let source = MutableNode(0), counter = StepCounter(), count = 500
        let merged = Node.merge((0..<count).map { _ in combine(source, source) { $0 + $1 } })
        #expect(merged.vertex.height == 1)
        counter.counting { merged.removeUpstreamNodes() }
        #expect(counter.value <= 4 * count)
        #expect(merged.vertex.height == 0)
    }
    @Test("to cut the inputs of a merge of n combinations one by one looks at each a few times")
    func removeOneByOne() {
        let source = MutableNode(0), counter = StepCounter(), count = 500
        let sums = (0..<count).map { _ in combine(source, source) { $0 + $1 } }
        let merged = Node.merge(sums)
        counter.counting {
            for (place, sum) in sums.enumerated() {
                #expect(merged.vertex.height == 1)
                merged.removeUpstreamNode(sum)
                if place % 2 == 0 { merged.link(to: source) }
            }
        }
        #expect(counter.value <= 6 * count)
        #expect(merged.vertex.height == 0)
    }
    @Test("two combinations that change their order time and again stay low")
    func combinationsChangeOrder() {
        let sources = [MutableNode(1), MutableNode(2)], relays = [MutableNode(0), MutableNode(0)]
        let sums = zip(sources, relays).map { source, relay in combine(source, relay).mapEach { $0 &+ $1 } }
        var highest: UInt32 = 0
        for round in 0..<Self.rounds {
            let upper = round % 2
            let link = relays[1 - upper].link(to: sums[upper])
            sources[upper].value = round
            highest = max(highest, sums[0].vertex.height, sums[1].vertex.height)
            link.cancel()
        }
        #expect(highest < 10)
    }

    @Test("two computed nodes that change their order time and again stay low, and are right")
    func computedNodesChangeOrder() {
        let isFirstAbove = MutableNode(true), other = MutableNode<Node<Int>?>(nil)
        let first = computed { read in
            if try read(isFirstAbove) { return 1 }
            return read.untracked(other).map { $0 ?? Node(0) }.flatMap { try? read($0) }.map { $0 + 1 } ?? 0
        }
        let second = computed { read in try read(isFirstAbove) ? try read(first) + 1 : 1 }
        other.value = second
        // The node, the second computed node and the first hold each other.
        defer { other.clean() }
        var highest: UInt32 = 0
        for round in 1...Self.rounds {
            isFirstAbove.value = round % 2 == 0
            highest = max(highest, first.vertex.height, second.vertex.height)
            guard first.current == (round % 2 == 0 ? 1 : 2), second.current == (round % 2 == 0 ? 2 : 1) else {
                Issue.record("round \(round): \(first.current), \(second.current)")
                return
            }
        }
        #expect(highest < 10)
    }

    @Test("two rows of computed nodes that change places call each body once", arguments: [100, 400])
    func rowsChangePlaces(length: Int) {
        let flip = MutableNode(false), calls = Locked(0), tops = MutableNode<[Node<Int>]>([])
        func row(_ which: Int) -> Node<Int> {
            let head = computed { read in
                let isBelow = try read(flip) != (which == 0)
                guard isBelow, let tops = read.untracked(tops), tops.count == 2 else { return 0 }
                return try read(tops[1 - which]) + 1
            }
            return (0..<length).reduce(head) { last, _ in
                computed { read in
                    calls.withLock { $0 += 1 }
                    return try read(last) + 1
                }
            }
        }
        let rows = [row(0), row(1)]
        tops.value = rows
        defer { tops.clean() }
        let counter = StepCounter()
        for round in 1...10 {
            calls.withLock { $0 = 0 }
            counter.counting { flip.value = round % 2 == 1 }
            #expect(rows.map(\.current).sorted() == [length, 2 * length + 1])
            #expect(round == 1 || calls.withLock { $0 } == 2 * length)
        }
        #expect(counter.value < 10 * 10 * length)
        #expect(rows.map(\.vertex.height).max()! <= 4 * length)
    }

    /// A graph of combinations of relays, which are linked to combinations before them in an order that changes.
    @Test("once all combinations have fired, each height is the number of combinations in the longest way to it")
    func heightsAreExact() {
        var random = SeededGenerator.announced()
        let sources = (0..<12).map { MutableNode($0) }, relays = (0..<12).map { _ in MutableNode(0) }
        let sums = zip(sources, relays).map { source, relay in combine(source, relay).map { $0 &+ $1 } }
        var links: [(any Cancelable)?] = Array(repeating: nil, count: 12),
            upper: [Int?] = Array(repeating: nil, count: 12)
        for round in 0..<Scale.scaled(1_000) {
            // Links that are left go before those of the new order are made, so no ring comes to be.
            let order = (0..<12).shuffled(using: &random)
            for index in 0..<12
            where upper[index].map({ order[$0] > order[index] }) ?? false || Bool.random(using: &random) {
                links[index]?.cancel()
                (links[index], upper[index]) = (nil, nil)
            }
            for index in 0..<12 where upper[index] == nil {
                guard let above = (0..<12).filter({ order[$0] < order[index] }).randomElement(using: &random) else {
                    continue
                }
                links[index] = relays[index].link(to: sums[above])
                upper[index] = above
            }
            batch { for source in sources { source.value = round } }
            func height(_ index: Int) -> UInt32 { 1 + (upper[index].map(height) ?? 0) }
            #expect(sums.map(\.vertex.height) == (0..<12).map(height), "round \(round)")
        }
    }
}
