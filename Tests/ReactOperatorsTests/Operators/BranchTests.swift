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
