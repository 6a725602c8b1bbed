import Observation
import ReactCore
import Synchronization

extension Node {
    /// Follows the result of `read` while `lifetime` exists, and reads again each time something observable that it
    /// read has changed.
    ///
    ///     @MainActor @Observable final class Cart { var prices = [1, 2] }
    ///     let cart = Cart(), lifetime = Lifetime()
    ///     let total = Node.observing(in: lifetime) { cart.prices.reduce(0, +) }
    ///     print(total.value!)                 // 3
    ///     cart.prices.append(4)
    ///     while total.value == 3 { await Task.yield() }
    ///     print(total.value!)                 // 7
    ///
    /// **Order.** The first value is there when this method returns. A change is read when the main actor next has a
    /// turn, so changes that are made together are read together. Values between may be left out. The last state is
    /// never left out.
    ///
    /// **Reading.** The values that `read` uses must belong to the main actor, or must not change during the call. The
    /// reason is that Observation announces a change before it is made.
    ///
    /// **Lifetime.** `lifetime` holds `read` and everything that it captures. It does not hold the new node, which
    /// keeps its value when `lifetime` goes. If the new node goes first, `lifetime` releases `read`. In either case
    /// nothing is left with the observed objects, and their next change costs nothing for this node.
    ///
    /// - Parameters:
    ///   - lifetime: Ends the following when it goes, or is cancelled.
    ///   - read: Reads observable objects. It is called twice for each change, and changes nothing itself.
    /// - Returns: A new immutable node.
    @MainActor public static func observing(
        in lifetime: Lifetime, _ read: @escaping @MainActor () -> Value
    ) -> Node<Value> {
        let source = MutableNode<Value>().named("observing")
        let node = Node<Value>()
        let link = node.link(to: source)
        let observer = Observer(setting: source, to: read)
        let ending = BlockCancelable {
            observer.end()
            // A reading that is under way is not stored.
            link.cancel()
        }
        lifetime.hold(ending)
        // The observer ends, and leaves the lifetime, when the node that it sets goes.
        let endings = CancelableBag()
        endings.add(ending)
        _ = source.vertex.holdByHandle(endings)
        observer.look()
        return node
    }
}

/// Sets a node to the result of `read`, and again after each change.
///
/// Observation announces one change for each reading, before the change is made. Each announcement therefore leads to
/// another reading, on the main actor, where the change has been made by then. The value that is set is read once the
/// next announcement is arranged, so no change is missed between the two.
///
/// Observation cannot cancel a reading. It forgets one when anything changes that was read. So each reading reads
/// `isOver` as well, and the end of this object announces a change of that.
///
/// The object that ends the observer holds it. Nothing holds it afterwards.
@MainActor private final class Observer<Value: Sendable>: Observable {
    private weak var node: MutableNode<Value>?
    private let read: @MainActor () -> Value
    nonisolated private let hasEnded = Atomic(false)
    nonisolated private let registrar = ObservationRegistrar()
    nonisolated private var isOver: Bool { hasEnded.load(ordering: .acquiring) }

    init(setting node: MutableNode<Value>, to read: @escaping @MainActor () -> Value) {
        self.node = node
        self.read = read
    }

    func look() {
        guard let node, !isOver else { return }
        #if DEBUG
        let counted = ObservedReading()
        #else
        let counted: Void = ()
        #endif
        _ = withObservationTracking {
            registrar.access(self, keyPath: \.isOver)
            return read()
        } onChange: { [weak self, counted] in
            _ = counted
            guard let self, !self.isOver else { return }
            Task { @MainActor [weak self] in self?.look() }
        }
        // The end may have come before the reading was arranged.
        if isOver { end() }
        node.setValue(read())
    }
    /// Ends the reading under way, if there is one, and all later ones.
    nonisolated func end() {
        hasEnded.store(true, ordering: .releasing)
        registrar.withMutation(of: self, keyPath: \.isOver) {}
    }
}

#if DEBUG
/// Counts the readings that Observation holds. For tests, in debug builds only.
package final class ObservedReading: Sendable {
    private static let count = Atomic(0)
    package static var counted: Int { count.load(ordering: .acquiring) }

    fileprivate init() { ObservedReading.count.add(1, ordering: .relaxed) }
    deinit { ObservedReading.count.subtract(1, ordering: .releasing) }
}
#endif
