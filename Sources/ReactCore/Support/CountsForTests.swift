import Synchronization

#if DEBUG

/// Counts the engine's live objects in the process. For tests, in debug builds only.
package struct InstanceCounts: Sendable, Equatable {
    package let nodes: Int
    package let edges: Int
    package let vertices: Int

    package static var now: InstanceCounts {
        InstanceCounts(
            nodes: nodes.load(ordering: .acquiring), edges: edges.load(ordering: .acquiring),
            vertices: vertices.load(ordering: .acquiring))
    }

    static let nodes = Atomic(0)
    static let edges = Atomic(0)
    static let vertices = Atomic(0)
}

/// The engine's objects that one thread made while it ran a body. For tests, in debug builds only.
///
/// Unchecked, because only one thread uses it: the one that runs the body.
package final class MadeObjects: @unchecked Sendable {
    private struct Made {
        weak var object: AnyObject?
    }
    /// The bodies that a thread runs, innermost last.
    private final class Open {
        var notes: [MadeObjects] = []
    }
    private static let open = ThreadLocal { Open() }
    /// The number of bodies that run on all threads. While none does, making an object costs one load.
    private static let openCount = Atomic(0)

    private var made: [Made] = []

    /// The objects that are still alive, oldest first.
    package var alive: [AnyObject] { made.compactMap(\.object) }

    /// Runs `body`, and returns its result with the nodes and edges that it made on this thread.
    package static func during<R>(_ body: () throws -> R) rethrows -> (result: R, made: MadeObjects) {
        let notes = MadeObjects()
        let open = open.current.takeUnretainedValue()
        open.notes.append(notes)
        openCount.add(1, ordering: .relaxed)
        defer {
            open.notes.removeLast()
            openCount.subtract(1, ordering: .relaxed)
        }
        return (try body(), notes)
    }
    /// Called by each node and edge when it is made.
    static func note(_ object: AnyObject) {
        guard openCount.load(ordering: .relaxed) > 0 else { return }
        for notes in open.current.takeUnretainedValue().notes { notes.made.append(Made(object: object)) }
    }
}
#endif

/// Counts the steps of questions about graphs, for tests: their number grows no faster than the graph and its records.
package enum Steps {
    package final class Counter: Sendable {
        private let count = Atomic(0)
        package init() {}
        package var value: Int { count.load(ordering: .relaxed) }
        fileprivate func add(_ steps: Int) { count.wrappingAdd(steps, ordering: .relaxed) }
    }
    /// The counter of the running test, if there is one.
    @TaskLocal package static var counter: Counter?

    package static func count(_ steps: Int) { counter?.add(steps) }
}
