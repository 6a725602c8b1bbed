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

    /// What brings the value that a combination still misses, in the set that has brought the other one.
    enum Bringer: CaseIterable { case combination, settled, withLatest, effect, listenerOfSettled, effectTwice }

    @Test(
        "a tuple names the senders of an early value, whichever operator brings the missing one",
        arguments: Bringer.allCases)
    func earlyArrival(_ bringer: Bringer) {
        let a = MutableNode(0).named("a"), b = MutableNode<Int>().named("b")
        let second: Node<Int>
        switch bringer {
        case .combination: second = combine(b, Node(0)) { $0 + $1 }
        case .settled: second = b.settled()
        case .withLatest: second = b.withLatest(from: Node(0)).map { $0.0 }
        case .effect, .effectTwice:
            let set = MutableNode<Int>()
            listener.effect { read in set.value = try read(b) }
            second = set
        case .listenerOfSettled:
            let set = MutableNode<Int>()
            b.settled().listened(by: listener).with { set.value = $0 }
            second = set
        }
        let sum = combine(a, second.named("second")) { $0 + $1 }.named("sum")
        let heard = heardSenders(of: sum)
        batch {
            a.value = 1
            b.value = 10
            if bringer == .effectTwice { a.value = 2 }
        }
        #expect(heard.count == 1)
        #expect(heard.last?.contains("a") ?? false)
        #expect(heard.last?.contains("second") ?? false)
        #expect(sum.value == (bringer == .effectTwice ? 12 : 11))
    }
    @Test("a tuple does not name the senders of an earlier set, in which a value was missing")
    func arrivedInAnEarlierSet() {
        let a = MutableNode(0).named("a"), b = MutableNode<Int>().named("b")
        let heard = heardSenders(of: combine(a, b.settled()).named("both"))
        a.value = 1
        b.value = 2
        #expect(heard.events == [["both", "-", "b"]])
    }
    @Test("a value that several missed values keep from firing is let go of when none of them comes")
    func neverComplete() {
        let a = MutableNode(0), never = MutableNode<Int>(), other = MutableNode(0)
        let sums = (0..<3).map { _ in combine(a, never) { $0 + $1 } }
        let settled = other.settled().recorded()
        for round in 1...3 {
            batch {
                a.value = round
                other.value = round
            }
        }
        #expect(settled.events == [0, 1, 2, 3])
        #expect(sums.allSatisfy { $0.isEmpty })
        never.value = 10
        #expect(sums.map(\.value) == [13, 13, 13])
    }

    @Test("the tuple of a combination returns to no node that one of its values has passed", arguments: 1...3)
    func returnsToNobody(inputs: Int) {
        let a = MutableNode(0).named("a"), b = MutableNode(0)
        let merged = merge(a, b)
        let others = (1..<inputs).map { _ in MutableNode(0) }
        let sum = combine([merged] + others).map { $0.reduce(0, +) }.named("sum")
        a.link(to: sum)
        defer { a.removeUpstreamNodes() }
        let heard = heardSenders(of: sum)
        batch {
            a.value = 1
            b.value = 2
        }
        #expect(heard.events.map { $0.contains("a") } == [true])
        #expect(a.value == 1 && sum.value == 2)
    }
}
