import Foundation
import ReactCore

/// The data of the page: the nodes and edges that are connected with the node, now or on record, and their events.
///
/// Stores lists of numbers rather than objects, and each text once, so that a page of 100,000 records is small enough
/// to open at once.
struct PageData {
    let label: String
    let json: String

    private struct Content: Encodable {
        var focus: Int
        var texts: [String]
        /// The names of the kinds. An event has a place in this list.
        var kinds = kindNames
        var nodes: [String: [Int]]
        var edges: [String: [Int]]
        var sets: [String: [Int]]
        var events: [String: [Int]]
        /// The other causes of an event, and the kept values that a zip used, for each event that has any.
        var others: [Int: [Int]]
        /// Edge, and the mean of its timed calls in nanoseconds.
        var times: [Int: Int]
        var evicted: Int
    }
    /// The kinds of events, and that of a body that is called again later, which refuses nothing.
    private static let kindNames = GraphEvent.Kind.allCases.map(\.rawValue) + ["givenUp"]

    // Texts are positions in `texts`. Nodes, edges and events are positions in their lists.
    private struct Node {
        var label: Int, name: Int?, type: Int, now: Value, place: Int?
        /// The event before which the node's value is not known; `nil` if it is known.
        var lostUntil: Int?
    }
    private struct Edge {
        var name: Int, from: Int, to: Int?, place: Int?, listener: Int?
        /// True if the edge leads there now.
        var isThere: Bool
    }
    /// A set by a listener, or by a join, which has no edge.
    private struct NodeSet {
        var by: Int?, from: Int, to: Int
    }
    private struct Event {
        /// The place among `kindNames`.
        var kind: Int
        var node: Int?, edge: Int?, source: Int?, old: Value, now: Value, cause: Int?, thread: Int
        var microseconds: Int, reason: Int?
        /// The event before which later stores to the node are not known; `nil` if they are.
        var lostUntil: Int?
        var isWasted: Bool
    }
    private enum Value {
        case none, notKept, some(Int)
        /// The text; `NOT_KEPT` of the script stands for a value that was not kept.
        var text: Int? { if case .some(let text) = self { text } else if case .notKept = self { -2 } else { nil } }
    }
    /// Packs rows for the script: a list for each field, in which -1 stands for none.
    private static func packed<Row>(_ rows: [Row], _ columns: [String: (Row) -> Int?]) -> [String: [Int]] {
        columns.mapValues { column in rows.map { column($0) ?? -1 } }
    }

    private struct Texts {
        private(set) var all: [String] = []
        private var places: [String: Int] = [:]

        mutating func place(_ text: String?) -> Int? { text.map { place($0) } }
        mutating func place(_ text: String) -> Int {
            if let known = places[text] { return known }
            places[text] = all.count
            all.append(text)
            return all.count - 1
        }
    }

    /// The largest number of characters of a value on the page.
    private static let textLimit = 200

    init(_ queries: RecordQueries, of node: AnyNode) {
        self = ValueText.limited(to: PageData.textLimit) { PageData(all: queries, of: node) }
    }
    private init(all queries: RecordQueries, of node: AnyNode) {
        let names = queries.names
        let events = queries.log.events
        var texts = Texts()

        let allSets = queries.sets
        let connected = Connected(to: node, names, allSets)
        let live = connected.live
        var nodes: [Node] = []
        var nodeIDs: [Int: Int] = [:], liveIDs: [ObjectIdentifier: Int] = [:]
        func value(_ text: String?, isLost: Bool) -> Value {
            guard let text else { return isLost ? .notKept : .none }
            return .some(texts.place(text.caption(limit: PageData.textLimit)))
        }
        let secrets = names.secrets(among: live.map(\.node))
        func add(_ node: AnyNode?, at place: Int?, label: String, name: String?, type: Any.Type) {
            if let place { nodeIDs[place] = nodes.count }
            nodes.append(
                Node(
                    label: texts.place(label.caption(limit: 60)), name: texts.place(name?.caption(limit: 60)),
                    type: texts.place("\(type)"),
                    now: value(node.flatMap { queries.present($0, secrets) }, isLost: node == nil),
                    place: texts.place(place.flatMap { names.place(ofNode: $0) })))
        }
        for (node, place) in live {
            liveIDs[ObjectIdentifier(node)] = nodes.count
            let label = place.map { names.label(of: $0) } ?? node.name.map { "'\($0)'" }
            add(
                node, at: place, label: label ?? ObjectIndex.unnamed(node.valueType), name: node.name,
                type: node.valueType)
        }
        for place in connected.gone {
            let known = names.nodes[place]
            add(known.node, at: place, label: names.label(of: place), name: known.name, type: known.type)
        }

        var edges: [Edge] = []
        var edgeIDs: [EdgeWay: Int] = [:]
        let ways = EdgeWays(queries)
        for way in ways.all {
            let edge = names.edges[way.edge]
            guard let source = way.source.flatMap({ nodeIDs[$0] }) else { continue }
            let target = way.target.flatMap { nodeIDs[$0] }
            guard target != nil || edge.isListening else { continue }
            edgeIDs[way] = edges.count
            let listener = edge.isListening ? edge.listenerType.map { "\($0)" } ?? "a listener" : nil
            edges.append(
                Edge(
                    name: texts.place(edge.name), from: source, to: target,
                    place: texts.place(names.place(ofEdge: way.edge)), listener: texts.place(listener),
                    isThere: edge.edge?.source != nil && way == ways.now(of: way.edge)))
        }
        func edgeID(_ edge: Int) -> Int? { edgeIDs[ways.now(of: edge)] }
        for (node, _) in live {
            for edge in node.downstreamTransforms as [AnyEdge] + node.listenEdges where names.place(of: edge) == nil {
                let target = (edge.destination as? AnyNode).flatMap { liveIDs[ObjectIdentifier($0)] }
                let listens = edge is AnyListenEdge
                guard target != nil || listens else { continue }
                let listener = listens ? edge.destination.map { "\(type(of: $0))" } : nil
                edges.append(
                    Edge(
                        name: texts.place(edge.name), from: liveIDs[ObjectIdentifier(node)]!, to: target,
                        place: nil, listener: texts.place(listener), isThere: true))
            }
        }

        let sets = allSets.compactMap { edge, source, target -> NodeSet? in
            guard let source = nodeIDs[source], let target = nodeIDs[target] else { return nil }
            return NodeSet(by: edge.flatMap(edgeID), from: source, to: target)
        }

        var rows: [Event] = []
        var others: [Int: [Int]] = [:]
        var eventIDs: [Int: Int] = [:]
        var moments: [UInt64] = []
        var losses: [(row: Int, until: UInt64)] = []
        let start = events.first?.moment.time ?? 0
        let kinds = Dictionary(uniqueKeysWithValues: Self.kindNames.enumerated().map { ($1, $0) })
        for (index, event) in events.enumerated() {
            let node = event.node.flatMap { nodeIDs[$0] }
            let edge = ways.way(of: event).flatMap { edgeIDs[$0] } ?? event.edge.flatMap(edgeID)
            switch event.kind {
            case .mark, .batchBegan, .batchEnded: break
            default: if node == nil && edge == nil { continue }
            }
            let id = rows.count
            eventIDs[index] = id
            moments.append(event.moment.time)
            // Causes that are not on the page are left out.
            let causes = event.causes.compactMap { eventIDs[$0] }
            rows.append(
                Event(
                    kind: kinds[event.detail == .end(.givenUp) ? "givenUp" : event.kind.rawValue]!, node: node,
                    edge: edge,
                    source: event.source.flatMap { nodeIDs[$0] },
                    old: value(queries.old(index), isLost: event.hasLost),
                    // A node that was not emptied got a value, even if that is no longer known.
                    now: value(queries.new(index), isLost: !event.empties), cause: causes.first,
                    thread: texts.place(queries.thread(of: event)),
                    microseconds: Int(event.moment.time - start) / 1000, reason: texts.place(queries.reason(index)),
                    // Compares full values: the texts above are cut.
                    isWasted: event.kind == .stored && queries.isRedundant(index)))
            let rest = causes.dropFirst() + event.partners.compactMap { eventIDs[$0] }
            if !rest.isEmpty { others[id] = Array(rest) }
            if event.stores, let until = queries.log.lossEnds(event.node, after: index) { losses.append((id, until)) }
        }
        // Searches from the beginning, once for each time. There are about as many times as threads with evicted
        // records.
        var rowsAt: [UInt64: Int] = [:]
        func row(at time: UInt64) -> Int {
            if let known = rowsAt[time] { return known }
            let row = moments.firstIndex { $0 >= time } ?? moments.count
            rowsAt[time] = row
            return row
        }
        for (place, id) in nodeIDs {
            if let until = queries.log.lossEnds(place, after: nil) { nodes[id].lostUntil = row(at: until) }
        }
        for (node, place) in live where place == nil {
            guard let until = queries.log.lossEnds(of: node, after: nil) else { continue }
            nodes[liveIDs[ObjectIdentifier(node)]!].lostUntil = row(at: until)
        }
        for loss in losses { rows[loss.row].lostUntil = row(at: loss.until) }
        var times: [Int: (count: Int, sum: Int)] = [:]
        for timing in queries.log.timings {
            guard let edge = edgeID(timing.edge) else { continue }
            let (count, sum) = times[edge] ?? (0, 0)
            times[edge] = (count + 1, sum + Int(timing.duration))
        }
        label = nodes.first.map { texts.all[$0.label] } ?? ""
        let content = Content(
            focus: 0, texts: texts.all,
            nodes: Self.packed(
                nodes,
                [
                    "label": \.label, "name": \.name, "type": \.type, "now": \.now.text, "place": \.place,
                    "lostUntil": \.lostUntil,
                ]),
            edges: Self.packed(
                edges,
                [
                    "name": \.name, "from": \.from, "to": \.to, "place": \.place, "listener": \.listener,
                    "isThere": { $0.isThere ? 1 : 0 },
                ]),
            sets: Self.packed(sets, ["by": \.by, "from": \.from, "to": \.to]),
            events: Self.packed(
                rows,
                [
                    "kind": \.kind, "node": \.node, "edge": \.edge, "source": \.source, "old": \.old.text,
                    "now": \.now.text, "cause": \.cause, "thread": \.thread, "time": \.microseconds,
                    "reason": \.reason, "lostUntil": \.lostUntil, "isWasted": { $0.isWasted ? 1 : 0 },
                ]),
            others: others, times: times.mapValues { $0.sum / $0.count },
            evicted: queries.log.threads.map(\.evicted).reduce(0, +))
        // In a script element, only text that looks like its end has a meaning. Characters that are written by their
        // numbers never do.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        json = ((try? encoder.encode(content)).map { String(decoding: $0, as: UTF8.self) } ?? "{}")
            .replacingScalars(["<": "\\u003c", "\u{2028}": "\\u2028", "\u{2029}": "\\u2029"])
    }
}

extension String {
    /// Returns the text with some of its scalars replaced.
    ///
    /// Does not replace characters: a character that begins with a prepended mark contains the `<` after it, which a
    /// browser reads as any other.
    func replacingScalars(_ replacements: [Unicode.Scalar: String]) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let replacement = replacements[scalar] {
                text += replacement
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
