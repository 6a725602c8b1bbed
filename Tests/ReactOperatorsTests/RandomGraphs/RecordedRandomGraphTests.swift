import ReactCore
import TestSupport
import Testing

@testable import ReactGraph

/// What a flight recorder tells of the reference model's random graphs, against what was heard, and what was there.
@Suite("Records of the reference model's graphs")
struct RecordedRandomGraphTests {
    @Test("the causes of each delivery name the nodes of its sender list", arguments: 0..<(Scale.gate.isSmall ? 1 : 10))
    func causes(part: Int) {
        for seed in UInt64(part * 2)..<UInt64((part + 1) * 2) {
            run(seed: seed) { _, library, recorder, start in
                let heard = library.takeLog()
                let events = recorder.events(), told = events.filter { $0.kind == .heard && $0.moment > start }
                guard told.count == heard.count else {
                    return "\(told.count) of \(heard.count) deliveries are on record"
                }
                let byMoment = Dictionary(uniqueKeysWithValues: events.map { ($0.moment, $0) })
                for (event, line) in zip(told, heard) {
                    guard let names = names(behind: event, byMoment, since: start) else { continue }
                    guard names == senders(in: line) else { return "\(line)\non record: \(names.sorted()) \(event)" }
                }
                return nil
            }
        }
    }
    @Test("the graph as it was equals the snapshot that was taken then", arguments: 0..<(Scale.gate.isSmall ? 1 : 10))
    func past(part: Int) {
        for seed in UInt64(part * 2)..<UInt64((part + 1) * 2) {
            var taken: [(moment: GraphMoment, graph: GraphSnapshot)] = []
            run(seed: seed) { _, library, recorder, start in
                taken.append((recorder.mark("then"), comparable(library.nodes[0].graph)))
                for (moment, graph) in taken.suffix(4) where taken.count % 4 == 0 {
                    let past = comparable(recorder.graph(of: library.nodes[0], at: moment))
                    if past != graph { return "then:\n\(graph.dot)\non record:\n\(past.dot)" }
                }
                return nil
            }
        }
    }

    @Test(
        "why not names an edge that kept a set from a node",
        arguments: 0..<(Scale.gate.isSmall ? 1 : 10))
    func refusals(part: Int) {
        var answers = 0
        for seed in UInt64(part * 10)..<UInt64((part + 1) * 10) {
            var before = Ways(), ever = Ways()
            run(
                seed: seed,
                preparing: {
                    before = Ways(from: $0.nodes)
                    ever.add(before)
                }
            ) { model, library, recorder, start in
                defer { model.model.trace = ReferenceModel.Trace() }
                let trace = model.model.trace
                ever.add(Ways(from: model.nodes))
                let queries = recorder.queries
                for (place, node) in model.nodes.enumerated() where trace.given[ObjectIdentifier(node)] == nil {
                    let sets = trace.sets.filter { $0 !== node && before.lead(from: $0, to: node) }
                    if sets.isEmpty { continue }
                    answers += 1
                    let answer = queries.whyNot(library.nodes[place], since: start)
                    var isExplained = false
                    for event in answer.events where ![.set, .cleaned].contains(event.kind) {
                        let edge = library.edges.firstIndex { edge in
                            queries.names.place(of: edge).flatMap { queries.names.reference(toEdge: $0)?.id }
                                == event.edge?.id
                        }
                        // What operators have for their own use, the model does not tell.
                        guard let edge = edge.map({ model.edges[$0].edge }) else {
                            isExplained = true
                            continue
                        }
                        guard trace.sets.contains(where: { ever.lead(from: $0, to: node, by: edge) }) else {
                            return "\(event) is on no way to \(node.name):\n\(answer)"
                        }
                        guard trace.says(edge, at: event, stoppedShortOf: node, ever) else {
                            return "\(event), and yet it passed all on towards \(node.name):\n\(answer)"
                        }
                        if sets.contains(where: { before.lead(from: $0, to: node, by: edge) }) { isExplained = true }
                    }
                    if !isExplained { return "it is not said what stopped short of \(node.name):\n\(answer)" }
                }
                return nil
            }
        }
        #expect(answers > 50, "hardly anything stopped")
    }

    /// Runs a program with a recorder on, step by step, until something is wrong.
    private func run(
        seed: UInt64, preparing prepare: (ModelWorld) -> Void = { _ in },
        _ check: (ModelWorld, LibraryWorld, GraphRecorder, GraphMoment) -> String?
    ) {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        runProgram(seed: seed, steps: 40) { step, model, library, perform in
            prepare(model)
            let start = recorder.mark("\(step)")
            perform()
            // That a node may be set from now on is not on record.
            for node in library.nodes { node.mutablify() }
            return check(model, library, recorder, start)
        }
    }
    /// Without what is told as it is when somebody asks, such as the value of a node that is a value, and without edges that have one
    /// end alone.
    private func comparable(_ graph: GraphSnapshot) -> GraphSnapshot {
        GraphSnapshot(
            nodes: graph.nodes.map { node in
                GraphSnapshot.Node(
                    id: node.id, name: node.name, valueType: node.valueType,
                    value: ["Int", "(Int, Int)", "Array<Int>"].contains(node.valueType) ? node.value : nil,
                    isMutable: node.isMutable, depth: node.depth, listenerCount: node.listenerCount)
            },
            edges: graph.edges.filter { $0.from != nil && $0.to != nil }.map { edge in
                GraphSnapshot.Edge(
                    name: edge.name, from: edge.from, to: edge.to, waitingCount: nil, inputCount: edge.inputCount)
            },
            listeners: graph.listeners, listenings: graph.listenings)
    }
    /// The names of the nodes that a value came through, as its causes tell; `nil` where an edge was given what had come while it was
    /// linked: of several such, no cause tells which.
    private func names(
        behind event: GraphEvent, _ events: [GraphMoment: GraphEvent], since start: GraphMoment
    ) -> Set<String>? {
        var names: Set<String?> = []
        var waiting = event.causes
        while let event = waiting.popLast().flatMap({ events[$0] }) {
            switch event.kind {
            case .set: names.insert(event.node?.name)
            case .replayed:
                if event.causes.first.flatMap({ events[$0]?.kind }) != .linked { return nil }
                names.insert(event.source?.name)
            // It came in an earlier set, while another input had no value, and so set off nothing.
            case .arrived where event.reason?.hasSuffix("had no value") == true && event.moment < start: break
            case .arrived where event.reason?.contains("is empty") == true: break
            // An edge that sends by itself begins a way of its own.
            case .late: names.insert(event.source?.name)
            case .stored, .fired, .switched:
                names.insert(event.node?.name)
                waiting += event.causes
            default: waiting += event.causes
            }
        }
        return Set(names.compactMap(\.self))
    }
    /// The named nodes in "listener 3 heard 7 through n4 - n1 with no context".
    private func senders(in line: String) -> Set<String> {
        let words = line.split(separator: " ")
        guard let first = words.firstIndex(of: "through"), let last = words.lastIndex(of: "with") else { return [] }
        return Set(words[(first + 1)..<last].map(String.init)).subtracting(["-"])
    }
}

/// Edges of the model, as they were linked at one time or another.
private struct Ways {
    typealias Node = ReferenceModel.Node
    typealias Edge = ReferenceModel.Edge
    private var edges: [(edge: Edge, source: Node)] = []

    init(from nodes: [Node] = []) {
        var found = nodes
        var next = 0
        while next < found.count {
            for link in found[next].links {
                edges.append((link.edge, found[next]))
                for target in link.edge.targets where !found.contains(where: { $0 === target }) { found.append(target) }
            }
            next += 1
        }
    }
    mutating func add(_ other: Ways) {
        for new in other.edges where !edges.contains(where: { $0.edge === new.edge && $0.source === new.source }) {
            edges.append(new)
        }
    }
    func lead(from start: Node, to end: Node) -> Bool {
        var found = [start]
        var next = 0
        while next < found.count, found.last !== end {
            for (edge, source) in edges where source === found[next] {
                for target in edge.targets where !found.contains(where: { $0 === target }) { found.append(target) }
            }
            next += 1
        }
        return found.contains { $0 === end }
    }
    /// Whether a way from one to the other goes by `edge`.
    func lead(from start: Node, to end: Node, by edge: Edge) -> Bool {
        edges.contains { known in
            known.edge === edge && lead(from: start, to: known.source)
                && edge.targets.contains { lead(from: $0, to: end) }
        }
    }
    /// The edge of a switch that has the node as a branch.
    func route(to branch: Node) -> Edge? {
        edges.first { edge, _ in
            if case .route(let routes) = edge.rule { routes.branches.contains { $0 === branch } } else { false }
        }?.edge
    }
}
extension ReferenceModel.Trace {
    /// Whether more came to the edge than it passed on to what leads to `node`, or it was cut.
    fileprivate func says(
        _ edge: ReferenceModel.Edge, at event: GraphEvent, stoppedShortOf node: ReferenceModel.Node, _ ways: Ways
    ) -> Bool {
        let source = edge.link?.source
        if event.kind == .cut { return source == nil || source?.name != event.source?.name }
        if source == nil || cut.contains(ObjectIdentifier(edge)) { return true }
        // That a branch was not taken, its own edge tells.
        if let source, let route = ways.route(to: source) {
            return (passed[Pass(route, source)] ?? 0) < (came[ObjectIdentifier(route)] ?? 0)
        }
        let came = came[ObjectIdentifier(edge)] ?? 0
        // What a combination is given, it passes on by itself.
        if case .join = edge.rule { return (given[ObjectIdentifier(edge.target)] ?? 0) < came }
        return edge.targets.contains { ways.lead(from: $0, to: node) && (passed[Pass(edge, $0)] ?? 0) < came }
    }
}
