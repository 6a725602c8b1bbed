import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

/// Random graphs, with joins, rings, cuts and re-pointed edges, against what the engine itself says.
@Suite("Records of random graphs") struct RandomRecordsTests {
    private final class Graph: @unchecked Sendable {
        var random: SeededGenerator
        var sources: [MutableNode<Int>] = []
        var nodes: [Node<Int>] = []
        var links: [LinkTransform<Int>] = []
        var heard: [(node: Node<Int>, senders: [String])] = []
        let lifetime = Lifetime()

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            for index in 0..<3 {
                let source = MutableNode(index).named("s\(index)-\(seed)")
                sources.append(source)
                nodes.append(source)
            }
            for index in 3..<12 {
                let a = pick(), b = pick(), limit = Int.random(in: 3...9, using: &random)
                let node: Node<Int> =
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: a.map { $0 &+ 1 }
                    case 1: a.filter { $0 % 10 < limit }
                    case 2: combine(a, b).mapEach { $0 &+ $1 }
                    case 3: merge(a, b)
                    default: a.distinctUntilChanged()
                    }
                nodes.append(node.named("n\(index)-\(seed)"))
            }
            for _ in 0..<3 {
                let link = LinkTransform<Int>()
                let node = sources.randomElement(using: &random)!
                link.to = node
                link.from = nodes.filter { $0 !== node }.randomElement(using: &random)
                links.append(link)
            }
            for node in nodes {
                node.listened(by: lifetime).withSenderListAndContext { [unowned self, unowned node] _, senders, _ in
                    heard.append((node, senders.senders.map { $0.name ?? "" }))
                }
            }
        }
        func pick() -> Node<Int> { nodes.randomElement(using: &random)! }
        func step() {
            heard = []
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let link = links.randomElement(using: &random)!
                let target = link.to
                link.from = nodes.filter { $0 !== target }.randomElement(using: &random)
            case 1: links.randomElement(using: &random)!.from = nil
            case 2:
                let values = sources.map { ($0, Int.random(in: 0..<20, using: &random)) }
                batch { for (source, value) in values { source.value = value } }
            default: sources.randomElement(using: &random)!.value = Int.random(in: 0..<20, using: &random)
            }
        }
        deinit { for link in links { link.cancel() } }
    }

    /// The names of the nodes that led to a delivery, by all its causes, back to the sets.
    private func names(causing delivery: Int, _ chronicle: Chronicle) -> Set<String> {
        var names: Set<String> = []
        var waiting = chronicle.history.events[delivery].causes
        while let index = waiting.popLast() {
            let event = chronicle.history.events[index]
            switch event.kind {
            case .set: names.insert(chronicle.names.nodes[event.node].name ?? "")
            case .replayed: names.insert(chronicle.names.nodes[event.source].name ?? "")
            case .stored, .fired:
                names.insert(chronicle.names.nodes[event.node].name ?? "")
                waiting += event.causes
            default: waiting += event.causes
            }
        }
        return names
    }
    @Test("the causes of each delivery name the nodes of its sender list", arguments: 0..<30 as Range<UInt64>)
    func causes(seed: UInt64) throws {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let graph = Graph(seed: seed)
        for _ in 0..<12 {
            let start = recorder.mark("step")
            graph.step()
            let chronicle = Chronicle(recorder.history)
            let first = chronicle.history.events.firstIndex { $0.moment > start } ?? chronicle.history.events.count
            for node in graph.nodes {
                let place = chronicle.names.place(of: node)
                let events = chronicle.history.events.indices[first...].filter {
                    chronicle.history.events[$0].kind == .heard && chronicle.history.events[$0].node == place
                }
                let heard = graph.heard.filter { $0.node === node }
                try #require(events.count == heard.count, "seed \(seed)")
                for (event, heard) in zip(events, heard) {
                    #expect(names(causing: event, chronicle) == Set(heard.senders), "seed \(seed)")
                }
            }
        }
    }
    @Test("the graph as it was equals the snapshot that was taken then", arguments: 0..<30 as Range<UInt64>)
    func past(seed: UInt64) {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let graph = Graph(seed: seed)
        var taken: [(moment: GraphMoment, graph: GraphSnapshot)] = []
        for number in 0..<12 {
            taken.append((recorder.mark("\(number)"), graph.nodes[0].graph))
            graph.step()
        }
        for (moment, snapshot) in taken.reversed() {
            #expect(recorder.graph(of: graph.nodes[0], at: moment) == snapshot, "seed \(seed)")
        }
    }
    @Test("where a set stopped, why not names an edge that stopped it", arguments: 0..<30 as Range<UInt64>)
    func refusals(seed: UInt64) {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let graph = Graph(seed: seed)
        for _ in 0..<12 {
            let start = recorder.mark("step")
            graph.step()
            let sets = recorder.events(since: start).filter { $0.kind == .set }
            let set = Set(sets.compactMap(\.node?.name))
            let reached = Set(graph.heard.map { $0.node.name! })
            for node in graph.nodes where !reached.contains(node.name!) {
                let upstream = namesUpstream(of: node)
                guard !set.isDisjoint(with: upstream) else { continue }
                let answer = recorder.whyNot(node, since: start)
                #expect(
                    answer.events.contains { $0.kind == .stopped || $0.kind == .arrived || $0.kind == .cut },
                    "seed \(seed): \(answer)")
            }
        }
    }
}

/// The names of what leads to a node now.
private func namesUpstream(of node: AnyNode) -> Set<String> {
    var seen: Set<AnyNode> = [node]
    var waiting = [node]
    while let next = waiting.popLast() {
        for source in next.upstreamNodes where seen.insert(source).inserted { waiting.append(source) }
    }
    return Set(seen.subtracting([node]).compactMap(\.name))
}
