import ReactCore
import ReactOperators
import TestSupport
import Testing

/// A value that waits for its turn at a node comes by an edge; where that has been cut by then, it does not arrive.
@Suite("Cut while waiting") struct CutWhileWaitingTests {
    let listener = Lifetime()

    @Test("a value that waits at a busy node is dropped when a listener there cuts the link that it came by")
    func cutByListener() {
        let (x, y) = (MutableNode(1), MutableNode<Int>())
        let link = y.link(to: x)
        let heard = y.heard(by: listener)
        y.listened(by: listener).with { value in
            guard value == 100 else { return }
            x.value = 5
            link.cancel()
        }
        y.value = 100
        #expect(heard.events == [1, 100])
        #expect(y.value == 100)
        #expect(x.value == 5)
    }

    @Test("a value that waits at a node that another thread delivers is not delivered after cancel() has returned")
    func cutByAnotherThread() {
        let (x, y) = (MutableNode(1), MutableNode<Int>())
        let link = y.link(to: x)
        let heard = y.heard(by: listener)
        let (isInside, goesOn) = (Latch(), Latch())
        y.listened(by: listener).with { value in
            guard value == 100 else { return }
            isInside.arrive()
            goesOn.wait()
        }
        let other = Worker { y.value = 100 }
        isInside.wait()
        x.value = 5
        link.cancel()
        goesOn.arrive()
        other.join()
        #expect(heard.events == [1, 100])
        #expect(y.value == 100)
    }

    @Test("a value that waits at a busy node is dropped when the edge that it came by is pointed elsewhere")
    func repointed() {
        let (x, other, y) = (MutableNode(1), MutableNode(2), MutableNode<Int>())
        let link = LinkTransform<Int>()
        y.link(to: x, transform: link)
        let heard = y.heard(by: listener)
        y.listened(by: listener).with { value in
            guard value == 100 else { return }
            x.value = 5
            link.from = other
        }
        y.value = 100
        #expect(heard.events == [1, 100, 2])
        #expect(y.value == 2)
    }

    @Test("a set that waits at a busy node is delivered even if edges are cut meanwhile")
    func setStays() {
        let (x, y) = (MutableNode(1), MutableNode<Int>())
        let link = y.link(to: x)
        let heard = y.heard(by: listener)
        y.listened(by: listener).with { value in
            guard value == 100 else { return }
            y.value = 5
            link.cancel()
        }
        y.value = 100
        #expect(heard.events == [1, 100, 5])
    }
}
