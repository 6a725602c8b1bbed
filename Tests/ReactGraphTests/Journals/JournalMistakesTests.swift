import Foundation
import ReactCore
import ReactGraph
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

/// A fresh graph with a mistake.
private struct MistakenGraph {
    let sources: KeyValuePairs<String, MutableNode<Int>>
    /// The node that holds a wrong value.
    let wrong: AnyNode
    let lifetime: Lifetime?

    init(_ sources: KeyValuePairs<String, MutableNode<Int>>, wrong: AnyNode, _ lifetime: Lifetime? = nil) {
        (self.sources, self.wrong, self.lifetime) = (sources, wrong.named("wrong"), lifetime)
    }
    var journalSources: JournalSources {
        var list = JournalSources()
        for (name, node) in sources { list.add(node, named: name) }
        return list
    }
    var text: String? { wrong.graph.nodes[0].value }
    /// A ring holds itself until it is cut.
    func end() {
        for (_, node) in sources { node.removeUpstreamNodes() }
    }
}

/// A mistake of the guide *Why, and why not* that shows in a value.
private struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The text that the wrong node holds at the end; `nil` if it is empty.
    let symptom: String?
    /// What a user does: sets, and waits in milliseconds.
    let uses: [(name: String, value: Int)]
    let make: @Sendable (VirtualScheduler) -> MistakenGraph

    init(
        _ name: String, shows symptom: String?, after uses: KeyValuePairs<String, Int>,
        _ make: @escaping @Sendable (VirtualScheduler) -> MistakenGraph
    ) {
        (testDescription, self.symptom, self.make) = (name, symptom, make)
        self.uses = uses.map { ($0.key, $0.value) }
    }

    static let all = [
        Mistake("a filter the wrong way round", shows: "26", after: ["price": 21, "price": 26, "price": 22]) { _ in
            let price = MutableNode(20)
            return MistakenGraph(["price": price], wrong: price.filter { $0 > 25 })
        },
        Mistake("a lifetime that went too early", shows: "20", after: ["price": 21, "price": 22]) { _ in
            let price = MutableNode(20), shown = MutableNode(0)
            do {
                let lifetime = Lifetime()
                shown.link(to: price).cancelled(by: lifetime)
            }
            return MistakenGraph(["price": price], wrong: shown)
        },
        Mistake("a zip for a combine", shows: "20", after: ["width": 5, "width": 6, "height": 4, "width": 9]) { _ in
            let width = MutableNode(3), height = MutableNode(4)
            return MistakenGraph(["width": width, "height": height], wrong: width.zip(height).map { $0.0 * $0.1 })
        },
        Mistake("an input without a value", shows: nil, after: ["price": 21, "price": 22]) { _ in
            let price = MutableNode(20), stock = MutableNode<Int>()
            return MistakenGraph(["price": price], wrong: combine(price, stock) { $0 * $1 })
        },
        Mistake("a ring that eats a value", shows: "5", after: ["left": 3, "left": 5]) { _ in
            let left = MutableNode(1), right = MutableNode(1)
            right.link(to: left.map { $0 + 1 })
            _ = left.link(to: right)
            return MistakenGraph(["left": left], wrong: left)
        },
        Mistake("a throttle that waits", shows: "1", after: ["search": 1, "wait": 400, "search": 2, "wait": 100]) {
            let search = MutableNode(0)
            return MistakenGraph(["search": search], wrong: search.throttle(.milliseconds(300), on: $0))
        },
        Mistake("a wrong key", shows: nil, after: ["page": 1, "page": 2]) { _ in
            let page = MutableNode(0)
            return MistakenGraph(["page": page], wrong: page.switch { $0 }.case(7))
        },
        Mistake("a re-pointed edge", shows: "8", after: ["local": 7, "remote": 8, "local": 9]) { _ in
            let local = MutableNode(1), remote = MutableNode(2), shown = Node<Int>()
            let link = LinkTransform<Int>()
            shown.link(to: local, transform: link)
            link.from = remote
            return MistakenGraph(["local": local, "remote": remote], wrong: shown)
        },
        Mistake("a set from a listener that is queued", shows: "2", after: ["count": 5, "count": 1]) { _ in
            let count = MutableNode(0), lifetime = Lifetime()
            count.listened(by: lifetime).with { [unowned count] in if $0 == 1 { count.value = 2 } }
            return MistakenGraph(["count": count], wrong: count, lifetime)
        },
    ]
}

extension Mistake {
    /// Uses a fresh graph, and returns the journal, encoded.
    func record() throws -> Data {
        let clock = VirtualScheduler(), graph = make(clock)
        defer { graph.end() }
        let recorder = JournalRecorder(of: graph.journalSources, watching: [graph.wrong], now: { clock.now })
        for (name, value) in uses {
            if name == "wait" { clock.advance(by: .milliseconds(value)) }
            graph.sources.first { $0.key == name }?.value.value = value
        }
        #expect(graph.text == symptom)
        let journal = recorder.stop()
        #expect(journal.isComplete && recorder.errors.isEmpty)
        return try JSONEncoder().encode(journal)
    }
    /// Replays an encoded journal into fresh graphs, and shrinks it.
    func expectSymptom(after data: Data) throws {
        let journal = try JSONDecoder().decode(Journal.self, from: data)
        func fails(_ journal: Journal) throws -> Bool {
            let clock = VirtualScheduler(), graph = make(clock)
            defer { graph.end() }
            let differences = try journal.replay(into: graph.journalSources, watching: [graph.wrong]) {
                clock.advance(by: $0)
            }
            return graph.text == symptom && differences.isEmpty
        }
        #expect(try fails(journal), "\(journal)")
        let short = try journal.shrunk(while: fails)
        #expect(try fails(short))
        #expect(short.steps.count <= 5, "\(short)")
    }
}

@Suite("Mistakes as journals")
struct JournalMistakesTests {
    @Test(
        "a mistake that shows in a value replays to that value, and shrinks to at most five sets",
        arguments: Mistake.all)
    fileprivate func mistake(_ mistake: Mistake) throws {
        try mistake.expectSymptom(after: try mistake.record())
    }

    @Test(
        "journals of mistakes replay to the same values in another process, and shrink to at most five sets",
        .enabled(if: Scale.runsTraps))
    func otherProcess() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("mistakes-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try JSONEncoder().encode(Mistake.all.map { try $0.record() }).write(to: file)
        await #expect(processExitsWith: .success) { [path = file.path as String] in
            let journals = try JSONDecoder().decode([Data].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
            #expect(journals.count == Mistake.all.count)
            for (mistake, journal) in zip(Mistake.all, journals) { try mistake.expectSymptom(after: journal) }
        }
    }
}
