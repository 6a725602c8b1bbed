import ReactCore

/// The nodes and edges that outlived the body of `expectNothingLeft`.
public struct NothingLeftError: Error, Equatable, CustomStringConvertible {
    /// A description of each: nodes, then edges, in the order in which they were made.
    public let leftOver: [String]

    /// Makes an error about these objects.
    public init(leftOver: [String]) { self.leftOver = leftOver }

    /// The number of objects left, their descriptions, and the usual holders.
    public var description: String {
        let count = leftOver.count == 1 ? "One object is" : "\(leftOver.count) objects are"
        return """
            \(count) alive after the body of expectNothingLeft:
            \(leftOver.map { "  \($0)" }.joined(separator: "\n"))
            A listening keeps its node until its lifetime goes; a ring, or a `sync`, keeps its nodes until it is cut; a closure \
            keeps what it captures, and so does cancelled work, until its virtual clock is moved.
            """
    }
}

/// Runs `body`, and in debug builds throws if a node or an edge that it made is alive afterwards.
///
///     let model = MutableNode(1)
///     try expectNothingLeft {
///         let screen = Lifetime(), doubled = model.map { $0 * 2 }
///         doubled.listened(by: screen).with { print($0) }         // 2
///     }
///     let screen = Lifetime()
///     do {
///         try expectNothingLeft {
///             model.named("model").listened(by: screen).with { print($0) }        // 1
///         }
///     } catch let error as NothingLeftError {
///         print(error.leftOver)                                   // ["the edge Listen from Node(named: model, value: 1)"]
///     }
///
/// **Threads.** Only objects count that the calling thread makes while `body` runs, so tests may run in parallel.
/// Objects that `body` has other threads make do not count. Another thread may hold an object for a moment longer, for
/// example while it delivers. An object is therefore reported only if it is alive two seconds later.
///
/// In release builds the function runs `body` and checks nothing.
///
/// - Parameter body: Makes nodes and edges, and releases them. A node or an edge that its result holds counts as left
///   behind.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`, or, in debug builds, a `NothingLeftError` that names the objects left.
/// - Complexity: O(nodes and edges that `body` makes), besides `body`.
public func expectNothingLeft<R>(_ body: () throws -> R) throws -> R {
    try expectNothingLeft(after: .seconds(2), body)
}
/// Waits for objects that are still alive until `patience` is over.
package func expectNothingLeft<R>(after patience: Duration, _ body: () throws -> R) throws -> R {
    #if DEBUG
    let objects = MadeObjects(ofThisThreadAlone: true)
    let result = try MadeObjects.$current.withValue(objects, operation: body)
    let deadline = ContinuousClock.now + patience
    var waiting = Waiting()
    while case let alive = objects.alive, !alive.isEmpty {
        guard ContinuousClock.now < deadline else { throw NothingLeftError(alive: alive) }
        waiting.wait(for: 0)
    }
    return result
    #else
    return try body()
    #endif
}
/// Runs `body`, which may suspend. In debug builds, throws if a node or an edge that it made is alive after it.
///
///     let model = MutableNode(1)
///     try await expectNothingLeft {
///         let doubled = model.map { $0 * 2 }
///         print(try await doubled.first { $0 > 1 })       // 2
///     }
///
/// Objects count that the task makes while `body` runs, on any thread, and those that its child tasks make. Objects
/// that detached tasks and other threads make do not count.
///
/// In release builds the function runs `body` and checks nothing.
///
/// - Parameter body: Makes nodes and edges, and releases them.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`, or, in debug builds, a `NothingLeftError` that names the objects left.
/// - Complexity: O(nodes and edges that `body` makes), besides `body`.
nonisolated(nonsending) public func expectNothingLeft<R>(
    _ body: nonisolated(nonsending) () async throws -> R
) async throws -> R {
    try await expectNothingLeft(after: .seconds(2), body)
}
/// Waits for objects that are still alive until `patience` is over.
nonisolated(nonsending) package func expectNothingLeft<R>(
    after patience: Duration, _ body: nonisolated(nonsending) () async throws -> R
) async throws -> R {
    #if DEBUG
    let objects = MadeObjects()
    let result = try await MadeObjects.$current.withValue(objects) { try await body() }
    let deadline = ContinuousClock.now + patience
    while case let alive = objects.alive, !alive.isEmpty {
        guard ContinuousClock.now < deadline else { throw NothingLeftError(alive: alive) }
        await Task.yield()
    }
    return result
    #else
    return try await body()
    #endif
}

#if DEBUG
extension NothingLeftError {
    fileprivate init(alive: [AnyObject]) {
        let nodes = alive.compactMap { $0 as? AnyNode }, edges = alive.compactMap { $0 as? AnyEdge }
        leftOver =
            nodes.map(\.description)
            + edges.map { edge in "the edge \(edge.name)" + (edge.source.map { " from \($0)" } ?? "") }
    }
}
#endif
