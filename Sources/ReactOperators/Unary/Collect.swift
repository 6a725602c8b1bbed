import ReactCore

extension Node {
    /// "Collect": arrays of `count` values each, in the order in which they came.
    ///
    /// An array is passed on when its last value arrives, with that value's context and sender list. Until then, its
    /// values wait and are held. Starts over when the transform's `from` or `to` changes, and drops the values that
    /// wait. O(1) amortised for each value; runs on the thread that sets the value.
    ///
    ///     let number = MutableNode(1)
    ///     let pairs = number.collect(count: 2)
    ///     number.value = 2
    ///     number.value = 3
    ///     print(pairs.current)     // [1, 2]
    ///
    /// - Precondition: `count > 0`. The message names the caller's `file` and `line`.
    @inlinable public func collect(count: Int, file: StaticString = #fileID, line: UInt = #line) -> Node<[Value]> {
        require(count > 0, "collect(count: \(count)): an array must have one value at least", file: file, line: line)
        let passing: @Sendable () -> String = { "arrays of \(count == 1 ? "one value" : "\(count) values")" }
        return transformed("Collect", state: { [Value]() }, [], passing: passing) { values, value, send in
            values.append(value)
            guard values.count == count else { return }
            send(values)
            values = []
        }
    }
}
