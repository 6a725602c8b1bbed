// Layers of four cells, each made of its neighbours in the layer before: a lattice in which every value parts and meets
// again at every layer. Without order, the emissions double with each.

import ReactCore
import ReactOperators

private typealias Cells = [Int]

/// The last layer of a network, when it starts from 1, 2, 3, 4 and from 4, 3, 2, 1.
private let results: [(layers: Int, before: Cells, after: Cells)] = [
    (10, [3, 6, 2, -2], [2, 4, -2, -3]),
    (1_000, [-3, -6, -2, 2], [-2, -4, 2, 3]),
    (2_500, [-3, -6, -2, 2], [-2, -4, 2, 3]),
]

let cellxCases = results.map { layers, before, after in
    Case(
        name: "cellx",
        size: "\(layers)",
        metric: .nanoseconds(per: "cell"),
        baseline: .loop()
    ) {
        let start = [1, 2, 3, 4].map { MutableNode($0) }
        let end = (0..<layers).reduce(start as [Node<Int>]) { layer, _ in next(after: layer) }
        let emissions = Probe()
        for cell in end { emissions.count(cell) }

        // One batch there and one back, each of which every cell must take once.
        func set(_ values: Cells, _ expected: Cells) throws {
            batch {
                for (cell, value) in zip(start, values) { cell.value = value }
            }
            try WrongResult.expect("the last layer", end.map { $0.value(or: 0) }, toBe: expected)
        }
        return Sample(of: 2 * 4 * layers) {
            emissions.sum.pointer.pointee = 0
            let elapsed = try time {
                try set([4, 3, 2, 1], after)
                try set([1, 2, 3, 4], before)
            }
            try WrongResult.expect("the number of emissions", emissions.sum.pointer.pointee, toBe: 2 * 4)
            return elapsed
        }
    }
}

private func next(after layer: [Node<Int>]) -> [Node<Int>] {
    [
        layer[1].map { hidden($0) },
        layer[0].combine(layer[2]).mapEach { hidden($0 &- $1) },
        layer[1].combine(layer[3]).mapEach { hidden($0 &+ $1) },
        layer[2].map { hidden($0) },
    ]
}
