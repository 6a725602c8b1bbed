import ReactCore

/// The cost of an edge, or of a node's equal values: calls and time.
///
///     let recorder = GraphRecorder()
///     let price = MutableNode(20).named("price"), double = price.map { $0 * 2 }
///     price.value = 30
///     price.value = 30
///     print(recorder.redundantUpdates().map(\.label).joined(separator: ", "))   // 'price', Map('price')
///     print(recorder.costliest()[0].calls)          // 3
///
/// A line has the label, the calls and their time, the calls downstream, and the time of all together, such as
/// `Map('price')  3 calls  7 µs  0 downstream  7 µs in all`.
public struct GraphCost: Sendable, CustomStringConvertible {
    /// The label of the edge or the node, as in events.
    public let label: String
    /// The edge; `nil` for the cost of a node.
    public let edge: GraphEvent.Edge?
    /// The node; `nil` for the cost of an edge.
    public let node: GraphEvent.Node?
    /// The number of calls of the edge, or of equal values of the node. An edge that holds values until later is called
    /// for each value that it takes, and for each that it sends.
    public let calls: Int
    /// The number of calls of edges downstream that these calls caused, directly or not.
    public let callsDownstream: Int
    /// The time of the calls themselves, estimated from those that were timed.
    public let time: Duration
    /// The time of the calls with all calls downstream.
    public let timeWithDownstream: Duration

    /// One line of a table: the lines of one answer are aligned. Safe from any thread.
    public private(set) var description = ""

    /// Gives all lines of a table the same columns.
    fileprivate static func aligned(_ costs: [GraphCost]) -> [GraphCost] {
        let rows = costs.map { cost in
            [
                cost.label, "\(cost.calls.grouped) \(cost.calls == 1 ? "call" : "calls")", cost.time.inHumanUnits,
                "\(cost.callsDownstream.grouped) downstream", "\(cost.timeWithDownstream.inHumanUnits) in all",
            ]
        }
        let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return zip(costs, rows).map { cost, row in
            var cost = cost
            cost.description = zip(row, widths).enumerated().map { place, column in
                let gap = String(repeating: " ", count: column.1 - column.0.count)
                return place == 0 ? column.0 + gap : gap + column.0
            }.joined(separator: "  ")
            return cost
        }
    }
}

extension GraphCost: CustomDebugStringConvertible {
    /// The line on a line of its own, so that an array of them prints as a table. Safe from any thread.
    public var debugDescription: String { "\n\(description)" }
}

extension Int {
    /// The number with groups of three digits: `12,345`.
    var grouped: String {
        let digits = String(magnitude).reversed().enumerated().map { $0 > 0 && $0 % 3 == 0 ? "\($1)," : "\($1)" }
        return (self < 0 ? "-" : "") + digits.reversed().joined()
    }
}
extension Duration {
    /// The duration such as `7 µs`, `12 ms`, `3.4 s`: in the unit in which the number is at least 1, with one decimal
    /// below 10.
    var inHumanUnits: String {
        let nanoseconds = Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
        for (unit, size) in [("s", 1e9), ("ms", 1e6), ("µs", 1e3)] where nanoseconds >= size * 0.9995 {
            let tenths = Int((nanoseconds / size * 10).rounded())
            return tenths < 100 && tenths % 10 != 0
                ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(((tenths + 5) / 10).grouped) \(unit)"
        }
        return "\(Int(nanoseconds.rounded())) ns"
    }
}

/// Counts the calls of edges, and estimates their time.
struct Profile {
    private typealias Sum = (calls: Int, downstream: Int, time: Double, total: Double)
    private let recording: Recording
    private let first: Int

    /// The mean time of a call of each edge in nanoseconds, from the calls that were timed.
    private var means: [Int: Double] = [:]
    /// The calls and the time of each event, with all events that it led to.
    private var below: [(calls: Int, time: Double)] = []

    init(_ recording: Recording, since moment: GraphMoment?) {
        self.recording = recording
        let log = recording.log, events = log.events
        first = moment.map(log.position(after:)) ?? 0
        let timings = log.timings.filter { timing in moment.map { timing.moment > $0 } ?? true }
        means = Dictionary(grouping: timings, by: \.edge).mapValues { timings in
            timings.reduce(0) { $0 + Double($1.duration) } / Double(timings.count)
        }
        // Visits the last event first, because effects come after their causes.
        below = Array(repeating: (0, 0), count: events.count)
        for index in events.indices.reversed() where index >= first {
            if let edge = called(events[index]) {
                below[index].calls += 1
                below[index].time += means[edge] ?? 0
            }
            if let cause = events[index].causes.first, cause >= first {
                below[cause].calls += below[index].calls
                below[cause].time += below[index].time
            }
        }
    }
    /// Returns the edge that was called; `nil` if the event is no call of an edge.
    private func called(_ event: EventLog.Event) -> Int? {
        switch event.kind {
        case .stored, .emptied, .heard, .stopped, .arrived: event.edge
        // The call of a listener's edge is counted as `heard`.
        case .scheduled: recording.names.isListening(event.edge) ? nil : event.edge
        default: nil
        }
    }

    func costliest(_ count: Int) -> [GraphCost] {
        let costs = sums { called(recording.log.events[$0]) }.sorted {
            ($0.value.total, $0.value.calls, $1.key) > ($1.value.total, $1.value.calls, $0.key)
        }
        return GraphCost.aligned(
            costs.prefix(max(count, 0)).map { cost($1, edge: recording.names.reference(toEdge: $0)) })
    }
    func redundantUpdates(_ count: Int) -> [GraphCost] {
        let costs = sums { recording.isRedundant($0) ? recording.log.events[$0].node : nil }.sorted {
            ($0.value.downstream, $0.value.calls, $1.key) > ($1.value.downstream, $1.value.calls, $0.key)
        }
        return GraphCost.aligned(costs.prefix(max(count, 0)).map { cost($1, node: recording.names.reference(to: $0)) })
    }
    /// Adds up the events for which `key` returns a place, by that place.
    private func sums(by key: (Int) -> Int?) -> [Int: Sum] {
        var sums: [Int: Sum] = [:]
        for index in recording.log.events.indices[first...] {
            guard let key = key(index) else { continue }
            let edge = called(recording.log.events[index])
            let sum = sums[key] ?? (0, 0, 0, 0)
            sums[key] = (
                sum.calls + 1, sum.downstream + below[index].calls - (edge == nil ? 0 : 1),
                sum.time + (edge.flatMap { means[$0] } ?? 0), sum.total + below[index].time
            )
        }
        return sums
    }
    private func cost(_ sum: Sum, edge: GraphEvent.Edge? = nil, node: GraphEvent.Node? = nil) -> GraphCost {
        GraphCost(
            label: edge?.label ?? node?.label ?? "", edge: edge, node: node, calls: sum.calls,
            callsDownstream: sum.downstream, time: .nanoseconds(Int64(sum.time)),
            timeWithDownstream: .nanoseconds(Int64(sum.total)))
    }
}
