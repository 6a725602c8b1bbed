/// A graph that can be walked, and of which a snapshot can be made.
protocol WalkedGraph {
    associatedtype Node: Hashable
    associatedtype Edge: Hashable
    func edges(of node: Node) -> (upstream: [Edge], downstream: [Edge])
    func ends(of edge: Edge) -> (source: Node?, target: Node?)
    /// The listen edges of a node whose listeners are known: the name, and the listener, or else only its type.
    func listenings(of node: Node) -> [(name: String, listener: AnyObject?, type: Any.Type)]
    /// Describes an edge; `nil` if it is no part of the graph.
    func described(_ edge: Edge, from: Int?, to: Int?) -> GraphSnapshot.Edge?
}
