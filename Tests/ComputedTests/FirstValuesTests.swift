import ReactCore
import ReactOperators
import TestSupport
import Testing

/// A computed that is made outside of a batch or listener has a value when the call returns, whatever other threads do.
@Suite("First values of computed nodes") struct FirstValuesTests {
    let source = MutableNode(0)
    let lifetime = Lifetime()

    /// Sets the source to 1 on another thread, runs `body` while a listener of `node` is in the middle of that, and then lets the set
    /// end.
    private func whileHeldUp(at node: Node<Int>, _ body: () -> Void) {
        let (isInside, goesOn) = (Latch(), Latch())
        node.listened(by: lifetime).with { value in
            guard value == 1 else { return }
            isInside.arrive()
            goesOn.wait()
        }
        let worker = Worker { [source] in source.value = 1 }
        isInside.wait()
        body()
        goesOn.arrive()
        worker.join()
        waitForLate(at: source)
    }

    @Test(
        "a computed has its first value when the call returns, though another thread's set of its inputs is held up"
    )
    func heldUp() {
        let end = source.map { $0 + 1 }, aside = source.map { $0 }
        var made: Node<Int>?
        whileHeldUp(at: aside) { [source] in
            made = computed { read in try read(end) * 10 + read(source) }
            #expect(made?.value == 21)
        }
        #expect(made?.value == 21)
        source.value = 2
        #expect(made?.value == 32)
    }

    @Test("a computed made in the middle of a set that is held up begins with the present values, and is made again")
    func halfOfASet() {
        let end = source.map { $0 + 1 }
        var made: Node<[Int]>?
        whileHeldUp(at: source) { [source] in
            made = computed { read in [try read(end), try read(source)] }
            #expect(made?.value == [1, 1])
        }
        #expect(made?.value == [2, 1])
        source.value = 2
        #expect(made?.value == [3, 2])
    }

    @Test("a computed of a node that other threads set without a pause is never empty, and right in the end")
    func manyMeanwhile() {
        let end = source.map { $0 + 1 }
        let isOver = Locked(false)
        let workers = (0..<2).map { _ in
            Worker { [source] in
                var number = 0
                while !isOver.value {
                    number += 1
                    source.value = number
                }
            }
        }
        var made: [Node<[Int]>] = []
        var empty = 0
        for _ in 0..<Scale.scaled(500) {
            let node = computed { [source] read in [try read(end), try read(source)] }
            if node.value == nil { empty += 1 }
            made.append(node)
            if made.count > 10 { made.removeFirst() }
        }
        isOver.value = true
        for worker in workers { worker.join() }
        #expect(empty == 0)
        for node in made { #expect(node.value == [end.current, source.current]) }
    }

    @Test("a computed whose body sets a node that it has read is made again of the new value")
    func bodySets() {
        let made = computed { [source] read in
            let value = try read(source)
            if value < 3 { source.value = value + 1 }
            return value
        }
        #expect(made.value == 3)
        source.value = 1
        #expect(made.value == 3)
    }

    @Test("a computed that waits for a value is empty when the call returns, and has one with the set that brings it")
    func waits() {
        let late = MutableNode<Int>()
        let made = computed { [source] read in try read(source) + read(late) }
        #expect(made.isEmpty)
        late.value = 5
        #expect(made.value == 5)
    }
}
