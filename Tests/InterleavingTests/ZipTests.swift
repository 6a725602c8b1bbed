import ReactCore
import ReactOperators
import ScheduleExplorer
import Testing

extension Interleavings {
    /// A row takes each waiting value once, in order, whoever completes it.
    @Suite("Rows", .serialized) struct ZipTests {
        @Test("rows of a zip that two threads complete hold each value once, in order")
        func zipRows() throws {
            struct Model: Hashable, Sendable {
                var waiting: [[Int]] = [[], []]
                var rows: [[Int]] = []

                mutating func add(_ value: Int, _ side: Int) {
                    waiting[side].append(value)
                    if !waiting[0].isEmpty, !waiting[1].isEmpty {
                        rows.append([waiting[0].removeFirst(), waiting[1].removeFirst()])
                    }
                }
            }
            try explore("rows completed from two sides", Model()) { scene in
                let inputs = (0...1).map { scene.node("input \($0)", of: Int.self) }
                let rows = scene.named("rows", Node.zip(inputs))
                let ear = Ear(rows)
                for side in 0...1 {
                    scene.thread("sets \(side)") {
                        inputs[side].value = 1
                    } model: {
                        $0.add(1, side)
                    }
                    .then {
                        inputs[side].value = 2
                    } model: {
                        $0.add(2, side)
                    }
                }
                scene.sees {
                    ear.events
                } model: {
                    $0.rows
                }
            }
        }
        @Test("a side of a zip is cut while two threads complete rows")
        func zipIsCut() throws {
            struct Model: Hashable, Sendable {
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
            try explore("rows completed from two sides, and one cut", Model()) { scene in
                let inputs = (0...1).map { scene.node("input \($0)", of: Int.self) }
                let rows = scene.named("rows", Node.zip(inputs))
                let ear = Ear(rows)
                let edge = rows.upstreamTransforms[1]
                for side in 0...1 {
                    scene.thread("sets \(side)") {
                        inputs[side].value = 1
                    } model: {
                        $0.add(1, side)
                    }
                    .then {
                        inputs[side].value = 2
                    } model: {
                        $0.add(2, side)
                    }
                }
                scene.thread("cuts") {
                    edge.cancel()
                } model: {
                    $0.isCut = true
                    $0.waiting[1] = []
                }
                scene.sees {
                    ear.events
                } model: {
                    $0.rows
                }
            }
        }
    }
}
