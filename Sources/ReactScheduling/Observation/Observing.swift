import Observation
import ReactCore
import Synchronization

extension Node {
    /// Follows the result of `read` while `lifetime` exists. Reads again each time something observable that it read
    /// has changed.
    ///
    ///     @MainActor @Observable final class Cart { var prices = [1, 2] }
    ///     let cart = Cart(), lifetime = Lifetime()
    ///     let total = Node.observing(in: lifetime) { cart.prices.reduce(0, +) }
    ///     print(total.value!)                 // 3
    ///     cart.prices.append(4)
    ///     while total.value == 3 { await Task.yield() }
    ///     print(total.value!)                 // 7
    ///
    /// **Order.** The first value is there when this returns. A change is read when the main actor next has a turn, so that
    /// those that are made together are read together; values between may be left out, and the last state never is.
    ///
    /// **Reading.** The values that `read` uses belong to the main actor, or do not change during the call, because
    /// Observation announces a change before it is made.
    ///
    /// **Lifetime.** `lifetime` holds `read` and everything that it captures. It does not hold the new node, which
    /// keeps its value when `lifetime` goes. If the new node goes first, `lifetime` releases `read`.
    ///
    /// - Parameters:
    ///   - lifetime: Ends the following when it goes, or is cancelled.
    ///   - read: Reads observable objects. It is called twice for each change, and changes nothing itself.
    /// - Returns: The new node: immutable.
    @MainActor public static func observing(
        in lifetime: Lifetime, _ read: @escaping @MainActor () -> Value
    ) -> Node<Value> {
        let source = MutableNode<Value>().named("observing")
        let node = Node<Value>()
        let link = node.link(to: source)
        let observer = Observer(setting: source, by: link, to: read)
        lifetime.hold(observer)
        source.hold(untilItGoes: ObserverEnd(observer, lifetime))
        observer.look()
        return node
    }
}

/// Sets a node to what is read, again after each change of it.
///
/// Observation tells of one change for each time of reading, before it is made. So each telling leads to another reading, on
/// the main actor, where the change has been made by then. What is set is read after the telling has been arranged for:
/// so nothing comes between.
///
/// The lifetime alone holds it.
@MainActor private final class Observer<Value: Sendable>: Cancelable {
    private weak var node: MutableNode<Value>?
    /// What is being read when this is cancelled is stored nowhere.
    nonisolated private let link: any Cancelable
    private let read: @MainActor () -> Value
    nonisolated private let isOver = Atomic(false)

    init(setting node: MutableNode<Value>, by link: any Cancelable, to read: @escaping @MainActor () -> Value) {
        self.node = node
        self.link = link
        self.read = read
    }

    func look() {
        guard let node, !isOver.load(ordering: .acquiring) else { return }
        _ = withObservationTracking {
            read()
        } onChange: { [weak self] in
            guard self != nil else { return }
            Task { @MainActor [weak self] in self?.look() }
        }
        node.setValue(read())
    }
    nonisolated func cancel() {
        isOver.store(true, ordering: .releasing)
        link.cancel()
    }
}

/// Held by the node that an observer sets: when that goes, the lifetime need not hold the observer any more.
private final class ObserverEnd: Sendable {
    private weak let observer: (any Cancelable)?
    private weak let lifetime: Lifetime?

    init(_ observer: any Cancelable, _ lifetime: Lifetime) {
        self.observer = observer
        self.lifetime = lifetime
    }
    deinit { if let observer { lifetime?.letGo(of: observer) } }
}
