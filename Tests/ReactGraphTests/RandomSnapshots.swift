import ReactGraph
import TestSupport

extension Snapshot {
    /// Any graph at all: rings, parallel edges, edges of a node to itself, loose ends, parts that do not hang together.
    static func random(using generator: inout SeededGenerator, nodes nodeCount: ClosedRange<Int> = 1...8) -> Snapshot {
        let count = Int.random(in: nodeCount, using: &generator)
        let nodes = (0..<count).map { id in
            Samples.node(
                id,
                Bool.random(using: &generator) ? Samples.hostileTexts.randomElement(using: &generator)!.text : nil,
                Bool.random(using: &generator) ? "\(id)" : nil,
                isMutable: Bool.random(using: &generator)
            )
        }
        func end() -> Int? {
            Int.random(in: 0..<8, using: &generator) == 0 ? nil : Int.random(in: 0..<count, using: &generator)
        }
        let edges = (0..<Int.random(in: 0...2 * count, using: &generator)).map { _ in Samples.edge("Link", end(), end())
        }
        .filter { $0.from != nil || $0.to != nil }
        return Snapshot(nodes: nodes, edges: edges)
    }
}
