import ReactCore
import ReactOperators
import ReactTesting
import Testing

@Suite("Records of values")
struct HeardTests {
    @Test("a record has the present value and each later one, in order, until it is cancelled")
    func values() {
        let node = MutableNode(1)
        let heard = Heard(node.map { $0 * 10 })
        #expect(heard.values == [10])
        node.value = 2
        node.value = 2
        #expect(heard.values == [10, 20, 20])
        #expect(heard.last == 20)
        heard.cancel()
        node.value = 3
        #expect(heard.values == [10, 20, 20])
    }

    @Test("a record of an empty node has nothing, and emptying a node adds nothing")
    func empty() {
        let node = MutableNode<Int>()
        let heard = Heard(node)
        #expect(heard.values == [] && heard.last == nil)
        node.value = 1
        node.clean()
        #expect(heard.values == [1])
    }

    @Test("a record keeps its node, and lets go of it when it is cancelled or goes", arguments: [false, true])
    func lifetime(cancels: Bool) {
        weak var node: Node<Int>?
        var heard: Heard<Int>?
        do {
            let made = Node(1)
            node = made
            heard = Heard(made)
        }
        #expect(node != nil)
        if cancels { heard?.cancel() } else { heard = nil }
        #expect(node == nil)
        #expect(heard?.values == (cancels ? [1] : nil))
    }
}
