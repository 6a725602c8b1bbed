// Walking a whole graph with a visitor.

import ReactCore
import ReactGraph
import ReactOperators

let graphWalkCases = [1_000, 10_000, 100_000, 1_000_000].map { count in
    Case(name: "graph walk", size: "\(count)", metric: .nanoseconds(per: "node"), samples: count > 100_000 ? 11 : nil) {
        let last = chain(of: count - 1, from: MutableNode(0))
        return Sample(of: count) {
            var counter = Counter()
            let elapsed = time { last.traverse(&counter) }
            try WrongResult.expect("the number of nodes", counter.nodes, toBe: count)
            try WrongResult.expect("the number of transforms", counter.transforms, toBe: count - 1)
            return elapsed
        }
    }
}

private struct Counter: NodeVisitor {
    var nodes = 0
    var transforms = 0

    mutating func visit(_ node: AnyNode, depth: Int) -> VisitResult {
        nodes += 1
        return .continue
    }
    mutating func visit(_ transform: AnyTransform) -> VisitResult {
        transforms += 1
        return .continue
    }
}
