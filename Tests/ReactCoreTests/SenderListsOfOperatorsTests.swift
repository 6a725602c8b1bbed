import ReactCore
import ReactOperators
import TestSupport
import Testing

/// What the sender list of a value names that an operator of several nodes has passed on.
@Suite("Sender lists of operators") struct SenderListsOfOperatorsTests {
    let listener = Lifetime()

    /// The names in the sender list of each value that `node` passes on from now on, newest first.
    private func heardSenders<Value>(of node: Node<Value>) -> Recorder<[String]> {
        let heard = Recorder<[String]>()
        node.listened(by: listener).withSenderListAndContext { _, senders, _ in
            heard.record(senders.senders.map { $0.name ?? "-" })
        }
        _ = heard.take()
        return heard
    }

    @Test("a value heard at a case has come through the source, the switch's node and the case")
    func switchAndCase() {
        let source = MutableNode(1).named("source")
        let branches = source.switch { $0.isMultiple(of: 2) }.named("switch")
        let even = branches.case(true).named("case")
        let heard = heardSenders(of: even)
        source.value = 2
        source.value = 4
        for names in heard.events { #expect(names.filter { $0 != "-" } == ["case", "switch", "source"]) }
        #expect(heard.count == 2)
    }

    @Test("a value heard at a branch of an if has come through the source and the branch")
    func branchOfIf() {
        let source = MutableNode(1).named("source")
        let branches = source.if { $0 > 1 }
        let heard = heardSenders(of: branches.thenNode.named("then"))
        source.value = 2
        source.value = 3
        for names in heard.events { #expect([names.first, names.last] == ["then", "source"]) }
        #expect(heard.count == 2)
    }

    @Test("a value that an outer change brings out of flattenMap has come through the outer and the inner node")
    func outerOfFlattenMap() {
        let (paris, oslo) = (MutableNode(1).named("paris"), MutableNode(2).named("oslo"))
        let city = MutableNode("Paris").named("city")
        let heard = heardSenders(of: city.flattenMap { $0 == "Paris" ? paris : oslo }.named("result"))
        city.value = "Oslo"
        #expect(heard.events.map { Set($0) } == [["result", "oslo", "city"]])
        #expect(heard.events.first?.first == "result")
    }

    @Test("a value that the inner node brings out of flattenMap has come through the inner node alone")
    func innerOfFlattenMap() {
        let paris = MutableNode(1).named("paris")
        let city = MutableNode("Paris").named("city")
        let heard = heardSenders(of: city.flattenMap { _ in paris }.named("result"))
        paris.value = 2
        #expect(heard.events == [["result", "paris"]])
    }

    @Test("a value that an outer change brings out of flatten has come through the outer and the inner node")
    func outerOfFlatten() {
        let (a, b) = (MutableNode(1).named("a"), MutableNode(2).named("b"))
        let outer = MutableNode<Node<Int>>(a).named("outer")
        let heard = heardSenders(of: outer.flatten().named("result"))
        outer.value = b
        b.value = 3
        #expect(heard.events.first.map { Set($0) } == ["result", "b", "outer"])
        #expect(heard.last == ["result", "b"])
    }
}
