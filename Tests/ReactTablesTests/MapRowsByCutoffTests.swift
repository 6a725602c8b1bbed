import ReactCore
import ReactTables
import TestSupport
import Testing

@Suite("mapRows with a cutoff") struct MapRowsByCutoffTests {
    let lifetime = Lifetime()

    @Test("a result of a row that the cutoff calls equal stays as it is, and small changes add up")
    func cutoff() {
        let source = MutableNode<Table<String, Int>>(["a": 0, "b": 100])
        let shown = source.mapRows(areEqual: { abs($0 - $1) < 10 }) { $0 }
        let heard = shown.heard(by: lifetime)
        for value in [4, 8, 12] { source.update { $0["a"] = value } }
        source.update {
            $0["b"] = nil
            $0["c"] = 5
        }
        source.update { $0["b"] = 101 }
        #expect(
            heard.events == [
                ["a": 0, "b": 100], ["a": 12, "b": 100], ["a": 12, "c": 5], ["a": 12, "b": 101, "c": 5],
            ])
    }

    @Test("the closure is called once for each changed row, and an empty table is passed on first")
    func calls() {
        let source = MutableNode<Table<Int, Int>>([:]), calls = Locked(0)
        let shown = source.mapRows(areEqual: { $0 == $1 }) { row in
            calls.increment()
            return row
        }
        #expect(shown.value == [:])
        source.value = Table((0..<1_000).map { ($0, $0) })
        #expect(calls.value == 1_000)
        source.update { $0[7] = 8 }
        #expect(calls.value == 1_001 && shown.current[7] == 8)
    }
}
