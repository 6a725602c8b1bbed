import ReactCore

extension Node {
    /// "Changes": the previous value and the new value.
    ///
    /// `old` is `nil` for the first value. Starts over when the transform's `from` or `to` changes. The result holds
    /// both values. O(1) for each value; runs on the thread that sets the value.
    ///
    ///     let level = MutableNode(3), lifetime = Lifetime()
    ///     level.changes().listened(by: lifetime).with { print($0.old ?? 0, "→", $0.new) }     // 0 → 3
    ///     level.value = 5                                                                     // 3 → 5
    @inlinable @inline(never) public func changes() -> Node<(old: Value?, new: Value)> {
        let last = Memory(Value?.none, .passesPulses)
        return following("Changes", state: last) {
            let delivery = EdgeCall<Value, (old: Value?, new: Value)>($0)
            let (old, new) = (last.now(for: delivery), delivery.value)
            return last.send((old: old, new: new), remembering: new, after: delivery)
        }
    }
}
