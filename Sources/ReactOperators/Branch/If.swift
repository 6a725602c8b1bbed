import ReactCore

extension Node {
    /// Splits the values into two branches, by a condition.
    ///
    /// Stands for a `switch` with two `case`s. `condition` is called once for each value, on the thread that sets it,
    /// one value at a time, with no lock held.
    ///
    ///     let number = MutableNode(1), lifetime = Lifetime()
    ///     number.if { $0 > 0 }
    ///         .then { $0.listened(by: lifetime).with { print("positive: \($0)") } }   // positive: 1
    ///         .else { $0.listened(by: lifetime).with { print("not so: \($0)") } }
    ///     number.value = -1                                                           // not so: -1
    @inlinable @inline(never) public func `if`(_ condition: @escaping @Sendable (Value) -> Bool) -> IfResult<Value> {
        let branches = `switch`(condition)
        return IfResult(thenNode: branches.case(true), elseNode: branches.case(false))
    }
}

/// The two branches of an `if`. Either lives without the other.
public struct IfResult<Value: Sendable>: Sendable {
    /// The values for which the condition held.
    public let thenNode: Node<Value>
    /// The values for which it did not hold.
    public let elseNode: Node<Value>

    @usableFromInline init(thenNode: Node<Value>, elseNode: Node<Value>) {
        (self.thenNode, self.elseNode) = (thenNode, elseNode)
    }

    /// Calls `body` with `thenNode`, once, at once.
    @discardableResult public func then(_ body: (Node<Value>) -> Void) -> IfResult<Value> {
        body(thenNode)
        return self
    }
    /// Calls `body` with `elseNode`, once, at once.
    @discardableResult public func `else`(_ body: (Node<Value>) -> Void) -> IfResult<Value> {
        body(elseNode)
        return self
    }
}
