import Foundation
import ReactCore
import ReactGraph
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

/// A graph that follows from a seed: the same seed makes the same graph.
private final class RandomGraph: Sendable {
    let sources: [MutableNode<Int>]
    let nodes: [Node<Int>]
    let clock = VirtualScheduler()
    let heard = Locked<[String]>([])
    let lifetime = Lifetime()

    var journalSources: JournalSources {
        var list = JournalSources()
        for (index, source) in sources.enumerated() { list.add(source, named: "s\(index)") }
        return list
    }
    var watched: [AnyNode] { nodes.suffix(3) }
    var values: [String] { nodes.map { "\($0)" } }
    /// The nodes with their operators, for messages.
    var kinds: String {
        nodes.map { "\($0.name!): \($0.upstreamTransforms.map { "\($0.name) of \($0.source?.name ?? "?")" })" }
            .joined(separator: "\n")
    }
    var sound: [String] { heard.withLock { $0 } }

    /// A graph of all operators, with listeners and effects that set.
    init(ofAll seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let sources = (0..<3).map { MutableNode($0) }
        let inner = (0..<2).map { MutableNode($0) }
        var nodes: [Node<Int>] = sources + inner
        for _ in 0..<Int.random(in: 3...9, using: &random) {
            let a = nodes.randomElement(using: &random)!, b = nodes.randomElement(using: &random)!
            let time = Duration.milliseconds(Int.random(in: 1...40, using: &random))
            nodes.append(RandomGraph.operators.randomElement(using: &random)!(a, b, nodes, time, clock))
        }
        for (index, node) in nodes.enumerated() { node.name = "n\(index)" }
        self.sources = sources
        self.nodes = nodes
        for index in 0..<3 {
            let place = Int.random(in: 0..<nodes.count, using: &random)
            nodes[place].listened(by: lifetime).with { [heard] value in
                heard.withLock { $0.append("\(index): \(value)") }
            }
        }
        // Each sets a node that nothing else sets from inside, to one value or a few times, so that it ends.
        nodes.randomElement(using: &random)!.listened(by: lifetime).with { [source = sources[0]] value in
            if value % 5 == 1, source.value != 3 { source.value = 3 }
        }
        nodes.randomElement(using: &random)!.listened(by: lifetime).with { [node = inner[0]] value in
            if value.isMultiple(of: 2), let old = node.value, old < 5 { node.value = old + 1 }
        }
        let read = nodes.randomElement(using: &random)!
        lifetime.effect { [node = inner[1]] reader in
            if try reader(read) % 3 == 0, node.value != 9 { node.value = 9 }
        }
    }
    private typealias Make = @Sendable (Node<Int>, Node<Int>, [Node<Int>], Duration, VirtualScheduler) -> Node<Int>
    private static let operators: [Make] = [
        { a, _, _, _, _ in a.map { ($0 &* 3 &+ 1) % 100 } },
        { a, _, _, _, _ in a.filter { $0.isMultiple(of: 2) } },
        { a, _, _, _, _ in a.compactMap { $0 > 4 ? $0 - 4 : nil } },
        { a, _, _, _, _ in a.scan(0) { ($0 &+ $1) % 1_000 } },
        { a, _, _, _, _ in a.collect(count: 2).map { $0.reduce(0, +) % 100 } },
        { a, _, _, _, _ in a.distinctUntilChanged() },
        { a, _, _, _, _ in a.skip(1) },
        { a, _, _, _, _ in a.take(4) },
        { a, _, _, _, _ in a.skip { $0 < 3 } },
        { a, _, _, _, _ in a.take { $0 < 60 } },
        { a, b, _, _, _ in a.take(until: b.filter { $0 > 90 }) },
        { a, _, _, _, _ in a.changes().map { ($0.old ?? -1) &+ $0.new } },
        { a, _, _, _, _ in a.settled() },
        { a, b, _, _, _ in a.merge(b) },
        { a, b, _, _, _ in combine(a, b) { ($0 &* 7 &+ $1) % 100 } },
        { a, b, _, _, _ in combine([a, b, a]).map { $0.reduce(0, +) % 100 } },
        { a, b, _, _, _ in a.zip(b).map { ($0.0 &- $0.1) % 100 } },
        { a, b, _, _, _ in a.withLatest(from: b).map { ($0.0 &+ 2 &* $0.1) % 100 } },
        { a, _, nodes, _, _ in a.flattenMap { nodes[abs($0) % nodes.count] } },
        { a, _, _, _, _ in a.if { $0 > 5 }.thenNode },
        { a, _, _, _, _ in a.switch { $0 % 3 }.case(1) },
        { a, b, _, _, _ in computed { try ($0(a) &+ $0(b)) % 100 } },
        { a, b, _, _, _ in computed { try $0(a) > 5 ? $0(b) : -1 } },
        { a, _, _, _, _ in a.fork() },
        { a, _, _, _, _ in a.ignore(0) },
        { a, _, _, _, _ in a.select(1) },
        { a, _, _, _, _ in a.mapReplace(7) },
        { a, _, _, _, _ in a.starting(with: 5) },
        { a, _, _, _, _ in a.pulses() },
        { a, _, _, time, clock in a.delay(time, on: clock) },
        { a, _, _, time, clock in a.debounce(time, on: clock) },
        { a, _, _, time, clock in a.sample(every: time, on: clock) },
        { a, _, _, time, clock in a.collect(every: time, on: clock).map { $0.reduce(0, +) % 100 } },
        { a, _, _, _, clock in a.deliver(on: clock) },
    ]

    /// A graph whose nodes depend on the newest values of the sources alone.
    init(ofNewest seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let sources = (0..<3).map { MutableNode($0) }
        var nodes: [Node<Int>] = sources
        // Nodes that depend on one source by a chain, so that a filter hears the values in their order.
        var chains: [Node<Int>] = sources
        for _ in 0..<Int.random(in: 3...9, using: &random) {
            let a = nodes.randomElement(using: &random)!, b = nodes.randomElement(using: &random)!
            let chain = chains.randomElement(using: &random)!
            switch Int.random(in: 0..<7, using: &random) {
            case 0: chains.append(chain.map { $0 % 10 })
            case 1: chains.append(chain.filter { $0.isMultiple(of: 3) })
            case 2: chains.append(chain.switch { $0 % 2 }.case(0))
            case 3: nodes.append(combine(a, b) { ($0 &* 7 &+ $1) % 100 })
            case 4:
                // A body that needs the value of an empty node leaves its node as it was, which is no newest value.
                nodes.append(computed { $0.ifAny(a) ?? 0 > 5 ? $0.ifAny(b) ?? -1 : $0.ifAny(a) ?? -2 })
            case 5: nodes.append(a.map { $0 &+ 1 })
            default:
                let inner = sources
                nodes.append(chain.flattenMap { inner[abs($0) % inner.count] })
            }
            nodes.append(chains[chains.count - 1])
        }
        for (index, node) in nodes.enumerated() { node.name = "n\(index)" }
        self.sources = sources
        self.nodes = nodes
    }
}

@Suite("Random journals")
struct RandomJournalsTests {
    /// Does random steps to the graph's sources.
    private func play(_ graph: RandomGraph, _ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 2...12, using: &random) {
            let source = graph.sources.randomElement(using: &random)!, value = Int.random(in: 0..<100, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let values = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<100, using: &random))
                }
                batch { for (place, value) in values { graph.sources[place].value = value } }
            case 1: source.pulse(value)
            case 2: source.clean()
            case 3: source.update { $0 += 1 }
            case 4, 5: graph.clock.advance(by: .milliseconds(Int.random(in: 1...60, using: &random)))
            default: source.value = value
            }
        }
    }

    @Test(
        "a journal that is written, read and replayed into a fresh graph comes to the same values, and is heard alike")
    func oneThread() throws {
        let first = SeededGenerator.announced().seed
        for seed in first..<first + UInt64(Scale.scaled(10_000)) {
            var random = SeededGenerator(seed: seed &+ 1_000_000)
            let graph = RandomGraph(ofAll: seed), other = RandomGraph(ofAll: seed)
            let recorder = JournalRecorder(
                of: graph.journalSources, watching: graph.watched, now: { [clock = graph.clock] in clock.now })
            play(graph, &random)
            let journal = try JSONDecoder().decode(Journal.self, from: JSONEncoder().encode(recorder.stop()))
            try #require(recorder.errors == [], "seed \(seed)\n\(journal)\n\(graph.kinds)")
            let differences = try journal.replay(into: other.journalSources, watching: other.watched) {
                other.clock.advance(by: $0)
            }
            try #require(journal == recorder.journal, "seed \(seed)")
            try #require(differences.map(\.description) == [], "seed \(seed)\n\(journal)\n\(graph.kinds)")
            try #require(other.values == graph.values, "seed \(seed)\n\(journal)\n\(graph.kinds)")
            try #require(other.sound == graph.sound, "seed \(seed)\n\(journal)")
        }
    }

    @Test("the sets of four threads replay to the same final values, where nodes depend on the newest values alone")
    func fourThreads() throws {
        let first = SeededGenerator.announced().seed
        for seed in first..<first + UInt64(Scale.scaled(2_000)) {
            let graph = RandomGraph(ofNewest: seed), other = RandomGraph(ofNewest: seed)
            let recorder = JournalRecorder(of: graph.journalSources, watching: graph.watched)
            concurrently(4) { thread in
                var random = SeededGenerator(seed: seed &* 4 &+ UInt64(thread))
                for _ in 0..<8 {
                    let places = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                        Int.random(in: 0..<3, using: &random)
                    }
                    let value = Int.random(in: 0..<100, using: &random)
                    if places.count == 1 {
                        graph.sources[places[0]].value = value
                    } else {
                        batch { for place in places { graph.sources[place].value = value } }
                    }
                }
            }
            waitForLate(at: graph.sources)
            let journal = recorder.stop()
            try journal.replay(into: other.journalSources)
            try #require(journal.isComplete && recorder.errors.isEmpty, "seed \(seed)")
            try #require(other.values == graph.values, "seed \(seed)\n\(graph.kinds)\n\(journal)")
        }
    }
}
