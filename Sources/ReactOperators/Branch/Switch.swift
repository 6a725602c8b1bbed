import ReactCore
import Synchronization

extension Node {
    /// "SwitchMap": sends each value down the branch that `key` names.
    ///
    /// `case` and `default` give the values of one branch. The result itself holds the branch that was taken last, and
    /// changes when another one is taken: after the value has gone down that branch.
    ///
    /// A branch is found by hashing its key, and lives as long as the switch, so the number of different keys should be
    /// bounded. Starts over, with no branches, when the transform's `from` or `to` changes. O(1) for each value; each `case` is
    /// told when another branch is taken. `key` is called on the thread that sets the value, one value at a time, with no
    /// lock held.
    ///
    ///     let line = MutableNode("Li Lei: hello")
    ///     let speakers = line.switch { $0.contains(":") ? $0.prefix { $0 != ":" } : nil }
    ///     let liLei = speakers.case("Li Lei")
    ///     let narrator = speakers.default()
    ///     line.value = "The end."
    ///     print(liLei.value!)         // Li Lei: hello
    ///     print(narrator.value!)      // The end.
    @inlinable @inline(__always) public func `switch`<Key>(
        _ key: @escaping @Sendable (Value) -> Key?
    ) -> Node<SwitchedNode<Key, Value>> {
        switchMap { (key($0), $0) }
    }
    /// "SwitchMap": the same, and changes the value on the way. Starts over when the transform's `from` or `to` changes.
    ///
    /// `transform` names the branch, `nil` for the default one, and makes what goes down it; it is called as `switch`'s
    /// `key` is.
    ///
    ///     let number = MutableNode(-3)
    ///     let debts = number.switchMap { ($0 < 0, abs($0)) }.case(true)
    ///     print(debts.value!)         // 3
    @inlinable @inline(__always) public func switchMap<Key, Output>(
        _ transform: @escaping @Sendable (Value) -> (Key?, Output)
    ) -> Node<SwitchedNode<Key, Output>> {
        let branches = Branches<Key, Output>()
        return following("SwitchMap", state: branches) {
            let delivery = Delivery<Value, SwitchedNode<Key, Output>>($0)
            let (key, output) = transform(delivery.value)
            guard let (branch, isChange) = branches.take(key, for: delivery) else { return .nothing }
            delivery.set(branch.node, to: output)
            return isChange ? delivery.send(branch) : .nothing
        }
    }
}

/// The branches of a switch, by their keys.
///
/// Hashing runs user code, and so not under the lock: a value takes the table out, and puts it back unless the switch has
/// started over meanwhile. Values come one at a time, so none finds the table taken by another.
@usableFromInline final class Branches<Key: Hashable & Sendable, Value: Sendable>: OperatorState {
    @usableFromInline struct Table: Sendable {
        @usableFromInline let origin = SwitchOrigin()
        @usableFromInline var branches: [Key?: SwitchedNode<Key, Value>] = [:]
        @usableFromInline var last: Node<Value>?

        @usableFromInline init() {}
    }
    @usableFromInline let table = Lock(Table?.some(Table()))

    @usableFromInline init() {}

    /// The branch of that key, and whether another one was taken before; `nil` if the switch started over meanwhile.
    @inlinable func take<Input, Output>(
        _ key: Key?, for delivery: Delivery<Input, Output>
    ) -> (branch: SwitchedNode<Key, Value>, isChange: Bool)? {
        guard var table = table.withLock({ delivery.isCurrent ? $0.take() : nil }) else { return nil }
        let branch: SwitchedNode<Key, Value>
        if let known = table.branches[key] {
            branch = known
        } else {
            branch = SwitchedNode(key: key, node: Node(), origin: table.origin)
            table.branches[key] = branch
        }
        let isChange = table.last !== branch.node
        table.last = branch.node
        let isCurrent = self.table.withLock { [table] current in
            guard delivery.isCurrent else { return false }
            current = table
            return true
        }
        return isCurrent ? (branch, isChange) : nil
    }
    /// Also when the edge is given another target, or none: a value under way has the table then, and does not bring it back.
    @usableFromInline func disconnected() { startOver() }
    @usableFromInline func startOver() {
        _ = table.withLock { table in
            let old = table
            table = Table()
            return old
        }
    }
}
