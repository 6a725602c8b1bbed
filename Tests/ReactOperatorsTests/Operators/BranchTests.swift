import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Branches")
struct BranchTests {
    /// A key that counts how often keys are compared.
    struct CountedKey: Hashable, Sendable {
        final class Comparisons: Sendable {
            private let count = Lock(0)
            func add() { count.withLock { $0 += 1 } }
            var total: Int { count.withLock { $0 } }
        }
        let number: Int
        let comparisons: Comparisons

        static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.comparisons.add()
            return lhs.number == rhs.number
        }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test("a combination of a branch and of the switch's source fires once for a set")
    func branchOfCombinations() {
        let a = MutableNode(1), b = MutableNode(10)
        let sum = combine(a, b) { $0 + $1 }
        let parts = combine(sum, b) { $0 + $1 }.switch { $0 > 0 }
        let heard = combine(a, parts.current.node) { "\($0) \($1)" }.recorded()
        a.value = 2
        batch {
            a.value = 3
            b.value = 20
        }
        #expect(heard.events == ["1 21", "2 22", "3 43"])
    }

    @Test("attached late, a case starts with its branch's value if that was the last one taken, else empty")
    func lateCase() {
        let number = MutableNode<Int>()
        let branches = number.switch { $0 % 2 }
        number.value = 1
        number.value = 2
        let even = branches.case(0)
        let odd = branches.case(1)
        let heard = [even.recorded(), odd.recorded()]
        #expect(even.value == 2)
        #expect(odd.isEmpty)
        number.value = 3
        number.value = 4
        number.value = 5
        #expect(heard[0].events == [2, 4])
        #expect(heard[1].events == [3, 5])
    }

    @Test("the switch itself holds the branch taken last, and is heard when another one is taken")
    func switchedNodes() {
        let number = MutableNode<Int>()
        let branches = number.switch { $0 % 2 }
        let heard = branches.recorded()
        for value in [1, 3, 2, 5] { number.value = value }
        #expect(heard.events.map(\.key) == [1, 0, 1])
        #expect(branches.value?.key == 1)
        #expect(branches.value?.node.value == 5)
        #expect(heard.events[1].node.value == 2)
    }

    @Test("a case that finds its branch in mid-delivery hears all that goes down it, and so does each other case")
    func foundInMidDelivery() {
        for isFoundBefore in [true, false] {
            let source = MutableNode<Int>()
            let branches = source.switch { $0.isMultiple(of: 2) }
            let cases = [branches.case(true), branches.case(true), branches.case(false)]
            if isFoundBefore { for value in [-2, -1] { source.value = value } }
            let heard = cases.map { $0.recorded() }
            let first = Lifetime()
            cases[0].listened(by: first).with { value in
                if value == 0 { for value in 1...4 { source.value = value } }
            }
            cases[0].mutablify().value = 0
            let before = isFoundBefore ? [[-2], [-2], [-1]] : [[], [], []]
            #expect(heard.map(\.events) == zip(before, [[0, 2, 4], [2, 4], [1, 3]]).map { $0 + $1 })
        }
    }

    @Test("a branch of an if that is found in mid-delivery hears all that goes down it, in a batch as well")
    func ifFoundInMidDelivery() {
        for isBatch in [false, true] {
            let source = MutableNode<Int>(), lifetime = Lifetime()
            let signs = source.if { $0 >= 0 }
            let heard = signs.thenNode.recorded()
            signs.thenNode.listened(by: lifetime).with { value in
                guard value == 0 else { return }
                func set() { for value in [1, -1, 2] { source.value = value } }
                if isBatch { batch { set() } } else { set() }
            }
            signs.thenNode.mutablify().value = 0
            #expect(heard.events == [0, 1, 2])
            #expect(signs.elseNode.value == -1)
        }
    }

    @Test("a case that finds its branch while another thread delivers its node hears all that goes down it")
    func foundWhileAnotherThreadDelivers() {
        let source = MutableNode<Int>(), lifetime = Lifetime()
        let only = source.switch { _ in "only" }.case("only")
        let heard = only.recorded()
        let (isInside, goesOn) = (Latch(), Latch())
        only.listened(by: lifetime).with { value in
            guard value == 0 else { return }
            isInside.arrive()
            goesOn.wait()
        }
        let other = Worker { only.mutablify().value = 0 }
        isInside.wait()
        for value in 1...3 { source.value = value }
        goesOn.arrive()
        other.join()
        waitForLate(at: source, only)
        #expect(heard.events == [0, 1, 2, 3])
    }

    @Test("a case of a switch that starts over in mid-delivery hears all values of both branches")
    func startsOverInMidDelivery() {
        let (source, other) = (MutableNode(1), MutableNode<Int>()), lifetime = Lifetime()
        let branches = source.switch { _ in "only" }
        let edge = branches.upstreamTransforms[0] as! Transform<Int, SwitchedNode<String, Int>>
        let only = branches.case("only")
        let heard = only.recorded()
        only.listened(by: lifetime).with { value in
            guard value == 0 else { return }
            source.value = 3
            edge.from = other
            for value in 4...6 { other.value = value }
        }
        only.mutablify().value = 0
        #expect(heard.events == [1, 0, 3, 4, 5, 6])
        #expect(only.upstreamTransforms.map(\.name) == ["Case", "Link"])
    }

    @Test("once its branch is found, no case compares keys any more")
    func comparisons() {
        let comparisons = CountedKey.Comparisons()
        let keys = (0..<50).map { CountedKey(number: $0, comparisons: comparisons) }
        let number = MutableNode<Int>()
        let branches = number.switch { keys[$0 % 50] }
        let heard = keys.map { branches.case($0).recorded() }
        for value in 0..<50 { number.value = value }
        let before = comparisons.total
        for value in 50..<100 { number.value = value }
        // One for each value, to find the key in the table, and some for keys that share a bucket.
        #expect(comparisons.total - before < 150)
        #expect(heard.map(\.events) == (0..<50).map { [$0, $0 + 50] })
    }

    @Test("a case behind a filter of branches hears none that the filter drops")
    func filteredBranches() {
        let number = MutableNode<Int>()
        let branches = number.switch { $0 % 2 }.filter { $0.key != 1 }
        let even = branches.case(0).recorded()
        let odd = branches.case(1).recorded()
        for value in 1...4 { number.value = value }
        #expect(even.events == [2, 4])
        #expect(odd.events.isEmpty)
    }

    @Test("a case follows branches that no switch made, the newest of its key")
    func ownBranches() {
        let first = MutableNode(1)
        let second = MutableNode(2)
        let branch = MutableNode(SwitchedNode(key: "a", node: first as Node<Int>))
        let heard = branch.case("a").recorded()
        branch.value = SwitchedNode(key: "b", node: second)
        first.value = 10
        branch.value = SwitchedNode(key: "a", node: second)
        first.value = 11
        second.value = 20
        #expect(heard.events == [1, 10, 2, 20])
    }

    @Test("a switch that is pointed at another node starts with no branches")
    func startsOver() {
        let first = MutableNode("x1")
        let second = MutableNode("y1")
        let branches = first.switch { $0.first }
        let x = branches.case("x")
        let y = branches.case("y")
        let transform = branches.upstreamTransforms[0] as? Transform<String, SwitchedNode<Character, String>>
        transform?.from = second
        #expect(x.value == "x1")
        #expect(y.value == "y1")
        first.value = "x2"
        second.value = "x3"
        #expect(x.value == "x3")
    }

    @Test("either branch of an if lives without the other, and the condition is asked once a value")
    func ifBranches() {
        let number = MutableNode(1)
        let asked = Recorder<Int>()
        let elseNode = Weak<Node<Int>>()
        func thenNode() -> Node<Int> {
            let parts = number.if { number in
                asked.record(number)
                return number > 0
            }
            elseNode.object = parts.elseNode
            return parts.thenNode
        }
        let positive = thenNode()
        #expect(elseNode.object == nil)
        number.value = -1
        number.value = 2
        #expect(positive.value == 2)
        #expect(asked.events == [1, -1, 2])
    }

    @Test("a cut case hears nothing more from its branch")
    func cutCase() {
        let number = MutableNode(1)
        let odd = number.switch { $0 % 2 }.case(1)
        odd.upstreamTransforms.first { $0.name == "Case" }?.cancel()
        number.value = 3
        #expect(odd.value == 1)
    }
}

extension BranchTests {
    /// A key whose hash sets a node.
    struct SettingKey: Hashable, Sendable {
        let number: Int
        let node: MutableNode<Int>

        static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
        func hash(into hasher: inout Hasher) {
            node.value = number
            hasher.combine(number)
        }
    }

    @Test("a case that is cut off its branch follows that again when the switch turns to it")
    func cutOffItsBranch() throws {
        let number = MutableNode(1), switched = number.switch { $0 % 2 }
        let odd = switched.case(1)
        try #require(switched.value).node.removeDownstreamNodes()
        number.value = 2
        number.value = 3
        #expect(odd.value == 3)
        number.value = 5
        #expect(odd.value == 5)
    }

    @Test("a key's hash may set a node, the switch's own source too")
    func settingHash() {
        let hashed = MutableNode<Int>()
        let number = MutableNode<Int>()
        let heardHashes = hashed.map { $0 * 10 }.recorded()
        let isSet = Locked(false)
        hashed.listened(by: heardHashes).with { hash in
            let isFirst = isSet.withLock { isSet in
                defer { isSet = isSet || hash == 2 }
                return hash == 2 && !isSet
            }
            if isFirst { number.value = 5 }
        }
        let branches = number.switch { SettingKey(number: $0 % 3, node: hashed) }
        let heard = (0..<3).map { branches.case(SettingKey(number: $0, node: hashed)).recorded() }
        for value in 0..<3 { number.value = value }
        #expect(number.value == 5)
        number.value = 6
        #expect(heard.map(\.events) == [[0, 6], [1], [2, 5]])
        #expect(Set(heardHashes.events) == [0, 10, 20])
    }

    @Test("keys that take turns among any number of branches each go down their own")
    func turns() {
        for count in 1...5 {
            let number = MutableNode<Int>()
            let branches = number.switch { $0 % count == 0 ? nil : $0 % count }
            let heard = (0..<count).map { branches.case($0 == 0 ? nil : $0).recorded() }
            let changes = branches.recorded()
            let values = Array(1...20) + [20, 20, 21, 20]
            for value in values { number.value = value }
            #expect(heard.map(\.events) == (0..<count).map { rest in values.filter { $0 % count == rest } })
            #expect(changes.events.count == (count == 1 ? 1 : 22))
        }
    }

    @Test("a case follows the branches of another switch that takes the place of the first")
    func anotherSwitch() {
        let number = MutableNode(1)
        let branches = number.switch { $0 % 2 }
        let odd = branches.case(1)
        let heard = odd.recorded()
        let edge = branches.upstreamTransforms[0]
        let before = branches.value?.node
        edge.cancel()
        number.value = 3
        let again = number.switch { $0 % 2 }
        let link = branches.mutablify().link(to: again)
        #expect(branches.value?.node !== before)
        number.value = 5
        number.value = 6
        number.value = 7
        #expect(heard.events == [1, 3, 5, 7])
        link.cancel()
    }

    @Test("a branch that is taken for the first time while a set of another thread is late is followed at once")
    func newBranchBesideLateSet() {
        let number = MutableNode(1)
        let heard = number.switch { $0 % 2 }.case(0).recorded()
        let busy = BusyGraph(of: number, setting: 3) {
            number.value = 2
            number.value = 4
        }
        number.value = 6
        busy.end()
        #expect(heard.events == [2, 4, 6])
    }

    @Test("a listener of the branch that cuts the switch hears no later value")
    func cutInBranch() {
        let number = MutableNode<Int>()
        let branches = number.switch { $0 % 2 }
        let heard = [branches.case(0).recorded(), branches.case(1).recorded()]
        let edge = branches.upstreamTransforms[0]
        branches.case(1).listened(by: heard[0]).with { if $0 == 3 { edge.cancel() } }
        for value in 1...6 { number.value = value }
        #expect(heard.map(\.events) == [[2], [1, 3]])
    }
}
