import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Unary operators")
struct UnaryTests {
    @Test("skip 0 drops nothing, take 0 passes nothing on")
    func zeroCounts() {
        let number = MutableNode(1)
        let all = number.skip(0).recorded()
        let none = number.take(0)
        number.value = 2
        #expect(all.events == [1, 2])
        #expect(none.isEmpty)
    }

    @Test("a negative count to skip ends the process with a message", .enabled(if: Scale.runsTraps))
    func negativeSkip() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode(1).skip(-1)
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("skip(-1)"))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }

    @Test("a negative count to take ends the process with a message", .enabled(if: Scale.runsTraps))
    func negativeTake() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode(1).take(-1)
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("take(-1)"))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }

    @Test("skip and take count anew for another node, and for the same one linked again")
    func countsStartOver() {
        let first = MutableNode(1)
        let second = MutableNode(10)
        let taken = first.take(2)
        let skipped = first.skip(1)
        let heard = [taken.recorded(), skipped.recorded()]
        first.value = 2
        first.value = 3
        for node in [taken, skipped] { (node.upstreamTransforms[0] as? Transform<Int, Int>)?.from = second }
        second.value = 11
        second.value = 12
        for node in [taken, skipped] {
            (node.upstreamTransforms[0] as? Transform<Int, Int>)?.from = nil
            (node.upstreamTransforms[0] as? Transform<Int, Int>)?.from = second
        }
        #expect(heard[0].events == [1, 2, 10, 11, 12])
        #expect(heard[1].events == [2, 3, 11, 12])
    }

    @Test("distinctUntilChanged compares with the last value that it passed on, not the last that came")
    func distinctComparesWithPassed() {
        let position = MutableNode(0)
        let heard = position.distinctUntilChanged { abs($0 - $1) < 3 }.recorded()
        for value in [2, 4, 6, 3, 7] { position.value = value }
        #expect(heard.events == [0, 4, 7])
    }

    @Test("distinctUntilChanged tells nil from nothing yet")
    func distinctOfOptionals() {
        let word = MutableNode<String?>()
        let heard = word.distinctUntilChanged().recorded()
        for value in [nil, nil, "a", "a", nil] { word.setValue(value) }
        #expect(heard.events == [nil, "a", nil])
    }

    @Test("scan begins with the initial result again for another node")
    func scanStartsOver() {
        let first = MutableNode(1)
        let second = MutableNode(10)
        let total = first.scan(100, +)
        let heard = total.recorded()
        first.value = 2
        (total.upstreamTransforms[0] as? Transform<Int, Int>)?.from = second
        second.value = 20
        #expect(heard.events == [101, 103, 110, 130])
    }

    @Test("scanWithIndex counts from 0")
    func scanWithIndex() {
        let word = MutableNode("a")
        let heard = word.scanWithIndex("") { "\($0)\($2)\($1)" }.recorded()
        word.value = "b"
        word.value = "c"
        #expect(heard.events == ["0a", "0a1b", "0a1b2c"])
    }

    @Test("then hands on the node itself, once, and returns it")
    func thenReturnsTheNode() {
        let number = MutableNode(1)
        let handed = Recorder<Node<Int>>()
        let returned = number.then { handed.record($0) }
        #expect(returned === number)
        #expect(handed.events.map(ObjectIdentifier.init) == [ObjectIdentifier(number)])
        #expect(!number.hasDownstreamNode)
    }

    @Test("every transform bears its operator's name")
    func names() {
        let number = MutableNode(1)
        let nodes: [AnyNode] = [
            number.fork(), number.map { $0 }, number.mapReplace(0), number.compactMap { $0 },
            number.filter { _ in true },
            number.ignore(0), number.select(0), number.skip(0), number.take(1), number.distinctUntilChanged(),
            number.distinctUntilChanged { $0 == $1 }, number.scan(0, +), number.scanWithIndex(0) { $0 + $1 + $2 },
            merge(number), Node.combine([number]), Node.zip([number]), number.switch { $0 },
            number.flattenMap { Node($0) },
        ]
        #expect(
            nodes.map { $0.upstreamTransforms(from: number).map(\.name) } == [
                ["Fork"], ["Map"], ["MapReplace"], ["CompactMap"], ["Filter"], ["Ignore"], ["Select"], ["Skip"],
                ["Take"],
                ["Distinct"], ["Distinct"], ["Scan"], ["Scan"], ["Link"], ["Combine"], ["Zip"], ["SwitchMap"],
                ["FlattenMap"],
            ])
    }

    @Test(
        "an operator's closure that captures the owner of its node keeps the owner alive, and one that captures it weakly does not"
    )
    @MainActor func capturedOwner() {
        @MainActor final class Owner {
            let price = MutableNode(20)
            let sign = "€"
            lazy var strong = price.map { "\($0) \(self.sign)" }
            lazy var weak = price.map { [weak self] in "\($0) \(self?.sign ?? "")" }
            lazy var sign2 = price.map { [sign] in "\($0) \(sign)" }
        }
        weak var gone: Owner?
        weak var kept: Owner?
        do {
            let (one, other) = (Owner(), Owner())
            #expect(one.weak.value == "20 €" && one.sign2.value == "20 €")
            #expect(other.strong.value == "20 €")
            (gone, kept) = (one, other)
        }
        #expect(gone == nil)
        #expect(kept != nil)
        kept?.strong.removeUpstreamNodes()
        #expect(kept == nil)
    }
}
