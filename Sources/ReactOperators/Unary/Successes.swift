import ReactCore

extension Node {
    /// "Successes": the values of the results that are successes.
    ///
    /// O(1) for each value. Runs on the thread that sets the value.
    ///
    ///     struct Refused: Error {}
    ///     let answer = MutableNode<Result<Int, Refused>>(.success(1))
    ///     let number = answer.successes()
    ///     answer.value = .failure(Refused())
    ///     print(number.current)       // 1
    @inlinable @inline(never) public func successes<Success, Failure>() -> Node<Success>
    where Value == Result<Success, Failure> {
        passing("Successes", OnlySuccesses.self) { if case .success(let value) = $0 { value } else { nil } }
    }
}

@usableFromInline enum OnlySuccesses: PassingText {
    @usableFromInline static var text: String { "only successes" }
}
