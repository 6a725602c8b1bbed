import ReactCore

extension Node {
    /// "Failures": the errors of the results that are failures.
    ///
    /// O(1) for each value. Runs on the thread that sets the value.
    ///
    ///     struct Refused: Error {}
    ///     let answer = MutableNode<Result<Int, Refused>>(.success(1)), lifetime = Lifetime()
    ///     answer.failures().listened(by: lifetime).with { _ in print("refused") }
    ///     answer.value = .failure(Refused())      // refused
    @inlinable @inline(never) public func failures<Success, Failure>() -> Node<Failure>
    where Value == Result<Success, Failure> {
        passing("Failures", OnlyFailures.self) { if case .failure(let error) = $0 { error } else { nil } }
    }
}

@usableFromInline enum OnlyFailures: PassingText {
    @usableFromInline static var text: String { "only failures" }
}
