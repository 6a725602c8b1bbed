import ReactCore
import ReactScheduling
import TestSupport
import Testing

/// Five values whose work ends in every order, in every way.
@Suite("MapLatest, in every order")
struct MapLatestOrdersTests {
    private enum Step: Hashable {
        case begin(Int)
        case end(Int)
    }
    private enum Way: CaseIterable {
        case finishes, fails, isCancelled

        func result(of value: Int) -> Result<Int, any Error> {
            switch self {
            case .finishes: .success(value * 10)
            case .fails: .failure(HandWork.Failure())
            case .isCancelled: .failure(CancellationError())
            }
        }
        func phase(of value: Int, after last: Int?) -> TaskPhase<Int> {
            switch result(of: value) {
            case .success(let output): .finished(output)
            case .failure(let error): .failed(error, last: last)
            }
        }
    }
    private static let count = 5

    /// Every order in which work that begins in order may end.
    private static let orders: [[Step]] = {
        func orders(begun: Int, running: [Int]) -> [[Step]] {
            var all: [[Step]] = []
            if begun < count {
                all += orders(begun: begun + 1, running: running + [begun + 1]).map { [.begin(begun + 1)] + $0 }
            }
            for value in running {
                all += orders(begun: begun, running: running.filter { $0 != value }).map { [.end(value)] + $0 }
            }
            return all.isEmpty ? [[]] : all
        }
        return orders(begun: 0, running: [])
    }()
    private static let ways = sequences(of: Way.allCases, count: count)

    @Test("in whatever order five pieces of work end, and however, what is seen is what the newest brought")
    func everyOrder() async {
        #expect(Self.orders.count == 945)
        // All of them, where there is time.
        let perOrder = Scale.heavy(Self.ways.count) == Self.ways.count ? Self.ways.count : 3
        for (index, order) in Self.orders.enumerated() {
            for offset in 0..<perOrder {
                let ways = Self.ways[(index + offset) % Self.ways.count]
                let (expected, seen) = await Self.run(order, ways)
                guard seen == expected else {
                    Issue.record("\(order), \(ways): saw \(seen), and not \(expected)")
                    return
                }
            }
        }
    }

    private static func run(_ order: [Step], _ ways: [Way]) async -> (expected: [String], seen: [String]) {
        let work = HandWork(), source = MutableNode<Int>()
        let ended = Locked(0)
        let node = source.mapLatest { value in
            defer { ended.increment() }
            return try await work.run(value)
        }
        var phases = node.values(buffering: .all).makeAsyncIterator()
        var expected: [String] = [], seen: [String] = []
        var newest = 0
        var last: Int?
        for step in order {
            switch step {
            case .begin(let value):
                source.value = value
                newest = value
                expected.append(TaskPhase.running(last: last).text)
                seen.append(await phases.next()!.text)
            case .end(let value):
                let way = ways[value - 1]
                work.end(value, with: way.result(of: value))
                guard value == newest else { continue }
                let phase = way.phase(of: value, after: last)
                last = phase.output
                expected.append(phase.text)
                seen.append(await phases.next()!.text)
            }
        }
        // Whatever else was seen would come before this.
        while ended.value < count { await Task.yield() }
        source.value = count + 1
        expected.append(TaskPhase.running(last: last).text)
        seen.append(await phases.next()!.text)
        work.end(count + 1, with: .success(0))
        // Whatever had not ended when a newer value came, and nothing else.
        expected.append("cancelled \((1...count).filter { wasRunning($0, order) })")
        seen.append("cancelled \(work.cancelledOnes.sorted())")
        return (expected, seen)
    }
    /// Whether `value` had not ended when the one after it came.
    private static func wasRunning(_ value: Int, _ order: [Step]) -> Bool {
        guard let next = order.firstIndex(of: .begin(value + 1)) else { return false }
        return next < order.firstIndex(of: .end(value))!
    }
}
