/// A probable mistake in a graph.
public struct LintFinding: Sendable, Equatable, Codable, CustomStringConvertible {
    /// The kinds of mistakes.
    public enum Rule: String, Sendable, Codable, CaseIterable {
        /// Transforms with the same operator between the same two nodes.
        case parallelEdges
        /// A zip that keeps many values of one side while it waits for the other.
        case zipAhead
        /// A transform of which one end is not connected.
        case looseEnd
        /// A combination or zip that has lost an input, so it does not change any more.
        case lostInput
        /// An immutable node that has lost its last upstream edge, although it still has a listener or a derived node.
        case cutOff
        /// A combination or zip that is empty because one of its inputs is empty.
        case waitsForEmpty
        /// A ring through an operator that passes values on later, such as `mapLatest` or `delay`. A value has passed
        /// the nodes of the ring when it comes back, so it stops there without a word.
        case waitingRing
        /// A node that shows the text of a node that is redacted, because a listener, an effect or a function has
        /// copied it. Texts of four characters or more are compared.
        case copiedSecret
        /// A `computed` or `effect` whose body has read nodes by `value` or `current`, and none by its argument. So it
        /// is never called again. Found in debug builds.
        case unfollowedRead
        /// More than 10,000 nodes that are one graph, in which threads have waited for one another: it does one thing
        /// at a time.
        case crowdedGraph
    }

    /// The kind of mistake.
    public let rule: Rule
    /// The ids of the nodes that the finding is about, in the order of the snapshot.
    public let nodes: [Int]
    /// The positions of the finding's edges in the snapshot's `edges`.
    public let edges: [Int]
    /// The mistake and its consequence.
    public let message: String
    /// The remedy.
    public let remedy: String

    /// `waitingRing: <message> <remedy>` Safe from any thread.
    public var description: String { "\(rule.rawValue): \(message) \(remedy)" }
}
