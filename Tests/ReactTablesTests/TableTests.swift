import ReactTables
import Testing

@Suite("Tables")
struct TableTests {
    @Test("a row is found by its key until it is removed")
    func finding() {
        var table: Table = [3: "c", 1: "a", 2: "b"]
        #expect(Array(table.rows) == ["a", "b", "c"])
        table[2] = nil
        #expect(table[2] == nil)
        #expect(table.rank(of: 3) == 1)
        #expect(table[rank: 1].row == "c")
    }
}
