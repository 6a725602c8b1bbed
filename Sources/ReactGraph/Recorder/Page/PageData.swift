import Foundation
import ReactCore

/// The data of the page: the nodes and edges that are connected with the node, now or on record, and their events.
///
/// Stores lists of lists rather than objects, and each text once, so that a page of 100,000 records is small enough to
/// open at once.
struct PageData {
    let label: String
    let json: String

    private struct Content: Encodable {
        var focus: Int
        var texts: [String]
        /// Label, name, type, value now, place: positions in `texts`, -1 for none. -2 stands for a value that was not
        /// kept, here and below. Then the event before which the node's value is not known; 0 if it is known.
        var nodes: [[Int]]
        /// Name, source, target, place, listener, 1 if the edge leads there now or else 0.
        var edges: [[Int]]
        /// Edge, node that the edge leaves from, node that was set: by listeners, and by joins if there is no edge.
        var sets: [[Int]]
        /// Kind, node, edge, source, value before, value since, cause, thread, microseconds, reason. Then the event
        /// before which later stores to the node are not known, or 0 if they are. Then 1 if the value was wasted, the
        /// other causes, and the kept values that a zip used.
        var events: [[Int]]
        /// Edge, and the mean of its timed calls in nanoseconds.
        var times: [[Int]]
        var evicted: Int
    }
    /// Stands for a value that was not kept.
    private static let notKept = -2
    /// The kind of a body that is called again later, which refuses nothing.
    private static let givenUp = 23

    private struct Texts {
        private(set) var all: [String] = []
        private var places: [String: Int] = [:]

        mutating func place(_ text: String?) -> Int {
            guard let text else { return -1 }
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
        var nodes: [[Int]] = []
        var nodeIDs: [Int: Int] = [:], liveIDs: [ObjectIdentifier: Int] = [:]
        func unnamed(_ node: AnyNode) -> String { node.name.map { "'\($0)'" } ?? ObjectIndex.unnamed(node.valueType) }
        let secrets = names.secrets(among: live.map(\.node))
        for (node, place) in live {
            if let place { nodeIDs[place] = nodes.count }
            liveIDs[ObjectIdentifier(node)] = nodes.count
            let label = (place.map { names.label(of: $0) } ?? unnamed(node)).caption(limit: 60)
            nodes.append([
                texts.place(label), texts.place(node.name?.caption(limit: 60)), texts.place("\(node.valueType)"),
                texts.place(queries.present(node, secrets)?.caption(limit: PageData.textLimit)),
                texts.place(place.flatMap { names.place(ofNode: $0) }), 0,
            ])
        }
        for place in connected.gone {
            nodeIDs[place] = nodes.count
            nodes.append([
                texts.place(names.label(of: place).caption(limit: 60)),
                texts.place(names.nodes[place].name?.caption(limit: 60)), texts.place("\(names.nodes[place].type)"),
                names.nodes[place].node.map {
                    texts.place(queries.present($0, secrets)?.caption(limit: PageData.textLimit))
                } ?? Self.notKept,
                texts.place(names.place(ofNode: place)), 0,
            ])
        }

        var edges: [[Int]] = []
        var edgeIDs: [EdgeWay: Int] = [:]
        let ways = EdgeWays(queries)
        for way in ways.all {
            let edge = names.edges[way.edge]
            guard let source = nodeIDs[way.source] else { continue }
            let target = nodeIDs[way.target] ?? -1
            guard target >= 0 || edge.isListening else { continue }
            edgeIDs[way] = edges.count
            let listener = edge.isListening ? edge.listenerType.map { "\($0)" } ?? "a listener" : nil
            edges.append([
                texts.place(edge.name), source, target, texts.place(names.place(ofEdge: way.edge)),
                texts.place(listener), edge.edge?.source != nil && way == ways.now(of: way.edge) ? 1 : 0,
            ])
        }
        func edgeID(_ edge: Int) -> Int { ways.now(of: edge).flatMap { edgeIDs[$0] } ?? -1 }
        for (node, _) in live {
            for edge in node.downstreamTransforms as [AnyEdge] + node.listenEdges where names.place(of: edge) == nil {
                let target = (edge.destination as? AnyNode).flatMap { liveIDs[ObjectIdentifier($0)] } ?? -1
                let listens = edge is AnyListenEdge
                guard target >= 0 || listens else { continue }
                let listener = listens ? edge.destination.map { "\(type(of: $0))" } : nil
                edges.append([
                    texts.place(edge.name), liveIDs[ObjectIdentifier(node)]!, target, -1, texts.place(listener), 1,
                ])
            }
        }

        let sets = allSets.compactMap { edge, source, target -> [Int]? in
            guard let source = nodeIDs[source], let target = nodeIDs[target] else { return nil }
            return [edgeID(edge), source, target]
        }

        func value(_ text: String?, isLost: Bool) -> Int {
            text == nil && isLost ? Self.notKept : texts.place(text?.caption(limit: PageData.textLimit))
        }
        var rows: [[Int]] = []
        var eventIDs: [Int: Int] = [:]
        var moments: [UInt64] = []
        var losses: [(row: Int, until: UInt64)] = []
        let start = events.first?.moment.time ?? 0
        for (index, event) in events.enumerated() {
            let node = nodeIDs[event.node] ?? -1
            let edge = ways.way(of: event).flatMap { edgeIDs[$0] } ?? edgeID(event.edge)
            switch event.kind {
            case .mark, .batchBegan, .batchEnded: break
            default: if node < 0 && edge < 0 { continue }
            }
            let isGivenUp = event.kind == .computed && event.detail == Record.ComputedEnd.givenUp.rawValue
            eventIDs[index] = rows.count
            moments.append(event.moment.time)
            // Causes that are not on the page are left out.
            let causes = event.causes.compactMap { eventIDs[$0] }
            let row = [
                isGivenUp ? Self.givenUp : Int(event.kind.rawValue), node, edge, nodeIDs[event.source] ?? -1,
                value(queries.old(index), isLost: event.hasLost),
                // A node that was not emptied got a value, even if that is no longer known.
                value(queries.new(index), isLost: !event.empties),
                causes.first ?? -1, texts.place(queries.thread(of: event)),
                Int(event.moment.time - start) / 1000, texts.place(queries.reason(index)), 0,
                // Compares full values: the texts above are cut.
                event.kind == .stored && queries.isRedundant(index) ? 1 : 0,
            ]
            rows.append(row + causes.dropFirst() + event.partners.compactMap { eventIDs[$0] })
            if event.stores, let until = queries.log.lossEnds(event.node, after: index) {
                losses.append((rows.count - 1, until))
            }
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
            if let until = queries.log.lossEnds(place, after: -1) { nodes[id][5] = row(at: until) }
        }
        for (node, place) in live where place == nil {
            guard let until = queries.log.lossEnds(of: node, after: -1) else { continue }
            nodes[liveIDs[ObjectIdentifier(node)]!][5] = row(at: until)
        }
        for loss in losses { rows[loss.row][10] = max(row(at: loss.until), 1) }
        var times: [Int: (count: Int, sum: Int)] = [:]
        for timing in queries.log.timings {
            let edge = edgeID(timing.edge)
            guard edge >= 0 else { continue }
            let (count, sum) = times[edge] ?? (0, 0)
            times[edge] = (count + 1, sum + Int(timing.duration))
        }
        label = nodes.first.map { texts.all[$0[0]] } ?? ""
        let content = Content(
            focus: 0, texts: texts.all, nodes: nodes, edges: edges, sets: sets, events: rows,
            times: times.map { [$0.key, $0.value.sum / $0.value.count] }.sorted { $0[0] < $1[0] },
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
