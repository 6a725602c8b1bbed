import ReactCore

extension Node {
    /// "SwitchMap": sends each value down the branch that `key` names.
    ///
    /// `case` and `default` return the values of one branch. The result itself holds the branch that was taken last. It
    /// changes after the value has gone down a new branch.
    ///
    /// Each branch is found by hashing its key and lives as long as the switch, so use a bounded number of keys. The
    /// switch starts over, with no branches, when the transform's `from` or `to` changes. `key` is called on the thread
    /// that sets the value, one value at a time, with no lock held. O(1) for each value; each `case` is called when
    /// another branch is taken.
    ///
    ///     let line = MutableNode("Li Lei: hello")
    ///     let speakers = line.switch { $0.contains(":") ? $0.prefix { $0 != ":" } : nil }
    ///     let liLei = speakers.case("Li Lei")
    ///     let narrator = speakers.default()
    ///     line.value = "The end."
    ///     print(liLei.current)         // Li Lei: hello
    ///     print(narrator.current)      // The end.
    @inlinable @inline(never) public func `switch`<Key>(
        _ key: @escaping @Sendable (Value) -> Key?
    ) -> Node<SwitchedNode<Key, Value>> {
        switchMap { (key($0), $0) }
    }
    /// "SwitchMap": changes each value, and sends it down the branch that `transform` names.
    ///
    /// `transform` returns the branch's key, `nil` for the default branch, and the value that goes down it. It is
    /// called on the thread that sets the value, one value at a time, with no lock held. Starts over when the
    /// transform's `from` or `to` changes. See `switch` for the rest.
    ///
    ///     let number = MutableNode(-3)
    ///     let debts = number.switchMap { ($0 < 0, abs($0)) }.case(true)
    ///     print(debts.current)         // 3
    @inlinable @inline(never) public func switchMap<Key, Output>(
        _ transform: @escaping @Sendable (Value) -> (Key?, Output)
    ) -> Node<SwitchedNode<Key, Output>> {
        let memory = Memory<Branches<Key, Output>?>(nil, .passesPulses)
        return following("SwitchMap", state: memory) {
            let delivery = EdgeCall<Value, SwitchedNode<Key, Output>>($0)
            let (key, output) = transform(delivery.value)
            let branches = memory.lend(to: delivery) ?? Branches(delivery.junction)
            let branch = branches.take(key)
            var given: Branches? = consume branches
            let sent = delivery.send(output, into: consume branch) { swap(&memory.state, &given) }
            withExtendedLifetime(given) {}
            return sent
        }
    }
}

/// The branches of a switch, by their keys. Comparing and hashing keys runs user code, so no lock is held meanwhile.
///
/// Unchecked, because it is lent to one value at a time.
@usableFromInline final class Branches<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Branch = SwitchedNode<Key, Value>

    @usableFromInline let switchNumber = nextSwitchNumber()
    @usableFromInline let junction: SwitchSource
    @exclusivity(unchecked) @usableFromInline var known: [Key?: Branch] = [:]
    /// The branch that was taken last, and the other one while there are two. Both are found without hashing.
    @exclusivity(unchecked) @usableFromInline var last: Branch?
    @exclusivity(unchecked) @usableFromInline var other: Branch?

    @usableFromInline init(_ junction: SwitchSource) { self.junction = junction }
    deinit { junction.end() }

    /// Returns the branch of a key.
    @inlinable @inline(__always) func take(_ key: Key?) -> Branch {
        if let last, last.key == key { return last }
        if let other, other.key == key {
            swap(&self.last, &self.other)
            return other
        }
        return takeOther(key)
    }
    @inlinable @inline(never) func takeOther(_ key: Key?) -> Branch {
        let branch: Branch
        if let one = known[key] {
            branch = one
        } else {
            branch = Branch(key: key, node: Node(), switchNumber: switchNumber)
            branch.node.junction = junction
            known[key] = branch
        }
        other = known.count == 2 ? last : nil
        last = branch
        return branch
    }
}
