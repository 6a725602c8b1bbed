/// A directed edge of the graph.
public protocol NodeEdge: AnyObject, Sendable {
    /// The operator's name, for debugging and graphs, such as "Map".
    var name: String { get set }
    /// The node that the edge leaves from.
    var source: AnyNode? { get }
    /// The node or the listener that the edge leads to. Not held.
    var destination: AnyObject? { get }
}

extension AnyEdge: NodeEdge {
    /// The operator's name, for debugging and graphs, such as "Map". Safe from any thread.
    public final var name: String {
        get { lock.locking { label } }
        set { lock.locking { label = newValue } }
    }
    /// The node that the edge leaves from.
    public final var source: AnyNode? { lock.locking { fromNode ?? originVertex?.takeUnretainedValue().handle } }
    /// The node or the listener that the edge leads to. Not held.
    ///
    /// This hands the listener to whatever thread asks. Where the listener's type is not `Sendable`, more than to compare it (`===`) is
    /// for those alone who may use it anyway: on the thread, or the actor, that it belongs to. Not even the last hold on it
    /// should be let go of elsewhere. `AnyListenEdge.isHeard(by:)` asks without handing it out.
    public final var destination: AnyObject? { currentDestination }
}

extension AnyEdge: Hashable {
    /// Whether the two are the same edge.
    public static func == (lhs: AnyEdge, rhs: AnyEdge) -> Bool { lhs === rhs }
    /// Hashes the edge's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
