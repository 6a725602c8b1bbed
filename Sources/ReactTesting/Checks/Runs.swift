import ReactCore
import Synchronization

/// The counts that `expectRuns` found to differ.
public struct RunCountError: Error, Equatable, CustomStringConvertible {
    /// The node by its name, or by its type and value.
    public let node: String
    /// The number of calls that the test expects.
    public let expected: Int
    /// The number of calls that were made.
    public let actual: Int

    /// Makes an error about a node.
    public init(node: String, expected: Int, actual: Int) {
        self.node = node
        self.expected = expected
        self.actual = actual
    }
    /// One line: the node and both numbers.
    public var description: String {
        "the closures of \(node) ran \(actual == 1 ? "once" : "\(actual) times"), and were expected to run \(expected == 1 ? "once" : "\(expected) times")"
    }
}

/// Runs `body`, and throws an error that names the node and the counts unless the closures that make `node`'s values
/// ran exactly `count` times meanwhile.
///
///     let price = MutableNode(20), quantity = MutableNode(3)
///     let net = combine(price, quantity) { $0 * $1 }
///     try expectRuns(of: net, exactly: 1) {
///         batch { price.value = 10; quantity.value = 5 }
///     }
///     print(net.current)      // 50
///
/// What counts is a call of the operator's closure, or of the body of a `computed`. A `map` runs for each value of its
/// source, and a `filter` also for a value that it drops. A `combine` runs once a set or batch, and a `zip` once a row.
/// An operator on the rows of a table runs once for each call of each of its closures, so most often once for each row
/// that has changed. The comparison of a `RowOrder(comparing:)` is an exception: it counts once for each row that came
/// or changed, although finding the row's rank takes about 2 · log n calls.
/// A `computed` whose inputs have equal values does not run. An operator without a closure, such as a link, counts as
/// one that has a closure. A node that nothing makes runs 0 times.
///
/// **Threads.** Runs count on every thread. Other tests, a flight recorder and a journal may run at the same time.
///
/// - Parameters:
///   - node: The node whose closures are counted. The edges that lead to it are those from before `body`.
///   - count: The expected number of calls.
///   - body: Called once, on this thread.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`, or a `RunCountError`.
/// - Complexity: O(edges that lead to `node`), besides `body`.
public func expectRuns<R>(of node: AnyNode, exactly count: Int, _ body: () throws -> R) throws -> R {
    let runs = RunCounter(of: node)
    defer { runs.end() }
    let result = try body()
    let actual = runs.count
    guard actual == count else {
        throw RunCountError(node: node.vertex.nameInMessages, expected: count, actual: actual)
    }
    return result
}

/// Counts the calls of the closures that make a node's values.
///
/// A `computed` and operators on rows count their calls by themselves. An operator of several inputs stores a value for
/// each call. Any other operator is called with each value of its source.
private final class RunCounter: Sendable {
    private let node: AnyNode
    private let calls: Counter
    private let countedBefore: Int
    private let marks: [NodeMark]

    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    init(of node: AnyNode) {
        let edges = node.vertex.upstreamEdges, calls = Counter()
        self.node = node
        self.calls = calls
        countedBefore = RunCounter.countedCalls(edges) ?? 0
        var marked: [AnyNode] = []
        if RunCounter.countedCalls(edges) == nil {
            let takesSeveral = edges.contains { $0.missingInputCount != nil || $0.waitingCount != nil }
            marked = takesSeveral ? [node] : edges.compactMap(\.source)
        }
        marks = marked.map { node in
            let mark = NodeMark { if !$0.isEmptying { calls.count.add(1, ordering: .relaxed) } }
            mark.begin(at: node)
            return mark
        }
    }
    var count: Int {
        calls.count.load(ordering: .acquiring)
            + (RunCounter.countedCalls(node.vertex.upstreamEdges) ?? countedBefore) - countedBefore
    }
    func end() {
        for mark in marks { mark.end() }
    }
    /// The number of calls that the body or the operator of `edges` has counted; `nil` if it counts none.
    private static func countedCalls(_ edges: [AnyEdge]) -> Int? {
        edges.lazy.compactMap(\.callCount).first
    }
}
