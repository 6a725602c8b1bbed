import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@testable import ReactGraph

/// What is on record of nodes that were redacted, or had their values from such, and have gone.
@Suite("Secrets on record") struct RedactedRecordsTests {
    private func text(_ recorder: GraphRecorder) -> String {
        recorder.events().map { "\($0) \($0.old ?? "") \($0.new ?? "")" }.joined(separator: "\n")
    }

    @Test(
        "a value derived from a redacted one is not told after its node is released, though no record says how it came")
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
    @Test("the value of a node released after the last recorder has stopped is not told either") func goneAfterTheStop()
        async
    {
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
    @Test(
        "a value released at the end of a chain of more than 500 nodes is taken for secret if any node is redacted",
        arguments: [400, 600])
    func longChain(count: Int) {
        let secret = MutableNode("classified").redacted()
        let source = MutableNode("seen")
        let last = Lock<Node<String>?>(
            (0..<count).reduce(source as Node<String>) { end, _ in end.filter { _ in true } }.named("last"))
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        source.value = "seen again"
        Worker { _ = last.withLock { $0.take() } }.join()
        let gave = recorder.events().last { $0.kind == .stored && $0.node?.name == "last" }
        #expect(gave?.old == (count < 500 ? "seen" : "redacted"))
        withExtendedLifetime(secret) {}
    }
    @Test(
        "a value that came from a secret by an edge that was pointed elsewhere is not told, nor any value derived from it"
    )
    func pointedElsewhere() {
        let password = MutableNode("classified").named("password").redacted(), plain = MutableNode("plain")
        let shown = Node<String>().named("shown"), link = LinkTransform<String>()
        let same = shown.filter { _ in true }.named("same"), length = shown.map(\.count).named("length")
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        shown.link(to: password, transform: link)
        let then = recorder.mark("then")
        link.from = plain
        let values = recorder.graph(of: shown, at: then).nodes.map { "\($0.name ?? ""): \($0.value ?? "")" }
        #expect(Set(values) == ["shown: redacted", "password: redacted", "same: redacted", "length: 10"])
        #expect(recorder.events().contains { $0.kind == .stored && $0.old == "redacted" })
        #expect(!(text(recorder) + recorder.page(of: shown) + recorder.trace()).contains("classified"))
        #expect(text(recorder).contains("gave 'length' 5 (was 10)"))
        withExtendedLifetime((same, length)) {}
    }
    @Test("a value that came from a secret by an edge that was cut is not told of the node that still holds it")
    func cut() {
        let password = MutableNode("classified").redacted()
        let shown = Node<String>().named("shown"), link = shown.link(to: password)
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let then = recorder.mark("then")
        link.cancel()
        #expect(recorder.graph(of: shown, at: then).nodes.map(\.value) == ["redacted", "redacted"])
        #expect("\(recorder.why(shown))" == "'shown' holds redacted: nothing on record has set it")
        #expect(!recorder.page(of: shown).contains("classified"))
    }
    @Test("a value derived from a secret is not told further downstream either, if no record says how it got there")
    func cutFurtherUp() {
        let password = MutableNode("classified").redacted()
        let first = Node<String>(), link = first.link(to: password)
        let last = MutableNode<String>().named("last"), between = Node<String>()
        between.link(to: first)
        last.link(to: between)
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let then = recorder.mark("then")
        link.cancel()
        #expect(!"\(recorder.why(last))".contains("classified"))
        #expect(recorder.graph(of: last, at: then).nodes.map(\.value) == Array(repeating: "redacted", count: 4))
        #expect(!recorder.page(of: last).contains("classified"))
        last.value = "plain"
        #expect(!recorder.events().contains { "\($0)".contains("classified") })
    }
    @Test("a secret that an operator holds is not told after the edge by which it came was cut")
    func held() {
        let password = MutableNode("classified").redacted(), clock = VirtualScheduler()
        let field = Node<String>().named("field"), link = field.link(to: password)
        let late = field.delay(.seconds(1), on: clock).named("late")
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        link.cancel()
        let answer = "\(recorder.whyNot(late))"
        #expect(answer.contains("has to send a redacted value") && !answer.contains("classified"), "\(answer)")
    }
    @Test("the value that a flattenMap held of a secret inner node is not told after it has left that node")
    func flattened() {
        let password = MutableNode("classified").redacted(), plain = MutableNode("plain")
        let isShown = MutableNode(true)
        let shown = isShown.flattenMap { $0 ? password : plain }.named("shown")
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        isShown.value = true
        isShown.value = false
        #expect(shown.value == "plain")
        #expect(!text(recorder).contains("classified"))
    }
    @Test("the secret that a branch of a switch held before the recorder began is not told") func branches() {
        let password = MutableNode("classified").redacted()
        let shown = password.switch { $0.count }.case(10)
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let then = recorder.mark("then")
        password.value = "short"
        let values = recorder.graph(of: shown, at: then).nodes.map(\.value)
        #expect(values.count == 4 && Set(values) == ["redacted"])
        #expect(!(text(recorder) + recorder.page(of: shown) + recorder.trace()).contains("classified"))
        #expect(shown.upstreamNodes.allSatisfy { "\(recorder.why($0))".contains("redacted") })
    }
    @Test("a secret that changes is not told to be set in vain, nor is a long text of which the end changes")
    func wasted() throws {
        struct Page: Decodable { let kinds: [String], events: Events }
        struct Events: Decodable { let kind: [Int], isWasted: [Int] }
        func text(_ number: Int) -> String { String(repeating: "·", count: 500) + "\(number / 2)" }
        for isRedacted in [true, false] {
            let source = MutableNode(text(1)).named("source"), same = source.filter { _ in true }.named("same")
            if isRedacted { source.redacted() }
            let recorder = GraphRecorder(onThisThreadOnly: true)
            for number in 2...5 { source.value = text(number) }
            // Of four sets, the second and the fourth.
            let wasted = recorder.redundantUpdates().map { "\($0.node?.name ?? "") \($0.calls)" }
            #expect(wasted == (isRedacted ? [] : ["source 2", "same 2"]))
            let data = ValueText.limited(to: PageData.textLimit) { PageData(recorder.queries, of: source) }
            let json = try JSONEncoder().encode(data.content)
            let page = try JSONDecoder().decode(Page.self, from: json)
            let told = zip(page.events.kind, page.events.isWasted).filter { page.kinds[$0.0] == "stored" }.map {
                $0.1 == 1
            }
            #expect(told == (isRedacted ? [false, false, false, false] : [false, true, false, true]))
            withExtendedLifetime(same) {}
        }
    }
}
