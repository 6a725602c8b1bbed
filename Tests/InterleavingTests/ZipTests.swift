import ReactCore
import ReactOperators
import ScheduleExplorer
import Testing

extension Interleavings {
    /// A row takes each waiting value once, in order, whoever completes it.
    @Suite("Rows", .serialized) struct ZipTests {
        private struct Model: Hashable, Sendable {
            var waiting: [[Int]] = [[], []]
            var isCut = false
            var rows: [[Int]] = []

            mutating func add(_ value: Int, _ side: Int) {
                if side == 1, isCut { return }
                waiting[side].append(value)
                if !waiting[0].isEmpty, !waiting[1].isEmpty {
                    rows.append([waiting[0].removeFirst(), waiting[1].removeFirst()])
                }
            }
        }
        /// Two threads set a side each, twice; `others` says what else there is.
        private func exploreRows(
            _ name: String, _ others: @escaping (Scene<Model>, Node<[Int]>) -> Void = { _, _ in }
        ) throws {
            try explore(name, Model()) { scene in
                let inputs = (0...1).map { scene.node("input \($0)", of: Int.self) }
                let rows = scene.named("rows", Node.zip(inputs))
                let ear = Ear(rows)
                for side in 0...1 {
                    scene.thread("sets \(side)", setting: inputs[side], to: 1, 2) { $0.add($1, side) }
                }
                others(scene, rows)
                scene.sees {
                    ear.events
                } model: {
                    $0.rows
                }
            }
        }

        @Test("rows of a zip that two threads complete hold each value once, in order")
        func zipRows() throws { try exploreRows("rows completed from two sides") }

        @Test("a side of a zip is cut while two threads complete rows")
        func zipIsCut() throws {
            try exploreRows("rows completed from two sides, and one cut") { scene, rows in
                let edge = rows.upstreamTransforms[1]
                scene.thread("cuts") {
                    edge.cancel()
                } model: {
                    $0.isCut = true
                    $0.waiting[1] = []
                }
            }
        }
    }
}
