import ReactOperators
import TestSupport
import Testing

@testable import ReactCore
@testable import ReactGraph

/// What is told where one thread's records go back further than another's, which may have stored something since.
///
/// In processes of their own, since all threads are recorded.
@Suite("Stores that are no longer on record") struct LostStoresTests {
    /// One thread sets `volume` and `quiet`; another may set `volume`, and then sets `clock` until that is off the record.
    private struct World: ~Copyable {
        let recorder = GraphRecorder(capacity: 64, sites: false)
        let volume = MutableNode(0).named("volume")
        let quiet = MutableNode(0).named("quiet")
        let doubled: Node<Int>
        let clock: MutableNode<Int>

        init() {
            doubled = volume.map { $0 * 2 }.named("doubled")
            clock = node(apartFrom: [volume, quiet, doubled]).named("clock")
        }
        func set() {
            volume.value = 1
            quiet.value = 10
        }
        /// Sets `volume` before `body` is called, and ticks after that, on one thread.
        func setAndTickElsewhere(_ value: Int, between body: () -> Void) {
            let (isSet, goesOn) = (Latch(), Latch())
            let worker = Worker { [volume, clock] in
                volume.value = value
                isSet.arrive()
                goesOn.wait()
                for tick in 1...500 { clock.value = tick }
            }
            isSet.wait()
            body()
            goesOn.arrive()
            worker.join()
        }
        func tick() { Worker { [clock] in for tick in 1...500 { clock.value = tick } }.join() }
        func setAndTickElsewhere(_ value: Int) {
            Worker { [volume, clock] in
                volume.value = value
                for tick in 1...500 { clock.value = tick }
            }.join()
        }
        func events(_ kind: GraphEvent.Kind, of name: String) -> [GraphEvent] {
            recorder.events().filter { $0.kind == kind && $0.node?.name == name }
        }
    }

    @Test("the node's value from the older of two sets is not told from the records between them, and is not known")
    func betweenSets() async {
        await #expect(processExitsWith: .success) {
            let world = World()
            world.set()
            world.setAndTickElsewhere(2)
            world.volume.value = 3
            #expect(world.events(.set, of: "volume").map(\.old) == ["0", "2"])
            #expect(world.events(.set, of: "volume").map(\.new) == [nil, "3"])
            // The first was made when the edge was linked.
            #expect(world.events(.stored, of: "doubled").map(\.new) == [nil, nil, "6"])
            #expect(world.events(.set, of: "quiet").map(\.new) == ["10"])
        }
    }
    @Test("a set that came after all that another thread has lost of the node is told, and its value")
    func afterTheLoss() async {
        await #expect(processExitsWith: .success) {
            let world = World()
            world.setAndTickElsewhere(2) { world.set() }
            #expect(world.events(.set, of: "volume").map(\.new) == ["1"])
            #expect(
                "\(world.recorder.why(world.volume))".hasPrefix("'volume' holds 1, because\n  'volume' was set to 1"))
        }
    }
    @Test("a set after which another thread set the node is not told as the cause of its value")
    func why() async {
        await #expect(processExitsWith: .success) {
            let world = World()
            world.set()
            world.setAndTickElsewhere(2)
            let recorder = world.recorder
            #expect(
                "\(recorder.why(world.volume))"
                    == "'volume' holds 2: the record of its last set may be gone")
            #expect(
                "\(recorder.why(world.doubled))"
                    == "'doubled' holds 4: the record of its last set may be gone")
            #expect(
                "\(recorder.why(world.quiet))".hasPrefix("'quiet' holds 10, because\n  'quiet' was set to 10 (was 0)"))
        }
    }
    @Test(
        "why not begins where all records that may have set the node are there again, and says which are missing before"
    )
    func whyNot() async {
        await #expect(processExitsWith: .success) {
            let world = World()
            world.set()
            let then = world.recorder.mark("then")
            world.setAndTickElsewhere(2)
            #expect(
                "\(world.recorder.whyNot(world.doubled))"
                    == "'doubled' was not set, as far back as its records go: nothing upstream of it ('volume') was set\n"
                    + "(older records are gone; a greater capacity keeps more)")
            #expect(
                "\(world.recorder.whyNot(world.doubled, since: then))"
                    == "'doubled' was not set: nothing upstream of it ('volume') was set\n"
                    + "(older records are gone; a greater capacity keeps more)")
        }
    }
    @Test("the graph as it was says so of a value that is not known any more, also where nothing else is of the node")
    func past() async {
        await #expect(processExitsWith: .success) {
            let world = World()
            let begin = world.recorder.mark("begin")
            world.set()
            let then = world.recorder.mark("then")
            world.setAndTickElsewhere(2)
            world.volume.value = 3
            let end = world.recorder.mark("end")
            func values(_ moment: GraphMoment) -> [String?] {
                world.recorder.graph(of: world.doubled, at: moment).nodes.map(\.value)
            }
            #expect(values(then) == ["not kept", "not kept"])
            #expect(values(end) == ["6", "3"])

            let other = node(apartFrom: [world.clock])
            Worker { [clock = world.clock] in
                other.value = 1
                for tick in 1...500 { clock.value = tick }
            }.join()
            #expect(world.recorder.graph(of: other, at: begin).nodes.map(\.value) == ["not kept"])
            #expect(world.recorder.graph(of: other, at: world.recorder.mark("now")).nodes.map(\.value) == ["1"])
        }
    }
    @Test(
        "a page tells from which step to which a node's value is not known, and why",
        .enabled(if: Browser.isAvailable))
    func page() async {
        await #expect(processExitsWith: .success) {
            let world = World()
            world.set()
            world.setAndTickElsewhere(2)
            world.recorder.mark("between")
            world.volume.value = 3
            let shown: [String] = try Browser.ask(
                world.recorder.page(of: world.volume),
                """
                events.flatMap(({ id, kind }) => {
                  const texts = [heldText(valueAt(nodes[0], id)), String(why(0, id).length)];
                  return kind === KIND.mark ? [...texts, String(mayBeLost(0, id))] : [];
                }).concat(nodes[0].answer[0].text, heldText(valueAt(nodes[0], events.length - 1)))
                """)
            #expect(
                shown == ["2", "0", "true", "has not been set since it became 3: nothing leads to it", "3"])
        }
    }
    @Test(
        "a page on which nothing happened shows the nodes' values",
        .enabled(if: Browser.isAvailable))
    func quietPage() async {
        await #expect(processExitsWith: .success) {
            let world = World()
            world.tick()
            let other = node(apartFrom: [world.clock]).named("other")
            let shown: String = try Browser.ask(
                world.recorder.page(of: other), "heldText(valueAt(nodes[0], events.length - 1))")
            #expect(shown == "0")
        }
    }
    @Test("a value that only one thread has set is known, however many records of that and other threads are evicted")
    func otherNodes() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder(capacity: 64, sites: false)
            let nodes = (0..<20).map { MutableNode(0).named("\($0)") }
            let clock = node(apartFrom: nodes)
            for round in 1...10 { for node in nodes { node.value = round } }
            Worker { for tick in 1...Scale.gate.scaled(100_000) { clock.value = tick } }.join()
            let sets = recorder.events().filter { $0.kind == .set && $0.node?.name != nil }
            withExtendedLifetime(nodes) {}
            #expect(sets.count > 20)
            #expect(sets.allSatisfy { $0.new == $0.old.map { "\(Int($0)! + 1)" } })
        }
    }
}

/// A node of which the recorder does not take a store for one to another of `others`: it knows what is gone by a hash of the address alone.
private func node(apartFrom others: [AnyNode]) -> MutableNode<Int> {
    let taken = Set(others.map { EvictionTimes.place(of: $0.vertex.address) })
    var refused: [MutableNode<Int>] = []
    while true {
        let node = MutableNode(0)
        if !taken.contains(EvictionTimes.place(of: node.vertex.address)) { return node }
        refused.append(node)
    }
}
