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
        await withKnownIssue("a value is let go of where its node goes, one inside the other") {
            await #expect(processExitsWith: .success) {
                try runOnSmallStack {
                    var head: Node<Cell>?
                    for _ in 0..<Scale.scaled(100_000) { head = Node(Cell(head)) }
                    head = nil
                }
            }
        }
    }

    @Test("100,000 nodes, the value of each of which holds the next one, go when the first is set")
    func replaced() async {
        await withKnownIssue("a value is let go of where its node goes, one inside the other") {
            await #expect(processExitsWith: .success) {
                try runOnSmallStack {
                    let head = MutableNode(Cell(nil))
                    for _ in 0..<Scale.scaled(100_000) { head.value = Cell(Node(head.value!)) }
                    head.value = Cell(nil)
                }
            }
        }
    }

    @Test("100,000 operators, the closure of each of which holds the next one's node, are let go of")
    func nodesInClosures() async {
        await withKnownIssue("a closure is let go of where its edge goes, one inside the other") {
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
    }

    @Test("100,000 lifetimes, each of which is held by a listener's closure in the one before, are let go of")
    func lifetimesInLifetimes() async {
        await withKnownIssue("a lifetime lets go of its edges where it goes, one inside the other") {
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
    }
}
#endif
