extension GraphSnapshot {
    /// The rings of the graph. A ring is a set of two or more nodes that reach one another, so they hold one another
    /// until an edge is cut. (A whole does not hold its focus, although edges lead both ways.) Safe from any thread.
    ///
    /// The nodes of a ring are in the order of the snapshot. The rings are in the order of their first nodes.
    ///
    /// - Complexity: O(nodes + edges), by Kosaraju's algorithm with an explicit stack instead of recursion.
    public var cycles: [[Int]] {
        GraphTopology(self).rings.filter { $0.count > 1 }.map { ring in ring.map { nodes[$0].id } }
    }
}

extension GraphTopology {
    /// The strongly connected components of two or more nodes, and single nodes with an edge to themselves, by
    /// position.
    var rings: [[Int]] {
        let order = searched(from: 0..<nodeCount) { outgoing[$0].map { destinations[$0]! } }.joined()
        let components = searched(from: order.reversed()) { incoming[$0].map { sources[$0]! } }
        func hasEdgeToItself(_ node: Int) -> Bool { outgoing[node].contains { destinations[$0] == node } }
        return components.filter { $0.count > 1 || hasEdgeToItself($0[0]) }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }
    /// Searches depth first from each of `starts`, and returns the nodes that each search finds first, in the order in
    /// which it leaves them.
    private func searched(from starts: some Sequence<Int>, _ next: (Int) -> [Int]) -> [[Int]] {
        var isFound = [Bool](repeating: false, count: nodeCount)
        var left: [[Int]] = []
        /// The path from the start to the current node. Each node has the nodes that are still to be looked at.
        var path: [(node: Int, next: ArraySlice<Int>)] = []
        func enter(_ node: Int) {
            isFound[node] = true
            path.append((node, next(node)[...]))
        }
        for start in starts where !isFound[start] {
            enter(start)
            left.append([])
            while !path.isEmpty {
                if let node = path[path.count - 1].next.popFirst() {
                    if !isFound[node] { enter(node) }
                } else {
                    left[left.count - 1].append(path.removeLast().node)
                }
            }
        }
        return left
    }
}
