import ReactCore
import ReactOperators
import TestSupport
import Testing

/// A node that follows its own source, or a node that is derived from it, hears each value once.
@Suite("Following the own source") struct FollowingItsSourceTests {
    /// The operators that follow nodes.
    enum Operator: CaseIterable {
        case flattenMap, flatten, flatMapMerging, `case`

        /// Follows the node that `choice` returns for each value of `source`.
        func following(_ source: Node<Int>, _ choice: @escaping @Sendable (Int) -> Node<Int>) -> Node<Int> {
            switch self {
            case .flattenMap: source.flattenMap(choice)
            case .flatten: source.map(choice).flatten()
            case .flatMapMerging: source.flatMapMerging(choice)
            case .case: source.map { SwitchedNode(key: "all", node: choice($0)) }.case("all")
            }
        }
    }
    private let lifetime = Lifetime()

    @Test("a search box that follows itself while it is not empty hears each keystroke once")
    func searchBox() {
        let query = MutableNode(""), suggestions = MutableNode("suggestions")
        let heard = query.flattenMap { $0.isEmpty ? suggestions : query }.recorded()
        for text in ["s", "sw", "swi", "", "t"] { query.value = text }
        #expect(heard.events == ["suggestions", "s", "sw", "swi", "suggestions", "t"])
    }

    @Test("each value of the source arrives once, and a scan behind it counts right", arguments: Operator.allCases)
    func itself(_ op: Operator) {
        let number = MutableNode(1)
        let result = op.following(number) { _ in number }
        let heard = result.recorded(), count = result.scan(0) { count, _ in count + 1 }
        for next in 2...10 { number.value = next }
        batch {
            number.value = 11
            number.value = 12
        }
        #expect(heard.events == Array(1...12))
        #expect(count.current == 12)
    }

    @Test("each value of a map of the source that was made before arrives once", arguments: Operator.allCases)
    func earlierMap(_ op: Operator) {
        let number = MutableNode(1)
        let tenfold = number.map { $0 * 10 }
        let heard = op.following(number) { _ in tenfold }.recorded()
        for next in 2...5 { number.value = next }
        batch {
            number.value = 6
            number.value = 7
        }
        #expect(heard.events == [10, 20, 30, 40, 50, 60, 70])
    }

    @Test("a value that a listener of the source sets at the followed node arrives once", arguments: Operator.allCases)
    func setByListener(_ op: Operator) {
        let number = MutableNode(1), other = MutableNode(0)
        number.listened(by: lifetime).with { other.value = $0 * 10 }
        let heard = op.following(number) { _ in other }.recorded()
        number.value = 2
        number.value = 3
        #expect(heard.events == [10, 20, 30])
    }

    @Test(
        "a combination that chooses one of its inputs passes each of its values on once", arguments: Operator.allCases)
    func combined(_ op: Operator) { expectOnce(op) { $0 } }

    /// Expects each value of `number` once from a combination of it that chooses `choice(number)`.
    private func expectOnce(_ op: Operator, choosing choice: @escaping @Sendable (Node<Int>) -> Node<Int>) {
        let number = MutableNode(1), other = MutableNode(0)
        let both = combine(number, other) { $0 + $1 }
        let heard = op.following(both) { _ in choice(number) }.recorded()
        number.value = 2
        batch {
            number.value = 3
            other.value = 5
        }
        #expect(heard.events == [1, 2, 3])
        // A set of the other chooses anew.
        other.value = 7
        #expect(heard.events == [1, 2, 3, 3])
    }

    @Test(
        "a combination that chooses a node which it has by an operator that follows passes each value on once",
        arguments: Operator.allCases)
    func combinedByFollowing(_ op: Operator) {
        let number = MutableNode(1), other = MutableNode(0)
        let followed = op.following(number) { _ in other }
        let heard = op.following(combine(number, followed) { $0 + $1 }) { _ in number }.recorded()
        number.value = 2
        batch {
            other.value = 5
            number.value = 3
        }
        #expect(heard.events == [1, 2, 3])
        // A set of the other chooses anew.
        other.value = 7
        #expect(heard.events == [1, 2, 3, 3])
    }

    @Test(
        "a listener that sets the followed node while the chooser is linked leaves its value to be heard once",
        arguments: Operator.allCases)
    func chosenByNewLink(_ op: Operator) {
        let number = MutableNode(1), chooser = MutableNode<Int>(), source = MutableNode(2)
        chooser.listened(by: lifetime).with { number.value = $0 }
        let heard = op.following(chooser) { _ in number }.recorded()
        chooser.value = 0
        chooser.link(to: source)
        #expect(heard.events == [0, 2])
    }

    @Test("a set that chooses the followed node again passes its value on again", arguments: Operator.allCases)
    func again(_ op: Operator) {
        let chooser = MutableNode(0), number = MutableNode(1)
        let heard = op.following(chooser) { _ in number }.recorded()
        number.value = 2
        chooser.value = 0
        batch {
            number.value = 3
            chooser.value = 0
        }
        #expect(heard.events == [1, 2, 2, 3, 3])
    }

    @Test(
        "a pulse of a source that follows itself is heard once, and leaves the earlier value",
        arguments: Operator.allCases
    )
    func pulses(_ op: Operator) {
        let number = MutableNode<Int>()
        let heard = op.following(number) { _ in number }.recorded()
        number.value = 1
        number.pulse(2)
        number.pulse(3)
        number.value = 4
        #expect(heard.events == [1, 2, 3, 4])
    }

    @Test("values that two threads set arrive once each, in the order of the source", arguments: Operator.allCases)
    func threads(_ op: Operator) async {
        let number = MutableNode(0)
        let tenfold = number.map { $0 * 10 }
        let source = number.recorded()
        let itself = op.following(number) { _ in number }.recorded()
        let mapped = op.following(number) { _ in tenfold }.recorded()
        await withTaskGroup(of: Void.self) { group in
            for thread in 1...2 { group.addTask { for value in 1...500 { number.value = thread * 1_000 + value } } }
        }
        #expect(source.events.count == 1_001)
        #expect(itself.events == source.events)
        #expect(mapped.events == source.events.map { $0 * 10 })
    }

    @Test("a source that follows itself hears each value once while another thread delivers at the result")
    func contended() async {
        let number = MutableNode(0), other = MutableNode(0), result = MutableNode(0)
        result.link(to: number.flattenMap { _ in number })
        result.link(to: other)
        let heard = result.recorded()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for value in 1...500 { number.value = value } }
            group.addTask { for value in 1...500 { other.value = -value } }
        }
        #expect(heard.events.filter { $0 > 0 } == Array(1...500))
        #expect(heard.events.filter { $0 < 0 } == (1...500).map { -$0 })
    }
}

extension FollowingItsSourceTests {
    @Test("the result of one operator, followed by another that chooses that result, passes each value on once")
    func nested() {
        let query = MutableNode(1), other = MutableNode(0)
        for op in Operator.allCases {
            query.value = 1
            let inner = query.flattenMap { $0 == 0 ? other : query }
            let heard = op.following(inner) { _ in inner }.recorded()
            for value in [2, 3, 0, 4] { query.value = value }
            #expect(heard.events == [1, 2, 3, 0, 4], "\(op)")
        }
    }
    @Test(
        "a listener that sets the chooser while the followed node delivers leaves each value of that to be heard once")
    func chosenInMidDelivery() {
        let number = MutableNode(1), chooser = MutableNode(0)
        number.listened(by: lifetime).with { chooser.value = $0 }
        let heard = chooser.flattenMap { _ in number }.recorded()
        number.value = 2
        number.value = 3
        #expect(heard.events == [1, 2, 3])
    }

    // Nodes that pass the same values on, made anew for each value or chosen by turns. `flatMapMerging` follows them all.

    @Test(
        "a case that is made anew for each value passes each value on once",
        arguments: [Operator.flattenMap, .flatten, .case])
    func newCases(_ op: Operator) {
        let number = MutableNode(1)
        let branches = number.switch { $0 % 2 }
        let heard = op.following(number) { branches.case($0 % 2) }.recorded()
        for value in [2, 4, 6, 3, 5, 8] { number.value = value }
        batch {
            number.value = 10
            number.value = 12
        }
        number.pulse(14)
        number.value = 16
        #expect(heard.events == [1, 2, 4, 6, 3, 5, 8, 10, 12, 14, 16])
    }

    @Test(
        "a new fork, link or flattenMap of an earlier node passes each value of that on once",
        arguments: [Operator.flattenMap, .flatten, .case])
    func newNodes(_ op: Operator) {
        let makers: [@Sendable (Node<Int>) -> Node<Int>] = [
            { $0.fork() }, { $0.fork().fork() }, { inner in inner.flattenMap { _ in inner } },
            {
                let linked = Node<Int>()
                linked.link(to: $0)
                return linked
            },
        ]
        for (place, make) in makers.enumerated() {
            let number = MutableNode(1)
            let tenfold = number.map { $0 * 10 }
            let heard = op.following(number) { _ in make(tenfold) }.recorded()
            for next in 2...5 { number.value = next }
            number.value = 5
            #expect(heard.events == [10, 20, 30, 40, 50, 50], "\(place)")
        }
    }

    @Test(
        "a node and a fork of it, by turns, pass each value on once", arguments: [Operator.flattenMap, .flatten, .case])
    func byTurns(_ op: Operator) {
        let number = MutableNode(1)
        let tenfold = number.map { $0 * 10 }
        let fork = tenfold.fork()
        let heard = op.following(number) { $0 % 2 == 0 ? tenfold : fork }.recorded()
        for next in [2, 3, 5, 6, 8, 9] { number.value = next }
        #expect(heard.events == [10, 20, 30, 50, 60, 80, 90])
    }

    @Test(
        "a combination that makes a fork of one of its inputs passes each of its values on once",
        arguments: [Operator.flattenMap, .flatten, .case])
    func newForksByCombination(_ op: Operator) { expectOnce(op) { $0.fork() } }

    @Test(
        "several values of one set are all heard by way of new forks",
        arguments: [Operator.flattenMap, .flatten, .case])
    func severalValues(_ op: Operator) {
        let number = MutableNode(1)
        let both = merge(number, number.map { $0 * 10 })
        let own = op.following(both) { _ in both.fork() }.recorded()
        let behind = op.following(number) { _ in both.fork() }.recorded()
        number.value = 2
        number.value = 3
        #expect(own.events == [10, 20, 2, 30, 3])
        #expect(behind.events == [10, 20, 2, 30, 3])
    }

    @Test(
        "a node with a value of its own is not taken for a fork, and a new map passes its own value on",
        arguments: [Operator.flattenMap, .flatten, .case])
    func ownValues(_ op: Operator) {
        let number = MutableNode(1)
        let tenfold = number.map { $0 * 10 }
        let linked = MutableNode<Int>()
        linked.link(to: tenfold)
        linked.listened(by: lifetime).with { if $0 > 0 { linked.value = -$0 } }
        let heard = op.following(number) { $0 % 2 == 0 ? tenfold.fork() : linked }.recorded()
        number.value = 2
        #expect(heard.events == [-10, 20, -20, 20])
        let mapped = op.following(number) { factor in tenfold.map { $0 * factor } }.recorded()
        number.value = 3
        #expect(mapped.events == [40, 60, 90])
    }
}

extension FollowingItsSourceTests {
    /// Makers of a new node that is derived from another one, and has that node's values plus 0.
    private static let derivations: [(String, @Sendable (Node<Int>) -> Node<Int>)] = [
        ("map", { $0.map { $0 + 0 } }),
        ("two maps", { $0.map { $0 + 1 }.map { $0 - 1 } }),
        ("filter", { $0.filter { _ in true } }),
        ("compactMap", { $0.compactMap { $0 } }),
        ("switch", { $0.switch { _ in "all" }.case("all") }),
        ("switchMap", { $0.switchMap { ("all", $0) }.case("all") }),
        ("default", { $0.switch { _ in String?.none }.default() }),
        ("if", { $0.if { _ in true }.thenNode }),
        ("distinctUntilChanged", { $0.distinctUntilChanged() }),
        ("scan", { $0.scan(0) { $1 } }),
        ("transformed", { $0.transformed("Same") { value, send in send(value) } }),
        ("focus", { $0.focus(\.self) }),
        ("merge", { merge($0, Node<Int>()) }),
        ("zip", { zip($0, $0).map { $0.0 } }),
        ("combine", { combine($0, $0) { one, _ in one } }),
        ("withLatest", { $0.withLatest(from: $0).map { $0.0 } }),
        ("flattenMap of new maps", { inner in inner.flattenMap { _ in inner.map { $0 + 0 } } }),
        ("a map and a fork", { $0.map { $0 + 0 }.fork() }),
    ]

    @Test(
        "a node that is derived anew for each value passes each value on once",
        arguments: [Operator.flattenMap, .flatten, .case])
    func newDerivations(_ op: Operator) {
        for (name, make) in Self.derivations {
            let number = MutableNode(1)
            let tenfold = number.map { $0 * 10 }
            let heard = op.following(number) { _ in make(tenfold) }.recorded()
            for next in 2...5 { number.value = next }
            batch {
                number.value = 6
                number.value = 7
            }
            #expect(heard.events == [10, 20, 30, 40, 50, 60, 70], "\(name)")
        }
    }

    @Test(
        "a chooser behind a map, and one that is made before the followed node, pass on each value of new maps once",
        arguments: [Operator.flattenMap, .flatten, .case])
    func newMapsOfLateChoosers(_ op: Operator) {
        let number = MutableNode(1)
        let tenfold = number.map { $0 * 10 }
        let late = op.following(number.map { $0 + 0 }) { _ in tenfold.map { $0 + 1 } }.recorded()
        let byTurns = op.following(number) { $0 % 2 == 0 ? tenfold.map { $0 + 1 } : tenfold.map { $0 + 1 }.fork() }
            .recorded()
        for next in 2...4 { number.value = next }
        #expect(late.events == [11, 21, 31, 41])
        #expect(byTurns.events == [11, 21, 31, 41])
    }

    @Test(
        "a combination that makes a map of one of its inputs passes each of its values on once",
        arguments: [Operator.flattenMap, .flatten, .case])
    func newMapsByCombination(_ op: Operator) { expectOnce(op) { $0.map { $0 + 0 } } }

    @Test(
        "a listener of the result that sets the source hears each value of new maps once",
        arguments: [Operator.flattenMap, .flatten, .case])
    func newMapsInMidDelivery(_ op: Operator) {
        let number = MutableNode(1)
        let tenfold = number.map { $0 * 10 }
        let result = op.following(number) { _ in tenfold.map { $0 + 1 } }
        result.listened(by: lifetime).with { if $0 == 21 { number.value = 3 } }
        let heard = result.recorded()
        number.value = 2
        number.value = 4
        #expect(heard.events == [11, 21, 31, 41])
    }

    @Test(
        "a pulse is heard once by way of new maps, and leaves the earlier value",
        arguments: [Operator.flattenMap, .flatten, .case])
    func pulsesOfNewMaps(_ op: Operator) {
        let number = MutableNode(1)
        let tenfold = number.map { $0 * 10 }
        let heard = op.following(number) { _ in tenfold.map { $0 + 1 } }.recorded()
        number.pulse(2)
        number.value = 3
        #expect(heard.events == [11, 21, 31])
    }

    @Test(
        "of values without ==, that of the node before and that of a new map are both heard, and the latter stays",
        arguments: [false, true])
    func notEquatable(isFork: Bool) {
        struct Plain: Sendable { let number: Int }
        let number = MutableNode(1)
        let plain = number.map { Plain(number: $0) }
        let heard = number.flattenMap { _ in isFork ? plain.fork() : plain.map { Plain(number: $0.number * 10) } }
            .map(\.number).recorded()
        number.value = 2
        #expect(heard.events == (isFork ? [1, 2] : [10, 20, 20]))
    }
}
