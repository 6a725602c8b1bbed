import ReactCore
import Synchronization

/// Counts the steps that the engine and the recorder report.
package final class StepCounter: Sendable {
    private let steps = Atomic(0)

    package init() {}
    /// The number of steps so far.
    package var value: Int { steps.load(ordering: .relaxed) }
    /// Runs `body`, and counts its steps.
    package func counting(_ body: () -> Void) {
        Steps.$count.withValue({ self.steps.wrappingAdd($0, ordering: .relaxed) }, operation: body)
    }
}
