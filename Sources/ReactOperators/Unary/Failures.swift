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
        let part = PartTransform<Value, Failure, OnlyFailures>(name: "Failures") {
            let delivery = EdgeCall<Value, Failure>($0)
            guard case .failure(let error) = delivery.value else { return .nothing }
            return delivery.send(error)
        }
        return following(by: part)
    }
}

@usableFromInline enum OnlyFailures: PassingText {
    @usableFromInline static var text: String { "only failures" }
}
