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

    @Test(
        "the causes of each delivery name the nodes of its sender list",
        arguments: 0..<(Scale.gate.isSmall ? 4 : 30) as Range<UInt64>)
    func causes(seed: UInt64) throws {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let graph = Graph(seed: seed)
        for _ in 0..<12 {
            let start = recorder.mark("step")
            graph.step()
            let queries = recorder.queries
            let first = queries.log.events.firstIndex { $0.moment > start } ?? queries.log.events.count
            for node in graph.nodes {
                let place = queries.names.place(of: node)
                let events = queries.log.events.indices[first...].filter {
                    queries.log.events[$0].kind == .heard && queries.log.events[$0].node == place
                }
                let heard = graph.heard.filter { $0.node === node }
                try #require(events.count == heard.count, "seed \(seed)")
                for (event, heard) in zip(events, heard) {
                    #expect(names(causing: event, queries) == Set(heard.senders), "seed \(seed)")
                }
            }
        }
    }
    @Test(
        "the graph as it was equals the snapshot that was taken then",
        arguments: 0..<(Scale.gate.isSmall ? 4 : 30) as Range<UInt64>)
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
    @Test(
        "why not names an edge that stopped a set",
        arguments: 0..<(Scale.gate.isSmall ? 4 : 30) as Range<UInt64>)
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

/// Graphs that several threads set, cut and link at once.
///
/// In processes of their own, since all threads are recorded; a failure says what differs on standard error.
@Suite("Records of several threads") struct ThreadRecordsTests {
    private struct Heard: Sendable {
        let node: Int
        let value: Int
        let senders: Set<String>
    }
    @Test(
        "the causes of each delivery name the nodes of its sender list",
        arguments: 0..<(Scale.isSmall ? 1 : 4) as Range<UInt64>)
    func causes(seed: UInt64) async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [seed] in
            SilentMistake.report = { _ in }  // on a busy machine, a set may be late
            let recorder = GraphRecorder(sites: false)
            let sources = (0..<3).map { MutableNode($0).named("s\($0)") }
            let relay = Node<Int>().named("relay")
            let link = LinkTransform<Int>()
            relay.link(to: sources[0], transform: link)
            let sum = combine(sources[0], sources[1]).mapEach { $0 &+ $1 }.named("sum")
            let nodes: [Node<Int>] = [
                sources[0].map { $0 &+ 1 }.named("map"),
                merge(sources[1], relay).named("merge"),
                sum,
                combine(sum, sources[2]).mapEach { $0 &- $1 }.named("difference"),
                sources[2].filter { $0 % 3 != 0 }.named("filter"),
            ]
            let heard = Lock<[String: [Heard]]>([:]), lifetime = Lifetime()
            for (index, node) in nodes.enumerated() {
                node.listened(by: lifetime).withSenderListAndContext { value, senders, _ in
                    let names = Set(senders.senders.map { $0.name ?? "" })
                    let thread = Thread.current.name ?? ""
                    heard.withLock { $0[thread, default: []].append(Heard(node: index, value: value, senders: names)) }
                }
            }
            let start = recorder.mark("start")
            heard.withLock { $0 = [:] }
            concurrently(4) { number in
                nameThread("worker \(number)")
                var random = SeededGenerator(seed: seed &* 4 &+ UInt64(number))
                for value in 0..<(Scale.isSmall ? 150 : 300) {
                    let source = sources.randomElement(using: &random)!
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0 where number == 0: link.from = sources.randomElement(using: &random)
                    case 1: batch { for source in sources { source.value = value } }
                    case 2: _ = recorder.why(nodes[value % nodes.count]).events.count
                    default: source.value = value
                    }
                }
            }
            waitForLate(at: sources)
            let queries = recorder.queries
            let places = nodes.map { queries.names.place(of: $0) }
            // The library's own threads, which finish what is late, have no names.
            for (thread, all) in heard.withLock({ $0 }) where thread != "" {
                for (index, place) in places.enumerated() {
                    let events = queries.log.events.indices.filter {
                        let event = queries.log.events[$0]
                        return event.kind == .heard && event.node == place && event.moment > start
                            && queries.thread(of: event) == thread
                    }
                    let heard = all.filter { $0.node == index }
                    if events.count != heard.count {
                        fail("\(nodes[index]): \(events.count) of \(heard.count) on record")
                    }
                    for (event, heard) in zip(events, heard) {
                        let names = names(causing: event, queries), value = queries.new(event)
                        // Of what several threads have brought to a combination, a sender list names the newest; the record all.
                        let isCombined = index == 2 || index == 3
                        guard isCombined ? heard.senders.isSubset(of: names) : names == heard.senders,
                            value == "\(heard.value)"
                        else {
                            let story = queries.why(event)
                            fail(
                                "\(nodes[index]) heard \(heard), and on record are \(value ?? "-") \(names)\n\(story)")
                        }
                    }
                }
            }
        }
        let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(said.isEmpty, "seed \(seed): \(said)")
    }
}

private func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    // What was expected of the process is told by what it says.
    exit(0)
}

/// The names of the nodes that led to a delivery, by all its causes, back to the sets.
private func names(causing delivery: Int, _ queries: Recording) -> Set<String> {
    var names: Set<String> = []
    var waiting = queries.log.events[delivery].causes
    while let index = waiting.popLast() {
        let event = queries.log.events[index]
        func name(_ place: Int?) -> String { place.flatMap { queries.names.nodes[$0].name } ?? "" }
        switch event.kind {
        case .set: names.insert(name(event.node))
        case .replayed: names.insert(name(event.source))
        case .stored, .fired:
            names.insert(name(event.node))
            waiting += event.causes
        default: waiting += event.causes
        }
    }
    return names
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
