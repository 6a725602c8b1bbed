import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

/// What is on record of nodes that were redacted, or had their values from such, and have gone.
@Suite("Secrets on record") struct RedactedRecordsTests {
    private func text(_ recorder: GraphRecorder) -> String {
        recorder.events().map { "\($0) \($0.old ?? "") \($0.new ?? "")" }.joined(separator: "\n")
    }

    @Test("what came of a redacted value is not told after it has gone, though nothing is on record of how it came")
    func gone() {
        let user = MutableNode("ada"), password = MutableNode("classified").redacted()
        let both = Lock<Node<(String, String)>?>(combine(user, password))
        let recorder = GraphRecorder(onThisThreadOnly: true)
        user.value = "bob"
        // Its edges are cut where that is not recorded.
        Worker { _ = both.withLock { $0.take() } }.join()
        user.value = "cid"
        #expect(!text(recorder).contains("classified"))
        #expect(text(recorder).contains("redacted"))
        #expect(text(recorder).contains("ada"))
        withExtendedLifetime(password) {}
    }
    @Test("what goes after the last recorder has stopped is not told either") func goneAfterTheStop() async {
        await #expect(processExitsWith: .success) {
            var password: MutableNode<String>? = MutableNode("classified").redacted()
            let recorder = GraphRecorder()
            password?.value = "another"
            recorder.stop()
            password = nil
            let texts = recorder.events().flatMap { [$0.description, $0.old, $0.new] }.compactMap(\.self)
            precondition(texts.contains { $0.contains("redacted") })
            precondition(password == nil && !texts.contains { $0.contains("classified") })
        }
    }
    @Test("what goes from below a long chain of nodes is taken for secret where some node is", arguments: [400, 600])
    func longChain(count: Int) {
        let secret = MutableNode("classified").redacted()
        let source = MutableNode("seen")
        let last = Lock<Node<String>?>(
            (0..<count).reduce(source as Node<String>) { end, _ in end.filter { _ in true } }.named("last"))
        let recorder = GraphRecorder(onThisThreadOnly: true)
        source.value = "seen again"
        Worker { _ = last.withLock { $0.take() } }.join()
        let gave = recorder.events().last { $0.kind == .stored && $0.node?.name == "last" }
        #expect(gave?.old == (count < 500 ? "seen" : "redacted"))
        withExtendedLifetime(secret) {}
    }
}
