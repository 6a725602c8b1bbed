import ReactCore
import ReactOperators
import TestSupport
import Testing

#if os(macOS) || os(Linux)
/// On a stack of 512 KB, in a process of its own: what recursed would overflow it.
@Suite("Nested values", .serialized) struct NestedValuesTests {
    private final class Cell: Sendable {
        let next: Node<Cell>?
        init(_ next: Node<Cell>?) { self.next = next }
    }

    @Test("100,000 nodes, the value of each of which holds the next one, are let go of")
    func nodesInValues() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                var head: Node<Cell>?
                for _ in 0..<Scale.scaled(100_000) { head = Node(Cell(head)) }
                head = nil
            }
        }
    }

    @Test("100,000 nodes, the value of each of which holds the next one, go when the first is set")
    func replaced() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                let head = MutableNode(Cell(nil))
                for _ in 0..<Scale.scaled(100_000) { head.value = Cell(Node(head.value!)) }
                head.value = Cell(nil)
            }
        }
    }

    @Test("100,000 nodes whose links are held, the value of each of which holds the next one, are let go of")
    func nodesInValuesWithLinks() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                var head: Node<Cell>?
                var links: [LinkTransform<Cell>] = []
                for _ in 0..<Scale.scaled(100_000) {
                    let source = MutableNode(Cell(head)), link = LinkTransform<Cell>(), shown = Node<Cell>()
                    shown.link(to: source, transform: link)
                    source.clean()
                    links.append(link)
                    head = shown
                }
                head = nil
                withExtendedLifetime(links) {}
            }
        }
    }

    @Test("100,000 operators, the closure of each of which holds the next one's node, are let go of")
    func nodesInClosures() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                let source = MutableNode(0)
                var head: Node<Int> = source
                for _ in 0..<Scale.scaled(100_000) {
                    let next = head
                    head = source.map { value in withExtendedLifetime(next) { value } }
                }
            }
        }
    }

    @Test("100,000 lifetimes, each of which is held by a listener's closure in the one before, are let go of")
    func lifetimesInLifetimes() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                let node = MutableNode<Int>()
                var first = Lifetime()
                for _ in 0..<Scale.scaled(100_000) {
                    let next = first
                    first = Lifetime()
                    node.listened(by: first).with { _ in withExtendedLifetime(next) {} }
                }
            }
        }
    }

    @Test("100,000 transforms of one's own, each of which holds the next one's node, are let go of")
    func nodesInTransforms() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                final class Own: Transform<Int, Int>, @unchecked Sendable {
                    let other: Node<Int>
                    init(_ other: Node<Int>) {
                        self.other = other
                        super.init(name: "Own")
                    }
                }
                let source = MutableNode(0)
                var head: Node<Int> = source
                for _ in 0..<Scale.scaled(100_000) {
                    let node = Node<Int>()
                    node.link(to: source, transform: Own(head))
                    head = node
                }
            }
        }
    }

    @Test("20,000 nodes, each of them in the memory of an operator of the one before, are released")
    func nodesInStates() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                var head: Node<Cell>?
                for _ in 0..<Scale.scaled(20_000) {
                    let cell = MutableNode(Cell(head))
                    let last = cell.scan(Cell(nil)) { $1 }
                    head = combine(last, last) { first, _ in first }
                    cell.clean()
                }
                head = nil
            }
        }
    }

    @Test("100,000 bags of cancelables, each in the one before, are ended in their order, and let go of")
    func bagsInBags() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                let count = Scale.scaled(100_000)
                let ended = Locked<[Int]>([])
                for isCancelled in [true, false] {
                    var first = CancelableBag()
                    for number in 0..<count {
                        let next = first
                        first = CancelableBag()
                        first.add(BlockCancelable { ended.withLock { $0.append(2 * number) } })
                        first.add(next)
                        first.add(BlockCancelable { ended.withLock { $0.append(2 * number + 1) } })
                    }
                    if isCancelled { first.cancel() }
                    first = CancelableBag()
                    let expected = (0..<count).reversed().map { 2 * $0 } + (0..<count).map { 2 * $0 + 1 }
                    precondition(ended.value == expected)
                    ended.value = []
                }
            }
        }
    }

    @Test("100,000 lifetimes, each of which is in a block that the one before holds, are ended, and let go of")
    func lifetimesInBlocks() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                for isCancelled in [true, false] {
                    var first = Lifetime()
                    for _ in 0..<Scale.scaled(100_000) {
                        let next = first
                        first = Lifetime()
                        first.hold(BlockCancelable { withExtendedLifetime(next) {} })
                    }
                    if isCancelled { first.cancel() }
                    first = Lifetime()
                }
            }
        }
    }

    @Test("100,000 bags, each in a block, or a cancelable of one's own, that the one before holds, are let go of")
    func bagsInCancelables() async {
        await #expect(processExitsWith: .success) {
            try runOnSmallStack {
                final class Own: Cancelable {
                    let other: CancelableBag
                    init(_ other: CancelableBag) { self.other = other }
                    func cancel() {}
                }
                for isCancelled in [true, false] {
                    var first = CancelableBag()
                    for number in 0..<Scale.scaled(100_000) {
                        let next = first
                        first = CancelableBag()
                        first.add(
                            number.isMultiple(of: 2) ? Own(next) : BlockCancelable { withExtendedLifetime(next) {} })
                    }
                    if isCancelled { first.cancel() }
                    first = CancelableBag()
                }
            }
        }
    }
}
#endif
