import Synchronization

/// Owns listenings, and ends them when it is deallocated.
///
///     let node = MutableNode(1)
///     var lifetime: Lifetime? = Lifetime()
///     lifetime?.listen(to: node).with { print($0) }       // 1
///     lifetime = nil
///     node.value = 2
///
/// A lifetime is also a listener by itself. It retains its listen edges, and they retain their nodes. So a listener
/// keeps everything upstream alive.
///
/// `hold(_:)` adds other things that end with the lifetime. `cancel()` ends all of it early.
public final class Lifetime: Listener, Sendable {
    let holdings = LifetimeStorage()
    /// The name for pictures and messages.
    public let name: String?

    /// Creates a lifetime that holds nothing yet.
    ///
    /// - Parameters:
    ///   - file: The file of the call. A debug build names it if the lifetime goes as soon as it holds a listening.
    ///   - line: The line of the call.
    public convenience init(file: StaticString = #fileID, line: UInt = #line) {
        self.init(name: nil, madeAt: (file, line))
    }
    /// Creates a lifetime with a name for pictures and messages. See `init(file:line:)` for the rest.
    ///
    ///     print(Lifetime(named: "login screen"))      // Lifetime(named: login screen)
    public convenience init(named name: String, file: StaticString = #fileID, line: UInt = #line) {
        self.init(name: name, madeAt: (file, line))
    }
    /// Creates a lifetime. `place` is `nil` if the library makes it for an object of the program.
    package init(name: String? = nil, madeAt place: (file: StaticString, line: UInt)?) {
        self.name = name
        holdings.begin(self, madeAt: place)
    }
    /// This lifetime itself.
    public var lifetime: Lifetime { self }

    deinit { holdings.end() }

    /// Ends everything that the lifetime holds: the listenings, and everything that `hold(_:)` took. The lifetime can
    /// be used again. Safe from any thread.
    ///
    /// **Order.** The newest ends first, because a later object may use an earlier one. So it is when the
    /// lifetime is deallocated.
    ///
    ///     let node = MutableNode(1), lifetime = Lifetime()
    ///     node.listened(by: lifetime).with { print($0) }      // 1
    ///     lifetime.cancel()
    ///     node.value = 2
    ///     node.listened(by: lifetime).with { print($0) }      // 2
    ///
    /// - Complexity: O(n), where n is the number of things that it holds.
    public func cancel() { holdings.cancel() }
    /// Holds `cancelable`, and cancels it when the lifetime is deallocated, or on `cancel()`. Safe from any thread.
    ///
    ///     let model = MutableNode(1), field = MutableNode<Int>()
    ///     var screen: Lifetime? = Lifetime()
    ///     screen?.hold(field.sync(with: model))
    ///     screen = nil
    ///     model.value = 2
    ///     print(field.current)        // 1
    ///
    /// A connection of this library, or a `BlockCancelable`, leaves the lifetime when its `cancel()` is called. (If
    /// several lifetimes hold it, it leaves the first of them.) Any other cancelable, and one that has ended by itself,
    /// is held until the lifetime ends. Holding one again does nothing.
    ///
    /// - Complexity: O(1), amortised; so is leaving.
    public func hold(_ cancelable: any Cancelable) { holdings.hold(cancelable) }
    /// Notes that a listening or an effect has been attached, in debug builds.
    package func noteAttached() { holdings.noteAttached() }
    /// Allows the lifetime to go at once: no debug build warns of it.
    package func mayGoAtOnce() { holdings.mayGoAtOnce() }
    /// Lets go of `cancelable` without cancelling it.
    package func letGo(of cancelable: any Cancelable) { holdings.letGo(of: cancelable) }
}

extension Cancelable {
    /// Is cancelled when `lifetime` is deallocated or cancelled. `lifetime` holds it until then.
    ///
    ///     let model = MutableNode(1), field = MutableNode<Int>(), screen = Lifetime()
    ///     field.sync(with: model).cancelled(by: screen)
    ///     screen.cancel()
    ///     model.value = 2
    ///     print(field.current)        // 1
    @discardableResult public func cancelled(by lifetime: Lifetime) -> Self {
        lifetime.hold(self)
        return self
    }
}

extension Lifetime: CustomStringConvertible {
    /// The name, as in `Lifetime(named: login screen)`. A lifetime without a name is `undefined`.
    public var description: String { "Lifetime(named: \(name ?? "undefined"))" }
}

/// A cancelable that leaves the lifetime that holds it when it is cancelled.
protocol LifetimeMember: Cancelable {
    /// Notes that `lifetime` holds this cancelable. Returns false if it has been cancelled already.
    func enter(_ lifetime: LifetimeStorage) -> Bool
    /// Forgets `lifetime`, which holds this cancelable no more.
    func leave(_ lifetime: LifetimeStorage)
}

/// The lifetime that holds a cancelable, or the fact that the cancelable has been cancelled.
///
///     free ──enter──▶ held ──cancel──▶ cancelled
///       ▲              │
///       └────leave─────┘        free ──cancel──▶ cancelled
///
/// The word is 0, 1 for cancelled, or the address of the `LifetimeStorage`, which is held.
@usableFromInline struct LifetimeMembership: ~Copyable, Sendable {
    @usableFromInline let word = Atomic<UInt>(0)

    @inlinable init() {}
    /// A second lifetime is not noted. Returns false if the cancelable has been cancelled.
    func enter(_ lifetime: LifetimeStorage) -> Bool {
        let held = Unmanaged.passRetained(lifetime)
        let (isNoted, known) = word.compareExchange(
            expected: 0, desired: UInt(bitPattern: held.toOpaque()), ordering: .acquiringAndReleasing)
        if !isNoted { held.release() }
        return known != 1
    }
    func leave(_ lifetime: LifetimeStorage) {
        let known = Unmanaged.passUnretained(lifetime)
        let (isNoted, _) = word.compareExchange(
            expected: UInt(bitPattern: known.toOpaque()), desired: 0, ordering: .acquiringAndReleasing)
        if isNoted { known.release() }
    }
    /// Makes the cancelable `id`, which has been cancelled, leave its lifetime.
    @inlinable func cancel(_ id: ObjectIdentifier) {
        let known = word.exchange(1, ordering: .acquiringAndReleasing)
        if known > 1 { LifetimeMembership.leave(known, id) }
    }
    @usableFromInline static func leave(_ known: UInt, _ id: ObjectIdentifier) {
        guard let pointer = UnsafeRawPointer(bitPattern: known) else { return }
        let lifetime = Unmanaged<LifetimeStorage>.fromOpaque(pointer).takeRetainedValue()
        withExtendedLifetime(lifetime.remove(id)) {}
    }
}
