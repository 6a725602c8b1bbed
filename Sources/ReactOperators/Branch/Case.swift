import ReactCore

extension Node {
    /// "Case": the values of the branch `key`.
    ///
    /// A case attached late starts with the branch's present value, if that branch was taken last. Otherwise it is
    /// empty until the branch is taken again. `nil` is the default branch. If this node's branches do not come from a
    /// `switch`, the result follows the newest branch whose key is `key`.
    ///
    /// Keys are compared until the branch is found. From then on, its values arrive directly. O(1) for each value; runs
    /// on the thread that sets the value.
    ///
    ///     let number = MutableNode(1)
    ///     let even = number.switch { $0.isMultiple(of: 2) }.case(true)
    ///     number.value = 2
    ///     number.value = 3
    ///     print(even.current)      // 2
    @inlinable @inline(never) public func `case`<Key, Output>(_ key: Key?) -> Node<Output>
    where Value == SwitchedNode<Key, Output> {
        let result = Node<Output>()
        let state = CaseState<Key, Output>(key)
        state.following.begin("Case", from: self, to: result, state: state) {
            let delivery = EdgeCall<Value, Output>($0)
            if state.hasFoundBranch(of: delivery.value.switchNumber, by: delivery.connection) { return .nothing }
            let branch = delivery.value
            return branch.key == key ? state.follow(branch.node, of: branch.switchNumber, delivery) : .nothing
        }
        return result
    }
    /// "Case": the values of the default branch, as `case(nil)` returns them.
    ///
    ///     let line = MutableNode("The end.")
    ///     let narrator = line.switch { $0.contains(":") ? "speaker" : nil }.default()
    ///     print(narrator.current)      // The end.
    @inlinable @inline(never) public func `default`<Key, Output>() -> Node<Output>
    where Value == SwitchedNode<Key, Output> {
        `case`(nil)
    }
}

/// The branch that a case follows, and the switch in which it found the branch. In that switch, it need not look again.
///
/// Unchecked, because only the owner of the edge's region uses `found`.
@usableFromInline final class CaseState<Key: Hashable & Sendable, Value: Sendable>: OperatorState, @unchecked Sendable {
    @usableFromInline let key: Key?
    @usableFromInline let following = Following<Value>(passingEmptiness: false)
    /// That switch, and the connection by which its branch came.
    @exclusivity(unchecked) @usableFromInline var found = (switchNumber: UInt64(0), connection: Connection.none)

    @usableFromInline var facts: OperatorFacts { .passesPulses }
    @usableFromInline var wanted: String? { SwitchedNode<Key, Value>.description(ofBranch: key) }
    @inlinable init(_ key: Key?) { self.key = key }

    @inlinable @inline(__always) func hasFoundBranch(of switchNumber: UInt64, by connection: Connection) -> Bool {
        found.connection == connection && found.switchNumber == switchNumber && switchNumber != 0
            && following.newest.edge.isConnected  // false if somebody has cut the link from the branch
    }
    @usableFromInline func follow<Outer>(
        _ node: Node<Value>, of switchNumber: UInt64, _ delivery: EdgeCall<Outer, Value>
    ) -> NextEdge {
        guard delivery.isStillConnected else { return .nothing }
        found = (switchNumber, delivery.connection)
        return following.follow(node, delivery)
    }
    @usableFromInline func discard(_ connection: Connection) { following.discard(connection) }
}
