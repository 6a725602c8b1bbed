import Observation
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@Suite("Nodes and Observation")
@MainActor struct ObservationTests {
    /// Counts how often something observable that `read` reads is about to change.
    private func countChanges(_ counter: Counter, _ read: @escaping @MainActor () -> Void) {
        withObservationTracking(read) {
            counter.increment()
            Task { @MainActor in countChanges(counter, read) }
        }
    }

    // MARK: ObservedNode

    @Test("an observed node has the value when a set on the main actor returns, and none while the node is empty")
    func atOnce() {
        let source = MutableNode<Int>(), observed = ObservedNode(source.map { $0 * 2 })
        #expect(observed.value == nil)
        source.value = 1
        #expect(observed.value == 2)
        batch {
            source.value = 2
            source.value = 3
        }
        #expect(observed.value == 6)
        let direct = ObservedNode(source)
        #expect(direct.value == 3)
        source.clean()
        #expect(direct.value == nil)
    }

    @Test("an observed node's present value is not an optional")
    func current() {
        let source = MutableNode(1), observed = ObservedNode(source)
        #expect(observed.current == 1)
        source.value = 2
        #expect(observed.current == 2)
    }

    @Test("an observed node that is made while the graph is busy has the node's value, and follows it afterwards")
    func madeWhileBusy() {
        let source = MutableNode(1), busy = BusyGraph(of: source, setting: 2), observed = ObservedNode(source)
        #expect(observed.value == 2)
        busy.end()
        source.value = 3
        #expect(observed.value == 3)
    }

    @Test("an observer of an observed node hears of a change")
    func told() async {
        let source = MutableNode(1), observed = ObservedNode(source), changes = Counter()
        countChanges(changes) { [weak observed] in _ = observed?.value }
        source.value = 2
        #expect(changes.value == 1)
        await Task.yield()
        Worker { source.value = 3 }.join()
        while observed.value != 3 { await Task.yield() }
        #expect(changes.value == 2)
    }

    @Test("sets by other threads while the main actor is busy are one change, and the last value is the node's")
    func coalesced() async {
        let source = MutableNode(0), observed = ObservedNode(source), changes = Counter()
        countChanges(changes) { [weak observed] in _ = observed?.value }
        Worker { for value in 1...10_000 { source.value = value } }.join()
        #expect(observed.value == 0)
        while observed.value != 10_000 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(changes.value == 1)
    }

    @Test("a pulse is seen, whichever thread it comes from")
    func pulses() async {
        let taps = MutableNode<String>(), observed = ObservedNode(taps)
        taps.pulse("here")
        #expect(observed.value == "here")
        Worker { taps.pulse("elsewhere") }.join()
        while observed.value != "elsewhere" { await Task.yield() }
        #expect(taps.isEmpty)
        taps.clean()
        #expect(observed.value == nil)
    }

    @Test("values that wait for the main actor are not seen once the edge has been given another node")
    func pointedElsewhere() async throws {
        let (a, b) = (MutableNode(1), MutableNode<Int>())
        let observed = ObservedNode(a)
        Worker { a.value = 2 }.join()
        let edge = try #require(a.listenEdges.first as? ListenEdge<Int>)
        edge.from = b
        for _ in 0..<100 { await Task.yield() }
        #expect(observed.value == 1)
        b.value = 3
        #expect(observed.value == 3)
    }

    @Test("a set on the main actor is seen when it returns, also where another thread's waits, and once alone")
    func overtakes() async {
        let source = MutableNode(0), observed = ObservedNode(source), changes = Counter()
        Worker { source.value = 1 }.join()
        #expect(observed.value == 0)
        source.value = 2
        #expect(observed.value == 2)
        countChanges(changes) { [weak observed] in _ = observed?.value }
        for _ in 0..<100 { await Task.yield() }
        #expect(changes.value == 0)
        #expect(observed.value == 2)
    }

    @Test("four threads and the main actor set as they can: values are observed in order, the last is not missed")
    func neverMissed() async {
        let source = MutableNode(0), observed = ObservedNode(source)
        let rounds = Scale.heavy(100_000)
        var seen = [0]
        let setters = (0..<4).map { _ in
            Worker { for _ in 0..<rounds { source.update { $0 += 1 } } }
        }
        for _ in 0..<rounds / 100 {
            source.update({ $0 += 1 })
            if let value = observed.value { seen.append(value) }
            await Task.yield()
        }
        for setter in setters { setter.join() }
        let last = 4 * rounds + rounds / 100
        while observed.value != last { await Task.yield() }
        #expect(seen == seen.sorted())
        #expect(source.value == last)
    }

    @Test("an observer that sets the node when it is told leaves the last value there")
    func observerThatSets() {
        let source = MutableNode(1), observed = ObservedNode(source)
        withObservationTracking {
            _ = observed.value
        } onChange: {
            source.value = 3
        }
        source.value = 2
        #expect(source.value == 3)
        #expect(observed.value == 3)
    }

    @Test("Observations of an observed node end with the last value")
    func observations() async {
        let source = MutableNode(0), observed = ObservedNode(source)
        var heard: [Int] = []
        let setter = Box<Worker>()
        for await value in Observations({ observed.value ?? -1 }) {
            heard.append(value)
            if value == 0 { setter.value = Worker { for value in 1...1_000 { source.value = value } } }
            if value == 1_000 { break }
        }
        setter.value?.join()
        #expect(heard == heard.sorted())
    }

    @Test("an observed node that is let go of leaves nothing behind")
    func letGo() {
        let source = MutableNode(1)
        weak var gone: ObservedNode<Int>?
        do {
            let observed = ObservedNode(source)
            gone = observed
            #expect(source.hasListener)
            Worker { source.value = 2 }.join()
        }
        #expect(gone == nil)
        #expect(!source.hasListener)
    }

    @Test("an observed node holds the node")
    func holds() {
        weak var node: Node<Int>?
        var observed: ObservedNode<Int>?
        do {
            let derived = MutableNode(1).map { $0 + 1 }
            node = derived
            observed = ObservedNode(derived)
        }
        #expect(node != nil)
        #expect(observed?.value == 2)
        observed = nil
        #expect(node == nil)
    }

    // MARK: ObservedMutableNode

    @Test("an observed mutable node sets the node, and follows it")
    func mutable() async {
        let name = MutableNode("ada"), field = ObservedMutableNode(name), changes = Counter()
        countChanges(changes) { [weak field] in _ = field?.value }
        #expect(field.value == "ada")
        field.value = "grace"
        #expect(name.value == "grace")
        #expect(field.value == "grace")
        #expect(changes.value == 1)
        await Task.yield()
        Worker { name.value = "edith" }.join()
        while field.value != "edith" { await Task.yield() }
        #expect(changes.value == 2)
        name.clean()
        #expect(field.value == "edith")
    }

    @Test("a listener's change of a value that was set by the object is there when the set returns")
    func normalised() {
        let name = MutableNode("ada"), field = ObservedMutableNode(name), lifetime = Lifetime()
        name.listened(by: lifetime).with { [weak name] in
            if $0 != $0.lowercased() { name?.value = $0.lowercased() }
        }
        field.value = "GRACE"
        #expect(field.value == "grace")
    }

    @Test("a set of the object is there when it returns, also where another thread delivers just then")
    func busyNode() async {
        let name = MutableNode("ada"), field = ObservedMutableNode(name), lifetime = Lifetime()
        let inside = Latch(), goOn = Latch()
        name.listened(by: lifetime).with {
            guard $0 == "grace" else { return }
            inside.arrive()
            goOn.wait()
        }
        let setter = Worker { name.value = "grace" }
        inside.wait()
        field.value = "edith"
        #expect(field.value == "edith")
        goOn.arrive()
        setter.join()
        waitForLate(at: name)
        #expect(name.value == "edith")
        for _ in 0..<100 { await Task.yield() }
        #expect(field.value == "edith")
    }

    @Test("an older set of the object is not seen after a newer one that waits for its turn")
    func olderSet() async {
        let number = MutableNode(0), field = ObservedMutableNode(number), lifetime = Lifetime()
        let inside = [Latch(), Latch()], goOn = [Latch(), Latch()]
        number.listened(by: lifetime).with {
            guard $0 == -1 || $0 == 1 else { return }
            let step = $0 == -1 ? 0 : 1
            inside[step].arrive()
            goOn[step].wait()
        }
        // Attached after the listener, and so told after it.
        let late = ObservedMutableNode(number)
        let setter = Worker { number.value = -1 }
        inside[0].wait()
        late.value = 1  // waits for that thread
        goOn[0].arrive()
        inside[1].wait()
        late.value = 2  // waits for it too
        goOn[1].arrive()
        setter.join()
        var seen: [Int] = []
        for _ in 0..<100 {
            seen.append(late.value)
            await Task.yield()
        }
        #expect(Set(seen) == [2])
        #expect(field.value == 2 && number.value == 2)
    }

    @Test("an older set of the object that is told late is not seen after a newer one")
    func toldLate() async {
        let number = MutableNode(0), field = ObservedMutableNode(number), lifetime = Lifetime()
        let inside = [Latch(), Latch()], goOn = [Latch(), Latch()]
        number.listened(by: lifetime).with {
            guard $0 == -1 || $0 == 2 else { return }
            let step = $0 == -1 ? 0 : 1
            inside[step].arrive()
            goOn[step].wait()
        }
        let setter = Worker { number.value = -1 }
        inside[0].wait()
        field.value = 1
        goOn[0].arrive()
        // 1 has been told of by the other thread by now, or will be; and the main actor has had no turn.
        let other = Worker { number.value = 2 }
        inside[1].wait()
        field.value = 3
        var seen: [Int] = []
        for _ in 0..<100 {
            seen.append(field.value)
            await Task.yield()
        }
        goOn[1].arrive()
        setter.join()
        other.join()
        #expect(Set(seen) == [3])
        while number.value != 3 { await Task.yield() }
        #expect(field.value == 3)
    }

    @Test("an object of a node that was emptied sets it, and follows it")
    func emptied() async {
        let number = MutableNode(1), field = ObservedMutableNode(number)
        number.clean()
        field.value = 2
        #expect(number.value == 2 && field.value == 2)
        number.value = 3
        #expect(field.value == 3)
    }

    @Test("an observed mutable node of an optional holds a nil")
    func optional() {
        let choice = MutableNode<Int?>()
        choice.setValue(1)
        let field = ObservedMutableNode(choice)
        field.value = nil
        #expect(choice.value == .some(nil))
        #expect(field.value == nil)
    }

    @Test(
        "the present value of an empty observed node traps, and the message names the node",
        .enabled(if: Scale.runsTraps))
    func currentOfEmpty() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = ObservedNode(MutableNode<Int>().named("cart")).current }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        for part in ["ObservedNode.current", "cart", "`value`"] { #expect(text.contains(part)) }
    }

    @Test("an empty node for a field traps, and the message names the remedy", .enabled(if: Scale.runsTraps))
    func emptyNode() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = ObservedMutableNode(MutableNode<Int>()) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("ObservedMutableNode: Node<Int>(empty) is empty"))
        #expect(text.contains("set it first"))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 6)")
    }
}
