import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

/// Edges that are changed while another thread keeps their graph busy.
@Suite("Changed beside a busy graph") struct ChangedBesideABusyGraphTests {
    private let lifetime = Lifetime()

    private func edge(to node: Node<Int>) -> Transform<Int, Int> {
        node.upstreamTransforms.last as! Transform<Int, Int>
    }

    @Test("an edge whose end is set to the node that it has stays connected")
    func sameNode() {
        let a = MutableNode(1), shown = a.map { $0 }, link = edge(to: shown)
        let busy = BusyGraph(of: a, setting: 2)
        link.from = a
        link.to = shown
        #expect(link.from === a && link.to === shown)
        busy.end()
        a.value = 3
        #expect(shown.value == 3)
    }

    @Test("of two changes of an edge in a batch the second one counts, although the first one has found a busy graph")
    func twoChanges() {
        let own = MutableNode(0), a = MutableNode(1), b = MutableNode(2), c = MutableNode(3)
        let shown = a.map { $0 }, link = edge(to: shown)
        let busy = BusyGraph(of: a, setting: 1)
        batch {
            own.value = 1
            link.from = b
            busy.end()
            link.from = c
        }
        #expect(link.from === c)
        #expect(eventually { shown.value == 3 })
        b.value = 4
        c.value = 5
        #expect(shown.value == 5)
    }

    @Test("a batch that links a node of a graph that was busy reads the value that it has set")
    func readAfterLink() {
        let own = MutableNode(0), set = MutableNode(1), other = Node<Int>(), heard = Recorder<Int>()
        set.listened(by: lifetime).with { heard.record($0) }
        let busy = BusyGraph(of: set, setting: 2)
        batch {
            own.value = 1
            set.value = 5
            busy.end()
            other.link(to: set)
            #expect(set.value == 5)
        }
        #expect(set.value == 5 && other.value == 5)
        #expect(heard.events == [1, 2, 5])
    }

    @Test("an edge that is pointed away and back, before it is linked, brings the value")
    func pointedBack() {
        let a = MutableNode(1), b = MutableNode(10)
        let busy = BusyGraph(of: a, setting: 1)
        let double = a.map { $0 * 2 }, link = edge(to: double)
        #expect(double.value == 2)
        link.from = b
        #expect(double.value == 20)
        link.from = a
        busy.end()
        #expect(eventually { double.value == 2 })
        a.value = 3
        #expect(double.value == 6)
    }

    @Test("an edge of a flatten that leads nowhere, while its node is busy, ends nothing but itself")
    func innerEdgeLeadsNowhere() {
        let a = MutableNode(1), b = MutableNode(2), outer = MutableNode<Node<Int>>(a), flat = outer.flatten()
        let busy = BusyGraph(of: b, setting: 3)
        outer.value = b
        edge(to: flat).to = nil
        outer.value = a
        busy.end()
        a.value = 5
        #expect(flat.value == 5)
    }

    @Test("a flatten chooses another node of a graph in which its batch has left a set")
    func chosenBeforeLeftSet() {
        let own = MutableNode(0), x = MutableNode(1), y = MutableNode(2), set = MutableNode(1), other = Node<Int>()
        other.link(to: own)
        let flat = computed { try $0(own) > 0 ? y : x }.flatten()
        let busy = BusyGraph(of: set, setting: 2)
        batch {
            own.value = 1
            set.value = 5
            busy.end()
            other.link(to: set)
        }
        #expect(flat.value == 2)
        #expect(set.value == 5 && other.value == 5)
    }

    @Test("a listener in the part of a batch that was left reads the value that it hears")
    func readInALeftPart() {
        let own = MutableNode(0), b = MutableNode(0), c = MutableNode(0), heard = Recorder<[Int?]>()
        let busyB = BusyGraph(of: b, setting: 10), busyC = BusyGraph(of: c, setting: 10)
        b.listened(by: lifetime).with { if $0 == 1 { busyC.end() } }
        c.listened(by: lifetime).with { [c] in heard.record([$0, c.value]) }
        let worker = busyB.endOnceWaitedFor()
        batch {
            own.value = 1
            b.value = 1
            c.value = 1
            c.value = 2
        }
        worker.join()
        waitForLate(at: b, c)
        #expect(eventually { heard.events.last == [2, 2] })
        #expect(heard.events.allSatisfy { $0[0] == $0[1] })
    }

    @Test("a graph that a listener links to another part of its batch is left when the batch is over")
    func linkedInALeftPart() {
        let own = MutableNode(0), b = MutableNode(0), c = MutableNode(0), inB = Node<Int>()
        inB.link(to: b)
        let busyB = BusyGraph(of: b, setting: 10), busyC = BusyGraph(of: c, setting: 10)
        b.listened(by: lifetime).with {
            guard $0 == 1 else { return }
            busyC.end()
            inB.link(to: c)
        }
        let worker = busyB.endOnceWaitedFor()
        batch {
            own.value = 1
            b.value = 1
            c.value = 1
        }
        worker.join()
        waitForLate(at: b, c)
        let other = Worker { [c] in c.value = 2 }
        other.join()
        #expect(eventually { c.value == 2 && inB.value == 2 && LateWork.isDone(at: c) })
    }

    @Test("an edge that is cancelled before it was ever linked can be changed while its graph is busy")
    func changedAfterCancel() {
        let source = MutableNode(1), target = Node<Int>(), before = MutableNode(0)
        target.link(to: before)
        let busy = BusyGraph(of: before, setting: 1)
        let edge = OperatorTransform<Int, Int>(name: "Link") {
            let delivery = EdgeCall<Int, Int>($0)
            return delivery.send(delivery.value)
        }
        edge.to = target
        edge.from = source
        edge.cancel()
        edge.from = nil
        edge.from = source
        edge.to = nil
        busy.end()
        source.value = 2
        #expect(target.value == 1 && edge.from === source)
    }

    @Test("a set from outside that a batch has left is from outside, also if a listener makes it possible")
    func originOfLeftSet() {
        let own = MutableNode(0), x = MutableNode(0), y = MutableNode(0), areInside = Recorder<Bool>()
        let shown = x.map { $0 }, link = edge(to: shown)
        x.listened(by: lifetime).with { _ in areInside.record(Engine.current.originOfDelivery == .inside) }
        own.listened(by: lifetime).with { if $0 == 2 { link.from = y } }
        let busy = BusyGraph(of: x, setting: 1)
        batch {
            own.value = 1
            x.value = 5
            busy.end()
            own.value = 2
        }
        #expect(x.value == 5 && link.from === y)
        #expect(areInside.events == [true, false, false])
    }

    @Test("a combination misses an input that leads from an empty node, though it had a value while its graph was busy")
    func loadedInputLeaves() {
        let a = MutableNode(1), empty = MutableNode<Int>(), c = MutableNode(10)
        let busy = BusyGraph(of: a, setting: 1)
        let sum = combine(a, c) { $0 + $1 }
        #expect(sum.value == 11)
        (sum.upstreamTransforms[0] as! Transform<Int, Int>).from = empty
        busy.end()
        waitForLate(at: sum, a)
        c.value = 20
        #expect(sum.value == 11)
        empty.value = 2
        #expect(sum.value == 22)
    }

    @Test("the edge of a part of a busy node may lead nowhere before it is linked")
    func partLeadsNowhere() {
        struct Person: Sendable { var age: Int }
        let person = MutableNode(Person(age: 1))
        let busy = BusyGraph(of: person, setting: Person(age: 2))
        let age = person.focus(\.age)
        (person.upstreamTransforms.last as? Transform<Int, Person>)?.to = nil
        busy.end()
        waitForLate(at: person, age)
        #expect(age.downstreamTransforms.isEmpty)
        #expect(eventually { age.value == 2 })
    }

    @Test("a part of a busy node that goes before it is linked leaves nothing behind")
    func partThatGoes() {
        struct Person: Sendable, Equatable { var age: Int }
        let person = MutableNode(Person(age: 1))
        let busy = BusyGraph(of: person, setting: Person(age: 2))
        do { _ = person.focus(\.age) }
        busy.end()
        waitForLate(at: person)
        #expect(person.upstreamNodes.isEmpty && person.downstreamNodes.isEmpty)
        person.value = Person(age: 3)
        #expect(person.value == Person(age: 3))
    }

    @Test("an object that goes with a late link may make another one")
    func linkWhenALinkGoes() {
        let a = MutableNode(1), b = MutableNode(2), made = Locked<Node<Int>?>(nil)
        let busyA = BusyGraph(of: a, setting: 1), busyB = BusyGraph(of: b, setting: 2)
        do {
            let farewell = Farewell { made.value = b.map { $0 } }
            _ = a.map { [farewell] value in withExtendedLifetime(farewell) { value } }
        }
        busyA.end()
        #expect(eventually { made.value != nil })
        busyB.end()
        b.value = 3
        #expect(eventually { made.value?.value == 3 })
        made.value = nil
    }

    @Test("a vertex that may fall is lowered before its region is left")
    func fallsInTime() {
        let a = MutableNode(1), b = MutableNode(2), isDeep = MutableNode(true), log = MutableNode(0)
        let deep = combine(combine(a, b) { $0 + $1 }, b) { $0 + $1 }, flat = combine(a, b) { $0 * $1 }
        let chosen = computed { try $0(isDeep) ? deep : flat }.flatten(), next = chosen.map { $0 }
        isDeep.listened(by: lifetime).with { [log] in if !$0 { log.value = 2 } }
        let areLowered = Recorder<Bool>()
        log.listened(by: lifetime).with { _ in areLowered.record(Engine.current.falling.isEmpty) }
        let busy = BusyGraph(of: log, setting: 1)
        let worker = busy.endOnceWaitedFor()
        // The set of `log` is left until the combinations have fired, and their region has been left.
        isDeep.value = false
        worker.join()
        #expect(eventually { log.value == 2 } && next.value == 2)
        #expect(areLowered.events == [true, true, true])
    }
}
