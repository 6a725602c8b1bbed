import Synchronization

#if DEBUG

/// Counts the engine's live objects in the process. For tests, in debug builds only.
package enum InstanceCounts {
    static let nodes = Atomic(0), edges = Atomic(0), vertices = Atomic(0)

    package static var now: [String: Int] {
        [
            "nodes": nodes.load(ordering: .acquiring), "edges": edges.load(ordering: .acquiring),
            "vertices": vertices.load(ordering: .acquiring),
        ]
    }
}

/// The nodes and edges that one task makes, with its child tasks. For tests, in debug builds only.
package final class ObjectsOfTask: Sendable {
    @TaskLocal package static var current: ObjectsOfTask?
    private let references = Lock<[@Sendable () -> AnyObject?]>([])

    package init() {}
    func note(_ object: @escaping @Sendable () -> AnyObject?) { references.withLock { $0.append(object) } }
    /// The objects that are alive, oldest first.
    package var alive: [AnyObject] { references.withLock { $0 }.compactMap { $0() } }
}

/// The nodes and edges that one thread makes. For tests, in debug builds only.
package final class MadeObjects {
    private static let threads = ThreadLocal { MadeObjects() }
    /// This thread's list.
    package static var current: MadeObjects { threads.current.takeUnretainedValue() }

    /// Weak references, oldest first; `nil` while nobody asks for them.
    package var references: [() -> AnyObject?]?

    /// Called by each node and edge when it is made.
    static func note(_ object: some AnyObject & Sendable) {
        current.references?.append { [weak object] in object }
        ObjectsOfTask.current?.note { [weak object] in object }
    }
}
#endif
