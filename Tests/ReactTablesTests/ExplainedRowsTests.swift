import ReactCore
import ReactGraph
import ReactOperators
import ReactTables
import Testing

@Suite("explain of operators on rows") struct ExplainedRowsTests {
    private let cards = MutableNode<Table<Int, String>>([1: "a", 2: "b"]).named("cards")
    private let marks = MutableNode<Table<Int, String>>([1: "!"]).named("marks")

    /// The sentence on the origin of a node's values.
    private func origin(of node: AnyNode) -> Substring {
        let text = node.explain()
        guard let start = text.firstRange(of: "Its values")?.lowerBound else { return text[...] }
        return text[start...]
    }

    @Test("an operator of two nodes is named once, with both nodes, and without the node between")
    func twoNodes() {
        let joined = cards.joined(with: marks, on: { key, _ in key }) { $1 + $2 }.named("joined")
        #expect(
            joined.explain()
                == "“joined” is a node of Table<Int, String>, and holds 1 row: [1: a!]. Its values come from “cards” and "
                + "“marks”, by Join.")
        let ranks = MutableNode(0..<1).named("ranks")
        #expect(origin(of: cards.window(rows: ranks)) == "Its values come from “cards” and “ranks”, by Window.")
        let window = cards.sorted { $0 }.window(ranks: ranks)
        #expect(
            origin(of: window)
                == "Its values come from a node of SortedTable<Int, String> and “ranks”, by Window.")
        let keys = MutableNode(1..<2).named("keys")
        #expect(origin(of: cards.restricted(to: keys)) == "Its values come from “cards” and “keys”, by Restrict.")
        #expect(
            origin(of: joined.mapRows { $0 }.mapRows { $0 }) == "Its values come from “joined”, by MapRows and MapRows."
        )
    }

    @Test("a filter by a condition that changes is named once, with the node of the condition")
    func condition() {
        let condition = MutableNode<@Sendable (String) -> Bool> { $0 > "a" }.named("condition")
        let filtered = cards.filterRows(by: condition)
        #expect(origin(of: filtered) == "Its values come from “cards” and “condition”, by FilterRows.")
        let empty = MutableNode<@Sendable (String) -> Bool>().named("empty")
        #expect(
            cards.filterRows(by: empty).explain().hasSuffix(
                "Its values come from “cards” and “empty”, by FilterRows. It waits for “empty”, which is empty."))
    }

    @Test("a table of nodes' rows is named once, with the nodes")
    func rowsOfNodes() {
        let a = MutableNode("a").named("a"), b = MutableNode("b").named("b")
        #expect(origin(of: Node.rows(of: [(1, a), (2, b)])) == "Its values come from “a” and “b”, by Rows.")
        let flat: Node<Table<Int, String>> = cards.eachRow { _, row in row.map { $0 + "!" } }.flattenRows()
        #expect(!flat.explain().contains("Flatten rows, Flatten rows"), "\(flat.explain())")
        #expect(!flat.explain().contains("Flatten rows and Flatten rows"), "\(flat.explain())")
    }

    @Test("an operator that has lost an input says so, and names no node between")
    func lost() {
        let joined = cards.joined(with: marks, on: { key, _ in key }) { $1 + $2 }
        let between = joined.upstreamNodes[0]
        between.removeUpstreamNode(marks)
        #expect(
            origin(of: joined)
                == "Its values come from “cards”, by Join. Join was made of 2 inputs and has lost 1 of them, so it does not "
                + "change any more: make it anew of the inputs that are left.")
        between.removeUpstreamNode(cards)
        #expect(origin(of: joined) == "Its values come from a node of its own, by Join.")
    }
}
