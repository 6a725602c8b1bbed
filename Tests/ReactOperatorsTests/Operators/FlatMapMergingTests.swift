import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("flatMapMerging")
struct FlatMapMergingTests {
    private let rooms: [String: MutableNode<String>] = [
        "a": MutableNode(), "b": MutableNode("b0"), "c": MutableNode("c0"),
    ]

    @Test("flatMapMerging passes on the values of all nodes that it has made, as they come")
    func merges() {
        let rooms = rooms
        let name = MutableNode("a")
        let heard = name.flatMapMerging { rooms[$0] ?? Node() }.recorded()
        rooms["a"]?.value = "a1"
        name.value = "b"
        rooms["a"]?.value = "a2"
        rooms["b"]?.value = "b1"
        rooms["c"]?.value = "c1"
        name.value = "c"
        rooms["c"]?.value = "c2"
        rooms["a"]?.value = "a3"
        #expect(heard.events == ["a1", "b0", "a2", "b1", "c1", "c2", "a3"])
    }

    @Test("a node that is made again is followed once, and its present value is passed on again")
    func again() {
        let rooms = rooms
        let name = MutableNode("b")
        let result = name.flatMapMerging { rooms[$0] ?? Node() }
        let heard = result.recorded()
        name.value = "b"
        rooms["b"]?.value = "b1"
        #expect(heard.events == ["b0", "b0", "b1"])
        #expect(result.upstreamTransforms.map(\.name).sorted() == ["FlatMapMerging", "Link"])
    }

    @Test("cut, or pointed at another node, flatMapMerging lets go of all nodes that it has made")
    func cut() throws {
        nonisolated(unsafe) weak var inner: MutableNode<Int>?
        let source = MutableNode(1)
        let result = source.flatMapMerging { value in
            let node = MutableNode(value)
            inner = node
            return node
        }
        let first = inner
        #expect(first != nil)
        let heard = result.recorded()
        source.value = 2
        let edge = try #require(source.downstreamTransforms.first as? Transform<Int, Int>)
        edge.from = MutableNode(3)
        first?.value = 10
        #expect(heard.events == [1, 2, 3])
        #expect(result.upstreamTransforms.count == 2)
        edge.cancel()
        #expect(inner == nil)
        #expect(result.upstreamTransforms.isEmpty)
    }

    @Test("the nodes that flatMapMerging has made live as long as its result")
    func lifetime() {
        nonisolated(unsafe) weak var made: Payload?
        let source = MutableNode(1)
        func use() {
            let result = source.flatMapMerging { value in
                let payload = Payload(value)
                made = payload
                return Node(payload)
            }
            #expect(made != nil)
            withExtendedLifetime(result) {}
        }
        use()
        #expect(made == nil)
    }

    @Test("set from two threads, flatMapMerging loses nothing")
    func threads() async {
        let source = MutableNode<Int>(), inner = (0..<4).map { _ in MutableNode<Int>() }
        let heard = source.flatMapMerging { inner[$0 % 4] }.recorded()
        for value in 0..<4 { source.value = value }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<2 {
                group.addTask { for value in 0..<500 { inner[thread].value = thread * 1_000 + value } }
            }
        }
        #expect(heard.events.filter { $0 < 1_000 } == Array(0..<500))
        #expect(heard.events.filter { $0 >= 1_000 } == Array(1_000..<1_500))
    }

    @Test("a node that is made while flatMapMerging is pointed elsewhere is not followed, and leaves no edge")
    func pointedElsewhereMeanwhile() throws {
        let (source, other, inner) = (MutableNode(0), MutableNode(0), MutableNode(10))
        let meanwhile = Locked<(@Sendable () -> Void)?>(nil)
        let result = source.flatMapMerging { value in
            meanwhile.withLock { $0.take() }?()
            return value == 0 ? inner : MutableNode(value)
        }
        let edge = try #require(result.upstreamTransforms.first as? Transform<Int, Int>)
        for next in [other, source, other] {
            meanwhile.value = { edge.from = next }
            (edge.from?.mutablify())?.value = 0
        }
        #expect(result.upstreamTransforms.map(\.name).sorted() == ["FlatMapMerging", "Link"])
        inner.value = 11
        #expect(result.value == 11)
    }

    @Test("a node whose link was cut is followed again when it is made again")
    func cutByHand() {
        let rooms = rooms
        let name = MutableNode("c")
        let result = name.flatMapMerging { rooms[$0] ?? Node() }
        let heard = result.recorded()
        rooms["c"]?.removeDownstreamNodes()
        rooms["c"]?.value = "c1"
        name.value = "b"
        name.value = "c"
        rooms["c"]?.value = "c2"
        #expect(heard.events == ["c0", "b0", "c1", "c2"])
        #expect(result.upstreamTransforms.map(\.name).sorted() == ["FlatMapMerging", "Link", "Link"])
    }

    @Test("a node that is chosen while the result delivers is followed at once, so none of its values is lost")
    func chosenInMidDelivery() {
        let a = MutableNode(1), b = MutableNode(10), choice = MutableNode("a"), listener = Lifetime()
        let all = choice.flatMapMerging { $0 == "a" ? a : b }, log = Recorder<Int>()
        all.listened(by: listener).with { [log, choice, b] in
            log.record($0)
            guard $0 == 2 else { return }
            choice.value = "b"
            b.value = 11
            b.value = 12
        }
        a.value = 2
        #expect(log.events == [1, 2, 10, 11, 12])
    }

    @Test("a case that is made anew for each value brings each later value once more")
    func madeAnew() {
        let source = MutableNode(1), branches = source.switch { $0 % 2 }
        let heard = source.flatMapMerging { branches.case($0 % 2) }.recorded()
        for value in 2...6 { source.value = value }
        #expect(heard.events == [1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6])
    }
}
