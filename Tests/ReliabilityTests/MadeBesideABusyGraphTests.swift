import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

/// What is made, pointed or read while another thread keeps a graph busy, and is linked when that is over.
@Suite("Made beside a busy graph") struct MadeBesideABusyGraphTests {
    private let lifetime = Lifetime()

    @Test("a body that goes on after the read of a busy node runs twice, and reads the value that the node has")
    func bodyGoesOn() {
        let busyNode = MutableNode(1), other = MutableNode(1), log = Recorder<Int?>()
        let busy = BusyGraph(of: busyNode, setting: 10)
        lifetime.effect { read in
            let value = read.ifAny(busyNode)
            _ = read.ifAny(other)
            log.record(value)
        }
        busy.end()
        #expect(eventually { log.events == [10, 10] })
        busyNode.value = 11
        #expect(log.events == [10, 10, 11])
    }

    @Test("take(until:) goes on if the other node has a value, and is busy when the operator is made")
    func takeUntil() {
        let number = MutableNode(1), stop = MutableNode(false)
        let busy = BusyGraph(of: stop, setting: false)
        let until = number.take(until: stop)
        busy.end()
        number.value = 2
        #expect(until.value == 2)
        stop.value = true
        number.value = 3
        #expect(until.value == 2)
    }

    @Test("a node that a flatten chooses twice while it is busy brings its value once, and none of an open batch")
    func chosenTwice() {
        let a = MutableNode("a"), b = MutableNode("b"), outer = MutableNode<Node<String>>(a), log = Recorder<String>()
        outer.flatten().listened(by: lifetime).with { [outer, b] in
            log.record($0)
            if $0 == "go" { outer.value = b }
        }
        let busy = BusyGraph(of: b, setting: "half") { [b] in b.value = "whole" }
        a.value = "go"
        busy.end()
        #expect(eventually { log.events == ["a", "go", "whole"] })
        outer.value = a
    }

    @Test("a result is empty while the node that it follows is empty, and not linked yet")
    func chosenEmpty() {
        let a = MutableNode(1), b = MutableNode<Int>(), other = MutableNode(0), graph = merge(other, b)
        let outer = MutableNode<Node<Int>>(a), flat = outer.flatten()
        let busy = BusyGraph(of: other, setting: 1)
        outer.value = b
        busy.end()
        waitForLate(at: flat)
        #expect(flat.isEmpty)
        b.value = 2
        #expect(flat.value == 2)
        withExtendedLifetime(graph) {}
    }

    @Test("operators without state have a first value")
    func firstValues() {
        let number = MutableNode(1)
        let busy = BusyGraph(of: number, setting: 5)
        let made = [number.filter { $0 != 0 }, number.ignore(0), number.select(5), merge(number, Node())]
        #expect(made.map(\.value) == [5, 5, 5, 5])
        busy.end()
        number.value = 6
        #expect(made.map(\.value) == [6, 6, 5, 6])
    }

    @Test("the edges of one combination are linked together, so it never shows half of a batch after a whole one")
    func combination() {
        let a = MutableNode(0), b = MutableNode(0), log = Recorder<[Int]>()
        let graph = combine(a, b) { [$0, $1] }
        let busy = BusyGraph(of: a, setting: 0) { [a, b] in
            a.value = 1
            b.value = 1
        }
        let pair = combine(a, b) { [$0, $1] }
        pair.listened(by: lifetime).with { log.record($0) }
        busy.end()
        #expect(eventually { pair.value == [1, 1] && log.events.last == [1, 1] })
        #expect(!log.events.contains([1, 0]) && !log.events.contains([0, 1]))
        withExtendedLifetime(graph) {}
    }

    @Test("a part that a focus makes takes over its value when the two nodes are linked, and changes nothing before")
    func focus() {
        struct Person: Sendable { var name: String, age: Int }
        let person = MutableNode(Person(name: "Ada", age: 36))
        let busy = BusyGraph(of: person, setting: Person(name: "Ada", age: 37)) { [person] in
            person.value = Person(name: "Ada", age: 38)
        }
        let age = batch { person.focus(\.age) }
        busy.end()
        waitForLate(at: age)
        #expect(eventually { age.value == 38 })
        #expect(person.current.age == 38)
        age.value = 39
        #expect(person.current.age == 39)
    }

    @Test("a combination waits for a graph that is busy for a moment, and begins whole")
    func combinationWaits() {
        let a = MutableNode(0), b = MutableNode(0), graph = combine(a, b) { [$0, $1] }, log = Recorder<[Int]>()
        let isInside = Latch()
        let worker = Worker { [a, b] in
            batch {
                a.value = 1
                isInside.arrive()
                #expect(eventually { a.vertex.hasBeenWaitedFor })
                b.value = 1
            }
        }
        isInside.wait()
        _ = combine(a, b) { one, other in
            log.record([one, other])
            return one + other
        }
        worker.join()
        #expect(log.events.first == [1, 1])
        withExtendedLifetime(graph) {}
    }

    @Test("a combination waits no longer for four nodes of a busy graph than for two")
    func combinationWaitsOnce() {
        let a = MutableNode(1), b = a.map { $0 + 1 }, c = a.map { $0 + 2 }, d = a.map { $0 + 3 }
        let busy = BusyGraph(of: a, setting: 10)
        let ofTwo = GraphRecorder(onThisThreadOnly: true), two = combine(a, b) { $0 + $1 }
        ofTwo.stop()
        let ofFour = GraphRecorder(onThisThreadOnly: true), four = combine(a, b, c, d) { $0 + $1 + $2 + $3 }
        let waits = [ofTwo, ofFour].map { $0.events().filter { $0.kind == .waited }.count }
        #expect(waits[0] > 0 && waits[0] == waits[1])
        busy.end()
        #expect(eventually { two.value == 21 && four.value == 46 })
    }
}
