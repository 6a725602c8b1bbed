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
    ///     print(liLei.current)         // Li Lei: hello
    ///     print(narrator.current)      // The end.
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
    ///     print(debts.current)         // 3
    @inlinable @inline(__always) public func switchMap<Key, Output>(
        _ transform: @escaping @Sendable (Value) -> (Key?, Output)
    ) -> Node<SwitchedNode<Key, Output>> {
        let branches = Branches<Key, Output>()
        return following("SwitchMap", state: branches) {
            let delivery = Delivery<Value, SwitchedNode<Key, Output>>($0)
            let (key, output) = transform(delivery.value)
            guard let (branch, isChange) = branches.take(key, for: delivery) else { return .nothing }
            return delivery.send(output, into: branch.node, announcing: isChange ? branch : nil)
        }
    }
}

/// The branches of a switch, by their keys.
///
/// Hashing runs user code, and so not under the lock: a value takes the table out, and puts it back unless its linking has ended
/// meanwhile. Values come one at a time, so none finds the table taken by another of its linking.
@usableFromInline final class Branches<Key: Hashable & Sendable, Value: Sendable>: OperatorState {
    @usableFromInline struct Table: Sendable {
        @usableFromInline let origin = SwitchOrigin()
        @usableFromInline var branches: [Key?: SwitchedNode<Key, Value>] = [:]
        @usableFromInline var last: Node<Value>?

        @usableFromInline init() {}
    }
    @usableFromInline struct Held: Sendable {
        @usableFromInline var table: Table?
        @usableFromInline var linking = Linking.none

        @usableFromInline init() {}
    }
    @usableFromInline let held = Lock(Held())

    @usableFromInline init() {}

    /// The branch of that key, and whether another one was taken before; `nil` if the switch started over meanwhile.
    @inlinable func take<Input, Output>(
        _ key: Key?, for delivery: Delivery<Input, Output>
    ) -> (branch: SwitchedNode<Key, Value>, isChange: Bool)? {
        let linking = delivery.linking
        let taken = held.withLock { held -> Held in
            defer { held.table = nil }
            return held
        }
        var table = taken.linking == linking ? taken.table ?? Table() : Table()
        let branch: SwitchedNode<Key, Value>
        if let known = table.branches[key] {
            branch = known
        } else {
            branch = SwitchedNode(key: key, node: Node(), origin: table.origin)
            table.branches[key] = branch
        }
        let isChange = table.last !== branch.node
        table.last = branch.node
        let isCurrent = held.withLock { [table] held in
            guard delivery.isCurrent else { return false }
            held.table = table
            held.linking = linking
            return true
        }
        return isCurrent ? (branch, isChange) : nil
    }
    @usableFromInline func forget(_ linking: Linking) {
        _ = held.withLock { held -> Table? in held.linking == linking ? held.table.take() : nil }
    }
}
