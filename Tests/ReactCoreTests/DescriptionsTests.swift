import ReactCore
import ReactOperators
import Testing

@Suite("Descriptions") struct DescriptionsTests {
    private struct Temperature: Sendable, CustomStringConvertible {
        let degrees: Int
        var description: String { "\(degrees) °C" }
    }

    @Test("a node is described by its name and its value")
    func nodes() {
        #expect(Node(12).named("total").description == "Node(named: total, value: 12)")
        #expect("\(MutableNode(12).named("total"))" == "Node(named: total, value: 12)")
        #expect(Node(1.5).map { $0 * 2 }.named("double").description == "Node(named: double, value: 3.0)")
    }

    @Test("no name is undefined, no value is empty")
    func nothing() {
        #expect(Node<Int>().description == "Node(named: undefined, value: empty)")
        #expect(Node(1).description == "Node(named: undefined, value: 1)")
        #expect(Node<Int>().named("a").description == "Node(named: a, value: empty)")
    }

    @Test("the value as text, nil while the node is empty")
    func valueDescription() {
        let node = MutableNode(12)
        #expect(node.valueDescription == "12")
        node.clean()
        #expect(node.valueDescription == nil)
        #expect(Node(Temperature(degrees: 20)).valueDescription == "20 °C")
        #expect(Node([1, 2]).valueDescription == "[1, 2]")
        #expect(Node<Int?>(nil).valueDescription == "nil")
        let untyped: AnyNode = Node("text")
        #expect(untyped.valueDescription?.contains("text") == true)
    }

    @Test("a description that asks the node again, or sets it, is no trouble")
    func reentrant() {
        struct Curious: Sendable, CustomStringConvertible {
            let node: MutableNode<Int>
            var description: String {
                node.value = 7
                return node.description
            }
        }
        let inner = MutableNode(1)
        let outer = Node(Curious(node: inner))
        #expect(outer.valueDescription == "Node(named: undefined, value: 7)")
    }
}
