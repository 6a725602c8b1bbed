import ReactCore
import ReactOperators
import TestSupport
import Testing

/// A computed has its first value when the call returns, wherever it is made: of the values that the nodes hold then.
@Suite("Computed nodes made while something is under way") struct MadeAnywhereTests {
    let rate = MutableNode(2), price = MutableNode(3)
    let log = Recorder<String>()
    let lifetime = Lifetime()

    /// Returns price times rate, and records each call of the body.
    private var product: Node<Int> {
        computed { [log, price, rate] read in
            let product = try read(price) * read(rate)
            log.record("called: \(product)")
            return product
        }
    }

    @Test("a computed made in an operator's closure, at rest and in a set, has its value when the call returns")
    func inAnOperator() {
        let (made, go) = (Locked<[Int?]>([]), MutableNode(0))
        let models = go.map { [self] _ in
            let node = product
            made.withLock { $0.append(node.value) }
            return node
        }
        go.value = 1
        rate.value = 3
        #expect(made.value == [6, 6])
        #expect(models.current.value == 9)
    }

    @Test("a computed made in a listener has its value when the call returns")
    func inAListener() {
        let made = Locked<[Int?]>([])
        price.listened(by: lifetime).with { [self, unowned lifetime] _ in
            let node = product
            made.withLock { $0.append(node.value) }
            lifetime.hold(Held(node))
        }
        price.value = 5
        #expect(made.value == [6, 10])
        // The closure holds this suite's value, and so the lifetime that holds the closure.
        lifetime.cancel()
    }

    @Test(
        "a computed made in a batch has its value when the call returns, and is made again if a value differs in the end"
    )
    func inABatch() {
        let (node, sum) = (Locked<Node<Int>?>(nil), combine(price, rate) { $0 + $1 })
        batch {
            price.value = 4
            node.value = computed { [log] read in
                let value = try read(sum)
                log.record("called: \(value)")
                return value
            }
            #expect(node.value?.value == 5)
        }
        #expect(node.value?.value == 6)
        #expect(log.take() == ["called: 5", "called: 6"])
    }

    @Test("a computed made in a batch is not called again if no value that it read differs in the end")
    func unchanged() {
        var node: Node<Int>?
        batch {
            rate.value = 7
            rate.value = 2
            node = product
            price.value = 4
            price.value = 3
        }
        #expect(node?.value == 6)
        #expect(log.take() == ["called: 6"])
    }

    @Test("a computed made in an effect, and one made in a body, has its value when the call returns")
    func inABody() {
        let made = Locked<[Int?]>([])
        lifetime.effect { [self, unowned lifetime, price] read in
            _ = try read(price)
            let node = product
            made.withLock { $0.append(node.value) }
            lifetime.hold(Held(node))
        }
        batch { price.value = 5 }
        let outer = computed { [self] read in try read(product) + 1 }
        #expect(outer.value == 11)
        rate.value = 3
        #expect(outer.value == 16)
        #expect(made.value == [6, 10])
        lifetime.cancel()
    }

    @Test(
        "a computed of computed nodes, made in a batch after a set, shows the old values first, and then the new ones")
    func ofComputedNodes() {
        let first = product, second = computed { read in try read(first) + 1 }
        batch {
            price.value = 10
            let third = computed { read in try read(second) + read(first) }
            #expect(third.value == 13)
            lifetime.hold(Held(third))
            third.listened(by: lifetime).with { [log] in log.record("heard: \($0)") }
        }
        #expect(log.take().filter { $0.hasPrefix("heard") } == ["heard: 13", "heard: 41"])
    }

    @Test("a computed made in a batch whose body sets a node that it has read is made again of the new value")
    func bodySets() {
        var node: Node<Int>?
        batch {
            node = computed { [rate] read in
                let value = try read(rate)
                if value < 4 { rate.value = value + 1 }
                return value
            }
            #expect(node?.value == 2)
        }
        #expect(node?.value == 4)
    }

    @Test("computed nodes made in listeners of one thread beside sets of another are never empty, and right in the end")
    func besideAnotherThread() {
        let (made, empty) = (Locked<[Node<Int>]>([]), Locked(0))
        price.listened(by: lifetime).with { [price, rate] _ in
            let node = computed { read in try read(price) * read(rate) }
            if node.value == nil { empty.withLock { $0 += 1 } }
            made.withLock { nodes in
                nodes.append(node)
                if nodes.count > 10 { nodes.removeFirst() }
            }
        }
        let rounds = Scale.scaled(300)
        let workers = [
            Worker { [price] in for round in 0..<rounds { price.value = round } },
            Worker { [rate] in for round in 0..<rounds { rate.value = round } },
        ]
        for worker in workers { worker.join() }
        #expect(empty.value == 0)
        for node in made.value { #expect(node.value == price.current * rate.current) }
    }
}

/// Holds a node for a lifetime.
private final class Held: Cancelable {
    let node: AnyNode

    init(_ node: AnyNode) { self.node = node }
    func cancel() {}
}
