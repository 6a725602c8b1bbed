import ReactCore

extension Node {
    /// "Settled": the last value of each outermost set or `batch`, once, after everything else.
    ///
    /// Use it for expensive work, and for work that needs only the end of a cascade: saving, logging, drawing. It fires
    /// after every combination that the set reaches, and after the sets that listeners make meanwhile. Several settled
    /// nodes fire in the order in which they were reached. A set that does not reach this node is not heard.
    ///
    /// Nodes derived from the result still belong to the same set, so a combination of this node and the result fires
    /// twice: before the result changes, and after. A set by a listener of the result begins a new round of the same
    /// set. A combination of this node and of a node that this listener sets therefore fires twice, too. To derive a
    /// value, use `computed` or `combine` instead.
    ///
    /// Of a set and a pulse in one batch, the newer one counts: if that is the pulse, the result has its earlier value
    /// afterwards.
    ///
    /// The result carries the context and sender list of the last value. O(1) for each value; runs on the thread that
    /// sets the value.
    ///
    ///     let document = MutableNode("a"), lifetime = Lifetime()
    ///     document.settled().listened(by: lifetime).with { print("save", $0) }    // save a
    ///     batch {
    ///         document.value = "ab"
    ///         document.value = "abc"
    ///     }                                                                       // save abc
    @inlinable public func settled() -> Node<Value> {
        let input = JoinInput("Settled", from: self, to: Node<Value>.self)
        let (result, join) = Node<Value>.joining(inputs: 1, rank: .last, passesPulses: true, keepsEmptied: true) {
            $1.fire($0, with: input.newest)
        }
        result.join(join, input, self)
        return result
    }
}
