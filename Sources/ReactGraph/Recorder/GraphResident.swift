import ReactCore

/// A node, an edge or a listening that came and has not gone.
///
///     let recorder = GraphRecorder()
///     let before = recorder.mark("before")
///     let price = MutableNode(20).named("price")
///     print(recorder.liveObjects(since: before).map(\.label).joined())      // 'price'
public struct GraphResident: Sendable, CustomStringConvertible {
    /// The kind of a resident.
    public enum Kind: String, Sendable {
        /// A node.
        case node
        /// An edge between nodes.
        case edge
        /// A listening.
        case listener
    }
    /// The kind of this resident.
    public let kind: Kind
    /// The resident's name, or a description of it.
    public let label: String
    /// The file and line that made it; `nil` if they are not known.
    public let place: String?
    /// The parts of the graph that hold it. A node is held by the edges and listeners downstream, an edge by the node
    /// that it leads to, a listening by its listener. Empty if only the program holds it.
    public let holders: [String]

    /// One line of text: the kind, the label, the place that made it, and its holders. Safe from any thread.
    public var description: String {
        let made = place.flatMap { label.contains($0) ? nil : " (\($0))" } ?? ""
        let held =
            switch (kind, holders.isEmpty) {
            case (.listener, false):
                "held by its listener, \(holders.joined(separator: ", ")), and by nothing else in the graph"
            case (_, true): "held by the program alone"
            case (_, false): "held by \(holders.joined(separator: ", "))"
            }
        return "\(kind) \(label)\(made): \(held)"
    }

    /// Returns the residents that came after `moment` and until a time, in the order in which they came.
    ///
    /// - Complexity: O(*n* log *n*) for all *n* nodes and edges that are known.
    static func all(
        since moment: GraphMoment, until end: UInt64, on thread: UInt64?, showsSites: Bool
    ) -> [GraphResident] {
        // Older objects are read as well, because they may hold newer ones.
        let names = ObjectIndex(ObjectRegistry.known(by: thread), showsSites: showsSites)
        func isWanted(_ made: UInt64) -> Bool { made > moment.time && made <= end }
        var residents: [(serial: UInt, GraphResident)] = []
        for (place, node) in names.nodes.enumerated() {
            guard isWanted(node.made), let live = node.node else { continue }
            let edges = live.downstreamTransforms.filter(\.holdsSource).compactMap { names.place(of: $0) }
            let listeners = live.listenEdges.compactMap(\.destination).map { "\(type(of: $0))" }
            let holders = edges.map { names.label(ofEdge: $0, isPlaced: false) } + listeners
            let resident = GraphResident(
                kind: .node, label: names.label(of: place), place: names.place(ofNode: place), holders: holders)
            residents.append((node.serial, resident))
        }
        for (place, edge) in names.edges.enumerated() {
            guard isWanted(edge.made), let live = edge.edge, live.source != nil else { continue }
            let target = live.destination
            let holder = (target as? AnyNode).flatMap { names.place(of: $0) }.map { names.label(of: $0) }
            let resident = GraphResident(
                kind: edge.isListening ? .listener : .edge, label: names.label(ofEdge: place),
                place: names.place(ofEdge: place),
                holders: [holder ?? target.map { "\(type(of: $0))" }].compactMap(\.self))
            residents.append((edge.serial, resident))
        }
        return residents.sorted { $0.serial < $1.serial }.map(\.1)
    }
}
