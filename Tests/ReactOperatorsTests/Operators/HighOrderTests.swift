import Dispatch
import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Nodes of nodes")
struct HighOrderTests {
    @Test("the result is empty while the node that it follows is")
    func emptyInner() {
        let a = MutableNode(1)
        let b = MutableNode<Int>()
        let followed = MutableNode<Node<Int>>(a)
        let flat = followed.flatten()
        followed.value = b
        #expect(flat.isEmpty)
        b.value = 2
        #expect(flat.value == 2)
        b.clean()
        #expect(flat.isEmpty)
        followed.value = a
        #expect(flat.value == 1)
    }

    @Test("emptying the outer node empties the result, and the inner node is heard no more, nor held")
    func emptyOuter() {
        let inner = Weak<MutableNode<Int>>()
        let followed = MutableNode<Node<Int>>()
        let flat = followed.flatten()
        func follow() {
            let node = MutableNode(1)
            inner.object = node
            followed.value = node
            #expect(flat.value == 1)
            followed.clean()
            #expect(flat.isEmpty)
            node.value = 2
            #expect(flat.isEmpty)
        }
        follow()
        #expect(inner.object == nil)
    }

    @Test("the choice brings context and senders; later values bring their own")
    func contexts() {
        let inner = MutableNode(1)
        let outer = MutableNode<Int>()
        let flat = outer.flattenMap { _ in inner }
        let heard = Recorder<(Int, [AnyNode], String?)>()
        let listener = Lifetime()
        flat.listened(by: listener).withSenderListAndContext { heard.record(($0, $1.senders, $2 as? String)) }
        outer.setValue(0, context: "choice")
        inner.setValue(2, context: "inner")
        #expect(heard.events.map(\.0) == [1, 2])
        #expect(heard.events.map(\.1) == [[flat, inner, outer], [flat, inner]])
        #expect(heard.events.map(\.2) == ["choice", "inner"])
    }

    @Test("an inner node that is set again is passed on again")
    func sameInner() {
        let inner = MutableNode(1)
        let outer = MutableNode<Node<Int>>(inner)
        let heard = outer.flatten().recorded()
        outer.value = inner
        inner.value = 2
        #expect(heard.events == [1, 1, 2])
    }

    @Test("a choice that the result's own value makes stands, though no value goes round")
    func feedback() {
        let pages = [MutableNode(0), MutableNode(5)]
        let page = MutableNode(0)
        let shown = page.flattenMap { pages[$0] }
        let heard = shown.recorded()
        let ring = page.link(to: shown)
        pages[0].value = 1
        #expect(page.value == 1)
        pages[0].value = 7
        pages[1].value = 0
        #expect(page.value == 0)
        pages[1].value = 8
        pages[0].value = 0
        #expect(heard.events == [0, 1, 0, 0])
        ring.cancel()
    }

    @Test("a cut flatten lets go of the inner node as well", arguments: [false, true])
    func cut(atTarget: Bool) {
        let inner = MutableNode(1)
        let outer = MutableNode<Node<Int>>(inner)
        let flat = outer.flatten()
        let edge = flat.upstreamTransforms.first { $0.name == "Flatten" } as? Transform<Node<Int>, Int>
        if atTarget { edge?.to = nil } else { edge?.from = nil }
        inner.value = 2
        #expect(flat.value == 1)
        #expect(!inner.hasDownstreamNode)
    }

    @Test("the result ends with the last choice's last value, whichever nodes the threads choose and set")
    func threads() {
        let inner = [MutableNode(0), MutableNode(0)]
        let outer = MutableNode(0)
        let flat = outer.flattenMap { inner[$0 % 2] }
        let heard = flat.recorded()
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            for number in 1...1_000 {
                if thread == 2 { outer.value = number } else { inner[thread].value = number }
            }
        }
        #expect(flat.value == 1_000)
        #expect(heard.events.last == 1_000)
    }

    @Test("if the function that chooses a node gives the edge another target, that target follows the node")
    func anotherTargetMeanwhile() throws {
        let (a, inner, other) = (MutableNode(1), MutableNode(10), Node<Int>())
        let meanwhile = Locked<(@Sendable () -> Void)?>(nil)
        let flat = a.flattenMap { _ in
            meanwhile.withLock { $0.take() }?()
            return inner
        }
        let heard = flat.recorded()
        let edge = try #require(flat.upstreamTransforms.first { $0.name == "FlattenMap" } as? Transform<Int, Int>)
        meanwhile.value = { edge.to = other }
        a.value = 2
        inner.value = 11
        #expect(other.value == 11)
        #expect(heard.events == [10])
    }
}
