import Foundation
import ReactCore
import ReactGraph
import ReactOperators
import ReactScheduling
import Testing

@Suite("secrets")
struct RedactionTests {
    @Test("a redacted value is in no picture, snapshot or difference, and nowhere that an operator passes it on to")
    func redacted() throws {
        let user = MutableNode("ada").named("user"), password = MutableNode("hunter1").named("password").redacted()
        let both = combine(user, password).named("both")
        let valid = both.mapEach { !$0.isEmpty && $1.count > 6 }.named("valid")
        let trimmed = password.map { $0.trimmingCharacters(in: .whitespaces) }.named("trimmed")
        let before = valid.graph
        password.value = "hunter2"
        let graph = valid.graph
        let json = String(decoding: try JSONEncoder().encode(graph), as: UTF8.self)
        let difference = graph.diff(since: before)
        let texts =
            [graph.dot, graph.mermaid, json, difference.description, difference.dot, "\(graph)"]
            + valid.lint().map(\.description) + [user, password, both, valid, trimmed].map { $0.explain() }
        for text in texts { #expect(!text.contains("hunter")) }
        let values = Dictionary(uniqueKeysWithValues: graph.nodes.map { ($0.name, $0.value) })
        let shown = ["user": "ada", "valid": "true"]
        #expect(values == shown.merging(["password", "both", "trimmed"].map { ($0, "redacted") }) { $1 })
        password.clean()
        #expect(password.graph.nodes[0].value == nil)
    }

    @Test("dump and debuggers show no redacted value in edges, sender lists, loops and operators' states")
    @MainActor func mirrors() async {
        let password = MutableNode("hunter1").named("password").redacted(), other = MutableNode("x")
        func dumped(_ subject: Any) -> String {
            var text = ""
            dump(subject, to: &text)
            return text
        }
        let nodes: [AnyNode] = [
            combine(password, other), computed { try $0(password) }, password.scan("") { $0 + $1 }, password.settled(),
            password.changes(), zip(password, MutableNode<Int>()), password.distinctUntilChanged(),
        ]
        let lists = MutableNode<SenderList?>(nil), lifetime = Lifetime()
        password.filter { _ in true }.listened(by: lifetime).withSenderListAndContext { _, senders, _ in
            lists.value = senders
        }
        let loop = password.values.makeAsyncIterator()
        password.value = "hunter2"
        let subjects: [Any] =
            nodes + nodes.map { $0.upstreamTransforms[0] as Any }
            + [lists.value as Any, ObservedNode(password), ObservedMutableNode(password), loop, lifetime]
        for subject in subjects { #expect(!dumped(subject).contains("hunter"), "\(type(of: subject))") }
        #expect(dumped(ObservedNode(other)).contains("value: Optional(\"x\")"))
        #expect(dumped(nodes[0].upstreamTransforms[0]).contains("name: \"Combine\""))
    }
    @Test("the result of mapLatest's work on a secret is secret, if it has the secret's type") func mapLatest() {
        let clock = VirtualScheduler(), password = MutableNode("hunter1").redacted()
        let same = password.mapLatest(executorPreference: clock) { $0 }
        let some = password.mapLatest(executorPreference: clock) { Optional($0) }
        let list = password.mapLatest(executorPreference: clock) { [$0] }
        let length = password.mapLatest(executorPreference: clock) { $0.count }
        clock.run()
        for node in [same, some, list] as [AnyNode] {
            #expect(node.description.contains("redacted") && !node.graph.dot.contains("hunter"))
        }
        #expect(length.description.contains("finished(7)"))
    }
    @Test("a sender list is told with all that is redacted in it, and only that") func senderList() {
        let password = MutableNode("hunter1").named("password").redacted(), lifetime = Lifetime()
        let lists = MutableNode<SenderList?>(nil)
        let length = password.map(\.count).named("length")
        length.map { $0 + 1 }.named("next").listened(by: lifetime).withSenderListAndContext { _, senders, _ in
            lists.value = senders
        }
        password.value = "hunter22"
        let text = lists.value??.description ?? ""
        #expect(
            text
                == "Node(named: next, value: 9) -> Node(named: length, value: 8) -> Node(named: password, value: redacted)"
        )
    }

    @Test("a redacted value is in no picture of an if or a switch that passes it on")
    func branches() {
        let password = MutableNode("hunter1").redacted()
        let long = password.if { $0.count > 3 }.thenNode, letters = password.switch { $0.first }.case("h")
        password.value = "hunter2"
        for node in [long, letters, password] {
            let graph = node.graph
            #expect(!graph.dot.contains("hunter") && !graph.mermaid.contains("hunter"))
            // The password, and of each switch itself, its branch and its cases.
            #expect(graph.nodes.count { $0.value == "redacted" } == 7)
        }
    }

    @Test(
        "the values that successes and failures take out of a redacted result are secret, and so is the whole of a redacted part"
    )
    func parts() {
        struct Refused: Error { let reason: String }
        struct Login: Sendable { var user: String, password: String }
        let answer = MutableNode<Result<String, Refused>>(.success("hunter1")).redacted()
        let (successes, failures) = (answer.successes(), answer.failures())
        answer.value = .failure(Refused(reason: "hunter2"))
        #expect([successes, failures].map(\.valueDescription) == ["redacted", "redacted"])
        #expect(!answer.graph.dot.contains("hunter"))
        let login = MutableNode(Login(user: "ada", password: "hunter3"))
        let password = login.focus(\.password).redacted()
        #expect(login.valueDescription == "redacted")
        #expect(!password.graph.dot.contains("hunter"))
    }

    @Test("a part of a redacted whole is secret, and so is another node for a redacted part")
    func focused() {
        struct Login: Sendable { var user: String, password: String }
        let login = MutableNode(Login(user: "ada", password: "hunter1")).redacted()
        let password = login.focus(\.password)
        #expect(password.valueDescription == "redacted")
        #expect(!password.graph.dot.contains("hunter"))
        let other = MutableNode(Login(user: "ada", password: ""))
        let (field, echo) = (other.focus(\.password).redacted(), other.focus(\.password))
        field.value = "hunter2"
        #expect(echo.current == "hunter2")
        #expect(echo.valueDescription == "redacted")
        #expect(!other.graph.dot.contains("hunter"))
    }

    @Test("a snapshot redacts round rings, and the whole length of a chain")
    func chain() {
        let secret = MutableNode("hunter2").redacted()
        let ring = MutableNode<String>()
        ring.link(to: secret)
        var end: Node<String> = ring.map { $0 }
        ring.link(to: end)
        defer { ring.removeUpstreamNodes() }
        for _ in 0..<2_000 { end = end.filter { !$0.isEmpty } }
        #expect(end.graph.nodes.count { $0.value == "redacted" } == 2_003)
    }

    @Test(
        "a computed and an operator that keeps a state are redacted if they have another type, too, and a function's result is not"
    )
    func states() {
        let secret = MutableNode("hunter1").redacted()
        let count = secret.scan(0) { count, _ in count + 1 }
        let numbered = secret.transformed("Numbered", state: 0) { (number: inout Int, _, send: NodeSender<Int>) in
            number += 1
            send(number)
        }
        let pairs = secret.collect(count: 2)
        let counted = computed { read in try read(secret).count }
        secret.value = "hunter2"
        for node in [count, numbered, pairs, counted] as [AnyNode] { #expect(node.valueDescription == "redacted") }
        let length = secret.map(\.count), half = secret.compactMap { $0.count / 2 }
        for node in [length, half] { #expect(node.valueDescription != "redacted") }
    }
}
