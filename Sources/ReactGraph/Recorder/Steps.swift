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
