import ReactCore
import Testing

@testable import ReactGraph

/// What a flight recorder tells of the reference model's random graphs, against what was heard, and what was there.
@Suite("Records of the reference model's graphs")
struct RecordedRandomGraphTests {
    @Test("the causes of each delivery name the nodes of its sender list", arguments: 0..<10)
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
                    guard let names = names(behind: event, byMoment) else { continue }
                    guard names == senders(in: line) else { return "\(line)\non record: \(names.sorted()) \(event)" }
                }
                return nil
            }
        }
    }
    @Test("the graph as it was equals the snapshot that was taken then", arguments: 0..<10)
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

    /// Runs a program with a recorder on, step by step, until something is wrong.
    private func run(seed: UInt64, _ check: (ModelWorld, LibraryWorld, GraphRecorder, GraphMoment) -> String?) {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        runProgram(seed: seed, steps: 40) { step, model, library, perform in
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
    private func names(behind event: GraphEvent, _ events: [GraphMoment: GraphEvent]) -> Set<String>? {
        var names: Set<String?> = []
        var waiting = event.causes
        while let event = waiting.popLast().flatMap({ events[$0] }) {
            switch event.kind {
            case .set: names.insert(event.node?.name)
            case .replayed:
                if event.causes.first.flatMap({ events[$0]?.kind }) != .linked { return nil }
                names.insert(event.source?.name)
            // It came while another input had no value, and so set off nothing.
            case .arrived where event.reason?.contains("waits for") == true: break
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
