import HeapProbe
import ReactCore
import ReactGraph
import ReactTables
import TestSupport
import Testing

#if os(macOS) || os(Linux)
@Suite("Tables on record") struct RecordedTablesTests {
    @Test(
        "versions of a large table take four kilobytes each on record, at most", .disabled(if: Scale.isSanitized))
    func memory() async {
        await #expect(processExitsWith: .success) {
            let edits = Scale.gate.scaled(10_000), rows = Scale.gate.scaled(100_000)
            let node = MutableNode(Table((0..<rows).map { ($0, $0) })).named("rows")
            let recorder = GraphRecorder()
            // The thread's buffer is there from now on.
            node.update { $0[0] = 1 }
            let before = heap_bytes_in_use()
            for edit in 1...edits { node.update { $0[edit * 7_919 % rows] = -edit } }
            let bytes = (heap_bytes_in_use() - before) / edits
            precondition(bytes < 4_000, "\(bytes) bytes each")
            let versions = recorder.events().count { $0.kind == .set }
            precondition(versions >= edits, "\(versions) versions are on record")
        }
    }

    @Test("past graphs and pages tell a table's number of rows and its first three, and answers the rows that changed")
    func told() async {
        await #expect(processExitsWith: .success) {
            let node = MutableNode(Table((1...1_000).map { ($0, "row \($0)") })).named("rows")
            let recorder = GraphRecorder(sites: false)
            let moment = recorder.mark("before")
            node.update { $0[2] = "other" }
            let before = #"1000 rows: [1: row 1, 2: row 2, 3: row 3, …]"#
            let after = #"1000 rows: [1: row 1, 2: other, 3: row 3, …]"#
            precondition(recorder.graph(of: node, at: moment).nodes.map(\.value) == [before])
            precondition(node.graph.nodes.map(\.value) == [after])
            let why = recorder.why(node).description
            precondition(why.contains("'rows' was set to 1000 rows: [2: other, …] (was 1000 rows: [2: row 2, …])"), why)
            let page = recorder.page(of: node)
            precondition(page.contains("1000 rows") && !page.contains("row 4"))
        }
    }

    @Test("a table that differs in a row that its text does not show is no redundant update, and an equal one is")
    func redundant() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder(sites: false)
            let rows = MutableNode(Table((1...10).map { ($0, $0) })).named("rows")
            let mark = recorder.mark("before")
            rows.update { $0[9] = 0 }
            precondition(recorder.redundantUpdates(since: mark).isEmpty)
            rows.value = Table((1...10).map { ($0, $0 == 9 ? 0 : $0) })
            precondition(recorder.redundantUpdates(since: mark).count == 1)
        }
    }

    @Test("records tell the first rows of a sorted table in its order, and the first results of eachRow")
    func toldInOrder() async {
        await #expect(processExitsWith: .success) {
            let node = MutableNode(Table((1...1_000).map { ($0, -$0) })).named("rows")
            let sorted = node.sorted { $0 }.named("sorted"), results = sorted.eachRow { key, _ in key }.named("results")
            let recorder = GraphRecorder(sites: false)
            node.update { $0[5] = -5_000 }
            let why = recorder.why(sorted).description
            precondition(why.contains("1000 rows: [5: -5000, …] (was 1000 rows: [5: -5, …])"), why)
            let shown = sorted.graph.nodes.compactMap(\.value).joined()
            precondition(shown.contains("1000 rows: [5: -5000, 1000: -1000, 999: -999, …]"))
            let whyResults = recorder.why(results).description
            precondition(whyResults.contains("1000 rows: [5: 5, 1000: 1000, 999: 999, …]"), whyResults)
        }
    }
}
#endif
