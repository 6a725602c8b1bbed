import Synchronization

/// Counts the steps of questions about graphs, for tests: their number grows no faster than the graph and its records.
package enum Steps {
    package final class Counter: Sendable {
        private let count = Atomic(0)
        package init() {}
        package var value: Int { count.load(ordering: .relaxed) }
        fileprivate func add(_ steps: Int) { count.wrappingAdd(steps, ordering: .relaxed) }
    }
    /// The counter of the running test, if there is one.
    @TaskLocal package static var counter: Counter?

    package static func count(_ steps: Int) { counter?.add(steps) }
}
