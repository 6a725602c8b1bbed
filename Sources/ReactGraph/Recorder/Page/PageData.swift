import ReactCore
import RecorderPage

/// An edge with two nodes that it connects, or once connected. The page draws each of these.
private struct EdgeWay: Hashable {
    let edge: Int
    // Places in `ObjectIndex`.
    let source: Int?
    let target: Int?
}

/// The records for the page: the nodes and edges that are connected with the node, now or on record, and their events.
struct PageData {
    let label: String
    private(set) var content: PageContent

    /// The largest number of characters of a value on the page. Whoever makes the data limits the texts of values to
    /// it, so that long ones take no time.
    static let textLimit = 200
    /// The largest number of characters of a name on the page.
    private static let nameLimit = 60
    /// A body that is called again later is an event of a kind of its own, because it refuses nothing.
    private static let givenUp = "givenUp"

    init(_ recording: Recording, of node: AnyNode) {
        let (log, names) = (recording.log, recording.names)
        let allSets = recording.sets
        /// Returns the way by which the edge came to the event.
        func way(of event: EventLog.Event) -> EdgeWay? {
            guard let edge = event.edge, let source = event.source else { return nil }
            let target = names.isListening(edge) ? names.ends[edge].target : event.node
            return EdgeWay(edge: edge, source: source, target: target)
        }
        // The present way of each edge, in the order of the edges, and then the former ways.
        let present = names.ends.enumerated().map { EdgeWay(edge: $0, source: $1.source, target: $1.target) }
        let ways = (present + log.changes.compactMap { way(of: log.events[$0]) }).uniqued
        let kinds = GraphEvent.Kind.allCases.map { (name: $0.rawValue, sentence: GraphEvent.sentence($0)) }
        var content = PageContent(
            kinds: kinds + [(Self.givenUp, GraphEvent.sentence(.computed))],
            evicted: log.threads.map(\.evicted).reduce(0, +))
        func text(_ text: String?) -> Int? { content.place(of: text) }
        /// Returns the text of a value; `NOT_KEPT` of the script stands for one that was not kept.
        func value(_ value: String?, isLost: Bool) -> Int? {
            text(value?.caption(limit: PageData.textLimit)) ?? (isLost ? -2 : nil)
        }

        let connected = Connected(to: node, names, allSets)
        let nodes: [(node: AnyNode?, place: Int?)] =
            connected.live.map { ($0.node, $0.place) } + connected.gone.map { (names.nodes[$0].node, $0) }
        var nodeIDs: [Int: Int] = [:], liveIDs: [ObjectIdentifier: Int] = [:]
        for (id, (node, place)) in nodes.enumerated() {
            if let place { nodeIDs[place] = id }
            if let node { liveIDs[ObjectIdentifier(node)] = id }
        }

        // The edges on record, and then those that exist and are not on record.
        var edgeIDs: [EdgeWay: Int] = [:]
        for way in ways {
            let edge = names.edges[way.edge]
            guard let source = way.source.flatMap({ nodeIDs[$0] }) else { continue }
            let target = way.target.flatMap { nodeIDs[$0] }
            guard target != nil || edge.isListening, let known = names.reference(toEdge: way.edge) else { continue }
            edgeIDs[way] = content.edges.count
            content.edges.add([
                "name": text(edge.name), "label": text(known.label), "giver": text(known.nameAndPlace),
                "from": source, "to": target,
                "listener": text(edge.isListening ? edge.listenerType.map { "\($0)" } ?? "a listener" : nil),
                "isThere": edge.edge?.source != nil && way == ways[way.edge] ? 1 : 0,
            ])
        }
        for (source, node) in connected.live.map(\.node).enumerated() {
            for edge in node.downstreamTransforms as [AnyEdge] + node.listenEdges where names.place(of: edge) == nil {
                let target = (edge.destination as? AnyNode).flatMap { liveIDs[ObjectIdentifier($0)] }
                let listens = edge is AnyListenEdge
                guard target != nil || listens else { continue }
                content.edges.add([
                    "name": text(edge.name), "label": text(names.label(of: edge)), "giver": text(edge.name),
                    "from": source, "to": target,
                    "listener": text(listens ? edge.destination.map { "\(type(of: $0))" } : nil), "isThere": 1,
                ])
            }
        }
        func edgeID(_ edge: Int) -> Int? { edgeIDs[ways[edge]] }
        for (edge, source, target) in allSets {
            guard let source = nodeIDs[source], let target = nodeIDs[target] else { continue }
            content.sets.add(["by": edge.flatMap(edgeID), "from": source, "to": target])
        }

        // The events that are shown, with their nodes and edges.
        let shown = log.events.indices.compactMap { index -> (index: Int, node: Int?, edge: Int?)? in
            let event = log.events[index]
            let node = event.node.flatMap { nodeIDs[$0] }
            let edge = way(of: event).flatMap { edgeIDs[$0] } ?? event.edge.flatMap(edgeID)
            let isOfAll = [.mark, .batchBegan, .batchEnded].contains(event.kind)
            return isOfAll || node != nil || edge != nil ? (index, node, edge) : nil
        }
        /// Returns the first event that is shown at a time or later.
        func position(at time: UInt64?) -> Int? {
            time.map { time in shown.endOfPrefix { log.events[$0.index].moment.time < time } }
        }
        let secrets = names.secrets(among: connected.live.map(\.node))
        for (node, place) in nodes {
            let known = place.map { names.nodes[$0] }
            let until = place.map { log.lossEnds($0, after: nil) } ?? node.flatMap { log.lossEnds(of: $0, after: nil) }
            let label = place.map { names.label(of: $0) } ?? node.map { names.label(of: $0) }
            content.nodes.add([
                "label": text(label?.caption(limit: PageData.nameLimit)),
                "name": text((node?.name ?? known?.name)?.caption(limit: PageData.nameLimit)),
                "type": text("\(node?.valueType ?? known?.type ?? Never.self)"),
                "now": value(node.flatMap { recording.present($0, secrets) }, isLost: node == nil),
                "place": text(place.flatMap { names.place(ofNode: $0) }),
                // The event before which the node's value is not known.
                "lostUntil": position(at: until),
            ])
        }
        let start = log.events.first?.moment.time ?? 0
        var eventIDs: [Int: Int] = [:]
        for (id, (index, node, edge)) in shown.enumerated() {
            let event = log.events[index]
            eventIDs[index] = id
            // Causes that are not on the page are left out.
            let causes = event.causes.compactMap { eventIDs[$0] }
            content.events.add([
                "kind": content.place(ofKind: event.detail == .givenUp ? Self.givenUp : event.kind.rawValue),
                "node": node, "edge": edge, "source": event.source.flatMap { nodeIDs[$0] },
                "old": value(recording.old(index), isLost: event.hasLost),
                // A node that was not emptied got a value, even if that is no longer known.
                "now": value(recording.new(index), isLost: !event.empties),
                "cause": causes.first, "thread": text(recording.thread(of: event)),
                "time": Int(event.moment.time - start) / 1000, "reason": text(recording.reason(index)),
                // The event before which later stores to the node are not known.
                "lostUntil": event.stores ? position(at: log.lossEnds(event.node, after: index)) : nil,
                // Compares full values: the texts above are cut.
                "isWasted": event.kind == .stored && recording.isRedundant(index) ? 1 : 0,
            ])
            let rest = causes.dropFirst() + event.partners.compactMap { eventIDs[$0] }
            if !rest.isEmpty { content.others[id] = Array(rest) }
        }
        // The nearest nodes first, as long as answers are found soon and take little room.
        let most = shown.count + nodes.count
        var cost = 0, size = 0
        for (id, (node, _)) in nodes.enumerated() {
            guard let node, cost < 20 * most + 100_000, size < 5 * most + 3_000 else { continue }
            let answer = recording.whyNotAnswer(node)
            cost += answer.cost
            for (line, event) in answer.lines {
                let place = event.flatMap { eventIDs[$0] }
                // The page tells of an event by itself, and of a set in fewer words.
                let isTold = event.map { log.events[$0].isSet || line.hasSuffix(recording.event(at: $0).description) }
                let words =
                    place != nil && isTold ?? false
                    ? nil : String(line.drop { $0 == " " }).caption(limit: PageData.textLimit)
                size += 12 + (words?.utf8.count ?? 0)
                content.answers.add(["node": id, "text": text(words), "event": place])
            }
        }
        let timings = Dictionary(grouping: log.timings) { edgeID($0.edge) }
        for case (let edge?, let timings) in timings {
            content.times[edge] = timings.map { Int($0.duration) }.reduce(0, +) / timings.count
        }
        // The node of the page is the first one.
        label = names.label(of: node).caption(limit: PageData.nameLimit)
        self.content = content
    }
    /// Returns the page.
    func page(title: String?) -> String {
        Page.html(content, title: (title ?? "\(label) and what happened").caption(limit: 200))
    }
}

extension GraphRecorder {
    /// Returns one HTML file that needs no network. It shows the node's graph as a picture, which can be searched,
    /// zoomed and narrowed to one node's surroundings. A time line steps forwards and back, by event, by set and by
    /// mark, and shows values as they were. A click explains why a node was set, or why not. Safe from any thread.
    public func page(of node: AnyNode, title: String? = nil) -> String { queries.page(of: node, title: title) }
}
extension Recording {
    /// Returns one HTML file with the node's graph and its events. See `GraphRecorder.page(of:title:)`.
    /// Safe from any thread.
    public func page(of node: AnyNode, title: String? = nil) -> String {
        ValueText.limited(to: PageData.textLimit) { PageData(self, of: node) }.page(title: title)
    }
}
