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
        following(
            by: PartTransform<Value, Output, Finished>(name: "Successes") {
                let delivery = EdgeCall<Value, Output>($0)
                guard let output = delivery.value.finished else { return .nothing }
                return delivery.send(output)
            })
    }
    /// "Failures": the errors of work that has failed, one for each.
    ///
    /// O(1) for each phase. Runs on the thread on which the work ends.
    ///
    ///     let phase = MutableNode<TaskPhase<Int>>(.failed(CancellationError(), last: nil))
    ///     print(phase.failures().current)         // CancellationError()
    public func failures<Output>() -> Node<any Error> where Value == TaskPhase<Output> {
        following(
            by: PartTransform<Value, any Error, Failed>(name: "Failures") {
                let delivery = EdgeCall<Value, any Error>($0)
                guard let error = delivery.value.failure else { return .nothing }
                return delivery.send(error)
            })
    }
}

private enum Finished: PassingText {
    static var text: String { "only outputs of finished work" }
}
private enum Failed: PassingText {
    static var text: String { "only errors of failed work" }
}
