import ReactCore

/// What an edge or a node cost, or set off.
///
///     let recorder = GraphRecorder()
///     let price = MutableNode(20).named("price"), double = price.map { $0 * 2 }
///     price.value = 30
///     price.value = 30
///     print(recorder.wasted().map(\.label).joined(separator: ", "))   // 'price', Map('price')
///     print(recorder.hottest()[0].calls)          // 3
public struct GraphCost: Sendable, CustomStringConvertible {
    /// The edge or the node: as events name them.
    public let label: String
    /// The edge, if it is one's.
    public let edge: GraphEvent.Edge?
    /// The node, if it is one's.
    public let node: GraphEvent.Node?
    /// How often the edge was called, or the node was given an equal value. An edge that holds values until later is called for
    /// each that it takes, and for each that it sends.
    public let calls: Int
    /// How many calls of edges that set off downstream, of the edge's own and the further ones.
    public let callsDownstream: Int
    /// How long that took: the calls themselves. It is reckoned from those that were timed.
    public let time: Duration
    /// The same with all downstream.
    public let timeWithDownstream: Duration

    /// One line of a table.
    public var description: String {
        "\(label): \(calls)×, \(time); \(callsDownstream) calls downstream, \(timeWithDownstream) with them"
    }
}

/// What was called how often and for how long.
struct Costs {
    private struct Sum {
        var calls = 0
        var downstream = 0
        var time = 0.0
        var total = 0.0
    }
    private let chronicle: Chronicle
    private let first: Int

    /// How long a call of each edge takes, in nanoseconds: the mean of those that were timed.
    private var means: [Int: Double] = [:]
    /// The calls and the time of each event with all that it led to.
    private var below: [(calls: Int, time: Double)] = []

    init(_ history: History, since moment: GraphMoment?) {
        chronicle = Chronicle(history)
        let events = history.events
        first = moment.map(history.position(after:)) ?? 0
        var timed: [Int: (count: Int, sum: Double)] = [:]
        for timing in history.timings where moment.map({ timing.moment > $0 }) ?? true {
            let (count, sum) = timed[timing.edge] ?? (0, 0)
            timed[timing.edge] = (count + 1, sum + Double(timing.duration))
        }
        means = timed.mapValues { $0.sum / Double($0.count) }
        // Effects come after their causes: so the last first.
        below = Array(repeating: (0, 0), count: events.count)
        for index in events.indices.reversed() where index >= first {
            if isCall(events[index]) {
                below[index].calls += 1
                below[index].time += means[events[index].edge] ?? 0
            }
            if let cause = events[index].causes.first, cause >= first {
                below[cause].calls += below[index].calls
                below[cause].time += below[index].time
            }
        }
    }
    private func isCall(_ event: History.Event) -> Bool {
        switch event.kind {
        case .stored, .emptied, .heard, .stopped, .arrived: event.edge >= 0
        // A listener's has been heard.
        case .scheduled: event.edge >= 0 && !chronicle.names.isListening(event.edge)
        default: false
        }
    }

    func hottest(_ count: Int) -> [GraphCost] {
        let events = chronicle.history.events
        var sums: [Int: Sum] = [:]
        for index in events.indices[first...] where isCall(events[index]) {
            var sum = sums[events[index].edge] ?? Sum()
            sum.calls += 1
            sum.downstream += below[index].calls - 1
            sum.time += means[events[index].edge] ?? 0
            sum.total += below[index].time
            sums[events[index].edge] = sum
        }
        return sums.sorted { ($0.value.total, $0.value.calls, $1.key) > ($1.value.total, $1.value.calls, $0.key) }
            .prefix(max(count, 0)).map { edge, sum in
                cost(sum, chronicle.names.label(ofEdge: edge), edge: chronicle.names.reference(toEdge: edge))
            }
    }
    func wasted(_ count: Int) -> [GraphCost] {
        let events = chronicle.history.events
        var sums: [Int: Sum] = [:]
        for index in events.indices[first...] where chronicle.isWasted(index) {
            var sum = sums[events[index].node] ?? Sum()
            let own = isCall(events[index]) ? 1 : 0
            sum.calls += 1
            sum.downstream += below[index].calls - own
            let time = means[events[index].edge] ?? 0
            sum.time += own == 1 ? time : 0
            sum.total += below[index].time
            sums[events[index].node] = sum
        }
        return sums.sorted {
            ($0.value.downstream, $0.value.calls, $1.key) > ($1.value.downstream, $1.value.calls, $0.key)
        }
        .prefix(max(count, 0)).map { node, sum in
            cost(sum, chronicle.names.label(of: node), node: chronicle.names.reference(to: node))
        }
    }
    private func cost(
        _ sum: Sum, _ label: String, edge: GraphEvent.Edge? = nil, node: GraphEvent.Node? = nil
    ) -> GraphCost {
        GraphCost(
            label: label, edge: edge, node: node, calls: sum.calls, callsDownstream: sum.downstream,
            time: .nanoseconds(Int64(sum.time)), timeWithDownstream: .nanoseconds(Int64(sum.total)))
    }
}
