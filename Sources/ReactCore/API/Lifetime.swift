/// An object that ends its listenings when it goes away. One stored property makes any class one:
///
///     final class Screen: Listener { let lifetime = Lifetime() }
///
///     let screen = Screen(), node = MutableNode(1)
///     screen.listen(to: node).with { print($0) }      // 1
///
/// Whatever the object listens to, it lets go of when `lifetime` is deallocated, which is with the object itself.
public protocol Listener: AnyObject {
    /// What ends the listenings when it goes: a stored property, held by nobody else.
    var lifetime: Lifetime { get }
}
/// Holds listenings and lets go of them when it is deallocated. Usable as a listener by itself.
///
///     let node = MutableNode(1)
///     var lifetime: Lifetime? = Lifetime()
///     lifetime?.listen(to: node).with { print($0) }       // 1
///     lifetime = nil
///     node.value = 2
///
/// It holds its listen edges, and they hold their nodes: who listens keeps alive what is upstream.
///
/// Other things that can be ended may be held with them: see `hold(_:)`. `cancel()` ends all of it early.
public final class Lifetime: Listener, Sendable {
    let holdings = Holdings()
    /// A name for pictures and messages.
    public let name: String?

    /// A lifetime that holds nothing yet.
    public convenience init() { self.init(name: nil) }
    /// The same with a name for pictures and messages.
    ///
    ///     print(Lifetime(named: "login screen"))      // Lifetime(named: login screen)
    public convenience init(named name: String) { self.init(name: name) }
    private init(name: String?) {
        self.name = name
        holdings.begin(self)
    }
    /// This one itself.
    public var lifetime: Lifetime { self }

    deinit { holdings.end() }

    /// Ends all that it holds, now: listenings in the order in which they were attached, then what `hold(_:)` took. It can
    /// be used again. Safe from any thread.
    ///
    ///     let node = MutableNode(1), lifetime = Lifetime()
    ///     node.listened(by: lifetime).with { print($0) }      // 1
    ///     lifetime.cancel()
    ///     node.value = 2
    ///     node.listened(by: lifetime).with { print($0) }      // 2
    ///
    /// - Complexity: O(what it holds).
    public func cancel() {
        for edge in holdings.allEdges { edge.end(with: holdings) }
        holdings.bag?.cancel()
    }
    /// Holds something that is cancelled with it: when the lifetime goes, or on `cancel()`. Safe from any thread.
    ///
    ///     let model = MutableNode(1), field = MutableNode<Int>()
    ///     var screen: Lifetime? = Lifetime()
    ///     screen?.hold(field.sync(with: model))
    ///     screen = nil
    ///     model.value = 2
    ///     print(field.current)        // 1
    ///
    /// What has ended by itself is held until then as well. Holding it again does nothing.
    public func hold(_ cancelable: any Cancelable) { holdings.hold(cancelable) }
    /// Lets go of something that it holds, and does not cancel it.
    package func letGo(of cancelable: any Cancelable) { holdings.bag?.remove(cancelable) }
}

extension Cancelable {
    /// Is cancelled when `lifetime` goes, or is cancelled itself; `lifetime` holds it until then.
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
    /// `Lifetime(named: login screen)`; `undefined` for no name.
    public var description: String { "Lifetime(named: \(name ?? "undefined"))" }
}

/// Where a listen edge leads: what holds the edge, and who hears it.
///
/// Nothing of the user's goes with it: so the last hold may be let go of under a lock.
///
/// Unchecked, because nothing that is mutable is here.
class Hearer: @unchecked Sendable {
    /// Holds an edge, which nothing holds here yet, until its lifetime ends it. The lifetime is there.
    func hold(_ edge: AnyListenEdge, _ deferred: inout Deferred) { preconditionFailure("abstract") }
    /// Lets go of an edge, unless the lifetime is going, and has done so already.
    func letGo(of edge: AnyListenEdge, _ deferred: inout Deferred) { preconditionFailure("abstract") }
    /// Whether the edges are of the lifetime with these holdings.
    func isHeld(by holdings: Holdings) -> Bool { preconditionFailure("abstract") }
    /// Who hears the edge, unless it has gone. Under an edge's lock, what is found has to be held until after that.
    var listener: AnyObject? { preconditionFailure("abstract") }
    /// Whether delivery has to ask for the listener, as `LinkWord` says it.
    var mode: UInt64 { 0 }
}

/// A listener that is not a lifetime, but has one. All edges that lead there share it: to make a weak reference takes its time.
///
/// Unchecked, as `Hearer` is: what it has is constant, and the listener, which need not be `Sendable`, is only handed on.
final class LifetimeOwner: Hearer, @unchecked Sendable {
    private weak let object: AnyObject?
    private let holdings: Holdings
    private let ownMode: UInt64

    init(_ object: AnyObject, _ holdings: Holdings, _ mode: UInt64) {
        self.object = object
        self.holdings = holdings
        ownMode = mode
    }
    override func hold(_ edge: AnyListenEdge, _ deferred: inout Deferred) { holdings.hold(edge, &deferred) }
    override func letGo(of edge: AnyListenEdge, _ deferred: inout Deferred) { holdings.letGo(of: edge, &deferred) }
    override func isHeld(by other: Holdings) -> Bool { holdings === other }
    override var listener: AnyObject? { object }
    override var mode: UInt64 { ownMode }
}

/// What a lifetime holds: its listen edges, and what else is to end with it.
///
/// An object of its own, which those edges hold as well: so an edge that leaves a lifetime just as that goes, on another
/// thread, touches nothing that is freed meanwhile. Nobody but its owners ever holds the lifetime.
///
/// Unchecked, because what is mutable is reached under the lock alone.
final class Holdings: Hearer, @unchecked Sendable {
    @exclusivity(unchecked) private var edges = EdgeSlots()
    @exclusivity(unchecked) private var others: CancelableBag?
    /// The lifetime itself, until it goes. Not held.
    @exclusivity(unchecked) private var lifetime: Unmanaged<Lifetime>?
    /// The last listener whose lifetime that is.
    @exclusivity(unchecked) private var owner: LifetimeOwner?
    private let lock = Lock(())

    /// Called once, before anything else.
    func begin(_ lifetime: Lifetime) { self.lifetime = .passUnretained(lifetime) }

    override func isHeld(by other: Holdings) -> Bool { self === other }
    override var listener: AnyObject? { lock.locking { lifetime?.whileAlive } }
    /// Where edges to a listener lead whose lifetime this is of, which is there.
    func hearer(_ listener: AnyObject, mode: UInt64) -> LifetimeOwner {
        if let known = lock.locking({ owner }), known.listener === listener { return known }
        let made = LifetimeOwner(listener, self, mode)
        var other: LifetimeOwner? = made
        lock.locking { swap(&owner, &other) }
        return made
    }

    /// The edges, in the order in which they were attached.
    var allEdges: [AnyListenEdge] {
        lock.locking { edges.all }.map { unsafeDowncast($0, to: AnyListenEdge.self) }
    }
    /// How many edges it holds.
    var edgeCount: Int { lock.locking { edges.count } }
    /// What else it holds; `nil` where nothing was ever held.
    var bag: CancelableBag? { lock.locking { others } }
    func hold(_ cancelable: any Cancelable) {
        let made = CancelableBag()
        let bag = lock.locking {
            if others == nil { others = made }
            return others
        }
        bag?.add(cancelable)
    }
    override func hold(_ edge: AnyListenEdge, _ deferred: inout Deferred) {
        lock.locking { edges.insert(.passRetained(edge), at: .destination, &deferred) }
    }
    override func letGo(of edge: AnyListenEdge, _ deferred: inout Deferred) {
        lock.locking {
            guard edge.isListedAtDestination else { return }
            edges.remove(edge, &deferred)
            edge.setSlot(AnyEdge.noSlot, at: .destination)
        }
    }
    /// Ends all of it: the lifetime is going.
    func end() {
        var held = EdgeSlots()
        var bag: CancelableBag?
        var oldOwner: LifetimeOwner?
        lock.locking {
            held = edges.removeAll()
            bag = others.take()
            lifetime = nil
            oldOwner = owner.take()
        }
        held.consumeEach { unsafeDowncast($0, to: AnyListenEdge.self).end(with: self) }
        withExtendedLifetime((bag, oldOwner)) {}
    }
}
