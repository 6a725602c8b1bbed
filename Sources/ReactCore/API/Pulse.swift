extension MutableNode {
    /// Delivers `value` like a set, and holds nothing: for events, such as a tap, which who comes later must not hear.
    ///
    ///     let taps = MutableNode<String>(), screen = Lifetime()
    ///     let loud = taps.map { $0.uppercased() }, count = taps.scan(0) { count, _ in count + 1 }
    ///     loud.listened(by: screen).with { print($0) }
    ///     taps.pulse("ok")                                // OK
    ///     loud.listened(by: screen).with { print($0) }
    ///     print(taps.isEmpty, loud.isEmpty, count.current)    // true true 1
    ///
    /// When it has been delivered, this node is empty, and so is what is derived from it by operators that keep nothing of their
    /// own: `map`, `filter`, `compactMap`, `merge`, links and the like. Nobody is told of that. What an operator keeps stays: the
    /// result of a `scan`, the input of a `combine`, what `flattenMap` follows, what a scheduler passes on later, as `delay` does, and all
    /// that is derived from those. A node that
    /// was set otherwise meanwhile keeps what it was set to. A node that another thread links in the middle of a pulse may keep
    /// the pulse's value.
    ///
    /// Order, threads and rings are as with a set. Two pulses are two deliveries, also where their values are equal.
    ///
    /// - Parameters:
    ///   - value: What is delivered. It is let go of when the delivery is over.
    ///   - context: What the receivers of the value see beside it, through every operator.
    /// - Precondition: `isMutable`.
    /// - Complexity: As a set; each node on the way costs a few times as much.
    public func pulse(_ value: Value, context: NodeContext? = nil) {
        let pulse = Pulse()
        change(ContextBox(context, pulse)) { store, propagation in
            pulse.note(store, at: propagation.now)
            return propagation.change(value, in: store, by: .set)
        }
    }
}
