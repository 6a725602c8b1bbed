/// Matches the nodes of two snapshots that are the same node.
///
/// If both snapshots were taken in this process, the origins of their nodes identify them. Otherwise a node is matched
/// with one of the same type, name and mutability, in three steps:
///
/// - nodes whose type, name and mutability occur once in each snapshot;
/// - the first nodes of the two walks;
/// - neighbours of matched nodes, if edges of one name lead to them.
///
/// No node is matched twice.
struct NodeMatching {
    /// For each position in the later snapshot, the matching position in the earlier one.
    private(set) var earlierPositions: [Int?]

    private let earlier: GraphSnapshot
    private let later: GraphSnapshot
    private var laterPositions: [Int?]
    /// Matched pairs whose neighbours have not been looked at, oldest first.
    private var pending: [(later: Int, earlier: Int)] = []

    init(earlier: GraphSnapshot, later: GraphSnapshot) {
        self.earlier = earlier
        self.later = later
        earlierPositions = Array(repeating: nil, count: later.nodes.count)
        laterPositions = Array(repeating: nil, count: earlier.nodes.count)

        if let earlierOrigins = earlier.origins, let laterOrigins = later.origins {
            let positions = Dictionary(uniqueKeysWithValues: zip(earlierOrigins.map(\.address), earlierOrigins.indices))
            earlierPositions = laterOrigins.map { origin in
                positions[origin.address].flatMap { origin.isSame(as: earlierOrigins[$0]) ? $0 : nil }
            }
        } else {
            matchUniqueNames()
            if let first = later.nodes.first, first.looks == earlier.nodes.first?.looks { match(0, with: 0) }
            spread()
        }
    }

    private mutating func match(_ laterPosition: Int, with earlierPosition: Int) {
        guard earlierPositions[laterPosition] == nil, laterPositions[earlierPosition] == nil else { return }
        earlierPositions[laterPosition] = earlierPosition
        laterPositions[earlierPosition] = laterPosition
        pending.append((laterPosition, earlierPosition))
    }

    private mutating func matchUniqueNames() {
        /// Returns, for each look with a name, its position, or `nil` if several nodes have that look.
        func unique(_ nodes: [GraphSnapshot.Node]) -> [Looks: Int?] {
            let named = nodes.indices.filter { nodes[$0].name != nil }
            return Dictionary(named.map { (nodes[$0].looks, $0) }, uniquingKeysWith: { _, _ in nil })
        }
        let candidates = unique(earlier.nodes)
        for position in unique(later.nodes).values.compactMap(\.self).sorted() {
            if let match = candidates[later.nodes[position].looks] ?? nil { self.match(position, with: match) }
        }
    }

    private mutating func spread() {
        let earlierTopology = GraphTopology(earlier), laterTopology = GraphTopology(later)
        var next = 0
        while next < pending.count {
            let (laterPosition, earlierPosition) = pending[next]
            next += 1
            // Nodes with the same value choose first.
            for comparesValues in [true, false] {
                var open: [Place: [Int]] = [:]
                let candidates = earlierTopology.neighbours(of: earlierPosition, in: earlier, comparesValues)
                for (place, position) in candidates.reversed() where laterPositions[position] == nil {
                    open[place, default: []].append(position)
                }
                let wanted = laterTopology.neighbours(of: laterPosition, in: later, comparesValues)
                for (place, position) in wanted where earlierPositions[position] == nil {
                    while let candidate = open[place]?.popLast() {
                        guard laterPositions[candidate] == nil else { continue }
                        match(position, with: candidate)
                        break
                    }
                }
            }
        }
    }
}

extension GraphTopology {
    fileprivate func neighbours(
        of node: Int, in graph: GraphSnapshot, _ comparesValues: Bool
    ) -> [(place: Place, position: Int)] {
        func neighbour(_ node: Int, by edge: Int, isUpstream: Bool) -> (Place, Int) {
            let name = graph.edges[edge].name, looks = graph.nodes[node].looks
            let value = comparesValues ? graph.nodes[node].value : nil
            return (Place(isUpstream: isUpstream, operatorName: name, looks: looks, value: value), node)
        }
        return incoming[node].map { neighbour(sources[$0]!, by: $0, isUpstream: true) }
            + outgoing[node].map { neighbour(destinations[$0]!, by: $0, isUpstream: false) }
    }
}

/// The properties of a node that do not change with its value.
private struct Looks: Hashable {
    let name: String?
    let valueType: String
    let isMutable: Bool
}

extension GraphSnapshot.Node {
    fileprivate var looks: Looks { Looks(name: name, valueType: valueType, isMutable: isMutable) }
}

/// The link between a node and its neighbour.
private struct Place: Hashable {
    let isUpstream: Bool
    let operatorName: String
    let looks: Looks
    /// The neighbour's value, if it counts.
    let value: String?
}
