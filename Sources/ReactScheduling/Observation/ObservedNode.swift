import Observation
import ReactCore

/// A node as an observable object of the main actor, for SwiftUI, `Observations` and `withObservationTracking`.
///
///     let price = MutableNode(20)
///     let total = ObservedNode(price.map { $0 * 3 })
///     price.value = 21
///     print(total.value ?? 0)         // 63
///
/// A view reads it like any other observable object: `let total: ObservedNode<Int>`, and `Text("\(total.value ?? 0)")` in its
/// body; see the guide *In an app*.
///
/// **Threads.** `value` changes on the main actor: before the set returns where the node is set there, else as soon as the
/// main actor is free. Where sets come faster than that, values between are left out; the last is never missed.
///
/// **Lifetime.** It holds the node, as a listener does. What observes it does not keep it alive.
@MainActor @Observable public final class ObservedNode<Value: Sendable> {
    /// The node's value; `nil` while that is empty. What a pulse brought stays until the node changes again.
    public private(set) var value: Value?

    @ObservationIgnored private let lifetime = Lifetime()

    /// An object that follows `node`.
    public init(_ node: Node<Value>) {
        // The edge holds what it calls, and `lifetime` holds the edge.
        node.listened(by: lifetime).with(edge: ChangeListenEdge { [weak self] in self?.value = $0 })
    }
}

/// The same for a node that may be set: `@Bindable var name: ObservedMutableNode<String>`, `TextField("", text: $name.value)`.
///
///     let name = MutableNode("ada"), field = ObservedMutableNode(name)
///     field.value = "grace"
///     print(name.value!)              // grace
///     name.value = "edith"
///     print(field.value)              // edith
///
/// **Emptiness.** When the node is emptied, `value` stays what it was.
///
/// All else is as with `ObservedNode`.
@MainActor @Observable public final class ObservedMutableNode<Value: Sendable> {
    private var shown: Value

    @ObservationIgnored private let node: MutableNode<Value>
    @ObservationIgnored private let lifetime = Lifetime()
    @ObservationIgnored private var changes = 0

    /// An object that follows `node`, and sets it.
    ///
    /// - Precondition: the node holds a value.
    public init(_ node: MutableNode<Value>) {
        guard let value = node.value else {
            misuse("ObservedMutableNode: \(node) is empty, and what is bound to it has nothing to show; set it first")
        }
        shown = value
        self.node = node
        node.listened(by: lifetime).with(edge: ChangeListenEdge { [weak self] in self?.follow($0) })
    }

    /// The node's value. Setting it sets the node; it is there when the set returns.
    public var value: Value {
        get { shown }
        set {
            let before = changes
            node.setValue(newValue)
            // Where another thread delivers just then, the node is set by that one, and this is told of it later.
            if changes == before { shown = newValue }
        }
    }

    private func follow(_ value: Value?) {
        changes += 1
        if let value { shown = value }
    }
}
