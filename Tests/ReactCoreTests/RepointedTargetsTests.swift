import ReactCore
import ReactOperators
import TestSupport
import Testing

/// An operator's edge that is given another `to` starts over there, and is done with the node that it led to.
@Suite("Re-pointed targets") struct RepointedTargetsTests {
    /// The one edge that leads to the result of an operator.
    private func edge<Output>(to result: Node<Output>, from source: Node<Int>) throws -> Transform<Int, Output> {
        try #require(result.upstreamTransforms(from: source).first as? Transform<Int, Output>)
    }

    @Test("a map's edge that is given another target sends the present value there, and nothing more to the old one")
    func map() throws {
        let source = MutableNode(1)
        let (result, other) = (source.map { $0 * 10 }, Node<Int>())
        try edge(to: result, from: source).to = other
        #expect(other.value == 10)
        source.value = 2
        #expect([result.value, other.value] == [10, 20])
    }

    @Test("a scan that is given another target starts over: the present value counts once")
    func scan() throws {
        let source = MutableNode(5)
        let (result, other) = (source.scan(0) { $0 + $1 }, Node<Int>())
        try edge(to: result, from: source).to = other
        #expect(other.value == 5)
        source.value = 2
        #expect(other.value == 7)
        #expect(result.value == 5)
    }

    @Test("a distinct that is given another target starts over: the present value passes")
    func distinct() throws {
        let source = MutableNode(5)
        let (result, other) = (source.distinctUntilChanged(), Node<Int>())
        try edge(to: result, from: source).to = other
        #expect(other.value == 5)
    }

    @Test("a take that is given another target starts over: the present value is the first again")
    func take() throws {
        let source = MutableNode(5)
        let (result, other) = (source.take(1), Node<Int>())
        try edge(to: result, from: source).to = other
        #expect(other.value == 5)
        source.value = 6
        #expect(other.value ?? 5 == 5)
        #expect(result.value == 5)
    }

    @Test("a skip that is given another target starts over: the present value is skipped again")
    func skip() throws {
        let source = MutableNode(1)
        let (result, other) = (source.skip(1), Node<Int>())
        source.value = 2
        try edge(to: result, from: source).to = other
        #expect(other.isEmpty)
        source.value = 3
        #expect(other.value == 3)
        #expect(result.value == 2)
    }

    @Test("a switch that is given another target starts over: the present value is in a branch there")
    func switched() throws {
        let source = MutableNode(5)
        let (result, other) = (source.switch { $0 > 3 }, Node<SwitchedNode<Bool, Int>>())
        let first = try #require(result.value?.node)
        try edge(to: result, from: source).to = other
        #expect(other.value?.key == true)
        #expect(other.value?.node.value == 5)
        #expect(other.value?.node !== first)
        source.value = 6
        #expect(first.value == 5)
    }

    @Test("a flatten that is given another target has it follow the inner node, and the old one no more")
    func flatten() throws {
        let inner = MutableNode(1)
        let outer = MutableNode(0)
        let (result, other) = (outer.flattenMap { _ in inner }, Node<Int>())
        try edge(to: result, from: outer).to = other
        #expect(other.value == 1)
        inner.value = 2
        #expect([result.value, other.value] == [1, 2])
    }

    @Test(
        "an edge of a combination cannot be given another target: that ends the process with a message",
        .enabled(if: Scale.runsTraps))
    func combination() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (a, b) = (MutableNode(1), MutableNode(2))
            let (pair, other) = (combine(a, b), Node<(Int, Int)>())
            (pair.upstreamTransforms(from: a).first as? Transform<Int, (Int, Int)>)?.to = other
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("to: an edge of \"Combine\" is one of several that lead to one node"))
    }

    @Test("an edge of a combination may be disconnected, and led back: the combination is silent meanwhile")
    func combinationDisconnected() throws {
        let (a, b) = (MutableNode(1), MutableNode(2))
        let pair = combine(a, b).mapEach { [$0, $1] }
        let combined = try #require(pair.upstreamNodes.first as? Node<(Int, Int)>)
        let edge = try #require(combined.upstreamTransforms(from: a).first as? Transform<Int, (Int, Int)>)
        edge.to = nil
        b.value = 20
        #expect(pair.value == [1, 2])
        edge.to = combined
        #expect(pair.value == [1, 20])
    }
}
