import ReactCore

/// An edge with two nodes that it connects, or once connected. The page draws each of these.
struct EdgeWay: Hashable {
    let edge: Int
    // Places in `ObjectIndex`.
    let source: Int?
    let target: Int?
}

/// Lists the ways of all edges on record.
struct EdgeWays {
    /// The present way of each edge, in the order of the edges, and then the former ways.
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
    /// Returns the way of the edge now, or when it was last seen.
    func now(of edge: Int) -> EdgeWay { all[edge] }
    /// Returns the way by which the edge came to the event.
    func way(of event: EventLog.Event) -> EdgeWay? {
        guard let edge = event.edge, let source = event.source else { return nil }
        let target = names.isListening(edge) ? names.ends[edge].target : event.node
        return EdgeWay(edge: edge, source: source, target: target)
    }
}
