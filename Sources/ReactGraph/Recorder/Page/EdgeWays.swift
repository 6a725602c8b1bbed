import ReactCore

/// An edge as it leads, or once led, from one node to another: the page draws each of these.
struct EdgeWay: Hashable {
    let edge: Int
    // Places in `ObjectIndex`; -1 for none.
    let source: Int
    let target: Int
}

/// The ways of all edges that are on record.
struct EdgeWays {
    /// The present one of each edge, in the order of the edges, and then those that it has left.
    private(set) var all: [EdgeWay]
    private let names: ObjectIndex

    init(_ queries: RecordQueries) {
        names = queries.names
        all = names.ends.enumerated().map { EdgeWay(edge: $0, source: $1.source, target: $1.target) }
        var known = Set(all)
        for event in queries.log.events where event.kind == .linked || event.kind == .cut {
            if let way = way(of: event), known.insert(way).inserted { all.append(way) }
        }
    }
    /// The way that the edge leads now, or led when it was last seen.
    func now(of edge: Int) -> EdgeWay? { edge >= 0 ? all[edge] : nil }
    /// The way by which it came to the event.
    func way(of event: EventLog.Event) -> EdgeWay? {
        guard event.edge >= 0, event.source >= 0 else { return nil }
        let target = names.isListening(event.edge) ? names.ends[event.edge].target : event.node
        return EdgeWay(edge: event.edge, source: event.source, target: target)
    }
}
