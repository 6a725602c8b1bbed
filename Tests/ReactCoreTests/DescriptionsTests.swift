import ReactCore
import ReactOperators
import TestSupport
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

    @Test("a node without a name is undefined, no value is empty")
    func nothing() {
        #expect(Node<Int>().description == "Node(named: undefined, value: empty)")
        #expect(Node(1).description == "Node(named: undefined, value: 1)")
        #expect(MutableNode("a").description == "Node(named: undefined, value: a)")
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

    @Test("a node whose value is the node itself, or holds it, is described")
    func selfValue() {
        let node = MutableNode<AnyNode>().named("self")
        node.value = node
        defer { node.clean() }
        #expect(node.description == "Node(named: self, value: Node(named: self, value: …))")

        struct Holder: Sendable { let nodes: [AnyNode] }
        let (one, other) = (MutableNode<Holder>(), MutableNode<Holder>().named("other"))
        one.value = Holder(nodes: [other])
        other.value = Holder(nodes: [one])
        defer { one.clean() }
        #expect(
            one.valueDescription
                == "Holder(nodes: [Node(named: other, value: Holder(nodes: [Node(named: undefined, value: …)]))])")
    }

    @Test("nodes in nodes are described four deep, however many there are")
    func deepValues() {
        var node: AnyNode = Node(1)
        for _ in 0..<10_000 { node = Node<AnyNode>(node) }
        #expect(
            node.description
                == String(repeating: "Node(named: undefined, value: ", count: 5) + "…"
                + String(repeating: ")", count: 5))
        // Let go of one by one: what they hold of one another would otherwise go from inside one another.
        while let next = (node as? Node<AnyNode>)?.value { node = next }
    }

    @Test("a redacted node's value is in no description")
    func redacted() {
        let secret = MutableNode("hunter2").named("password").redacted()
        #expect(secret.description == "Node(named: password, value: redacted)")
        #expect(secret.valueDescription == "redacted")
        #expect(secret.value == "hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("hunter2") && dumped.contains("password"))
        struct Form: Sendable { let password: MutableNode<String> }
        let form = Node(Form(password: secret))
        #expect("\(form)" == "Node(named: undefined, value: Form(password: Node(named: password, value: redacted)))")
        secret.clean()
        #expect(secret.valueDescription == nil)
        #expect(MutableNode("seen").description == "Node(named: undefined, value: seen)")
    }

    @Test("a redacted value stays secret if operators pass it on; a function's result of it is shown")
    func redactedDownstream() {
        let user = MutableNode("ada"), secret = MutableNode("hunter2")
        let (both, pairs) = (combine(user, secret), user.zip(secret))
        let few = secret.filter { !$0.isEmpty }.distinctUntilChanged().fork()
        let merged = merge(user, secret)
        let last = secret.scan([String]()) { $0 + [$1] }
        let length = secret.map(\.count)
        #expect(both.description == "Node(named: undefined, value: (\"ada\", \"hunter2\"))")
        secret.redacted()
        for node in [both, pairs, few, merged, last] as [AnyNode] { #expect(node.valueDescription == "redacted") }
        #expect(length.valueDescription == "7")
        #expect(user.valueDescription == "ada")
    }

    @Test("a redacted value stays secret in the branches of a switch, and below, for as long as the switch is linked")
    func redactedBranches() throws {
        let secret = MutableNode("hunter2"), lifetime = Lifetime(), lists = Recorder<SenderList>()
        let lengths = secret.switch { $0.count }
        let branch = try #require(lengths.value?.node)
        let few = branch.filter { !$0.isEmpty }
        few.listened(by: lifetime).withSenderListAndContext { _, senders, _ in lists.record(senders) }
        #expect(branch.valueDescription == "hunter2")
        secret.redacted()
        for node in [lengths, lengths.case(7), branch, few] as [AnyNode] {
            #expect(node.valueDescription == "redacted")
        }
        secret.value = "another"
        let other = try #require(lengths.value?.node)
        #expect(other.valueDescription == "redacted")
        #expect(lists.events.count == 2)
        for list in lists.events { #expect(!"\(list)".contains("hunter2") && !"\(list)".contains("another")) }
        lengths.removeUpstreamNodes()
        #expect(branch.valueDescription == "another")
    }

    @Test("a branch that is held keeps nothing of its switch, which has been cut and has gone")
    func heldBranch() throws {
        try withLifetimeTracking { tracker in
            func makeBranch() -> AnyNode? {
                let source = MutableNode(tracker.track("first"))
                let names = source.switch { $0.label }
                let branch = names.value?.node
                source.value = tracker.track("second")
                names.removeUpstreamNodes()
                return branch
            }
            let branch = makeBranch()
            #expect(tracker.live == ["first"])
            withExtendedLifetime(branch) {}
        }
    }
}
