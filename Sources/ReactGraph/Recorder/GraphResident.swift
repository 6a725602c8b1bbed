import ReactCore

/// A node, an edge or a listening that came and has not gone.
///
///     let recorder = GraphRecorder()
///     let before = recorder.mark("before")
///     let price = MutableNode(20).named("price")
///     print(recorder.living(since: before).map(\.label).joined())      // 'price'
public struct GraphResident: Sendable, CustomStringConvertible {
    /// What it is.
    public enum Kind: String, Sendable {
        /// A node.
        case node
        /// An edge between nodes.
        case edge
        /// A listening.
        case listener
    }
    /// What it is.
    public let kind: Kind
    /// What it is called.
    public let label: String
    /// The file and line that made it, where that is known.
    public let place: String?
    /// Who holds it, of the graph: a node is held by the edges and listeners downstream, an edge by the node that it leads to,
    /// a listening by its listener. Empty where only the program does.
    public let holders: [String]

    /// One line of a table.
    public var description: String {
        let held = holders.isEmpty ? "held by the program alone" : "held by \(holders.joined(separator: ", "))"
        return "\(kind) \(label)\(place.map { " (\($0))" } ?? ""): \(held)"
    }

    static func all(since moment: GraphMoment, on thread: UInt64?) -> [GraphResident] {
        // What is older as well: that may hold what came since.
        let names = Names(RecordedObjects.known(by: thread))
        var residents: [(id: Int, GraphResident)] = []
        for (place, node) in names.nodes.enumerated() {
            guard node.made > moment.time, let live = node.node else { continue }
            let edges = live.downstreamTransforms.filter(\.holdsSource).compactMap { names.place(of: $0) }
            let listeners = live.listenEdges.compactMap(\.destination).map { "\(type(of: $0))" }
            residents.append(
                (
                    node.id,
                    GraphResident(
                        kind: .node, label: names.label(of: place), place: names.place(ofNode: place),
                        holders: edges.map { names.label(ofEdge: $0) } + listeners)
                ))
        }
        for (place, edge) in names.edges.enumerated() {
            guard edge.made > moment.time, let live = edge.edge, live.source != nil else { continue }
            let target = live.destination
            let holder = (target as? AnyNode).flatMap { names.place(of: $0) }.map { names.label(of: $0) }
            residents.append(
                (
                    edge.id,
                    GraphResident(
                        kind: edge.isListening ? .listener : .edge, label: names.label(ofEdge: place),
                        place: names.place(ofEdge: place),
                        holders: [holder ?? target.map { "\(type(of: $0))" }].compactMap(\.self))
                ))
        }
        return residents.sorted { $0.id < $1.id }.map(\.1)
    }
}
