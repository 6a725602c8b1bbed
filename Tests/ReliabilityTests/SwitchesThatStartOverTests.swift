import ReactCore
import ReactOperators
import TestSupport
import Testing

/// A key is hashed and compared by user code, which may do to the switch what it likes.
@Suite("Switches that start over") struct SwitchesThatStartOverTests {
    /// Runs `body` when it is hashed, once.
    private struct Key: Hashable, Sendable {
        static func == (one: Key, other: Key) -> Bool { one.value == other.value }
        let value: Int
        let body: Locked<(@Sendable () -> Void)?>

        func hash(into hasher: inout Hasher) {
            body.withLock { $0.take() }?()
            hasher.combine(value)
        }
    }

    private let body = Locked<(@Sendable () -> Void)?>(nil)
    private let source = MutableNode(1)
    private let branches: Node<SwitchedNode<Key, Int>>
    private let edge: Transform<Int, SwitchedNode<Key, Int>>

    init() throws {
        branches = source.switch { [body] in Key(value: $0, body: body) }
        edge = try #require(branches.upstreamTransforms.first as? Transform<Int, SwitchedNode<Key, Int>>)
    }

    @Test("a switch whose key gives it another target as it is hashed goes on there")
    func anotherTarget() {
        let other = Node<SwitchedNode<Key, Int>>()
        body.value = { [edge] in edge.to = other }
        source.value = 2
        source.value = 3
        #expect(other.value?.key?.value == 3)
        #expect(other.value?.node.value == 3)
        #expect(branches.value?.key?.value == 1)
    }

    @Test("a switch whose key cuts it off its target as it is hashed goes on when it has one again")
    func noTargetForAWhile() {
        body.value = { [edge] in edge.to = nil }
        source.value = 2
        edge.to = branches
        source.value = 3
        #expect(branches.value?.key?.value == 3)
    }

    @Test("a switch whose key gives it another source as it is hashed follows that")
    func anotherSource() {
        let other = MutableNode(7)
        body.value = { [edge] in edge.from = other }
        source.value = 2
        #expect(branches.value?.key?.value == 7)
        other.value = 8
        #expect(branches.value?.node.value == 8)
        source.value = 9
        #expect(branches.value?.key?.value == 8)
    }

    @Test("a switch whose key sets its source as it is hashed takes that value next")
    func setsSource() {
        body.value = { [source] in source.value = 3 }
        source.value = 2
        #expect(branches.value?.key?.value == 3)
        #expect(branches.value?.node.value == 3)
    }
}
