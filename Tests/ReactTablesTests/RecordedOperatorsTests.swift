import ReactCore
import ReactOperators
import ReactTables
import TestSupport
import Testing

@testable import ReactGraph

/// An operator may make a node for itself, between its inputs and its result.
@Suite("Operators on rows on record") struct RecordedOperatorsTests {
    private struct Card: Equatable, Sendable { var rank = 1, title = "a" }

    @Test("the node of an operator's own is named by the operator's inputs, in each answer")
    func ownNodes() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let cards = MutableNode<Table<Int, Card>>([1: Card(), 2: Card(rank: 2)]).named("cards")
        let order = MutableNode(RowOrder<Card>(\.rank)).named("order"), ranks = MutableNode(0..<1).named("ranks")
        let window = cards.sorted(using: order).window(ranks: ranks)
        let read = MutableNode<@Sendable (Card) -> Bool> { _ in true }.named("read")
        let small = cards.filterRows(by: read).mapRows { $0.rank }
        let titles = cards.mapRows { $0.title }
        let joined = cards.joined(with: titles, on: \.rank) { $0.title + $1 }.named("joined")
        cards.update { $0.update(1) { $0.title = "b" } }
        cards.update { $0.update(2) { $0.title = "c" } }
        for node in [window, small, joined, titles] as [AnyNode] {
            for text in [recorder.why(node).description, recorder.whyNot(node).description] {
                for word in ["Paired", "RowOrder", "Condition", "unnamed"] {
                    #expect(!text.contains(word), "\(text)")
                }
            }
        }
        let why = recorder.why(window).description
        #expect(why.hasPrefix("Window(SortBy('cards', 'order'), 'ranks') holds 1 row: [1: Card("), "\(why)")
        #expect(why.contains("\n  → Window of SortBy('cards', 'order') and 'ranks' made 1 row"), "\(why)")
        for event in recorder.events() {
            #expect(!"\(event)".contains("Paired"), "\(event)")
        }
    }

    @Test("a row that rows(of:) has already is told with the reason, and links by the names of the nodes")
    func rowsOfNodes() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let t = MutableNode(3).named("t"), other = MutableNode(1).named("other")
        let rows = Node.rows(of: [(1, t.map { $0 / 2 }), (2, other)])
        let named = Node.rows(of: [(1, t), (2, other)]).named("x")
        t.value = 2
        let whyNot = recorder.whyNot(rows).description
        #expect(whyNot.contains("did not pass on 1: it passes on only"), "\(whyNot)")
        let texts = recorder.events().map { "\($0)" }
        #expect(!texts.contains { $0.contains("Rows(Rows") }, "\(texts.joined(separator: "\n"))")
        #expect(texts.contains("Rows 'x' was linked to 't' and 'other'"), "\(texts.joined(separator: "\n"))")
        withExtendedLifetime(named) {}
    }
}
