import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("The guide's examples: nodes kept the same")
struct SyncExampleTests {
    @Test("sync works both ways, until it is cancelled")
    func syncBothWaysAndCancel() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        let sync = a.sync(with: b)
        #expect(a.value == 2)
        #expect(b.value == 2)
        a.value = 3
        #expect(b.value == 3)
        b.value = 4
        #expect(a.value == 4)
        sync.cancel()
        a.value = 5
        #expect(b.value == 4)
        b.value = 6
        #expect(a.value == 5)
    }

    @Test("the transforming sync halves one way and doubles the other")
    func syncHalvingAndDoubling() {
        let half = MutableNode(1)
        let whole = MutableNode(4)
        let sync = half.sync(with: whole, transform: { $0 / 2 }, revert: { $0 * 2 })
        #expect(half.value == 2)
        #expect(whole.value == 4)
        half.value = 10
        #expect(whole.value == 20)
        whole.value = 12
        #expect(half.value == 6)
        sync.cancel()
        half.value = 1
        #expect(whole.value == 12)
    }

    @Test("three nodes in a ring of three links, set from each")
    func manualRing() {
        let a = MutableNode<Int>()
        let b = MutableNode<Int>()
        let c = MutableNode<Int>()
        let links = [b.link(to: a), c.link(to: b), a.link(to: c)]
        let heard = [a.recorded(), b.recorded(), c.recorded()]
        a.value = 1
        #expect([a.value, b.value, c.value] == [1, 1, 1])
        b.value = 2
        #expect([a.value, b.value, c.value] == [2, 2, 2])
        c.value = 3
        #expect([a.value, b.value, c.value] == [3, 3, 3])
        for record in heard { #expect(record.events == [1, 2, 3]) }
        for link in links { link.cancel() }
    }
}
