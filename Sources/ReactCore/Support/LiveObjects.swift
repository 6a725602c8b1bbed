#if DEBUG
import Synchronization

/// Counts the engine's live objects in the process. For tests, in debug builds only.
package struct LiveObjects: Sendable, Equatable {
    package let nodes: Int
    package let edges: Int
    package let vertices: Int

    package static var now: LiveObjects {
        LiveObjects(
            nodes: nodes.load(ordering: .acquiring), edges: edges.load(ordering: .acquiring),
            vertices: vertices.load(ordering: .acquiring))
    }

    static let nodes = Atomic(0)
    static let edges = Atomic(0)
    static let vertices = Atomic(0)
}
#endif
