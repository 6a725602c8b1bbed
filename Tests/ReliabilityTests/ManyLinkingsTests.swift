import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Many linkings") struct ManyLinkingsTests {
    @Test(
        "a value that an edge was called with before it was linked anew is not taken for new, however often it was linked since"
    )
    func oldCall() throws {
        // A count of linkings that goes round comes by here: at full sizes, one of 16 bits.
        let linkings = Scale.isSmall ? 1 << 12 : 1 << 16
        let (source, other) = (MutableNode<String>(), MutableNode<String>())
        let (isCalled, isLinkedAgain, isOver) = (Latch(), Latch(), Latch())
        let result = source.map { value in
            switch value {
            case "old":
                isCalled.arrive()
                isLinkedAgain.wait()
            case "new":
                isLinkedAgain.arrive()
                isOver.wait()
            default: break
            }
            return value
        }
        let edge = try #require(result.upstreamTransforms.first as? Transform<String, String>)
        edge.from = nil
        source.value = "old"
        // Both threads take over what the source holds, so that their calls are under way at once.
        let first = Worker { edge.from = source }
        isCalled.wait()
        for _ in 0..<linkings / 2 - 1 {
            edge.from = other
            source.value = "between"
            edge.from = source
        }
        edge.from = other
        source.value = "new"
        let second = Worker { edge.from = source }
        first.join()
        let afterFirst = result.value
        isOver.arrive()
        second.join()
        #expect(afterFirst != "old")
        #expect(result.value == "new")
    }
}
