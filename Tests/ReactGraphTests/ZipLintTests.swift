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
        #expect(fast.graph.nodes.map(\.name) == ["fast", nil, "slow"])
        slow.value = 1
        #expect(fast.lint(zipLimit: 4).allSatisfy { $0.rule != .zipAhead })
        withExtendedLifetime(zipped) {}
    }
}
