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

        func phase(of value: Int, after last: Int?) -> TaskPhase<Int> {
            switch self {
            case .finishes: .finished(value * 10)
            case .fails: .failed(HandWork.Failure(), last: last)
            case .isCancelled: .failed(CancellationError(), last: last)
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

    @Test("the newest work's result is the one that is seen, in any order and any way in which five pieces of work end")
    func everyOrder() {
        #expect(Self.orders.count == 945)
        #expect(Self.ways.count == 243)
        // All of them, where there is time.
        let perOrder = Scale.isSmall ? 1 : Self.ways.count
        for (index, order) in Self.orders.enumerated() {
            for offset in 0..<perOrder {
                let ways = Self.ways[(index + offset) % Self.ways.count]
                let (expected, seen) = (Self.expected(order, ways), Self.seen(order, ways))
                guard seen == expected else {
                    Issue.record("\(order), \(ways): saw \(seen), and not \(expected)")
                    return
                }
            }
        }
    }

    /// Each step takes a second: a value is set when that begins, and work ends in the middle of it.
    private static func seen(_ order: [Step], _ ways: [Way]) -> [String] {
        let scheduler = VirtualScheduler(), source = MutableNode<Int>(), lifetime = Lifetime()
        let log = Log<String>(), cancelled = Log<Int>()
        let phases = source.mapLatest(executorPreference: scheduler) { value in
            let steps = order.firstIndex(of: .end(value))! - order.firstIndex(of: .begin(value))!
            let duration = Duration.seconds(steps) + .milliseconds(500)
            return try await withTaskCancellationHandler {
                switch ways[value - 1] {
                case .finishes:
                    await sleep(for: duration, scheduler)
                    return value * 10
                case .fails:
                    await sleep(for: duration, scheduler)
                    throw HandWork.Failure()
                case .isCancelled:
                    try await scheduler.clock.sleep(for: duration)
                    throw CancellationError()
                }
            } onCancel: {
                cancelled.add(value)
            }
        }
        phases.listened(by: lifetime).with { log.add("\(scheduler.now): \($0.text)") }
        for step in order {
            if case .begin(let value) = step { source.value = value }
            scheduler.advance(by: .seconds(1))
        }
        return log.entries + ["cancelled \(cancelled.entries)", "\(scheduler.pendingCount) pending"]
    }
    /// Does not heed that its task is cancelled.
    private static func sleep(for duration: Duration, _ scheduler: VirtualScheduler) async {
        await withCheckedContinuation { continuation in
            _ = scheduler.schedule(after: duration) { continuation.resume() }
        }
    }

    private static func expected(_ order: [Step], _ ways: [Way]) -> [String] {
        var expected: [String] = []
        var newest = 0
        var last: Int?
        for (second, step) in order.enumerated() {
            switch step {
            case .begin(let value):
                newest = value
                expected.append("\(second).0 seconds: \(TaskPhase.running(last: last).text)")
            case .end(newest):
                let phase = ways[newest - 1].phase(of: newest, after: last)
                last = phase.output
                expected.append("\(second).5 seconds: \(phase.text)")
            case .end: break
            }
        }
        // Whatever had not ended when a newer value came, and nothing else.
        return expected + ["cancelled \((1...count).filter { wasRunning($0, order) })", "0 pending"]
    }
    /// Whether `value` had not ended when the one after it came.
    private static func wasRunning(_ value: Int, _ order: [Step]) -> Bool {
        guard let next = order.firstIndex(of: .begin(value + 1)) else { return false }
        return next < order.firstIndex(of: .end(value))!
    }
}
