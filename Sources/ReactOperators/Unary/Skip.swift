import ReactCore

extension Node {
    /// "Skip": all values but the first `count`.
    ///
    /// Starts over when the transform's `from` or `to` changes. A value that the node holds already counts as its
    /// first. O(1) for each value; runs on the thread that sets the value.
    ///
    ///     let number = MutableNode(1)
    ///     let later = number.skip(2)
    ///     number.value = 2
    ///     print(later.isEmpty)    // true
    ///     number.value = 3
    ///     print(later.current)     // 3
    ///
    /// - Precondition: `count >= 0`. The message names the caller's `file` and `line`.
    @inlinable @inline(never) public func skip(
        _ count: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Value> {
        require(
            count >= 0, "skip(\(count)): the number of values to skip must not be negative",
            file: file, line: line)
        return counted("Skip", count, passesFirst: false) {
            "the values after the first \(count == 1 ? "one" : "\(count)")"
        }
    }
    /// Passes on the first `count` values, or all others. `passing` describes them.
    @inlinable @inline(__always) func counted(
        _ name: String, _ count: Int, passesFirst: Bool, passing: @escaping @Sendable () -> String
    ) -> Node<Value> {
        let counted = Memory(0, passesPulses: true, passing: passing)
        return following(name, state: counted) {
            let delivery = EdgeCall<Value, Value>($0)
            return counted.send(delivery.value, after: delivery) { counted in
                guard counted < count else { return !passesFirst }
                counted += 1
                return passesFirst
            }
        }
    }
}
