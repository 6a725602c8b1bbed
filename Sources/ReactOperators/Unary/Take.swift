import ReactCore

extension Node {
    /// "Take": the first `count` values, and none after them.
    ///
    /// Starts over when the transform's `from` or `to` changes. A value that the node holds already counts as its
    /// first, and one that has come round a ring counts as well. O(1) for each value; runs on the thread that sets the
    /// value.
    ///
    ///     let number = MutableNode(1)
    ///     let first = number.take(2)
    ///     number.value = 2
    ///     number.value = 3
    ///     print(first.current)     // 2
    ///
    /// - Precondition: `count >= 0`. The message names the caller's `file` and `line`.
    @inlinable @inline(never) public func take(
        _ count: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> Node<Value> {
        require(count >= 0, "take(\(count)): the number of values to take must not be negative", file: file, line: line)
        let taken = Memory(0, .passesPulses) {
            count == 0 ? "nothing" : "the first \(count == 1 ? "value" : "\(count) values")"
        }
        return following("Take", state: taken) {
            let delivery = EdgeCall<Value, Value>($0)
            return taken.send(delivery.value, after: delivery) { taken in
                guard taken < count else { return false }
                taken += 1
                return true
            }
        }
    }
}
