extension GraphSnapshot {
    /// The rings of the graph. A ring is a set of two or more nodes that reach one another, so they hold one another
    /// until an edge is cut. (A whole does not hold its focus, although edges lead both ways.) Safe from any thread.
    ///
    /// The nodes of a ring are in the order of the snapshot. The rings are in the order of their first nodes.
    ///
    /// - Complexity: O(nodes + edges), by Tarjan's algorithm with an explicit stack instead of recursion.
    public var cycles: [[Int]] {
        GraphTopology(self).rings.filter { $0.count > 1 }.map { ring in ring.map { nodes[$0].id } }
    }
}

extension GraphTopology {
    /// The strongly connected components of two or more nodes, and single nodes with an edge to themselves, by
    /// position.
    var rings: [[Int]] {
        strongComponents
            .filter { $0.count > 1 || hasEdgeToItself($0[0]) }
            .map { $0.sorted() }
            .sorted { $0[0] < $1[0] }
    }

    private func hasEdgeToItself(_ node: Int) -> Bool {
        edges(outOf: node).contains { destinations[$0] == node }
    }

    private var strongComponents: [[Int]] {
        var components: [[Int]] = []
        /// The number at which the search found each node, counted from 1; 0 before that.
        var found = [Int](repeating: 0, count: nodeCount)
        /// For each node, the number of the earliest-found node that it is known to reach and whose component is still
        /// open.
        var low = found
        var isOpen = [Bool](repeating: false, count: nodeCount)
        var open: [Int] = []
        var count = 0

        /// The path from the root of the search to the current node. Each node has the edges that are still to be
        /// followed.
        var path: [(node: Int, edges: ArraySlice<Int>)] = []
        func enter(_ node: Int) {
            count += 1
            found[node] = count
            low[node] = count
            isOpen[node] = true
            open.append(node)
            path.append((node, edges(outOf: node)))
        }

        for root in 0..<nodeCount where found[root] == 0 {
            enter(root)
            while let node = path.last?.node {
                if let edge = path[path.count - 1].edges.popFirst() {
                    let next = destinations[edge]!
                    if found[next] == 0 {
                        enter(next)
                    } else if isOpen[next] {
                        low[node] = min(low[node], found[next])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.node { low[parent] = min(low[parent], low[node]) }
                guard low[node] == found[node] else { continue }
                let start = open.lastIndex(of: node)!
                components.append(Array(open[start...]))
                for member in open[start...] { isOpen[member] = false }
                open.removeSubrange(start...)
            }
        }
        return components
    }
}
