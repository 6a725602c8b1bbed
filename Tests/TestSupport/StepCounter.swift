import ReactCore
import Synchronization

/// Counts the steps that the engine and the recorder report.
package final class StepCounter: StepCounting {
    private let steps = Atomic(0)

    package init() {}
    /// The number of steps so far.
    package var value: Int { steps.load(ordering: .relaxed) }
    package func add(_ steps: Int) { self.steps.wrappingAdd(steps, ordering: .relaxed) }
    /// Runs `body`, and counts its steps.
    package func counting(_ body: () -> Void) {
        Steps.$counter.withValue(self, operation: body)
    }
}
