import ReactCore

/// The values that the edges of zips keep for partners: positions of the events, for each edge the oldest first.
struct KeptValues {
    private var values: [Int: Queue<Int>] = [:]
    /// The edges that have kept values, by the zip's node.
    private var edges: [Int: [Int]] = [:]

    mutating func add(_ event: Int, of edge: Int, at node: Int) {
        if values[edge] == nil {
            edges[node, default: []].removeAll { $0 == edge }
            edges[node, default: []].append(edge)
        }
        values[edge, default: Queue()].append(event)
    }
    /// Forgets the values of an edge that is cut or linked.
    mutating func forget(_ edge: Int) { values[edge] = nil }
    /// Takes the partners of a value that `edge` brought to the node: the oldest value of each other edge of the zip,
    /// for which `isPartner` returns true.
    mutating func take(for edge: Int, at node: Int, where isPartner: (Int) -> Bool) -> [Int] {
        let others = (edges[node] ?? []).filter { $0 != edge && isPartner($0) }
        return others.compactMap { values[$0]?.popFirst() }
    }
}
