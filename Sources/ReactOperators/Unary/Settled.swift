import ReactCore

extension Node {
    /// "Settled": the last value of each outermost set or `batch`, once, after everything else.
    ///
    /// For what is dear, or is to see the end of a cascade alone: saving, logging, drawing. It comes after every combination that
    /// the set reaches, and after what listeners set meanwhile; several settled nodes come in the order in which they were
    /// reached. What is made of the result belongs to the same set still: a combination of this node and the result fires before the
    /// result changes, and after. What a listener of the result sets begins a new round of the same set: a combination of this node and
    /// of what is set fires before and after. To derive a value, use `computed` or `combine` instead. A node that is not set is not heard. Context and sender list are those of the last value. O(1) for
    /// each value; runs on the thread that sets the value.
    ///
    ///     let document = MutableNode("a"), lifetime = Lifetime()
    ///     document.settled().listened(by: lifetime).with { print("save", $0) }    // save a
    ///     batch {
    ///         document.value = "ab"
    ///         document.value = "abc"
    ///     }                                                                       // save abc
    @inlinable public func settled() -> Node<Value> {
        let slot = JoinSlot("Settled", from: self, to: Node<Value>.self)
        let (result, join) = Node<Value>.joining(inputs: 1, isLast: true) { $1.fire($0, with: slot.newest) }
        result.join(join, slot, self)
        return result
    }
}
