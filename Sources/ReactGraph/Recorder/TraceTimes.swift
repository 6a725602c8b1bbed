/// Computes the time of each event in a trace, in microseconds from the first one, and the end of its transaction.
///
/// Most records have no time. The events of one thread follow one another, with room for a slice each. So a transaction
/// that was over sooner is drawn until its last slice ends. Of two slices on a thread, one lies in the other or after
/// it.
struct TraceTimes {
    /// The beginnings of all events, in order.
    private(set) var begins: [Double] = []
    /// The ends of the transactions that the events belong to.
    private(set) var ends: [Double]
    private static let room = 0.06

    /// Creates the times from the moments of the events, in order, and the ends of transactions, thread by thread.
    init(_ moments: [GraphMoment], ends overs: [GraphMoment]) {
        let start = moments.first?.time ?? 0
        func microseconds(_ time: UInt64) -> Double { time > start ? Double(time - start) / 1000 : 0 }
        var last: [UInt64: Double] = [:]
        for moment in moments {
            let time = max(microseconds(moment.time), last[moment.thread].map { $0 + Self.room } ?? 0)
            last[moment.thread] = time
            begins.append(time)
        }
        ends = begins
        let oversByThread = Dictionary(grouping: overs, by: \.thread)
        for (thread, events) in Dictionary(grouping: moments.indices, by: { moments[$0].thread }) {
            let overs = oversByThread[thread] ?? []
            let transactions = Dictionary(grouping: events) { event in overs.endOfPrefix { $0 < moments[event] } }
            for (over, events) in transactions {
                let time = overs.indices.contains(over) ? microseconds(overs[over].time) : 0
                let drawn = begins[events[events.count - 1]] + Self.room
                for event in events { ends[event] = max(time, drawn) }
            }
        }
    }
}
