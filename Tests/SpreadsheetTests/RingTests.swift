import TestSupport
import Testing

@testable import spreadsheet

@Suite("Strongly connected components")
struct RingTests {
    /// Cells A1, A2, ... stand for the numbers 1, 2, ...
    private func components(_ references: [Int: [Int]], from roots: [Int]) -> [Set<Int>] {
        func cell(_ number: Int) -> CellAddress { CellAddress(column: 1, row: number) }
        return stronglyConnectedComponents(from: roots.map(cell)) { references[$0.row, default: []].map(cell) }
            .map { Set($0.map(\.row)) }
    }

    @Test("each group comes after those that it refers to")
    func order() {
        #expect(components([1: [2, 3], 2: [3], 3: [4]], from: [1]) == [[4], [3], [2], [1]])
    }

    @Test("rings of one, two and three, joined and apart")
    func rings() {
        #expect(components([1: [1]], from: [1]) == [[1]])
        #expect(components([1: [2], 2: [1]], from: [1]) == [[1, 2]])
        #expect(components([1: [2], 2: [3], 3: [1, 4], 4: [5], 5: [4]], from: [1]) == [[4, 5], [1, 2, 3]])
        #expect(components([1: [2], 2: [3, 1], 3: [2]], from: [3, 1]) == [[1, 2, 3]])
    }

    @Test("vertices that no root leads to are not visited")
    func reach() {
        #expect(components([1: [2], 3: [1]], from: [1, 2]) == [[2], [1]])
    }

    @Test("two cells are in one group exactly when each leads to the other", arguments: 1...100)
    func againstReachability(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = 9
        var references: [Int: [Int]] = [:]
        for cell in 1...count {
            references[cell] = (1...count).filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
        }
        // Warshall's closure, an independent way to the same answer.
        var leads = Array(repeating: Array(repeating: false, count: count + 1), count: count + 1)
        for (cell, others) in references { for other in others { leads[cell][other] = true } }
        for middle in 1...count {
            for from in 1...count where leads[from][middle] {
                for to in 1...count where leads[middle][to] { leads[from][to] = true }
            }
        }
        let groups = components(references, from: Array(1...count))
        #expect(groups.flatMap { $0 }.sorted() == Array(1...count), "seed \(seed)")
        for (index, group) in groups.enumerated() {
            for cell in group {
                for other in 1...count {
                    let together = cell == other || (leads[cell][other] && leads[other][cell])
                    #expect(group.contains(other) == together, "seed \(seed), \(cell) and \(other)")
                    if leads[cell][other] { #expect(groups[...index].joined().contains(other), "seed \(seed)") }
                }
            }
        }
    }

    @Test("a long chain of cells needs no more stack than one of ten")
    func depth() throws {
        let count = Scale.gate.scaled(200_000)
        let groups = try runOnSmallStack(bytes: 128 << 10) {
            stronglyConnectedComponents(from: [CellAddress(column: 1, row: 1)]) { cell in
                cell.row < count ? [CellAddress(column: 1, row: cell.row + 1)] : []
            }.map { $0.map(\.row) }
        }
        #expect(groups.count == count)
        #expect(groups.first?.first == count)
    }
}
