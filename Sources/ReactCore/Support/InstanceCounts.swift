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
package final class MadeObjects: Sendable {
    @TaskLocal package static var current: MadeObjects?
    private let references = Lock<[@Sendable () -> AnyObject?]>([])
    /// Those of the code around. They get the objects, too.
    private let outer = MadeObjects.current
    /// The only thread whose objects count; `nil` for all threads of the task.
    private let thread: UInt?

    package init(ofThisThreadAlone isAlone: Bool = false) { thread = isAlone ? Platform.thread : nil }
    /// Called by each node and edge when it is made.
    static func note(_ object: some AnyObject & Sendable) { current?.note { [weak object] in object } }
    private func note(_ object: @escaping @Sendable () -> AnyObject?) {
        if thread == nil || thread == Platform.thread { references.withLock { $0.append(object) } }
        outer?.note(object)
    }
    /// The objects that are alive, oldest first.
    package var alive: [AnyObject] { references.withLock { $0 }.compactMap { $0() } }
}
#endif
