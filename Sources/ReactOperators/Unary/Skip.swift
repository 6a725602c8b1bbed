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
        require(count >= 0, "skip(\(count)): the number of values to skip must not be negative", file: file, line: line)
        let skipped = Memory(0, .passesPulses) { "the values after the first \(count == 1 ? "one" : "\(count)")" }
        return following("Skip", state: skipped) {
            let delivery = EdgeCall<Value, Value>($0)
            return skipped.send(delivery.value, after: delivery) { skipped in
                guard skipped < count else { return true }
                skipped += 1
                return false
            }
        }
    }
}
