import ReactCore

/// Reconstructs the graph as it was at a moment: walks the present graph, and undoes the events since the moment.
///
/// - The present is walked from the node, and from the ends of every edge that was linked or cut since the moment.
/// - Undoing a link takes the edge out of the lists of its ends. Undoing a cut puts the edge back: at its place among
///   the edges that were linked on record, and before all edges that were linked earlier.
/// - The value of a node is the one that its first store since the moment replaced.
struct GraphReconstruction: WalkedGraph {
    private let queries: RecordQueries
    private var names: ObjectIndex { queries.names }
    /// The first event after the moment.
    private let first: Int

    /// The nodes of the graph, and the edges by source, by target and by listened node; lists are in order.
    private var nodes: [Int: AnyNode] = [:]
    private var downstream: [Int: EdgeOrder] = [:]
    private var upstream: [Int: EdgeOrder] = [:]
    private var listens: [Int: EdgeOrder] = [:]
    /// The number of edges that have been put back so far.
    private var insertions = 0
    private var ends: [Int: (source: Int?, target: Int?)] = [:]
    private var waiting: [Int: Int] = [:]
    private var inputs: [Int: Int] = [:]
    /// The edges of a node in the order in which they were linked. Adding and removing one is O(1).
    private struct EdgeOrder {
        private struct Key: Comparable {
            /// The event that linked the edge, or an edge before it; -1 if that is not on record.
            let linked: Int
            /// Orders the edges that were linked before the record: edges that were put back stand before the others.
            let place: Int
            static func < (lhs: Key, rhs: Key) -> Bool { (lhs.linked, lhs.place) < (rhs.linked, rhs.place) }
        }
        private var keys: [Int: Key] = [:]

        init() {}
        /// `edges` are in order, although an edge that is pointed elsewhere keeps its place in its target's list.
        init(_ edges: [Int], _ linked: [Int: Int]) {
            var newest = -1
            for (place, edge) in edges.enumerated() {
                newest = max(newest, linked[edge] ?? -1)
                keys[edge] = Key(linked: newest, place: place)
            }
        }
        /// The edges, in any order.
        var all: [Int] { Array(keys.keys) }
        mutating func remove(_ edge: Int) { keys[edge] = nil }
        mutating func insert(_ edge: Int, linked: Int, place: Int) {
            if keys[edge] == nil { keys[edge] = Key(linked: linked, place: place) }
        }
        var edges: [Int] {
            Steps.count(keys.count)
            return keys.sorted { $0.value < $1.value }.map(\.key)
        }
    }
    /// The numbers of nodes and edges that are not on record. They follow those of the index.
    private var others: [ObjectIdentifier: Int] = [:]
    private var edges: [Int: AnyEdge] = [:]

    init(_ queries: RecordQueries, at moment: GraphMoment) {
        self.queries = queries
        first = queries.log.position(after: moment)
    }

    func snapshot(of node: AnyNode) -> GraphSnapshot {
        var past = self
        past.findLinks()
        past.walkPresent(from: node)
        past.undo()
        return past.walk(from: past.number(of: node))
    }

    private mutating func number(of node: AnyNode) -> Int {
        let number = names.place(of: node) ?? other(node)
        nodes[number] = node
        return number
    }
    private mutating func number(of edge: AnyEdge) -> Int {
        let number = names.place(of: edge) ?? other(edge)
        edges[number] = edge
        return number
    }
    private mutating func other(_ object: AnyObject) -> Int {
        let id = ObjectIdentifier(object)
        if let known = others[id] { return known }
        let number = names.nodes.count + names.edges.count + others.count
        others[id] = number
        return number
    }

    /// The event that linked each edge, if it is on record and before the moment.
    private var linked: [Int: Int] = [:]
    /// The events that linked an edge which an earlier event on record had linked or cut.
    private var waited: Set<Int> = []
    /// The event that entered each edge in its target's list, if it is on record and before the moment. An edge that is
    /// pointed elsewhere stays there.
    private var entered: [Int: Int] = [:]
    private mutating func findLinks() {
        var targets: [Int: Int?] = [:]
        for (index, event) in queries.log.events.enumerated() {
            guard let edge = event.edge, event.kind == .linked || event.kind == .cut else { continue }
            if event.kind == .linked {
                if index < first {
                    linked[edge] = index
                    if targets[edge] != event.node { entered[edge] = index }
                }
                if targets[edge] != nil { waited.insert(index) }
            }
            targets[edge] = .some(event.node)
        }
    }

    private mutating func walkPresent(from node: AnyNode) {
        var starts = [node]
        for event in queries.log.events[first...] where event.kind == .linked || event.kind == .cut {
            starts += [event.source, event.node].compactMap { $0.flatMap { names.nodes[$0].node } }
        }
        var walk = GraphWalk(PresentGraph(), from: starts)
        while walk.next() != nil {}
        for node in walk.nodes {
            let place = number(of: node)
            upstream[place] = EdgeOrder(node.upstreamTransforms.map { note($0) }, entered)
            downstream[place] = EdgeOrder(node.downstreamTransforms.map { note($0) }, linked)
            listens[place] = EdgeOrder(node.listenEdges.map { note($0) }, linked)
        }
        secrets = names.secrets(among: walk.nodes)
    }
    /// The existing nodes whose values must not be shown.
    private var secrets: Set<AnyNode> = []
    private mutating func note(_ edge: AnyEdge) -> Int {
        let place = number(of: edge)
        ends[place] = (edge.source.map { number(of: $0) }, (edge.destination as? AnyNode).map { number(of: $0) })
        waiting[place] = (edge as? AnyTransform)?.waitingCount
        inputs[place] = (edge as? AnyTransform)?.inputCount
        return place
    }

    /// Undoes the events after the moment, the last first.
    private mutating func undo() {
        let events = queries.log.events
        var restored: [Int] = []
        for index in events.indices[first...].reversed() {
            let event = events[index]
            guard let edge = event.edge else { continue }
            switch event.kind {
            case .linked:
                remove(edge, event, staysAtTarget: waited.contains(index))
            case .cut:
                insert(edge, event)
                restored.append(edge)
            case .stopped where event.detail == .waitsForOthers: waiting[edge]? -= 1
            case .stored where waiting[edge] != nil:
                for other in event.node.flatMap({ upstream[$0]?.all }) ?? [] where other != edge {
                    waiting[other]? += 1
                }
            default: break
            }
        }
        var known: [Target: Int?] = [:]
        for edge in restored where inputs[edge] == nil { inputs[edge] = inputCount(of: edge, &known) }
    }
    /// The edges of one operator that lead to one node.
    private struct Target: Hashable { let node: Int, edgeName: String }
    /// Returns the number of inputs of the join that a restored edge leads to. The edge says so if it still exists, or
    /// else another of the join's edges. Otherwise the join's edges are counted, once for all of them.
    private func inputCount(of edge: Int, _ known: inout [Target: Int?]) -> Int? {
        if let live = names.edges[edge].edge as? AnyTransform { return live.inputCount }
        guard let node = ends[edge]?.target else { return nil }
        let target = Target(node: node, edgeName: edgeName(edge))
        if let count = known[target] { return count }
        let others = upstream[node]?.all.filter { edgeName($0) == target.edgeName } ?? []
        let isJoin = ["Combine", "Zip"].contains(target.edgeName)
        let count = others.lazy.compactMap { inputs[$0] }.first ?? (isJoin ? others.count : nil)
        known[target] = .some(count)
        return count
    }
    /// Undoes a link. An edge that was cut before, and then pointed elsewhere, has led to its target all the while. So
    /// it stays in the target's list.
    private mutating func remove(_ edge: Int, _ event: EventLog.Event, staysAtTarget: Bool) {
        if let source = event.source {
            listens[source]?.remove(edge)
            downstream[source]?.remove(edge)
        }
        if !staysAtTarget, let target = event.node { upstream[target]?.remove(edge) }
        ends[edge] = (nil, staysAtTarget ? event.node : nil)
    }
    private mutating func insert(_ edge: Int, _ event: EventLog.Event) {
        // A half-connected edge may have been given another end since the moment.
        if let ends = ends[edge], !names.edges[edge].isListening {
            if let source = ends.source, source != event.source { downstream[source]?.remove(edge) }
            if let target = ends.target, target != event.node { upstream[target]?.remove(edge) }
        }
        insertions += 1
        let order = linked[edge] ?? -1, place = -insertions
        if names.edges[edge].isListening {
            if let source = event.source {
                listens[source, default: EdgeOrder()].insert(edge, linked: order, place: place)
            }
        } else {
            if let source = event.source {
                downstream[source, default: EdgeOrder()].insert(edge, linked: order, place: place)
            }
            if let target = event.node {
                upstream[target, default: EdgeOrder()].insert(edge, linked: entered[edge] ?? -1, place: place)
            }
            if waiting[edge] == nil, names.edges[edge].name == "Zip" { waiting[edge] = 0 }
        }
        ends[edge] = (event.source, event.node)
    }

    // MARK: The walk

    func identity(of place: Int) -> Int { place }
    func edges(of node: Int) -> (upstream: [Int], downstream: [Int]) {
        (upstream[node]?.edges ?? [], downstream[node]?.edges ?? [])
    }
    func ends(of edge: Int) -> (source: Int?, target: Int?) { ends[edge] ?? (nil, nil) }
    private func walk(from start: Int) -> GraphSnapshot {
        var walk = GraphWalk(self, from: [start])
        var snapshot: (nodes: [GraphSnapshot.Node], edges: [GraphSnapshot.Edge]) = ([], [])
        var listeners = ListenerList()
        while let step = walk.next() {
            switch step {
            case .node(let node, let depth):
                let id = snapshot.nodes.count
                var count = 0
                for edge in listens[node]?.edges ?? [] {
                    let listener = edges[edge]?.destination
                    guard let type = listener.map({ type(of: $0) }) ?? record(edge)?.listenerType else { continue }
                    count += 1
                    listeners.add(listener, ofType: "\(type)", by: edgeName(edge), to: id)
                }
                snapshot.nodes.append(described(node, id: id, depth: depth, listenerCount: count))
            case .edge(let edge, nil, _) where (edges[edge] as? AnyTransform)?.isPointedAbout ?? false: continue
            case .edge(let edge, let from, let to):
                snapshot.edges.append(
                    GraphSnapshot.Edge(
                        of: edges[edge] as? AnyTransform, name: edgeName(edge), from: from, to: to,
                        waitingCount: waiting[edge], inputCount: inputs[edge]))
            }
        }
        let live = walk.nodes.compactMap { nodes[$0] }
        return GraphSnapshot(
            nodes: snapshot.nodes, edges: snapshot.edges, listeners: listeners.listeners,
            listenings: listeners.listenings,
            origins: live.count == walk.nodes.count ? live.map(NodeOrigin.init) : nil)
    }
    private func record(_ edge: Int) -> ObjectIndex.Edge? { edge < names.edges.count ? names.edges[edge] : nil }
    private func edgeName(_ edge: Int) -> String { edges[edge]?.name ?? record(edge)?.name ?? "" }
    private func described(_ node: Int, id: Int, depth: Int, listenerCount: Int) -> GraphSnapshot.Node {
        let live = nodes[node]
        let known = node < names.nodes.count ? names.nodes[node] : nil
        return GraphSnapshot.Node(
            id: id, name: live?.name ?? known?.name,
            valueType: "\(live?.valueType ?? known?.type ?? Never.self)",
            value: value(of: node), isMutable: live?.isMutable ?? false, depth: depth,
            listenerCount: listenerCount)
    }
    private func value(of node: Int) -> String? {
        let stores = queries.stores[node] ?? []
        let events = queries.log.events
        let before = first > 0 ? first - 1 : nil
        let isLost =
            nodes[node].map { queries.log.lossEnds(of: $0, after: before) } ?? queries.log.lossEnds(node, after: before)
        if isLost != nil { return RecordQueries.notKept }
        let next = stores.endOfPrefix { $0 < first }
        if next < stores.count {
            let store = stores[next]
            return queries.old(store) ?? (events[store].hasLost ? RecordQueries.notKept : nil)
        }
        if let live = nodes[node] { return queries.present(live, secrets) }
        // The value of a node that has gone went with it, and no store replaced it.
        return stores.last.map { events[$0].empties } ?? false ? nil : RecordQueries.notKept
    }
}
