/// Counts the steps of questions about graphs, for tests: their number grows no faster than the graph and its records.
package enum Steps {
    /// The counter of the running test.
    @TaskLocal package static var counter: (any StepCounting)?

    package static func count(_ steps: Int) { counter?.add(steps) }
}

package protocol StepCounting: Sendable { func add(_ steps: Int) }
