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
        node.listened(by: lifetime).with(edge: ChangeListenEdge { [weak self] value, _ in self?.value = value })
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
    @ObservationIgnored private let edge: ChangeListenEdge<Value>
    /// The number of the last change that this was told of, and the newest set by `value`.
    @ObservationIgnored private var told: UInt64 = 0
    @ObservationIgnored private var newest: OwnSet?

    /// An object that follows `node`, and sets it.
    ///
    /// - Precondition: the node holds a value.
    public init(_ node: MutableNode<Value>) {
        guard let value = node.value else {
            misuse("ObservedMutableNode: \(node) is empty, and what is bound to it has nothing to show; set it first")
        }
        shown = value
        self.node = node
        let object = Weak<ObservedMutableNode>()
        edge = ChangeListenEdge { object.value?.follow($0, $1) }
        object.value = self
        node.listened(by: lifetime).with(edge: edge)
    }

    /// The node's value. Setting it sets the node; it is there when the set returns, and is not followed by an older one, also where
    /// another thread delivers just then, and so stores it later.
    public var value: Value {
        get { shown }
        set {
            guard !node.isEmpty else {
                let before = told
                node.setValue(newValue)
                if told == before { shown = newValue }
                return
            }
            let own = OwnSet(), carrier = OwnSet.Carrier(own)
            newest = own
            // An update, as that tells when the value is stored. A node that is emptied before keeps nothing of it, as if the value had
            // been set before that.
            node.update { [edge] value in
                carrier.isStored(as: edge.nextNumber)
                value = newValue
            }
            if !own.isKnown(by: told) { shown = newValue }
        }
    }

    private func follow(_ value: Value?, _ number: UInt64) {
        told = number
        if let newest, newest.isNewer(than: number) { return }
        newest = nil
        if let value { shown = value }
    }
}

/// A set by an `ObservedMutableNode`: where it stands among the changes of the node.
private final class OwnSet: Sendable {
    private enum State {
        /// It has yet to be stored.
        case waits
        /// It was stored as the change of that number.
        case isStored(UInt64)
        /// It was never stored, as the node was emptied before.
        case isOver
    }
    private let state = Lock(State.waits)

    /// Held by what waits to be stored.
    final class Carrier: Sendable {
        private let own: OwnSet
        init(_ own: OwnSet) { self.own = own }
        func isStored(as number: UInt64) { own.state.withLock { $0 = .isStored(number) } }
        deinit { own.state.withLock { if case .waits = $0 { $0 = .isOver } } }
    }
    /// Whether it is one of the changes up to that number.
    func isKnown(by number: UInt64) -> Bool {
        if case .isStored(let own) = state.withLock({ $0 }) { own <= number } else { false }
    }
    /// Whether it comes after the change of that number.
    func isNewer(than number: UInt64) -> Bool {
        switch state.withLock({ $0 }) {
        case .waits: true
        case .isStored(let own): own > number
        case .isOver: false
        }
    }
}

/// A weak reference that is set later.
@MainActor private final class Weak<Object: AnyObject> { weak var value: Object? }
