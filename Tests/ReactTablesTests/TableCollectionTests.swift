import Foundation
import ReactCore
import ReactTables
import TestSupport
import Testing

@Suite("Tables as collections") struct TableCollectionTests {
    /// Asks a collection everything that a random access collection answers.
    func expectCollection<C: RandomAccessCollection>(_ collection: C, _ expected: [C.Element])
    where C.Element: Equatable {
        #expect(collection.count == expected.count && collection.isEmpty == expected.isEmpty)
        #expect(Array(collection) == expected)
        #expect(Array(collection.reversed()) == expected.reversed())
        #expect(collection.indices.map { collection[$0] } == expected)
        #expect(collection.first == expected.first && collection.last == expected.last)
        #expect(collection.distance(from: collection.startIndex, to: collection.endIndex) == expected.count)
        #expect(collection.distance(from: collection.endIndex, to: collection.startIndex) == -expected.count)
        var index = collection.endIndex
        for element in expected.reversed() {
            collection.formIndex(before: &index)
            #expect(collection[index] == element)
        }
        #expect(index == collection.startIndex)
        for start in stride(from: 0, through: expected.count, by: Swift.max(1, expected.count / 7)) {
            let from = collection.index(collection.startIndex, offsetBy: start)
            #expect(collection.index(collection.endIndex, offsetBy: start - expected.count) == from)
            #expect(collection.index(from, offsetBy: expected.count - start + 1, limitedBy: collection.endIndex) == nil)
            #expect(collection.index(from, offsetBy: -start - 1, limitedBy: collection.startIndex) == nil)
            #expect(collection.index(from, offsetBy: -start, limitedBy: collection.startIndex) == collection.startIndex)
            #expect(Array(collection[from...]) == Array(expected[start...]))
            #expect(Array(collection[..<from]) == Array(expected[..<start]))
            #expect(Array(collection.dropFirst(start).prefix(30)) == Array(expected.dropFirst(start).prefix(30)))
            #expect(Array(collection.suffix(start)) == expected.suffix(start))
            if start < expected.count { #expect(from < collection.endIndex) }
        }
    }

    @Test(
        "keys and rows are collections of random access",
        arguments: [0, 1, 2, 24, 25, 600] + (Scale.gate.isSmall ? [] : [3_000]))
    func collections(count: Int) {
        let rising = Table((0..<count).map { ($0, "row \($0)") })
        var random = SeededGenerator(seed: 5), inserted = Table<Int, String>()
        for key in (0..<count).shuffled(using: &random) { inserted[key] = "row \(key)" }
        for table in [rising, inserted] {
            expectCollection(table.keys, Array(0..<count))
            expectCollection(table.rows, (0..<count).map { "row \($0)" })
            #expect(table.elementsEqual((0..<count).map { (key: $0, row: "row \($0)") }, by: ==))
            #expect(table.indices.map { table[$0].key } == Array(0..<count))
            #expect(table.count(where: { $0.key % 2 == 0 }) == (count + 1) / 2)
            let middle = table.firstIndex { $0.key == count / 2 }
            #expect(middle.map { table[$0].key } == (count == 0 ? nil : count / 2))
        }
    }
    @Test("an index stays valid while rows change, and no key comes or goes")
    func validIndices() throws {
        var table = Table((0..<100).map { ($0, $0) })
        let index = try #require(table.firstIndex { $0.key == 50 })
        table[50] = -50
        table.update(51) { $0 = -51 }
        #expect(table[index].row == -50 && table[table.index(after: index)].row == -51)
    }

    #if os(macOS) || os(Linux)
    @Test(
        "a rank that is not there, an index past the end, and one of before a change end the process with a remedy",
        .enabled(if: Scale.runsTraps))
    func traps() async throws {
        let rank = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ([1: "a"] as Table)[rank: 1]
        }
        #expect(
            misuse(in: rank?.standardErrorContent) == "a table of 1 row has no rank 1. Ask for one in 0 ..< count.")
        let place = placeOfMisuse(in: rank?.standardErrorContent)
        #expect(place.hasPrefix("ReactTablesTests/TableCollectionTests.swift:"))
        let sortedRank = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode<Table<Int, String>>([1: "a"]).sorted(by: \.self).current[rank: -1]
        }
        let sortedPlace = placeOfMisuse(in: sortedRank?.standardErrorContent)
        #expect(sortedPlace.hasPrefix("ReactTablesTests/TableCollectionTests.swift:"))
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let table: Table = [1: "a"]
            _ = table[table.endIndex]
        }
        #expect(misuse(in: end?.standardErrorContent) == "endIndex of a table has no row. Stop before it.")
        let past = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let table: Table = [1: "a"]
            _ = table.index(after: table.endIndex)
        }
        let pastMessage = misuse(in: past?.standardErrorContent)
        #expect(pastMessage.hasPrefix("there is no index 2 in a table of 1 row."))
        let stale = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var table: Table = [1: "a", 2: "b"]
            let index = table.startIndex
            table[1] = nil
            _ = table[index]
        }
        let staleMessage = misuse(in: stale?.standardErrorContent)
        #expect(staleMessage.hasPrefix("an index of a table was used after a key had come or gone."))
    }
    @Test(
        "an index of results that is out of range, or of before a change, ends the process as with a table",
        .enabled(if: Scale.runsTraps))
    func resultTraps() async {
        let far = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let results = MutableNode<Table<Int, Int>>([1: 2]).eachRow { $1 }.current
            _ = results.index(results.index(after: results.startIndex), offsetBy: .max)
        }
        let farMessage = misuse(in: far?.standardErrorContent)
        #expect(farMessage.hasPrefix("there is no index \(Int.max) in a table of 1 row."))
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let results = MutableNode<Table<Int, Int>>([1: 2]).eachRow { $1 }.current
            _ = results[results.endIndex]
        }
        #expect(misuse(in: end?.standardErrorContent) == "endIndex of a table has no row. Stop before it.")
        let stale = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let source = MutableNode<Table<Int, Int>>([1: 2])
            let results = source.sorted(by: \.self).eachRow { key, _ in key }, index = results.current.startIndex
            source.update { $0[3] = 4 }
            _ = results.current[index]
        }
        let staleMessage = misuse(in: stale?.standardErrorContent)
        #expect(staleMessage.hasPrefix("an index of a table was used after a key had come or gone."))
    }
    #endif

    @Test("a table is written as an array of pairs, and read from one in any order")
    func coding() throws {
        let table: Table = [2: "b", 1: "a"]
        let data = try JSONEncoder().encode(table)
        #expect(String(decoding: data, as: UTF8.self) == #"[[1,"a"],[2,"b"]]"#)
        #expect(try JSONDecoder().decode(Table<Int, String>.self, from: data) == table)
        #expect(try decode(#"[[2,"b"],[1,"a"]]"#) == table)
        #expect(try decode("[]").isEmpty)
    }
    @Test(
        "to read a key twice, a pair of one and a pair of three is an error",
        arguments: [
            #"[[1,"a"],[1,"b"]]"#, "[[1]]", #"[[1,"a",2]]"#, #"{"1":"a"}"#, #"[["a",1]]"#,
        ])
    func badData(_ json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }
    func decode(_ json: String) throws -> Table<Int, String> {
        try JSONDecoder().decode(Table<Int, String>.self, from: Data(json.utf8))
    }

    @Test("a description is the count and the first rows, cut")
    func descriptions() {
        #expect(String(describing: Table<Int, Int>()) == "0 rows: [:]")
        #expect("\(["a": 1] as Table)" == "1 row: [a: 1]")
        #expect("\(Table((1...100_000).map { ($0, "row \($0)") }))" == "100000 rows: [1: row 1, 2: row 2, 3: row 3, …]")
        #expect(String(reflecting: ["a": "b"] as Table) == #"1 row: ["a": "b"]"#)
        #expect(Mirror(reflecting: Table((1...500).map { ($0, $0) })).children.count == 500)
    }
}
