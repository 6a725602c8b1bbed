import ReactCore
import Synchronization

/// Counts the steps of questions, for tests: a question takes a number of steps that grows no faster than its records.
enum Steps {
    final class Counter: Sendable {
        let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
    }
    /// The counter of the test that runs, if one does.
    @TaskLocal static var counter: Counter?

    static func count(_ steps: Int) { counter?.count.wrappingAdd(steps, ordering: .relaxed) }
}

extension AnyNode {
    /// Returns of each node whether its value must not be shown, in one walk: O(nodes + edges upstream).
    static func areRedacted(_ nodes: [AnyNode]) -> [Bool] {
        let (areRedacted, steps) = redactions(of: nodes)
        Steps.count(steps)
        return areRedacted
    }
}
