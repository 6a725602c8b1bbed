import ReactCore
import ReactGraph
import ReactOperators
import Testing

@Suite("lint of a zip")
struct ZipLintTests {
    @Test("a zip that is ahead is found, one that keeps up is not")
    func zip() throws {
        let (fast, slow) = (MutableNode<Int>().named("fast"), MutableNode<Int>().named("slow"))
        let zipped = fast.zip(slow)
        for value in 1...5 { fast.value = value }
        #expect(fast.lint(zipLimit: 5).allSatisfy { $0.rule != .zipAhead })
        let finding = try #require(fast.lint(zipLimit: 4).first { $0.rule == .zipAhead })
        #expect(finding.nodes == [0, 1])
        #expect(finding.message.hasSuffix("they are kept for later values of “slow” (node 2)."))
        #expect(
            finding.remedy
                == "Set “slow” (node 2) as often, cut the zip, or use combine if only the newest values matter.")
        #expect(fast.graph.nodes.map(\.name) == ["fast", nil, "slow"])
        slow.value = 1
        #expect(fast.lint(zipLimit: 4).allSatisfy { $0.rule != .zipAhead })
        withExtendedLifetime(zipped) {}
    }

    @Test("a snapshot tells how many values wait at each side, at every moment")
    func waiting() {
        let (left, right) = (MutableNode<Int>().named("left"), MutableNode<Int>().named("right"))
        let zipped = left.zip(right)
        let counts: () -> [Int?] = {
            let graph = zipped.graph
            return ["left", "right"].map { name in
                graph.edges.first { edge in graph.nodes.contains { $0.id == edge.from && $0.name == name } }?
                    .waitingCount
            }
        }
        #expect(counts() == [0, 0])
        for value in 1...3 {
            left.value = value
            #expect(counts() == [value, 0])
        }
        right.value = 1
        #expect(counts() == [2, 0])
        left.clean()
        #expect(counts() == [2, 0])
        for value in 2...4 { right.value = value }
        #expect(counts() == [0, 1])
        zipped.removeUpstreamNode(left)
        right.value = 5
        #expect(zipped.graph.edges.map(\.waitingCount) == [2])
    }
}
