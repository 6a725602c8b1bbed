/// Cuts an edge. Holds nothing, so that keeping it keeps nothing of the graph.
final class EdgeCancelable: Cancelable {
    private weak let edge: AnyEdge?

    init(_ edge: AnyEdge) { self.edge = edge }
    func cancel() { edge?.cancel() }
}

extension AnyEdge: Cancelable {
    /// Disconnects both ends. Doing so again does nothing.
    public final func cancel() { cut() }
}
