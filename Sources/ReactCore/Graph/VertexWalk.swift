/// A walk over vertices, which visits each once, in the order in which they were found.
///
/// The walk holds the vertices that it has found, so that no other vertex gets the identity of one of these.
package struct VertexWalk: Sendable {
    package private(set) var found: [Vertex] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// The number of vertices that have been visited.
    private(set) var visited = 0

    package init(from starts: [Vertex] = []) { for vertex in starts { find(vertex) } }

    /// Adds a vertex to those to visit, unless it has been found before. Returns its place among those found.
    @discardableResult package mutating func find(_ vertex: Vertex) -> Int {
        if let known = place(of: vertex) { return known }
        places[ObjectIdentifier(vertex)] = found.count
        found.append(vertex)
        return found.count - 1
    }
    func place(of vertex: Vertex) -> Int? { places[ObjectIdentifier(vertex)] }
    package func contains(_ vertex: Vertex) -> Bool { place(of: vertex) != nil }
    /// Returns the next vertex, which is visited now; `nil` at the end.
    package mutating func next() -> Vertex? {
        guard visited < found.count else { return nil }
        visited += 1
        return found[visited - 1]
    }
}
