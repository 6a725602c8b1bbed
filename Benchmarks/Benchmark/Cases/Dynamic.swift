// The field's dynamic graphs: layers of computeds, each of which reads some nodes of the layer before. For some
// computeds, values decide which nodes they read. The sums and the numbers of calls are those published with the
// graphs, except where a comment gives the reason for another number.

import ReactCore
import ReactOperators

private struct Layers: Sendable {
    let width: Int
    /// The number of layers, including the sources.
    let layers: Int
    /// The number of a computed's inputs.
    let inputs: Int
    /// The part of the computeds that always read the same nodes.
    var staticFraction = 1.0
    /// The part of the last layer that is kept.
    var readFraction = 1.0
    let iterations: Int
    let sum: Double
    let calls: Int

    var size: String { "\(width)x\(layers) of \(inputs)" }
}

private let graphs = [
    Layers(
        width: 10, layers: 5, inputs: 2, readFraction: 0.2, iterations: 600_000, sum: 19_199_968, calls: 3_480_000),
    Layers(
        width: 10, layers: 10, inputs: 6, staticFraction: 0.75, readFraction: 0.2, iterations: 15_000,
        sum: 302_310_782_860, calls: 1_155_000),
    Layers(
        width: 1_000, layers: 12, inputs: 4, staticFraction: 0.95, iterations: 7_000, sum: 29_355_933_696_000,
        calls: 1_463_000),
    Layers(width: 1_000, layers: 5, inputs: 25, iterations: 3_000, sum: 1_171_484_375_000, calls: 732_000),
    Layers(width: 5, layers: 500, inputs: 3, iterations: 500, sum: 3.0239642676898464e241, calls: 1_246_500),
    Layers(
        width: 100, layers: 15, inputs: 6, staticFraction: 0.5, iterations: 2_000, sum: 15_664_996_402_790_400,
        calls: 1_078_000),
]

let dynamicCases = graphs.map { layers in
    Case(
        name: "dynamic",
        size: layers.size,
        metric: .nanoseconds(per: "call"),
        baseline: .loop(),
        samples: 5
    ) {
        let calls = Sum()
        let sources = (0..<layers.width).map { MutableNode(Double($0)) }
        let ends = layers.ends(from: sources, countingTo: calls)
        func write() {
            for iteration in 0..<layers.iterations {
                let source = iteration % sources.count
                batch { sources[source].value = Double(iteration + source) }
            }
        }
        // The numbers of calls are those of a second run of the same graph.
        write()
        return Sample(of: layers.calls) {
            calls.pointer.pointee = 0
            let elapsed = time { write() }
            try WrongResult.expect("the sum of the ends", ends.reduce(0) { $1.value! + $0 }, toBe: layers.sum)
            try WrongResult.expect("the number of calls", calls.pointer.pointee, toBe: layers.calls)
            return elapsed
        }
    }
}

/// A computed of two nodes, beside a combination of the two by a function.
let computedCases = [
    Case(name: "combine", size: "2 by a function", metric: .nanoseconds(per: "set"), prepare: combination.prepare),
    Case(name: "computed", size: "2", metric: .nanoseconds(per: "set"), baseline: combination) {
        let probe = Probe()
        let (left, right) = (MutableNode(0), MutableNode(1))
        probe.hear(computed { read in hidden(try read(left) &+ read(right)) })
        return probe.timed(per: sets, expecting: expectedSum) { for value in 1...sets { left.value = value } }
    },
    Case(name: "transformed", size: "100", metric: .nanoseconds(per: "hop"), baseline: mapping) {
        let probe = Probe()
        let source = MutableNode(0)
        let end = (0..<100).reduce(source as Node<Int>) { node, _ in
            node.transformed("Plus one") { value, send in send(hidden(value &+ 1)) }
        }
        probe.hear(end)
        return probe.timed(per: 100 * sets, expecting: sets * (sets + 1) / 2 + 100 * sets) {
            for value in 1...sets { source.value = value }
        }
    },
    Case(name: "transformed with state", size: "100", metric: .nanoseconds(per: "hop"), baseline: scanning) {
        let probe = Probe()
        let source = MutableNode(0)
        let end = (0..<100).reduce(source as Node<Int>) { node, _ in
            node.transformed("Plus one", state: 0) { last, value, send in
                last = hidden(value &+ 1)
                send(last)
            }
        }
        probe.hear(end)
        return probe.timed(per: 100 * sets, expecting: sets * (sets + 1) / 2 + 100 * sets) {
            for value in 1...sets { source.value = value }
        }
    },
    Case(name: "scan", size: "100", metric: .nanoseconds(per: "hop"), prepare: scanning.prepare),
]
private let sets = 1_000
private let expectedSum = sets * (sets + 1) / 2 + sets
private let combination = Baseline(name: "combine") {
    let probe = Probe()
    let (left, right) = (MutableNode(0), MutableNode(1))
    probe.hear(combine(left, right) { hidden($0 &+ $1) })
    return probe.timed(per: sets, expecting: expectedSum) { for value in 1...sets { left.value = value } }
}
private let mapping = Baseline(name: "map") {
    let probe = Probe()
    let source = MutableNode(0)
    probe.hear(chain(of: 100, from: source))
    return probe.timed(per: 100 * sets, expecting: sets * (sets + 1) / 2 + 100 * sets) {
        for value in 1...sets { source.value = value }
    }
}
private let scanning = Baseline(name: "scan") {
    let probe = Probe()
    let source = MutableNode(0)
    let end = (0..<100).reduce(source as Node<Int>) { node, _ in node.scan(0) { hidden($1 &+ ($0 & 0) &+ 1) } }
    probe.hear(end)
    return probe.timed(per: 100 * sets, expecting: sets * (sets + 1) / 2 + 100 * sets) {
        for value in 1...sets { source.value = value }
    }
}

extension Layers {
    /// The part of the last layer that is kept. Nodes that no end depends on go.
    fileprivate func ends(from sources: [MutableNode<Double>], countingTo calls: Sum) -> [Node<Double>] {
        var random = FieldRandom()
        let last = (1..<layers).reduce(sources as [Node<Double>]) { before, _ in
            before.indices.map { place in
                let inputs = (0..<self.inputs).map { before[(place + $0) % before.count] }
                return random.next() < staticFraction ? fixed(inputs, calls) : dropping(inputs, calls)
            }
        }
        var choice = FieldRandom()
        var kept = last
        for _ in 0..<Int((Double(last.count) * (1 - readFraction)).rounded()) {
            kept.remove(at: Int(choice.next() * Double(kept.count)))
        }
        return kept
    }
    private func fixed(_ inputs: [Node<Double>], _ calls: Sum) -> Node<Double> {
        computed { read in
            calls.add(1)
            var sum = 0.0
            for input in inputs { sum += try read(input) }
            return sum
        }
    }
    /// If the first input is odd, leaves out one of the others. The first input decides which one.
    private func dropping(_ inputs: [Node<Double>], _ calls: Sum) -> Node<Double> {
        let (first, others) = (inputs[0], Array(inputs.dropFirst()))
        return computed { read in
            calls.add(1)
            var sum = try read(first)
            let whole = Int(sum)
            for (place, other) in others.enumerated() where whole & 1 == 0 || place != whole % others.count {
                sum += try read(other)
            }
            return sum
        }
    }
}

/// The generator that the published graphs are drawn by: sfc32, seeded with the MurmurHash3 of "seed".
private struct FieldRandom {
    private var a: UInt32 = 0
    private var b: UInt32 = 0
    private var c: UInt32 = 0
    private var d: UInt32 = 0

    init() {
        var hash: UInt32 = 2_166_136_261
        let seed = "seed".utf8
        for byte in seed {
            var word = UInt32(byte) &* 3_432_918_353
            word = word << 15 | word >> 17
            hash ^= word &* 461_845_907
            hash = hash << 13 | hash >> 19
            hash = hash &* 5 &+ 3_864_292_196
        }
        hash ^= UInt32(seed.count)
        func mixed() -> UInt32 {
            hash ^= hash >> 16
            hash = hash &* 2_246_822_507
            hash ^= hash >> 13
            hash = hash &* 3_266_489_909
            hash ^= hash >> 16
            return hash
        }
        (a, b, c, d) = (mixed(), mixed(), mixed(), mixed())
    }
    /// A number from 0 up to, but not including, 1.
    mutating func next() -> Double {
        var mixed = a &+ b
        a = b ^ b >> 9
        b = c &+ c << 3
        c = c << 21 | c >> 11
        d = d &+ 1
        mixed = mixed &+ d
        c = c &+ mixed
        return Double(mixed) / 4_294_967_296
    }
}
