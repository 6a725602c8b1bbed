import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Pulses while nodes are linked")
struct PulseLinkingTests {
    private let listener = Lifetime()

    @Test("a node that is linked by a listener of the pulse is empty afterwards as well")
    func linkedInMidDelivery() throws {
        let taps = MutableNode<Int>()
        let late = Locked<Node<Int>?>(nil)
        taps.listened(by: listener).with { _ in late.value = taps.map { $0 + 1 } }
        taps.pulse(1)
        let node = try #require(late.value)
        #expect(taps.isEmpty)
        #expect(node.isEmpty)
        taps.pulse(2)
        #expect(node.isEmpty)
    }

    @Test("nodes that a listener of the pulse makes by settled and withLatest are empty afterwards as well")
    func joinedInMidDelivery() throws {
        let taps = MutableNode<Int>(), other = MutableNode(1)
        let late = Locked<(settled: Node<Int>, latest: Node<(Int, Int)>)?>(nil)
        taps.listened(by: listener).with { [unowned taps, late] _ in
            guard late.value == nil else { return }
            late.value = (taps.settled(), taps.withLatest(from: other))
            #expect(late.value?.settled.value == 3)
        }
        taps.pulse(3)
        let (settled, latest) = try #require(late.value)
        #expect(settled.isEmpty && latest.isEmpty)
        taps.value = 4
        #expect(settled.value == 4 && latest.value ?? (0, 0) == (4, 1))
        taps.pulse(5)
        #expect(settled.value == 4 && latest.value ?? (0, 0) == (4, 1))
    }

    @Test("a pulse that comes while a link catches up leaves the value that the link took over")
    func whileCatchingUp() {
        let (taps, shown) = (MutableNode("a"), MutableNode<String>())
        shown.listened(by: listener).with { if $0 == "a" { taps.pulse("tap") } }
        let heard = shown.heard(by: listener)
        shown.link(to: taps)
        #expect(heard.events == ["a", "tap"])
        #expect(taps.isEmpty)
        #expect(shown.value == "a")
    }

    @Test("a node that is linked by a listener of the pulse has it until it is over")
    func linkedInMidDeliveryHasIt() {
        let taps = MutableNode<Int>(), heard = Recorder<Int>()
        taps.listened(by: listener).with { [unowned taps, unowned listener] _ in
            let late = taps.map { $0 + 1 }.map { $0 * 10 }
            #expect(late.value == 20)
            late.listened(by: listener).with { heard.record($0) }
        }
        taps.pulse(1)
        #expect(heard.events == [20])
        #expect(taps.isEmpty)
    }

    @Test(
        "a pulse's value stays in the nodes that it has reached until the pulse is over, even if nodes are linked meanwhile"
    )
    func linkingElsewhere() {
        let taps = MutableNode<Int>()
        let (a, b) = (taps.map { $0 * 2 }, taps.map { $0 })
        let heard = taps.flattenMap { _ in a }.heard(by: listener)
        b.listened(by: listener).with { [unowned b, unowned listener] _ in b.listened(by: listener).with { _ in } }
        taps.pulse(1)
        #expect(heard.events == [2])
        #expect(a.isEmpty)
    }

    @Test("a node that is linked to one that a pulse has been delivered at is empty afterwards as well")
    func linkedToWhatIsDone() throws {
        let taps = MutableNode<Int>()
        let (a, b) = (taps.map { $0 * 2 }, taps.map { $0 })
        let late = Locked<Node<Int>?>(nil)
        b.listened(by: listener).with { _ in late.value = a.map { $0 + 1 } }
        let heard = a.heard(by: listener)
        taps.pulse(1)
        #expect(heard.events == [2])
        #expect(a.isEmpty)
        #expect(try #require(late.value).isEmpty)
    }
}
