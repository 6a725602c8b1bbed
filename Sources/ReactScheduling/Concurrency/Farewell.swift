import ReactCore

/// Runs a closure once: when a lifetime goes, or when this object goes first.
///
/// The lifetime holds an edge without a source, which nobody else holds. When the lifetime goes, it releases the edge.
final class Farewell: Sendable {
    /// Unchecked, as its superclass is: its own properties are constant.
    private final class Edge: ListenEdge<Never>, @unchecked Sendable {
        private let block: @Sendable () -> Void

        init(_ block: @escaping @Sendable () -> Void) {
            self.block = block
            super.init(name: "Farewell")
        }
        deinit { block() }
    }
    private weak let edge: Edge?

    /// Runs `block` at once if `lifetime` is `nil`, because the lifetime has gone.
    init(to lifetime: Lifetime?, _ block: @escaping @Sendable () -> Void) {
        let edge = Edge(block)
        edge.to = lifetime
        self.edge = edge
    }
    deinit { edge?.cancel() }
}
