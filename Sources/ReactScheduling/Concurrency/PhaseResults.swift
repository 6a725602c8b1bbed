import ReactCore

extension Node {
    /// "Successes": the outputs of work that has finished, one for each.
    ///
    /// `running` and `failed` phases pass nothing on, so an output is not repeated when they have it as their `last`.
    /// O(1) for each phase. Runs on the thread on which the work ends.
    ///
    ///     let phase = MutableNode<TaskPhase<Int>>(.finished(1))
    ///     let number = phase.successes()
    ///     phase.value = .running(last: 1)
    ///     print(number.current)       // 1
    public func successes<Output>() -> Node<Output> where Value == TaskPhase<Output> {
        passing("Successes", Finished.self) { $0.finished }
    }
    /// "Failures": the errors of work that has failed, one for each.
    ///
    /// O(1) for each phase. Runs on the thread on which the work ends.
    ///
    ///     let phase = MutableNode<TaskPhase<Int>>(.failed(CancellationError(), last: nil))
    ///     print(phase.failures().current)         // CancellationError()
    public func failures<Output>() -> Node<any Error> where Value == TaskPhase<Output> {
        passing("Failures", Failed.self) { $0.failure }
    }
}

private enum Finished: PassingText {
    static var text: String { "only outputs of finished work" }
}
private enum Failed: PassingText {
    static var text: String { "only errors of failed work" }
}
