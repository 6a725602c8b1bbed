import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Mutability") struct MutabilityTests {
    @Test("only nodes that were made mutable can be set")
    func isMutable() {
        #expect(!Node(1).isMutable)
        #expect(!Node<Int>().isMutable)
        #expect(MutableNode(1).isMutable)
        #expect(MutableNode<Int>().isMutable)
        #expect(!MutableNode(1).map { $0 }.isMutable)
        #expect(!MutableNode(1).fork().isMutable)
        #expect(!combine(MutableNode(1), MutableNode(2)).isMutable)
    }

    @Test("a derived node is a MutableNode by type, cannot be set, and says so", .enabled(if: Scale.runsTraps))
    func typeOfDerivedNodes() async {
        let state = MutableNode(1)
        let derived: [Node<Int>] = [
            state.fork(), state.map { $0 }, combine(state, state) { $0 + $1 }, computed { try $0(state) },
        ]
        for node in derived { #expect(node is MutableNode<Int> && !node.isMutable) }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let readOnly: Node<Int> = MutableNode(1).fork().named("readOnly")
            (readOnly as? MutableNode<Int>)?.value = 99
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("readOnly") && message.contains("is immutable") && message.contains("mutablify()"))
    }

    @Test("mutablify returns this very node, mutable from then on")
    func mutablify() {
        let node = Node(1)
        let mutable = node.mutablify()
        #expect(mutable === node)
        #expect(node.isMutable)
        mutable.value = 2
        #expect(node.value == 2)
    }

    @Test("mutablify again, or on a mutable node, changes nothing")
    func mutablifyAgain() {
        let node = Node(1)
        #expect(node.mutablify() === node.mutablify())
        let mutable = MutableNode(3)
        #expect(mutable.mutablify() === mutable)
        #expect(mutable.value == 3)
    }

    @Test("mutablify keeps value, name, links and listeners")
    func mutablifyKeeps() {
        let listener = Lifetime()
        let source = MutableNode(1)
        let node = source.map { $0 * 10 }.named("tens")
        let heard = node.heard(by: listener)
        let next = node.map { $0 + 1 }
        let mutable = node.mutablify()
        mutable.value = 5
        source.value = 2
        #expect(heard.events == [10, 5, 20])
        #expect(next.value == 21)
        #expect(node.name == "tens")
    }

    @Test("a plain node changes with the node that it is linked to")
    func followsLinks() {
        let source = MutableNode(1)
        let node = Node(0)
        node.link(to: source)
        source.value = 2
        #expect(node.value == 2)
        #expect(!node.isMutable)
    }

    @Test("mutablify from several threads makes one mutable node")
    func mutablifyFromThreads() {
        let node = Node(0)
        concurrently(4) { thread in
            let mutable = node.mutablify()
            if !node.isMutable { Issue.record("not mutable after mutablify") }
            mutable.setValue(thread)
        }
        #expect((0..<4).contains(node.value ?? -1))
    }
}
