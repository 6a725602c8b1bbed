import ReactCore

/// Reconstructs the graph as it was at a moment, from the present graph and the events since the moment.
///
/// - The present is walked from the node, and from the ends of every edge that was linked or cut since the moment.
/// - An edge that was not linked or cut since has its present ends. The others have those that the first of these
///   events tells of.
/// - An edge that was cut since stands at its place among the edges that were linked on record, and before all edges
///   that were linked earlier.
/// - The value of a node is the one that its first store since the moment replaced.
struct GraphReconstruction: WalkedGraph {
    /// A node or an edge that exists, or the place in the index of one that has gone.
    enum Item<Object: Hashable>: Hashable {
        case live(Object), gone(Int)
        var object: Object? { if case .live(let object) = self { object } else { nil } }
    }
    typealias Node = Item<AnyNode>
    typealias Edge = Item<AnyEdge>

    private let recording: Recording
    private var names: ObjectIndex { recording.names }
    private var events: [EventLog.Event] { recording.log.events }
    /// The first event after the moment.
    private let first: Int

    private var ends: [Edge: (source: Node?, target: Node?)] = [:]
    private var waiting: [Edge: Int] = [:]
    private var inputs: [Edge: Int] = [:]
    /// The existing nodes whose values must not be shown.
    private var secrets: Set<AnyNode> = []

    /// The edges at one end of a node.
    private struct End: Hashable {
        enum Side { case upstream, downstream, listening }
        let side: Side
        let node: Node
    }
    /// The place of an edge among those at one end of a node.
    ///
    /// - linked: The event that linked the edge, or an edge before it; -1 if that is not on record.
    /// - place: Orders the edges that were linked before the record. It is negative for an edge that was put back.
    private typealias Order = (linked: Int, place: Int)
    private var lists: [End: [Edge: Order]] = [:]

    init(_ recording: Recording, of node: AnyNode, at moment: GraphMoment) {
        self.recording = recording
        first = recording.log.position(after: moment)
        findChanges()
        walkPresent(from: node)
        putBack()
        undoWaits()
    }

    private func node(_ place: Int?) -> Node? { place.map { names.nodes[$0].node.map(Item.live) ?? .gone($0) } }
    private func edge(_ place: Int) -> Edge { names.edges[place].edge.map(Item.live) ?? .gone(place) }
    private func known(_ node: Node) -> (place: Int, node: ObjectIndex.Node)? {
        let place = if case .gone(let place) = node { place } else { node.object.flatMap { names.place(of: $0) } }
        return place.map { ($0, names.nodes[$0]) }
    }
    private func known(_ edge: Edge) -> ObjectIndex.Edge? {
        let place = if case .gone(let place) = edge { place } else { edge.object.flatMap { names.place(of: $0) } }
        return place.map { names.edges[$0] }
    }
    private func name(of edge: Edge) -> String { edge.object?.name ?? known(edge)?.name ?? "" }

    /// The event that linked each edge, if it is on record and before the moment.
    private var linked: [Edge: Int] = [:]
    /// The event that entered each edge in its target's list, if it is on record and before the moment. An edge that is
    /// pointed elsewhere stays there.
    private var entered: [Edge: Int] = [:]
    /// The first event since the moment that linked or cut each edge, and the edge's ends before it.
    private var changes: [Edge: (event: Int, source: Node?, target: Node?)] = [:]
    /// The edges that have led to another node since the moment.
    private var moved: Set<Edge> = []
    private mutating func findChanges() {
        var targets: [Edge: Int?] = [:]
        for (index, event) in events.enumerated() where event.kind == .linked || event.kind == .cut {
            guard let edge = event.edge.map(edge) else { continue }
            let isCut = event.kind == .cut, target = node(event.node)
            if index >= first, changes[edge] == nil {
                // An edge that was cut before, and then pointed elsewhere, has led to its target all the while.
                let hadTarget = isCut || targets[edge] != nil
                changes[edge] = (index, isCut ? node(event.source) : nil, hadTarget ? target : nil)
            } else if index >= first, changes[edge]?.target != target {
                moved.insert(edge)
            } else if index < first, !isCut {
                linked[edge] = index
                if targets[edge] != event.node { entered[edge] = index }
            }
            targets[edge] = .some(event.node)
        }
    }

    private mutating func walkPresent(from node: AnyNode) {
        let changed = changes.values.map(\.event).sorted().flatMap { [events[$0].source, events[$0].node] }
        var walk = GraphWalk(PresentGraph(), from: [node] + changed.compactMap { self.node($0)?.object })
        while walk.next() != nil {}
        for node in walk.nodes {
            note(node.upstreamTransforms, at: End(side: .upstream, node: .live(node)), entered)
            note(node.downstreamTransforms, at: End(side: .downstream, node: .live(node)), linked)
            note(node.listenEdges, at: End(side: .listening, node: .live(node)), linked)
        }
        secrets = names.secrets(among: walk.nodes)
    }
    /// Notes the present edges at an end, and enters those that were there at the moment. They are in order, although
    /// an edge that is pointed elsewhere keeps its place in its target's list.
    private mutating func note(_ list: [AnyEdge], at end: End, _ linked: [Edge: Int]) {
        var newest = -1
        for (place, object) in list.enumerated() {
            let edge = Edge.live(object), transform = object as? AnyTransform
            ends[edge] = (object.source.map(Item.live), (object.destination as? AnyNode).map(Item.live))
            (waiting[edge], inputs[edge]) = (transform?.waitingCount, transform?.inputCount)
            newest = max(newest, linked[edge] ?? -1)
            let hasStayed = end.side == .upstream && changes[edge]?.target == end.node && !moved.contains(edge)
            if changes[edge] == nil || hasStayed {
                lists[end, default: [:]][edge] = (newest, place)
            }
        }
    }
    /// Gives the edges that were linked or cut since the moment their ends of then.
    private mutating func putBack() {
        for (edge, (event, source, target)) in changes {
            let isListening = known(edge)?.isListening ?? false, place = event - events.count
            ends[edge] = (source, target)
            if let source {
                let end = End(side: isListening ? .listening : .downstream, node: source)
                lists[end, default: [:]][edge] = (linked[edge] ?? -1, place)
            }
            guard !isListening else { continue }
            if let target, lists[End(side: .upstream, node: target)]?[edge] == nil {
                lists[End(side: .upstream, node: target), default: [:]][edge] = (entered[edge] ?? -1, place)
            }
            if waiting[edge] == nil, known(edge)?.isWaiting ?? false { waiting[edge] = 0 }
            if inputs[edge] == nil, source != nil { inputs[edge] = known(edge)?.inputCount }
        }
    }
    /// Takes back the values that came to wait at zips since the moment, and those that zips took.
    private mutating func undoWaits() {
        for event in events[first...] {
            guard let edge = event.edge.map(edge), waiting[edge] != nil else { continue }
            if event.kind == .stopped, event.detail == .waitsForOthers { waiting[edge]? -= 1 }
            guard event.kind == .stored, let node = node(event.node) else { continue }
            for other in edges(to: node) where other != edge { waiting[other]? += 1 }
        }
    }
    /// The edges that led to the node at the moment, in any order.
    private func edges(to node: Node) -> [Edge] { lists[End(side: .upstream, node: node)].map { Array($0.keys) } ?? [] }

    // MARK: The walk

    func edges(of node: Node) -> (upstream: [Edge], downstream: [Edge]) {
        (sorted(.upstream, of: node), sorted(.downstream, of: node))
    }
    private func sorted(_ side: End.Side, of node: Node) -> [Edge] {
        let list = lists[End(side: side, node: node)] ?? [:]
        Steps.count(list.count)
        return list.sorted { $0.value < $1.value }.map(\.key)
    }
    func ends(of edge: Edge) -> (source: Node?, target: Node?) { ends[edge] ?? (nil, nil) }
    func listenings(of node: Node) -> [(name: String, listener: AnyObject?, type: Any.Type)] {
        sorted(.listening, of: node).compactMap { edge in
            let listener = edge.object?.destination
            return (listener.map { type(of: $0) } ?? known(edge)?.listenerType).map { (name(of: edge), listener, $0) }
        }
    }
    func described(_ edge: Edge, from: Int?, to: Int?) -> GraphSnapshot.Edge? {
        if from == nil, (edge.object as? AnyTransform)?.isPointedAbout ?? false { return nil }
        return GraphSnapshot.Edge(
            of: edge.object as? AnyTransform, name: name(of: edge), from: from, to: to, waitingCount: waiting[edge],
            inputCount: inputs[edge])
    }
    func snapshot(from start: AnyNode) -> GraphSnapshot {
        let survey = Survey(of: self, from: [.live(start)])
        let nodes = survey.nodes, live = nodes.compactMap(\.object)
        return survey.snapshot(origins: live.count == nodes.count ? live.map(NodeOrigin.init) : nil) { id in
            let live = nodes[id].object, known = known(nodes[id])
            let value = ValueText.sorted { self.value(of: nodes[id], known?.place) }
            let type = live?.valueType ?? known?.node.type ?? Never.self
            return (live?.name ?? known?.node.name, type, value, live?.isMutable ?? false)
        }
    }
    private func value(of node: Node, _ place: Int?) -> String? {
        let stores = place.flatMap { recording.stores[$0] } ?? []
        let before = first > 0 ? first - 1 : nil, log = recording.log
        let lossEnds = node.object.map { log.lossEnds(of: $0, after: before) } ?? log.lossEnds(place, after: before)
        if lossEnds != nil { return Recording.notKept }
        let next = stores.endOfPrefix { $0 < first }
        if next < stores.count {
            let store = stores[next]
            return recording.old(store) ?? (events[store].hasLost ? Recording.notKept : nil)
        }
        if let live = node.object { return recording.present(live, secrets) }
        // The value of a node that has gone went with it, and no store replaced it.
        return stores.last.map { events[$0].empties } ?? false ? nil : Recording.notKept
    }
}
