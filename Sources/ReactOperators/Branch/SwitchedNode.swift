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
    /// The switch that this branch belongs to.
    @usableFromInline let origin: SwitchOrigin

    /// Makes a branch that belongs to no switch.
    public init(key: Key?, node: Node<Value>) {
        self.init(key: key, node: node, origin: .none)
    }
    @inlinable init(key: Key?, node: Node<Value>, origin: SwitchOrigin) {
        self.key = key
        self.node = node
        self.origin = origin
    }
}

extension SwitchedNode: NodeBranch {}
extension SwitchedNode: CustomStringConvertible {
    /// The branch by its key: `branch "help"`, or `the default branch`.
    public var description: String { SwitchedNode.description(ofBranch: key) }

    static func description(ofBranch key: Key?) -> String {
        key.map { "branch \(quoted($0))" } ?? "the default branch"
    }
}

/// Identifies the branches of one switch, between two starts of that switch.
@usableFromInline struct SwitchOrigin: Sendable {
    /// Unique for each switch. 0 stands for no switch.
    @usableFromInline let number: UInt64

    @usableFromInline init(number: UInt64) { self.number = number }
    @usableFromInline static func next() -> SwitchOrigin {
        SwitchOrigin(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }
    @usableFromInline static var none: SwitchOrigin { SwitchOrigin(number: 0) }
    private static let last = Atomic<UInt64>(0)
}
