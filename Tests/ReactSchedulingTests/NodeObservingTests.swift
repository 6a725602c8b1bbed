import Observation
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@Suite("Node.observing")
@MainActor struct NodeObservingTests {
    @MainActor @Observable final class Model {
        var count = 0
        var step = 1
        var other = 0
    }
    private let model = Model()

    @Test("observing returns a node with a value, which is read again each time a property that was read has changed")
    func observing() async {
        let lifetime = Lifetime(), log = Log<Int>()
        let product = Node.observing(in: lifetime) { model.count * model.step }
        #expect(!product.isMutable)
        #expect(product.value == 0)
        product.listened(by: lifetime).with { log.add($0) }
        model.count = 2
        while product.value != 2 { await Task.yield() }
        model.step = 10
        while product.value != 20 { await Task.yield() }
        model.other = 1
        for _ in 0..<100 { await Task.yield() }
        #expect(log.entries == [0, 2, 20])
    }

    @Test("changes that are made together are read together")
    func together() async {
        let lifetime = Lifetime(), log = Log<Int>()
        let sum = Node.observing(in: lifetime) { model.count + model.step }
        sum.listened(by: lifetime).with { log.add($0) }
        model.count = 10
        model.step = 20
        while sum.value != 30 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(log.entries == [1, 30])
    }

    @Test("a model that is changed as fast as it goes is followed in order, to its last state")
    func fast() async {
        let lifetime = Lifetime(), log = Log<Int>()
        var random = SeededGenerator(seed: 17)
        let node = Node.observing(in: lifetime) { model.count }
        node.listened(by: lifetime).with { log.add($0) }
        let rounds = Scale.heavy(100_000)
        for value in 1...rounds {
            model.count = value
            if random.next() % 8 == 0 { await Task.yield() }
        }
        while node.value != rounds { await Task.yield() }
        #expect(log.entries == log.entries.sorted())
        #expect(log.entries.last == rounds)
    }

    @Test("a value that is being read is stored nowhere once the lifetime has been cancelled")
    func cancelledWhileReading() async {
        let lifetime = Lifetime(), isReading = Latch(), isCancelled = Latch(), calls = Counter()
        let node = Node.observing(in: lifetime) { [model] in
            calls.increment()
            if calls.value == 3 {
                isReading.arrive()
                isCancelled.wait()
            }
            return model.count
        }
        let worker = Worker {
            isReading.wait()
            lifetime.cancel()
            isCancelled.arrive()
        }
        model.count = 1
        while calls.value < 3 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        worker.join()
        #expect(node.value == 0)
    }

    @Test("if the new node is released, a long lifetime releases the objects that were read")
    func nodeGoes() async {
        final class Held: Sendable {}
        let lifetime = Lifetime()
        weak var held: Held?
        do {
            let object = Held()
            held = object
            let node = Node.observing(in: lifetime) { [model] in
                withExtendedLifetime(object) {}
                return model.count
            }
            #expect(node.value == 0)
        }
        #expect(held == nil)
        model.count = 1
        for _ in 0..<100 { await Task.yield() }
    }

    #if DEBUG
    @Test("a node that was let go of leaves no reading behind, nor does a lifetime that was cancelled")
    func nothingIsLeft() async {
        await #expect(processExitsWith: .success) {
            await MainActor.run {
                let model = Model(), lifetime = Lifetime()
                for _ in 0..<100 { _ = Node.observing(in: lifetime) { model.count } }
                precondition(ObservedReading.counted == 0, "left of nodes: \(ObservedReading.counted)")
                let nodes = (0..<3).map { _ in Node.observing(in: lifetime) { model.count } }
                precondition(ObservedReading.counted == 3, "\(ObservedReading.counted)")
                lifetime.cancel()
                precondition(ObservedReading.counted == 0, "left of a lifetime: \(ObservedReading.counted)")
                withExtendedLifetime(nodes) {}
            }
        }
    }
    #endif

    @Test("a change, by a listener, of a property that is read is followed by another reading")
    func listenerThatChanges() async {
        let lifetime = Lifetime(), log = Log<Int>()
        let node = Node.observing(in: lifetime) { model.count }
        node.listened(by: lifetime).withOnMainActor { [model] in
            log.add($0)
            if $0 < 5 { model.count = $0 + 1 }
        }
        while node.value != 5 { await Task.yield() }
        #expect(log.entries == [0, 1, 2, 3, 4, 5])
    }

    @Test("observing ends with its lifetime, and releases the objects that it read")
    func endOfObserving() async {
        weak var gone: Model?
        let node: Node<Int>
        do {
            let model = Model(), lifetime = Lifetime()
            gone = model
            node = Node.observing(in: lifetime) { model.count }
            model.count = 1
            while node.value != 1 { await Task.yield() }
            model.count = 2
            lifetime.cancel()
            for _ in 0..<100 { await Task.yield() }
            #expect(node.value == 1)
        }
        #expect(gone == nil)
        #expect(node.value == 1)
    }

    @Test("a node that nobody holds is not held by the following")
    func nodeOfObserving() async {
        weak var node: Node<Int>?
        let lifetime = Lifetime()
        do {
            let followed = Node.observing(in: lifetime) { model.count }
            node = followed
            #expect(followed.value == 0)
        }
        #expect(node == nil)
        model.count = 1
        for _ in 0..<100 { await Task.yield() }
        withExtendedLifetime(lifetime) {}
    }
}
