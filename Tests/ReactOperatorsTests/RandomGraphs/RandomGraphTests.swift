import TestSupport
import Testing

/// The library against the reference model, on graphs that nobody thought up.
///
/// Left out is what is not promised: rings with a `combine` or a `zip` in them, where it depends on the order in which
/// the edges were made which of them closes the ring and so does not count towards the ranks.
@Suite("Random graphs")
struct RandomGraphTests {
    /// Ten runs of the same test, so that what fails is found in a tenth of the time and the rest still run.
    @Test("the library behaves as the reference model", arguments: 0..<10)
    func agreesWithModel(part: Int) {
        let count = Scale.gate.isSmall ? 10 : 250
        for seed in UInt64(part * count)..<UInt64((part + 1) * count) { compare(seed: seed) }
    }

    /// Runs both, step by step, until they differ.
    private func compare(seed: UInt64) {
        runProgram(seed: seed) { _, model, library, perform in
            perform()
            let heard = (model: model.takeLog(), library: library.takeLog())
            if heard.model == heard.library, model.values == library.values { return nil }
            return """
                the library differs from the model.
                heard, model:
                \(heard.model.joined(separator: "\n"))
                heard, library:
                \(heard.library.joined(separator: "\n"))
                values, model:   \(model.values.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " "))
                values, library: \(library.values.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " "))
                """
        }
    }
}

/// Runs a random program in the model and in the library, step by step, until something is wrong: `step` says what. It is given
/// the step's number, and what performs it in both.
func runProgram(
    seed: UInt64, steps: Int = 60, _ step: (Int, ModelWorld, LibraryWorld, _ perform: () -> Void) -> String?
) {
    let model = ModelWorld(), library = LibraryWorld()
    var program = RandomProgram(seed: seed, world: model)
    var actions: [Action] = []
    for number in 1...steps {
        let action = program.nextAction()
        actions.append(action)
        let problem = step(number, model, library) {
            model.perform(action)
            library.perform(action)
        }
        guard let problem else { continue }
        let program = actions.enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: "\n")
        Issue.record("seed \(seed), step \(number): \(problem)\n\(program)")
        return
    }
}
