import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Emptiness") struct EmptinessTests {
    @Test("a node is empty until it holds something")
    func emptyUntilSet() {
        let node = MutableNode<Int>()
        #expect(node.isEmpty)
        node.value = 1
        #expect(!node.isEmpty)
        #expect(!Node(1).isEmpty)
        #expect(Node<Int>().isEmpty)
    }

    @Test("a node of an optional type that holds nil is not empty")
    func holdingNil() {
        let node = MutableNode<Int?>()
        #expect(node.isEmpty)
        node.value = .some(nil)
        #expect(!node.isEmpty)
        #expect(node.value == .some(nil))
        #expect(node.withValue { $0 == nil } == true)
        #expect(!MutableNode<Int?>(nil).isEmpty)
        #expect(!Node<Int?>(nil).isEmpty)
    }

    @Test("setting nil on a node of an optional type holds it and is heard; clean empties")
    func settingNil() {
        let listener = Lifetime()
        let node = MutableNode<Int?>(1)
        let heard = node.heard(by: listener)
        node.value = nil
        #expect(!node.isEmpty)
        #expect(node.value == .some(nil))
        #expect(heard.events == [1, nil])
        node.setValue(nil)
        #expect(node.value == .some(nil))
        #expect(heard.events == [1, nil, nil])
        node.clean()
        #expect(node.isEmpty)
        #expect(node.value == nil)
        #expect(heard.events == [1, nil, nil])
        let nested = MutableNode<Int??>(.some(1))
        nested.value = nil
        #expect(nested.value == .some(.none))
    }

    @Test("a variable that is nil, set on a node of an optional type, is held and heard as well")
    func settingAVariable() {
        let listener = Lifetime()
        let node = MutableNode<String?>("row")
        let heard = node.heard(by: listener)
        let nothing: String? = nil
        node.value = nothing
        #expect(node.value == .some(nil))
        #expect(heard.events == ["row", nil])
    }

    @Test("a held nil is a value like any other: listeners hear it and it travels")
    func nilTravels() {
        let listener = Lifetime()
        let node = MutableNode<Int?>(1)
        let isNil = node.map { $0 == nil }
        let heard = node.heard(by: listener)
        node.value = .some(nil)
        #expect(heard.events == [1, nil])
        #expect(isNil.value == true)
    }

    @Test("clean empties the node, and its listeners do not hear of it")
    func clean() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let heard = node.heard(by: listener)
        node.clean()
        #expect(node.isEmpty)
        #expect(node.value == nil)
        #expect(heard.events == [1])
        node.value = 2
        #expect(heard.events == [1, 2])
    }

    @Test("setting nil on a node of another type is the same as clean: edges are told, listeners are not")
    func settingNilTellsEdges() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let target = Node<Int>()
        let probe = Probe("p", from: node, to: target)
        let heard = node.heard(by: listener)
        _ = probe.log.take()
        node.value = nil
        #expect(node.isEmpty)
        #expect(probe.log.take() == ["p.empty"])
        #expect(heard.events == [1])
    }

    @Test("clean tells the edges, with its context and the node it left from")
    func cleanTellsEdges() {
        final class Witness: Transform<Int, Int>, @unchecked Sendable {
            let told = Recorder<String>()
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {}
            override func empty(from senders: SenderList, context: NodeContext?) {
                told.record("\(senders.senders.map { $0.name ?? "?" }) \(context ?? "no context")")
            }
        }
        let node = MutableNode(1).named("source")
        let target = Node<Int>()
        let witness = Witness()
        witness.to = target
        witness.from = node
        node.clean(context: "reason")
        node.value = 2
        node.clean()
        #expect(witness.told.events == [#"["source"] reason"#, #"["source"] no context"#])
    }

    @Test("clean tells a listen edge of one's own")
    func cleanTellsListenEdges() {
        final class Witness: ListenEdge<Int>, @unchecked Sendable {
            let told = Recorder<String>()
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
                told.record("next \(value)")
            }
            override func empty(from senders: SenderList, context: NodeContext?) {
                told.record("empty \(context ?? "no context")")
            }
        }
        let listener = Lifetime()
        let node = MutableNode(1)
        let witness = Witness()
        node.listened(by: listener).with(edge: witness)
        node.clean(context: "reason")
        #expect(witness.told.events == ["next 1", "empty reason"])
    }

    @Test("emptiness does not travel: downstream nodes keep their values")
    func emptinessStays() {
        let node = MutableNode(1)
        let fork = node.fork()
        let doubled = node.map { $0 * 2 }
        let linked = Node<Int>()
        linked.link(to: node)
        let custom = Node<Int>()
        final class Plain: Transform<Int, Int>, @unchecked Sendable {
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
                send(value, from: senders, context: context)
            }
        }
        custom.link(to: node, transform: Plain())
        node.clean()
        #expect(fork.value == 1)
        #expect(doubled.value == 2)
        #expect(linked.value == 1)
        #expect(custom.value == 1)
    }

    @Test("a listener that comes to an empty node hears nothing until there is something")
    func listeningToNothing() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let heard = node.heard(by: listener)
        #expect(heard.events == [])
        node.value = 1
        #expect(heard.events == [1])
    }

    @Test("a node that is linked to an empty node keeps its value")
    func linkingToNothing() {
        let empty = MutableNode<Int>()
        let node = Node(7)
        node.link(to: empty)
        #expect(node.value == 7)
        #expect(empty.map { $0 }.isEmpty)
    }

    @Test("a combination waits until each input holds something")
    func combiningNothing() {
        let listener = Lifetime()
        let left = MutableNode<Int>()
        let right = MutableNode<Int>()
        let sum = combine(left, right).mapEach { $0 + $1 }
        let heard = sum.heard(by: listener)
        left.value = 1
        #expect(sum.isEmpty)
        right.value = 2
        #expect(sum.value == 3)
        #expect(heard.events == [3])
    }

    @Test("a clean while the node delivers waits its turn")
    func queuedClean() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let seen = Recorder<String>()
        let target = Node<Int>()
        let probe = Probe("p", log: seen, from: node, to: target)
        node.listened(by: listener).with { value in
            node.clean()
            seen.record("heard \(value), holds \(node.value ?? 0)")
        }
        node.value = 1
        #expect(seen.events.suffix(3) == ["heard 1, holds 1", "p.next(1)", "p.empty"])
        #expect(node.isEmpty)
        #expect(probe.to === target)
    }
}
