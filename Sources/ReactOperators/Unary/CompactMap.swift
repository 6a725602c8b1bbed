import ReactCore

extension Node {
    /// "CompactMap": the results of `transform` for every value, without the `nil`s.
    ///
    /// O(1) for each value. `transform` is called on the thread that sets the value, one value at a time, with no lock
    /// held.
    ///
    ///     let text = MutableNode("12")
    ///     let number = text.compactMap { Int($0) }
    ///     text.value = "twelve"
    ///     print(number.current)    // 12
    @inlinable @inline(never) public func compactMap<Output>(_ transform: @escaping @Sendable (Value) -> Output?)
        -> Node<Output>
    {
        following("CompactMap", passing: WithoutNil.self) {
            let delivery = EdgeCall<Value, Output>($0)
            guard let output = transform(delivery.value) else { return .nothing }
            return delivery.send(output)
        }
    }
}

@usableFromInline enum WithoutNil: PassingText {
    @usableFromInline static var text: String { "only results of its closure that are not nil" }
}
