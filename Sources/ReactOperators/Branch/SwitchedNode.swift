import ReactCore
import Synchronization

/// One branch of a switch: its key (`nil` is the default branch) and the node that carries its values.
///
/// `switch` and `switchMap` make them; you may also make some yourself, and have `case` pick among them.
///
///     let page = MutableNode(SwitchedNode(key: "home", node: Node("Welcome")))
///     let help = page.case("help")
///     page.value = SwitchedNode(key: "help", node: Node("Type ? for more"))
///     print(help.current)      // Type ? for more
public struct SwitchedNode<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// What the branch is called; `nil` is the default branch.
    public let key: Key?
    /// Carries the values that take this branch, and always holds the last of them.
    public let node: Node<Value>
    /// What all branches of one switch have in common.
    @usableFromInline let origin: SwitchOrigin

    /// A branch of no switch in particular.
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

/// Tells one switch's branches from another's, and from those that the same switch had before it started over.
@usableFromInline struct SwitchOrigin: Sendable {
    /// No two switches have the same; 0 is that of none in particular.
    @usableFromInline let number: UInt64

    @usableFromInline init(number: UInt64) { self.number = number }
    @usableFromInline static func next() -> SwitchOrigin {
        SwitchOrigin(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }
    @usableFromInline static var none: SwitchOrigin { SwitchOrigin(number: 0) }
    private static let last = Atomic<UInt64>(0)
}
