import Foundation
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
    @Test("a secret that changes is not told to be set in vain, nor is a long text of which the end changes")
    func wasted() throws {
        struct Page: Decodable { let events: [[Int]] }
        func text(_ number: Int) -> String { String(repeating: "·", count: 500) + "\(number / 2)" }
        for isRedacted in [true, false] {
            let source = MutableNode(text(1)).named("source"), same = source.filter { _ in true }.named("same")
            if isRedacted { source.redacted() }
            let recorder = GraphRecorder(onThisThreadOnly: true)
            for number in 2...5 { source.value = text(number) }
            // Of four sets, the second and the fourth.
            let wasted = recorder.wasted().map { "\($0.node?.name ?? "") \($0.calls)" }
            #expect(wasted == (isRedacted ? [] : ["source 2", "same 2"]))
            let json = PageData(Chronicle(recorder.history), of: source).json
            let page = try JSONDecoder().decode(Page.self, from: Data(json.utf8))
            let told = page.events.filter { $0[0] == Record.Kind.stored.rawValue }.map { $0.last == 1 }
            #expect(told == (isRedacted ? [false, false, false, false] : [false, true, false, true]))
            withExtendedLifetime(same) {}
        }
    }
}
