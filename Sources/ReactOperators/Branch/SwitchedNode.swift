import ReactCore
import Synchronization

/// One branch of a switch: its key (`nil` is the default branch) and the node that carries its values.
///
/// `switch` and `switchMap` make branches. You can also make them yourself, and let `case` pick among them.
///
///     let page = MutableNode(SwitchedNode(key: "home", node: Node("Welcome")))
///     let help = page.case("help")
///     page.value = SwitchedNode(key: "help", node: Node("Type ? for more"))
///     print(help.current)      // Type ? for more
public struct SwitchedNode<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The name of the branch. `nil` is the default branch.
    public let key: Key?
    /// The values that take this branch. The node holds the last one.
    ///
    /// To follow a branch, use `case`. A combination of this node and of the switch's source may fire twice for one
    /// set.
    public let node: Node<Value>
    /// The number of the switch that this branch belongs to, between two starts of that switch; 0 if there is none.
    @usableFromInline let switchNumber: UInt64

    /// Makes a branch that belongs to no switch.
    public init(key: Key?, node: Node<Value>) { self.init(key: key, node: node, switchNumber: 0) }
    @inlinable init(key: Key?, node: Node<Value>, switchNumber: UInt64) {
        (self.key, self.node, self.switchNumber) = (key, node, switchNumber)
    }
}

extension SwitchedNode: CustomStringConvertible {
    /// The branch by its key: `branch "help"`, or `the default branch`.
    public var description: String { SwitchedNode.description(ofBranch: key) }

    static func description(ofBranch key: Key?) -> String {
        key.map { "branch \(quoted($0))" } ?? "the default branch"
    }
}

private let lastSwitchNumber = Atomic<UInt64>(0)
/// Returns the number of a switch that starts.
@usableFromInline func nextSwitchNumber() -> UInt64 { lastSwitchNumber.wrappingAdd(1, ordering: .relaxed).newValue }
