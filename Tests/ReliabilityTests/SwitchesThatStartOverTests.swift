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

    @Test("a listener of a branch may let go of all, where the result no longer holds that branch")
    func letGoInMidDelivery() async {
        await #expect(processExitsWith: .success) {
            let number = MutableNode(1), listener = Lifetime()
            let branches = Locked<Node<SwitchedNode<String, Int>>?>(number.switch { _ in "a" })
            let heard = Recorder<Int>()
            branches.value?.value?.node.listened(by: listener).with { value in
                heard.record(value)
                guard value == 2 else { return }
                listener.cancel()
                branches.value = nil
            }
            branches.value?.mutablify().clean()
            number.value = 2
            number.value = 3
            precondition(heard.events == [1, 2], "\(heard.events)")
        }
    }

    @Test("a result that was emptied holds the branch of the next value again")
    func emptied() {
        branches.mutablify().clean()
        source.value = 1
        #expect(branches.value?.key?.value == 1)
        #expect(branches.value?.node.value == 1)
    }

    @Test("a branch whose first value came round, and stopped, is announced by the next one")
    func cameRound() throws {
        final class Round: Transform<SwitchedNode<String, Int>, Int>, @unchecked Sendable {
            override func next(_ value: SwitchedNode<String, Int>, from senders: SenderList, context: NodeContext?) {
                send(-1, from: senders, context: context)
            }
        }
        let number = MutableNode(1)
        let signs = number.switch { $0 < 0 ? "negative" : "positive" }
        let heard = signs.case("negative").recorded()
        let round = Node<Int>()
        defer { round.removeUpstreamNodes() }
        number.link(to: round)
        round.link(to: signs, transform: Round())
        #expect(signs.value?.key == "positive")
        number.value = -2
        #expect(signs.value?.key == "negative")
        #expect(heard.events == [-2])
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
