import Foundation
import ReactCore
import ReactGraph
import ReactOperators
import ReactTables
import Testing

@Suite("Tables in a journal")
struct JournaledTablesTests {
    struct Row: Codable, Equatable, Sendable { var tags: Set<String> = [], count = 0 }

    @Test("tables whose rows have equal sets have equal texts, and those that Swift writes for one element")
    func texts() {
        let names = (0..<40).map { "x\($0)" }
        var other = Set<String>(minimumCapacity: 4_000)
        for name in names.reversed() { other.insert(name) }
        func expectAlike<Value: Sendable>(_ make: (Node<Table<Int, Row>>) -> Node<Value>) {
            let shown = [Set(names), other, ["a"]].map { make(MutableNode([1: Row(tags: $0)])) }
            let lists = shown.map { node in node.map { [$0] } }
            for nodes in [shown as [AnyNode], lists] {
                #expect(nodes[0].journalText == nodes[1].journalText, "\(Value.self)")
                #expect(nodes[2].journalText == nodes[2].valueDescription)
            }
        }
        expectAlike { $0 }
        expectAlike { $0.sorted(by: \.count) }
        expectAlike { $0.eachRow { _, row in row.current } }
        expectAlike { $0.mapRows { [$0.tags: 1] } }
        expectAlike { $0.map { table in table.isEmpty ? nil : table } }
    }

    @Test("a replay of tables whose rows have sets finds no difference in a filtered table")
    func replay() throws {
        func graph() -> (MutableNode<Table<Int, Row>>, JournalSources, [AnyNode]) {
            let rows = MutableNode<Table<Int, Row>>([:]).named("rows")
            var sources = JournalSources()
            sources.add(rows)
            return (rows, sources, [rows.filterRows { $0.count >= 0 }.named("shown")])
        }
        let (rows, sources, watched) = graph()
        let recorder = JournalRecorder(of: sources, watching: watched, now: { .zero })
        for count in 0..<30 {
            var tags = Set<String>(minimumCapacity: 1_000)
            for index in 0...count { tags.insert("x\(index)") }
            let row = Row(tags: tags, count: count)
            rows.update { $0[count % 3] = row }
        }
        let journal = try JSONDecoder().decode(Journal.self, from: JSONEncoder().encode(recorder.stop()))
        let (_, others, otherWatched) = graph()
        #expect(journal.steps.count == 60)
        #expect(try journal.replay(into: others, watching: otherWatched) == [])
    }
}
