import ReactCore
import ReactOperators
import TestSupport
import Testing

/// What a flatten holds at rest is what the inner node holds that the outer node holds, whoever set what in which order.
@Suite("Flatten and re-entrant sets", .serialized) struct FlattenReentrancyTests {
    let listener = Lifetime()
    let a = MutableNode(1)
    let b = MutableNode(2)
    let c = MutableNode(3)

    @Test(
        "a flatten whose listener sets the outer node and then the inner one that is left holds the newest inner one's value"
    )
    func outerAndOldInner() {
        let outer = MutableNode<Node<Int>>(a)
        let flat = outer.flatten()
        flat.listened(by: listener).with { [b, c] value in
            if value == 10 { outer.value = b }
            if value == 2 {
                outer.value = c
                b.value = 20
            }
        }
        a.value = 10
        #expect(flat.value == 3)
    }

    @Test("a flatten hears all that the old inner node had before a choice that waits, and the new one has since")
    func everyValueInOrder() {
        let outer = MutableNode<Node<Int>>(a)
        let flat = outer.flatten()
        let heard = flat.heard(by: listener)
        flat.listened(by: listener).with { [a, b, c] value in
            guard value == 10 else { return }
            a.value = 11
            outer.value = b
            a.value = 12
            for value in [20, 21] { b.value = value }
            outer.value = c
            b.value = 22
            c.value = 30
        }
        flat.mutablify().value = 10
        #expect(heard.events == [1, 10, 11, 2, 20, 21, 3, 30])
        #expect(flat.upstreamTransforms.map(\.name) == ["Flatten", "Link"])
        for node in [a, b] { #expect(node.downstreamTransforms.isEmpty) }
        c.value = 31
        #expect(heard.last == 31)
    }

    @Test("a flatten that is cut while choices wait hears none of them, and follows none of their nodes")
    func cutWhileChoicesWait() {
        let outer = MutableNode<Node<Int>>(a)
        let flat = outer.flatten()
        let edge = flat.upstreamTransforms[0]
        let heard = flat.heard(by: listener)
        flat.listened(by: listener).with { [a, b, c] value in
            guard value == 10 else { return }
            for (node, value) in [(b, 20), (c, 30)] {
                outer.value = node
                node.value = value
            }
            a.value = 11
            edge.cancel()
        }
        a.value = 10
        for node in [a, b, c] {
            node.value = 99
            #expect(node.downstreamTransforms.isEmpty)
        }
        #expect(heard.events == [1, 10])
    }

    @Test("an outer node that is emptied in mid-delivery takes back the choices before, and not those after")
    func emptiedWhileChoicesWait() {
        let outer = MutableNode<Node<Int>>(a)
        let flat = outer.flatten()
        let heard = flat.heard(by: listener), empties = Recorder<Bool>()
        flat.listened(by: listener).with { [b, c] value in
            guard value == 10 else { return }
            outer.value = b
            b.value = 20
            outer.clean()
            b.value = 21
            outer.value = c
            empties.record(flat.isEmpty)
        }
        a.value = 10
        #expect(heard.events == [1, 10, 2, 20, 3])
        b.value = 22
        c.value = 30
        #expect(heard.events == [1, 10, 2, 20, 3, 30])
    }

    @Test("a choice that comes through the result stands, and not one that was made before it and waits")
    func overtaken() {
        let page = MutableNode(0)
        let pages = [a, b, c]
        let shown = page.flattenMap { pages[min(max($0, 0), 2)] }
        defer { page.removeUpstreamNodes() }
        page.link(to: shown.map { $0 - 10 })
        // What comes to 12 chooses the third page, by the link; and before that a listener chooses the second.
        shown.listened(by: listener).with { if $0 == 12 { page.value = 1 } }
        a.value = 12
        #expect(page.value == 2)
        c.value = 30
        #expect(shown.value == 30)
    }

    @Test("a flattenMap whose listener sets its source holds the newest inner node's value")
    func flattenMap() {
        let choice = MutableNode(0)
        let flat = choice.flattenMap { [a, b, c] in [a, b, c][$0] }
        flat.listened(by: listener).with { [b] value in
            if value == 10 { choice.value = 1 }
            if value == 2 {
                choice.value = 2
                b.value = 20
            }
        }
        a.value = 10
        #expect(flat.value == 3)
    }

    @Test("a value of an inner node that waits at a flatten's result is dropped where another is followed by then")
    func waitsWhileAnotherThreadDelivers() {
        let outer = MutableNode<Node<Int>>(a)
        let flat = outer.flatten()
        let (isInside, goesOn) = (Latch(), Latch())
        flat.listened(by: listener).with { value in
            guard value == 10 else { return }
            isInside.arrive()
            goesOn.wait()
        }
        let heard = Recorder<Int>()
        flat.listened(by: listener).with { heard.record($0) }
        let other = Worker { [a] in a.value = 10 }
        isInside.wait()
        // In this order at the result.
        outer.value = b
        b.value = 20
        outer.value = c
        goesOn.arrive()
        other.join()
        waitForLate(at: outer, b, c)
        #expect(flat.value == 3)
        #expect(heard.last == 3)
    }

    @Test("a flatten that two threads turn and feed holds, at rest, the value of the inner node chosen last")
    func storm() {
        let rounds = Scale.scaled(5_000)
        let inner = [a, b, c]
        let outer = MutableNode<Node<Int>>(a)
        let flat = outer.flatten()
        // It reacts a few times a round, or might for ever.
        let reactions = Locked(0)
        flat.listened(by: listener).with { value in
            guard value.isMultiple(of: 2), reactions.increment() < 5 else { return }
            outer.value = inner[(value + 1) % 3]
            inner[value % 3].value = value + 1
        }
        let wrong = Locked(0)
        let (gate, back) = (Gate(2), Gate(2))
        let seed = SeededGenerator.announced().seed
        concurrently(2) { thread in
            var random = SeededGenerator(seed: seed &+ UInt64(thread))
            for _ in 1...rounds {
                gate.pass()
                for _ in 0..<4 {
                    let (which, value) = (
                        Int.random(in: 0..<3, using: &random), Int.random(in: 2..<100, using: &random)
                    )
                    if value.isMultiple(of: 3) { outer.value = inner[which] } else { inner[which].value = value }
                }
                back.pass()
                if thread == 0, flat.value != outer.value?.value { wrong.increment() }
                if thread == 0 { reactions.value = 0 }
            }
        }
        #expect(wrong.value == 0, "wrong in that many of \(rounds) rounds")
    }
}
