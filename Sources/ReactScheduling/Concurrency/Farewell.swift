import ReactCore

/// Runs a closure once: when a lifetime goes, or when this goes before.
///
/// The lifetime holds an edge that comes from nowhere; it lets go of that when it goes, and nobody else holds it.
final class Farewell: Sendable {
    private final class Edge: ListenEdge<Never>, @unchecked Sendable {
        private let block: @Sendable () -> Void

        init(_ block: @escaping @Sendable () -> Void) {
            self.block = block
            super.init(name: "Farewell")
        }
        deinit { block() }
    }
    private weak let edge: Edge?

    /// A lifetime that is `nil` has gone already.
    init(to lifetime: Lifetime?, _ block: @escaping @Sendable () -> Void) {
        let edge = Edge(block)
        edge.to = lifetime
        self.edge = edge
    }
    deinit { edge?.cancel() }
}
