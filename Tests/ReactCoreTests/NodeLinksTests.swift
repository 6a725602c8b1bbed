import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("The link that link(to:) gives back")
struct NodeLinksTests {
    @Test("the source of a link can be read and changed, and the link can be cut, without a cast")
    func changing() {
        let local = MutableNode(1), remote = MutableNode(2), shown = Node<Int>(), lifetime = Lifetime()
        let link = shown.link(to: local)
        let heard = shown.heard(by: lifetime)
        #expect(link.source === local)
        link.source = remote
        local.value = 10
        remote.value = 3
        #expect(heard.events == [1, 2, 3])
        #expect(link.source === remote && shown.upstreamNodes == [remote] && !local.hasDownstreamNode)
        link.source = nil
        remote.value = 4
        #expect(shown.value == 3 && link.source == nil)
        link.source = local
        #expect(shown.value == 10)
        link.cancel()
        link.source = remote
        local.value = 11
        #expect(shown.value == 10 && link.source == nil)
        #expect(!shown.hasUpstreamNode && !local.hasDownstreamNode && !remote.hasDownstreamNode)
    }

    @Test("in a batch, a combination sees the source's change and a set as one")
    func batches() {
        let a = MutableNode(1), b = MutableNode(2), shown = Node<Int>(), other = MutableNode(0), lifetime = Lifetime()
        let link = shown.link(to: a)
        let heard = combine(shown, other) { $0 * 10 + $1 }.heard(by: lifetime)
        batch {
            link.source = b
            other.value = 5
        }
        #expect(heard.events == [10, 25])
    }

    @Test("one of two links to a node is led from elsewhere, and the other stays")
    func twoLinks() {
        let a = MutableNode(1), b = MutableNode(2), c = MutableNode(3), shown = Node<Int>(), lifetime = Lifetime()
        let links = [shown.link(to: a), shown.link(to: b)]
        let heard = shown.heard(by: lifetime)
        links[0].source = c
        a.value = 10
        b.value = 20
        c.value = 30
        #expect(heard.events == [2, 3, 20, 30])
    }

    @Test("a link keeps neither node, and does nothing once one of them has gone")
    func keepsNothing() {
        var source: MutableNode<Int>? = MutableNode(1), shown: Node<Int>? = Node()
        weak let knownSource = source
        weak let knownShown = shown
        let link = shown!.link(to: source!)
        source = nil
        #expect(knownSource != nil)
        shown = nil
        #expect(knownSource == nil && knownShown == nil)
        #expect(link.source == nil)
        link.source = MutableNode(2)
        link.cancel()
        #expect(link.source == nil)
    }

    @Test("a lifetime ends the link, which leaves the lifetime when it is cancelled")
    func lifetimes() {
        let source = MutableNode(1), shown = Node<Int>(), lifetime = Lifetime()
        shown.link(to: source).cancelled(by: lifetime)
        lifetime.cancel()
        #expect(!shown.hasUpstreamNode)
        var link: NodeLink<Int>? = shown.link(to: source)
        weak let known = link
        lifetime.hold(link!)
        link = nil
        #expect(known != nil)
        known?.cancel()
        #expect(known == nil)
    }

    @Test("a node cannot be led from itself", .enabled(if: Scale.runsTraps))
    func ownSource() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let shown = MutableNode(1).named("shown")
            shown.link(to: MutableNode(2)).source = shown
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("shown") && message.contains("cannot follow itself") && message.contains("fork()"))
    }
}
