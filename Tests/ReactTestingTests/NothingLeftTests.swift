#if DEBUG
import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@Suite("Nothing left behind")
struct NothingLeftTests {
    /// Nothing is in other threads' hands here, so nothing is waited for.
    private func leftOver(_ body: () throws -> Void) throws -> [String] {
        do {
            try expectNothingLeft(after: .zero, body)
            return []
        } catch let error as NothingLeftError {
            return error.leftOver
        }
    }

    @Test("a body whose nodes and edges are gone passes, and its result is returned")
    func passes() throws {
        let model = MutableNode(1), scheduler = VirtualScheduler()
        let sum = try expectNothingLeft {
            let other = MutableNode(2)
            let heard = Heard(combine(model, other) { $0 + $1 }.delay(.seconds(1), on: scheduler))
            scheduler.run()
            return heard.last
        }
        #expect(sum == 3)
    }

    @Test("a listening that goes on is named, with its node")
    func listening() throws {
        let model = MutableNode(1).named("model"), screen = Lifetime()
        let names = try leftOver { model.listened(by: screen).with { _ in } }
        #expect(names == ["the edge Listen from Node(named: model, value: 1)"])
    }

    @Test("a ring that nobody has cut is named")
    func ring() throws {
        let links = CancelableBag()
        let names = try leftOver {
            let a = MutableNode(1).named("a"), b = MutableNode<Int>().named("b")
            links.add(b.link(to: a))
            links.add(a.link(to: b))
        }
        #expect(
            names == [
                "Node(named: a, value: 1)", "Node(named: b, value: 1)", "the edge Link from Node(named: a, value: 1)",
                "the edge Link from Node(named: b, value: 1)",
            ])
        links.cancel()
    }

    @Test("the error tells how many objects are left, and lists them")
    func message() {
        #expect(NothingLeftError(leftOver: ["a"]).description.hasPrefix("One object is alive"))
        #expect(NothingLeftError(leftOver: ["a", "b"]).description.hasPrefix("2 objects are alive"))
        #expect(NothingLeftError(leftOver: ["a", "b"]).description.contains("\n  a\n  b\n"))
    }

    @Test("an object that another thread holds for a moment is waited for")
    func momentary() throws {
        let isChecking = Latch()
        var holder: Worker?
        try expectNothingLeft {
            let held = Locked<Node<Int>?>(Node(1))
            holder = Worker {
                isChecking.wait()
                held.value = nil
            }
            isChecking.arrive()
        }
        holder?.join()
    }

    @Test("objects that other threads make meanwhile, and older ones, are not counted")
    func others() throws {
        let others = Locked<[Node<Int>]>([])
        let before = Node(1)
        try expectNothingLeft {
            Worker { others.withLock { $0.append(Node(2)) } }.join()
        }
        withExtendedLifetime((others, before)) {}
    }

    @Test("a body in a body is counted by itself, and by the outer one")
    func nested() throws {
        var kept: [Node<Int>] = []
        var inner: [String] = []
        let outer = try leftOver {
            kept.append(Node(1))
            inner = try leftOver { kept.append(Node(2)) }
        }
        #expect(inner == ["Node(named: undefined, value: 2)"])
        #expect(outer == ["Node(named: undefined, value: 1)", "Node(named: undefined, value: 2)"])
        #expect(try leftOver { _ = Node(3) } == [])
    }

    @Test("the error of the body is passed on")
    func bodyThrows() {
        struct Odd: Error {}
        var kept: Node<Int>?
        #expect(throws: Odd.self) {
            try expectNothingLeft {
                kept = Node(1)
                throw Odd()
            }
        }
        withExtendedLifetime(kept) {}
    }

    @Test("a node that the body returns is left behind")
    func returned() {
        #expect(throws: NothingLeftError(leftOver: ["Node(named: undefined, value: 1)"])) {
            try expectNothingLeft(after: .zero) { Node(1) }
        }
    }

    @Test("of a body that suspends, objects count that its task and its child tasks make, on any thread")
    func suspends() async throws {
        let kept = Locked<[AnyNode]>([])
        await #expect(
            throws: NothingLeftError(leftOver: [
                "Node(named: undefined, value: 1)", "Node(named: undefined, value: 2)",
            ])
        ) {
            try await expectNothingLeft(after: .zero) {
                kept.withLock { $0.append(Node(1)) }
                await Task.yield()
                async let child: Void = kept.withLock { $0.append(Node(2)) }
                await child
                _ = Node(3)
            }
        }
        try await expectNothingLeft(after: .zero) {
            let doubled = MutableNode(1).map { $0 * 2 }
            await Task.yield()
            #expect(doubled.value == 2)
        }
    }
}
#endif
