import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Graphs of maps and combinations without rings, drawn at random, set, batched and re-pointed at random, and compared
/// after every step with a recalculation from scratch.
@Suite("Random graphs") struct RandomGraphsTests {
    /// How a node's value follows from nodes before it. The model knows nothing of edges or order.
    enum Formula {
        case source
        case map(Int)
        case combine([Int])
    }

    final class Graph {
        let listener = Lifetime()
        let emissions: Locked<[Int]>
        var formulas: [Formula] = []
        var nodes: [Node<Int>] = []
        var inputs: [Int]

        init(sources: Int, derived: Int, using random: inout SeededGenerator) {
            inputs = [Int](repeating: 1, count: sources)
            emissions = Locked([Int](repeating: 0, count: sources + derived))
            for index in 0..<(sources + derived) {
                func earlier() -> Int { Int.random(in: 0..<index, using: &random) }
                if index < sources {
                    formulas.append(.source)
                    nodes.append(MutableNode(1))
                } else if Bool.random(using: &random) {
                    let input = earlier()
                    formulas.append(.map(input))
                    nodes.append(nodes[input].map { $0 &+ 1 })
                } else {
                    let taken = (0..<Int.random(in: 2...3, using: &random)).map { _ in earlier() }
                    formulas.append(.combine(taken))
                    let taking = taken.map { nodes[$0] }
                    nodes.append(
                        taking.count == 2
                            ? combine(taking[0], taking[1]).mapEach { $0 &* 3 &+ $1 }
                            : combine(taking[0], taking[1], taking[2]).mapEach { ($0 &* 3 &+ $1) &* 3 &+ $2 }
                    )
                }
                let emissions = emissions
                nodes[index].listened(by: listener).with { _ in emissions.withLock { $0[index] += 1 } }
            }
            emissions.value = [Int](repeating: 0, count: sources + derived)
        }

        /// Every node's value, recalculated from the inputs.
        var expected: [Int] {
            var values: [Int] = []
            for (index, formula) in formulas.enumerated() {
                switch formula {
                case .source: values.append(inputs[index])
                case .map(let input): values.append(values[input] &+ 1)
                case .combine(let inputs): values.append(inputs.map { values[$0] }.reduce(0) { $0 &* 3 &+ $1 })
                }
            }
            return values
        }

        /// The nodes that follow from any of `roots`, which count themselves.
        func reachable(from roots: Set<Int>) -> Set<Int> {
            formulas.indices.reduce(into: roots) { reached, index in
                switch formulas[index] {
                case .source: break
                case .map(let input): if reached.contains(input) { reached.insert(index) }
                case .combine(let inputs): if !reached.isDisjoint(with: inputs) { reached.insert(index) }
                }
            }
        }

        var combinations: [Int] {
            formulas.indices.filter {
                if case .combine = formulas[$0] { true } else { false }
            }
        }

        func set(_ source: Int, to value: Int) {
            inputs[source] = value
            nodes[source].mutablify().value = value
        }
    }

    @Test("after every set, every node is up to date, and each that the set reaches emitted once")
    func sets() {
        var random = SeededGenerator.announced()
        for round in 0..<Scale.scaled(100) {
            let graph = Graph(sources: 3, derived: 20, using: &random)
            for _ in 0..<10 {
                let source = Int.random(in: 0..<3, using: &random)
                graph.set(source, to: Int.random(in: 0..<1000, using: &random))
                let reached = graph.reachable(from: [source])
                let emissions = graph.emissions.value
                guard graph.nodes.map({ $0.value }) == graph.expected,
                    emissions == emissions.indices.map({ reached.contains($0) ? 1 : 0 })
                else {
                    Issue.record("round \(round), seed \(random.seed): \(graph.formulas) emitted \(emissions)")
                    return
                }
                graph.emissions.value = emissions.map { _ in 0 }
            }
        }
    }

    @Test("after every batch, every node is up to date, and each combination that it reaches emitted once")
    func batches() {
        var random = SeededGenerator.announced()
        for round in 0..<Scale.scaled(100) {
            let graph = Graph(sources: 3, derived: 20, using: &random)
            for _ in 0..<10 {
                let sources = (0..<3).map { _ in Int.random(in: 0..<3, using: &random) }
                batch {
                    for source in sources { graph.set(source, to: Int.random(in: 0..<1000, using: &random)) }
                }
                let reached = graph.reachable(from: Set(sources))
                let emissions = graph.emissions.value
                guard graph.nodes.map({ $0.value }) == graph.expected,
                    graph.combinations.allSatisfy({ emissions[$0] == (reached.contains($0) ? 1 : 0) })
                else {
                    Issue.record("round \(round), seed \(random.seed): \(graph.formulas) emitted \(emissions)")
                    return
                }
                graph.emissions.value = emissions.map { _ in 0 }
            }
        }
    }

    @Test("re-pointed edges keep combinations in order: each emits once for a re-pointing, and once for the next set")
    func repointing() throws {
        var random = SeededGenerator.announced()
        for round in 0..<Scale.scaled(100) {
            let graph = Graph(sources: 3, derived: 20, using: &random)
            for _ in 0..<10 {
                // An earlier node makes no ring, and lets the model go on recalculating in order.
                let moved = Int.random(in: 3..<23, using: &random)
                let target = Int.random(in: 0..<moved, using: &random)
                guard case .map(let before) = graph.formulas[moved], before != target else { continue }
                let edge = try #require(graph.nodes[moved].upstreamTransforms.first as? Transform<Int, Int>)
                graph.formulas[moved] = .map(target)
                edge.from = graph.nodes[target]
                let source = Int.random(in: 0..<3, using: &random)
                let afterMove = graph.emissions.value
                let reachedByMove = graph.reachable(from: [moved])
                graph.emissions.value = afterMove.map { _ in 0 }
                graph.set(source, to: Int.random(in: 0..<1000, using: &random))
                let reached = graph.reachable(from: [source])
                let emissions = graph.emissions.value
                guard graph.nodes.map({ $0.value }) == graph.expected,
                    afterMove == afterMove.indices.map({ reachedByMove.contains($0) ? 1 : 0 }),
                    emissions == emissions.indices.map({ reached.contains($0) ? 1 : 0 })
                else {
                    Issue.record(
                        "round \(round), seed \(random.seed): \(graph.formulas) emitted \(afterMove), then \(emissions)"
                    )
                    return
                }
                graph.emissions.value = emissions.map { _ in 0 }
            }
        }
    }
}
