import Observation
import ReactCore

/// A node as an observable object of the main actor, for SwiftUI, `Observations` and `withObservationTracking`.
///
///     let price = MutableNode(20)
///     let total = ObservedNode(price.map { $0 * 3 })
///     price.value = 21
///     print(total.value ?? 0)         // 63
///
/// A view reads it like any other observable object: it declares `let total: ObservedNode<Int>`, and writes
/// `Text("\(total.value ?? 0)")` in its body. See the guide *In an app*.
///
/// **Threads.** `value` changes on the main actor: before the set returns if the node is set there, and otherwise as
/// soon as the main actor is free. If sets come faster than that, values between are left out. The last value is never
/// missed.
///
/// **Lifetime.** The object holds the node, as a listener does. Observers do not keep the object alive.
@MainActor @Observable public final class ObservedNode<Value: Sendable> {
    /// The node's value, or `nil` while the node is empty. A pulse's value stays until the node changes again.
    public private(set) var value: Value?
    /// The node's value, not as an optional.
    ///
    ///     let total = ObservedNode(MutableNode(63))
    ///     print(total.current)            // 63
    ///
    /// - Precondition: the node was not empty when this object was made, or the main actor has heard a value since, and
    ///   has not heard that the node was emptied. The message names the node.
    public var current: Value {
        guard let value else {
            misuse(
                "ObservedNode.current: \(node.textAndOriginInMessages) holds nothing; give it a value first, or ask for `value`, which may be nil"
            )
        }
        return value
    }

    @ObservationIgnored private let node: Node<Value>
    @ObservationIgnored private let lifetime = Lifetime()

    /// Makes an object that follows `node`.
    public init(_ node: Node<Value>) {
        self.node = node
        // The edge holds its closure, and `lifetime` holds the edge.
        node.listened(by: lifetime).with(
            edge: MainActorListenEdge(.newestChange) { [weak self] value, _, _ in self?.value = value })
        // The first call of the edge is late if another thread keeps the graph busy.
        if value == nil { value = node.value }
        // SwiftUI makes such objects, and drops them at once.
        lifetime.mayGoAtOnce()
    }
}

/// A mutable node as an observable object of the main actor, for bindings.
///
///     let name = MutableNode("ada"), field = ObservedMutableNode(name)
///     field.value = "grace"
///     print(name.value!)              // grace
///     name.value = "edith"
///     print(field.value)              // edith
///
/// A view declares `@Bindable var name: ObservedMutableNode<String>`, and writes `TextField("", text: $name.value)` in
/// its body. Threads and lifetime are as with `ObservedNode`.
///
/// **Emptiness.** When the node is emptied, `value` keeps the last value.
@MainActor @Observable public final class ObservedMutableNode<Value: Sendable> {
    private var shown: Value

    @ObservationIgnored private let node: MutableNode<Value>
    @ObservationIgnored private let lifetime = Lifetime()
    @ObservationIgnored private let edge: MainActorListenEdge<Value>
    /// The number of the last change that was told, and the newest set by `value`.
    @ObservationIgnored private var told: Int = 0
    @ObservationIgnored private var newest: OwnSet?

    /// Makes an object that follows `node`, and sets it.
    ///
    /// - Precondition: the node holds a value. The message names the caller's `file` and `line`.
    public init(_ node: MutableNode<Value>, file: StaticString = #fileID, line: UInt = #line) {
        guard let value = node.value else {
            misuse(
                "ObservedMutableNode: \(node.textInMessages) is empty, so a view bound to it has nothing to show; set it first",
                file: file, line: line)
        }
        shown = value
        self.node = node
        let object = Weak<ObservedMutableNode>()
        edge = MainActorListenEdge(.newestChange) { object.value?.follow($0, $2) }
        object.value = self
        node.listened(by: lifetime).with(edge: edge)
        lifetime.mayGoAtOnce()
    }

    /// The node's value. Setting it sets the node. `value` has the new value when the set returns, even if another
    /// thread is delivering the node and stores the value later. An older value does not replace it afterwards.
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
            // An `update`, because its closure runs when the value is stored. If the node is emptied before that, the
            // value is dropped, as if it had been set before the emptying.
            node.update { [edge] value in
                carrier.isStored(as: edge.nextNumber)
                value = newValue
            }
            if !own.isKnown(by: told) { shown = newValue }
        }
    }

    private func follow(_ value: Value?, _ number: Int) {
        told = number
        if let newest, newest.isNewer(than: number) { return }
        newest = nil
        if let value { shown = value }
    }
}

extension ObservedNode: CustomReflectable {
    /// The node for `dump` and debuggers, which keeps a redacted value out.
    nonisolated public var customMirror: Mirror { Mirror(self, children: ["node": node], displayStyle: .class) }
}
extension ObservedMutableNode: CustomReflectable {
    /// The node for `dump` and debuggers, which keeps a redacted value out.
    nonisolated public var customMirror: Mirror { Mirror(self, children: ["node": node], displayStyle: .class) }
}

/// A set by an `ObservedMutableNode`, and its place among the changes of the node.
private final class OwnSet: Sendable {
    private enum State {
        /// Not stored yet.
        case waits
        /// Stored as the change of this number.
        case isStored(Int)
        /// Never stored, because the node was emptied before.
        case isOver
    }
    private let state = Lock(State.waits)

    /// Held by the update that waits to be stored. Its release without `isStored` means that the update was dropped.
    final class Carrier: Sendable {
        private let own: OwnSet
        init(_ own: OwnSet) { self.own = own }
        func isStored(as number: Int) { own.state.withLock { $0 = .isStored(number) } }
        deinit { own.state.withLock { if case .waits = $0 { $0 = .isOver } } }
    }
    /// Returns true if this set is one of the changes up to `number`.
    func isKnown(by number: Int) -> Bool {
        if case .isStored(let own) = state.withLock({ $0 }) { own <= number } else { false }
    }
    /// Returns true if this set comes after the change `number`.
    func isNewer(than number: Int) -> Bool {
        switch state.withLock({ $0 }) {
        case .waits: true
        case .isStored(let own): own > number
        case .isOver: false
        }
    }
}

/// A weak reference that is set later.
@MainActor private final class Weak<Object: AnyObject> { weak var value: Object? }
