import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Nodes") struct NodesTests {
    @Test("two references are equal when they are the same node")
    func identity() {
        let node = Node(1)
        let alias: AnyNode = node
        let twin = Node(1)
        #expect(alias == node)
        #expect(node != twin)
        #expect(alias.hashValue == node.hashValue)
        #expect(alias.id == node.id)
        #expect(node.id != twin.id)
        #expect(Set<AnyNode>([node, alias, twin]).count == 2)
    }

    @Test("nodes of different types compare and mix as AnyNode")
    func mixedTypes() {
        let number = Node(1)
        let text = Node("1")
        #expect(number as AnyNode != text as AnyNode)
        #expect(Set<AnyNode>([number, text]) == [text, number])
    }

    @Test("a name is nil until it is set, and can be taken back")
    func names() {
        let node = Node(1)
        #expect(node.name == nil)
        node.name = "total"
        #expect(node.name == "total")
        node.name = nil
        #expect(node.name == nil)
    }

    @Test("named sets the name and returns the node with its own type")
    func named() {
        let node = Node(1)
        let same: Node<Int> = node.named("total")
        #expect(same === node)
        #expect(node.name == "total")
        let mutable: MutableNode<Int> = MutableNode(1).named("input")
        #expect(mutable.name == "input")
    }

    @Test("a node holds the value that it was made with")
    func initialValue() {
        #expect(Node(3).value == 3)
        #expect(MutableNode(4).value == 4)
        #expect(Node<Int>().value == nil)
        #expect(MutableNode<Int>().value == nil)
    }

    @Test("value(or:) asks for the fallback only while the node is empty")
    func valueOr() {
        let asked = Locked(0)
        func fallback() -> Int {
            asked.increment()
            return 9
        }
        #expect(Node(1).value(or: fallback()) == 1)
        #expect(asked.value == 0)
        #expect(Node<Int>().value(or: fallback()) == 9)
        #expect(asked.value == 1)
    }

    @Test("withValue calls its body with the value, and returns the body's result")
    func withValue() {
        #expect(Node(2).withValue { $0 * 10 } == 20)
    }

    @Test("withValue on an empty node calls nothing and returns nil")
    func withValueOfNothing() {
        let result: Int? = Node<Int>().withValue { _ in
            Issue.record("called for an empty node")
            return 1
        }
        #expect(result == nil)
    }

    @Test("withValue passes an error on")
    func withValueThrows() {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try Node(1).withValue { _ in throw Refusal() } }
    }

    @Test("the body of withValue may set the node that it was called for")
    func withValueSets() {
        let node = MutableNode(1)
        node.withValue { node.value = $0 + 1 }
        #expect(node.value == 2)
    }

    @Test("a name and a value may be read while other threads set them")
    func accessFromThreads() {
        let node = MutableNode(0).named("0")
        let count = Scale.scaled(10_000)
        concurrently(4) { thread in
            for turn in 0..<count {
                if thread == 0 {
                    node.name = "a name long enough to live on the heap, number \(turn)"
                } else if thread == 1 {
                    node.value = turn
                } else {
                    _ = node.name
                    _ = node.description
                    _ = node.valueDescription
                    let value = node.value
                    if value == nil { Issue.record("a value vanished") }
                }
            }
        }
        #expect(node.name == "a name long enough to live on the heap, number \(count - 1)")
        #expect(node.value == count - 1)
    }
}
