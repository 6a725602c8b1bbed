import ReactCore
import ReactOperators
import ReactTables
import TestSupport
import Testing

/// Rows, keys and closures that an operator would rather not meet.
@Suite("Hostile rows, keys and closures")
struct HostileTests {
    private let lifetime = Lifetime()

    @Test("the sum of no rows is zero after any rounding errors") func sumOfNothing() {
        let rows = MutableNode<Table<Int, Double>>([1: 1e17]), sum = rows.sum { $0 }
        rows.update { $0[2] = 0.1 }
        rows.update { $0[3] = 0.2 }
        rows.update { $0[2] = nil }
        rows.update { $0[3] = nil }
        rows.update { $0[1] = nil }
        #expect(sum.value == 0)
    }
    @Test("numbers that went are subtracted before new ones are added, so a sum that fits does not overflow")
    func sumThatFits() {
        let stock = MutableNode<Table<Int, UInt8>>([1: 0, 2: 200]), total = stock.sum { $0 }
        stock.value = [1: 200, 2: 0, 3: 55]
        #expect(total.value == 255)
    }
    #if os(macOS) || os(Linux)
    @Test(
        "a sum of integers that overflows ends the process with the two numbers, and the line that made it",
        .enabled(if: Scale.runsTraps))
    func sumThatOverflows() async {
        let line = #line + 1
        let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stock = MutableNode<Table<Int, UInt8>>([1: 200]), total = stock.sum { $0 }
            stock.update { $0[2] = 56 }
            print(total)
        }
        let message = misuse(in: added?.standardErrorContent)
        #expect(message.hasPrefix("sum(of:): 200 + 56 is no UInt8, the sum overflows;"))
        #expect(placeOfMisuse(in: added?.standardErrorContent) == "ReactTablesTests/HostileTests.swift:\(line)")
        let runningLine = #line + 1
        let running = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let days = MutableNode<Table<Int, Int>>([1: .max, 2: 1])
            print(days.sorted(by: \.self).runningSum { _ in Int.max })
        }
        let runningMessage = misuse(in: running?.standardErrorContent)
        #expect(runningMessage.hasPrefix("runningSum(of:): \(Int.max) + \(Int.max) is no Int"))
        let runningPlace = placeOfMisuse(in: running?.standardErrorContent)
        #expect(runningPlace == "ReactTablesTests/HostileTests.swift:\(runningLine)")
    }
    #endif
    @Test("the rows of a redacted table are redacted in the nodes of eachRow, too") func secretRows() {
        let table = MutableNode<Table<Int, String>>([1: "secret"]).redacted()
        let made = table.eachRow { _, row in row }
        table.update { $0[2] = "secret" }
        #expect(
            made.value?.map(\.output.description)
                == Array(repeating: "Node(named: undefined, value: redacted)", count: 2))
    }

    @Test("rows that do not equal themselves are kept, and go when they are removed")
    func unequalRows() {
        let source = MutableNode<Table<Int, Double>>([1: .nan, 2: 1, 3: 2])
        let doubled = source.mapRows { $0 * 2 }, large = source.filterRows { !($0 < 2) }
        let sum = source.sum { $0 }, least = source.min { $0 }, greatest = source.max { $0 }
        let sorted = source.sorted { $0 }
        #expect(sum.value?.isNaN == true)
        #expect(least.value == .some(1))
        #expect(greatest.value == .some(2))
        #expect(sorted.value?.map(\.key) == [2, 3, 1])
        source.update { $0[2] = .nan }
        #expect(large.value?.count == 3)
        #expect(least.value == .some(2))
        source.update {
            $0[1] = nil
            $0[2] = 5
        }
        #expect(doubled.value == [2: 10, 3: 4])
        #expect(sum.value == 7)
        #expect(greatest.value == .some(5))
        #expect(sorted.value?.map(\.key) == [3, 2])
        source.value = [1: .nan]
        #expect(least.value??.isNaN == true)
        source.value = Table()
        #expect(least.value == .some(nil))
        #expect(sorted.value?.isEmpty == true)
        #expect(sum.value == 0)
    }

    @Test("a sum of Double is right again when an infinite row has gone, and keeps small rows beside large ones")
    func hostileSums() {
        let source = MutableNode<Table<Int, Double>>([1: 0.1, 2: 0.2, 3: 0.3])
        let sum = source.sum { $0 }
        source.update { $0[4] = .infinity }
        #expect(sum.value == .infinity)
        source.update { $0[5] = -.infinity }
        #expect(sum.value?.isNaN == true)
        source.update {
            $0[4] = nil
            $0[5] = nil
        }
        #expect(abs(sum.value! - 0.6) < 1e-15)
        for _ in 0..<100 {
            source.update { $0[6] = 1e16 }
            source.update { $0[6] = -1e300 }
        }
        source.update { $0[6] = nil }
        #expect(abs(sum.value! - 0.6) < 1e-15)
        source.update { for key in 1...3 { $0[key] = .greatestFiniteMagnitude } }
        #expect(sum.value == .infinity)
        source.value = [1: 3]
        #expect(sum.value == 3)
    }

    @Test("a sum of unsigned integers goes down as well as up")
    func unsignedSums() {
        let source = MutableNode<Table<Int, UInt8>>([1: 200, 2: 50])
        let sum = source.sum { $0 }
        source.update {
            $0[1] = 10
            $0[2] = 245
        }
        #expect(sum.value == 255)
        source.value = Table()
        #expect(sum.value == 0)
    }

    @Test("a closure that sets the source has that delivered after the value under way")
    func settingFromClosures() {
        let source = MutableNode<Table<Int, Int>>([1: 1])
        let isDone = Locked(false)
        let mapped = source.mapRows { row in
            let isFirst = isDone.withLock { done in
                defer { done = true }
                return !done
            }
            if isFirst { source.update { $0[2] = 2 } }
            return row * 10
        }
        let heard = mapped.heard(by: lifetime)
        source.update { $0[1] = 5 }
        #expect(heard.events.last == [1: 50, 2: 20])
        #expect(source.value == [1: 5, 2: 2])
    }

    @Test("a closure that re-points its own edge leaves nothing of the old table behind")
    func repointingFromClosures() throws {
        let old = MutableNode<Table<Int, Int>>([1: 1]), new = MutableNode<Table<Int, Int>>([7: 7, 8: 8])
        let edge = Locked<Transform<Table<Int, Int>, Table<Int, Int>>?>(nil)
        let mapped = old.mapRows { row in
            if row == 2 { edge.value?.from = new }
            return row * 10
        }
        edge.value = try #require(mapped.upstreamTransforms.first as? Transform<Table<Int, Int>, Table<Int, Int>>)
        old.update {
            $0[1] = 2
            $0[2] = 3
        }
        #expect(mapped.value == [7: 70, 8: 80])
        new.update { $0[7] = nil }
        #expect(mapped.value == [8: 80])
        edge.value = nil
    }

    @Test("a listener of a row that sets the source is heard afterwards, by rows and results")
    func settingFromRows() {
        let source = MutableNode<Table<Int, Int>>([1: 1]), lifetime = lifetime
        let results = source.eachRow { key, row in
            row.listened(by: lifetime).with { value in
                if value < 4 { source.update { $0[key] = value + 1 } }
            }
            return row
        }
        #expect(results.value?[1]?.value == 4)
        source.update { $0[2] = 2 }
        #expect(results.value?.map { $0.output.value } == [4, 4])
        #expect(source.value == [1: 4, 2: 4])
    }

    @Test("a result of eachRow goes with its key, and all go with the node")
    func lifetimesOfRows() throws {
        try withLifetimeTracking { tracker in
            let source = MutableNode<Table<Int, Int>>([1: 1, 2: 2])
            let results = source.eachRow { key, _ in tracker.track("row \(key)") }
            #expect(tracker.live == ["row 1", "row 2"])
            source.update { $0[1] = nil }
            #expect(tracker.live == ["row 2"])
            source.update { $0[1] = 7 }
            #expect(results.value?.map(\.output.label) == ["row 1", "row 2"])
            source.value = Table()
            #expect(tracker.live == [])
            source.update { $0[3] = 3 }
        }
    }

    @Test("an operator's memory is released when its edge is cut")
    func release() throws {
        try withLifetimeTracking { tracker in
            let source = MutableNode<Table<Int, Tracked>>([1: tracker.track("row")])
            let grouped = source.grouped { $0.label }
            source.removeDownstreamNodes()
            source.value = Table()
            #expect(tracker.live == ["row"])
            #expect(grouped.value?.count == 1)
            let other = MutableNode<Table<Int, Tracked>>(Table())
            let mapped = other.mapRows { $0.label }
            other.update { $0[1] = tracker.track("mapped") }
            other.removeDownstreamNodes()
            other.value = Table()
            #expect(tracker.live == ["row"])
            #expect(mapped.value == [1: "mapped"])
        }
    }

    @Test("orders and customers of one source are joined without glitches, and so is a table with itself")
    func glitches() {
        struct State: Sendable { var orders: Table<Int, Int>, customers: Table<Int, String> }
        let state = MutableNode(State(orders: [1: 1], customers: [1: "a"]))
        let orders = state.map(\.orders), customers = state.map(\.customers)
        let joined = orders.leftJoined(with: customers, on: { $0 }) { $1 ?? "nobody" }
        let twice = orders.filterRows { $0 > 1 }.leftJoined(with: orders.mapRows { $0 * 2 }, on: { $0 }) {
            [$0, $1 ?? 0]
        }
        let heard = joined.heard(by: lifetime), selves = twice.heard(by: lifetime)
        for number in 2...5 {
            state.update {
                $0.orders = [1: number, number: number]
                $0.customers = [number: "customer \(number)"]
            }
        }
        #expect(heard.events.allSatisfy { !$0.rows.contains("nobody") })
        #expect(heard.count == 5)
        #expect(selves.events.dropFirst().allSatisfy { $0.rows.allSatisfy { $0[1] == $0[0] * 2 } })
    }

    @Test("nodes that are set in one batch are one table, and a node that is emptied has no row")
    func rowsOfNodes() {
        let nodes = [MutableNode(1), MutableNode(), MutableNode(3)]
        let table = Node.rows(of: nodes.enumerated().map { ($0.offset, $0.element) })
        let heard = table.heard(by: lifetime)
        batch { for node in nodes { node.value = 7 } }
        nodes[1].value = 7
        nodes[0].clean()
        nodes[0].value = 2
        #expect(heard.events == [[0: 1, 2: 3], [0: 7, 1: 7, 2: 7], [1: 7, 2: 7], [0: 2, 1: 7, 2: 7]])
        #expect(Node<Int>.rows(of: [(Int, Node<Int>)]()).value == [:])
    }

    @Test("a pulse is taken in, and an emptied upstream leaves the result as it was")
    func pulses() {
        let source = MutableNode<Table<Int, Int>>()
        let sum = source.sum { $0 }, heard = sum.heard(by: lifetime)
        source.pulse([1: 1, 2: 2])
        #expect(source.isEmpty)
        source.pulse([1: 1, 2: 3])
        source.value = [1: 1, 2: 3]
        source.clean()
        source.value = [2: 4]
        #expect(heard.events == [3, 4])
    }

    @Test("contexts reach the rows of eachRow and the result of a join")
    func contexts() {
        let source = MutableNode<Table<Int, Int>>([1: 1]), other = MutableNode<Table<Int, Int>>([1: 1, 2: 2])
        let rows = source.eachRow { $1 }, joined = source.joined(with: other, on: { $0 }) { $0 + $1 }
        let heard = Recorder<String>()
        rows.value![1]!.listened(by: lifetime).withContext { heard.record("row \($0) \($1 ?? "-")") }
        joined.listened(by: lifetime).withContext { heard.record("joined \($0[1]!) \($1 ?? "-")") }
        source.setValue([1: 2], context: "typed")
        other.setValue([2: 9], context: "loaded")
        #expect(
            heard.events == ["row 1 -", "joined 2 -", "row 2 typed", "joined 4 typed", "joined 11 loaded"])
    }

    @Test("edges have the names of their operators")
    func names() {
        let source = MutableNode<Table<Int, Int>>(Table())
        let others = MutableNode<Table<Int, Int>>(Table())
        let results: [(AnyNode, String)] = [
            (source.filterRows { _ in true }, "FilterRows"),
            (source.filterRows(by: Node<@Sendable (Int) -> Bool> { _ in true }), "FilterRows"),
            (source.mapRows { $0 }, "MapRows"), (source.compactMapRows { $0 }, "CompactMapRows"),
            (source.fold(0, adding: { $0 += $1 }, removing: { $0 -= $1 }), "Fold"), (source.sum { $0 }, "Sum"),
            (source.min { $0 }, "Min"), (source.max { $0 }, "Max"), (source.grouped { $0 }, "Group"),
            (source.fold(by: { $0 }, 0, adding: { $0 += $1 }, removing: { $0 -= $1 }), "Fold"),
            (source.joined(with: others, on: { $0 }) { $0 + $1 }, "Join"),
            (source.leftJoined(with: others, on: { $0 }) { $0 + ($1 ?? 0) }, "Join"),
            (source.sorted { $0 }, "Sort"), (source.window(rows: Node(0..<1)), "Window"),
            (source.sorted(using: Node(RowOrder { $0 })), "SortBy"),
            (source.grouped(by: { $0 }, sortedBy: RowOrder { $0 }), "GroupSorted"),
            (source.sorted { $0 }.window(ranks: Node(0..<1)), "Window"), (source.count { $0 > 0 }, "Count"),
            (source.merged(with: others) { _, row, _ in row }, "Merge rows"),
            (source.flatMapRows { _, row in [row: row] as Table }, "Flat map rows"),
            (source.rekeyed { $0 + $1 }, "Rekey"), (source.restricted(to: Node(0..<1)), "Restrict"),
            (source.eachRow { $1 }.flattenRows(), "Flatten rows"),
            (source.sorted { $0 }.eachRow { key, _ in key }, "EachRow"),
            (source.eachRow { key, _ in key }, "EachRow"), (source.row(1), "Row"),
            (MutableNode([1]).rows { $0 }, "Rows"), (Node.rows(of: [(1, Node(1))]), "Rows"),
        ]
        for (node, name) in results { #expect(node.upstreamTransforms.map(\.name) == [name]) }
    }
}
