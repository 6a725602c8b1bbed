import ReactCore

extension Node {
    /// "SkipWhile": drops values until `condition` first returns false, and passes on that value and all later ones.
    ///
    /// From then on `condition` is not called again. Starts over when the transform's `from` or `to` changes. O(1) for
    /// each value. `condition` is called on the thread that sets the value, one value at a time, with no lock held.
    ///
    ///     let text = MutableNode("")
    ///     let typed = text.skip(while: { $0.isEmpty })
    ///     print(typed.isEmpty)     // true
    ///     text.value = "a"
    ///     text.value = ""
    ///     print(typed.current.count)      // 0
    @inlinable public func skip(while condition: @escaping @Sendable (Value) -> Bool) -> Node<Value> {
        transformed("SkipWhile", state: { false }, .passesPulses) { hasBegun, value, send in
            if !hasBegun, condition(value) { return }
            hasBegun = true
            send(value)
        }
    }
}
