import Synchronization

/// Something that can be ended, such as a listening or a link.
///
/// Ending it again does nothing. Dropping it without `cancel()` ends nothing.
///
///     let node = MutableNode(1), lifetime = Lifetime()
///     let listening = node.listened(by: lifetime).with { print($0) }      // 1
///     listening.cancel()
///     node.value = 2
public protocol Cancelable: AnyObject, Sendable {
    /// Ends it. Safe from any thread.
    func cancel()
}

/// Runs a closure on the first `cancel()`, and then releases it.
///
///     let cancelable = BlockCancelable { print("ended") }
///     cancelable.cancel()     // ended
///     cancelable.cancel()
public final class BlockCancelable: Cancelable, LifetimeMember {
    private let block: Lock<(@Sendable () -> Void)?>
    private let membership = LifetimeMembership()

    /// Creates a cancelable that runs `block` on its first `cancel()`. Until then, it retains `block`.
    public init(_ block: @escaping @Sendable () -> Void) { self.block = Lock(block) }
    /// Runs the closure on the first call, on the calling thread. Later calls do nothing. Safe from any thread.
    public func cancel() {
        guard let block = block.withLock({ $0.take() }) else { return }
        membership.cancel(ObjectIdentifier(self))
        block()
        IterativeRelease.letGo(of: consume block)
    }
    func enter(_ lifetime: LifetimeStorage) -> Bool { membership.enter(lifetime) }
    func leave(_ lifetime: LifetimeStorage) { membership.leave(lifetime) }
}

/// Ends everything that it holds, on `cancel()` or when it is deallocated.
///
/// A cancelable that is added after a `cancel()` is ended by the next one. Safe from any thread.
///
///     let a = MutableNode(1), b = MutableNode(2)
///     let bag = CancelableBag()
///     bag.add(a.sync(with: b))
///     bag.cancel()
///     b.value = 3
///     print(a.current)         // 2
public final class CancelableBag: Cancelable {
    private let held = Lock(HeldCancelables())

    /// Creates an empty bag.
    public init() {}
    deinit { cancel() }

    /// Holds `cancelable` until it is removed or ended. Adding it again does nothing. O(1).
    public func add(_ cancelable: any Cancelable) {
        held.withLock { _ = $0.add(cancelable, number: 0) }
    }
    /// Lets go of `cancelable` without ending it. O(1), amortised.
    public func remove(_ cancelable: any Cancelable) {
        let removed = held.withLock { $0.remove(ObjectIdentifier(cancelable)) }
        withExtendedLifetime(removed) {}
    }
    /// Ends everything that the bag holds, in the order in which it was added, and lets go of it. O(n).
    public func cancel() {
        // Bags in this bag are ended in this loop, so nested bags need no recursion.
        var waiting = takeAll()
        while let next = waiting.popLast() {
            if let bag = next as? CancelableBag { waiting += bag.takeAll() } else { next.cancel() }
            IterativeRelease.letGo(of: .passRetained(consume next))
        }
    }
    /// Takes out everything that the bag holds, and returns it, the last first.
    private func takeAll() -> [any Cancelable] { held.withLock { $0.takeAll() }.reversed().compactMap(\.cancelable) }
}

/// Cancelables in the order in which they were added. Adding and removing one is O(1), amortised.
struct HeldCancelables {
    /// A cancelable with the number that it was added with. A removed one leaves a hole.
    typealias Entry = (cancelable: (any Cancelable)?, number: UInt64)

    private var entries: [Entry] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// Returns false if the cancelable is held already.
    mutating func add(_ cancelable: any Cancelable, number: UInt64) -> Bool {
        guard places[ObjectIdentifier(cancelable)] == nil else { return false }
        places[ObjectIdentifier(cancelable)] = entries.count
        entries.append((cancelable, number))
        return true
    }
    mutating func remove(_ id: ObjectIdentifier) -> (any Cancelable)? {
        guard let place = places.removeValue(forKey: id) else { return nil }
        defer { if entries.count > 2 * places.count + 8 { compact() } }
        return entries[place].cancelable.take()
    }
    /// Removes and returns everything. Each entry has a cancelable.
    mutating func takeAll() -> [Entry] {
        defer { self = HeldCancelables() }
        return entries.filter { $0.cancelable != nil }
    }
    /// Removes the holes, and gives the memory back that is not needed any more.
    private mutating func compact() {
        entries = entries.filter { $0.cancelable != nil }
        places = Dictionary(
            uniqueKeysWithValues: entries.indices.map { (ObjectIdentifier(entries[$0].cancelable!), $0) })
    }
}

/// Cuts an edge. It keeps only the edge's memory, so a retained one keeps nothing of the graph alive.
///
/// All of it is inlined into callers. So a cancelable that is dropped at once, or used where it was made, is never
/// allocated.
@usableFromInline final class EdgeCancelable: Cancelable, LifetimeMember {
    @usableFromInline let edge: UnownedEdge
    @usableFromInline let membership = LifetimeMembership()

    @inlinable init(_ edge: AnyEdge) { self.edge = UnownedEdge(of: edge) }
    @inlinable deinit {}
    @inlinable func cancel() {
        edge.cut()
        membership.cancel(ObjectIdentifier(self))
    }
    func enter(_ lifetime: LifetimeStorage) -> Bool { membership.enter(lifetime) }
    func leave(_ lifetime: LifetimeStorage) { membership.leave(lifetime) }
}

/// The memory of an edge that may be deallocated already.
///
/// An `unowned` reference keeps the memory. A `weak` one would cost an allocation per edge, and would slow down every
/// later retain of it. The edge's word of flags tells if the edge is alive: `pinned` keeps an edge from finishing its
/// `deinit`, and `gone` says that the `deinit` has come there. The word is a plain integer, so it outlives the edge in
/// its memory.
@usableFromInline struct UnownedEdge: Sendable {
    /// Keeps the memory. It is never read, because that would trap once the edge is gone.
    private unowned let memory: AnyEdge
    private let edge: Unmanaged<AnyEdge>
    /// The edge's flags, reached without the edge: it is an error to retain an edge whose memory is being given back.
    /// Any thread may use the pointer, because `memory` keeps the integer, and that is atomic.
    nonisolated(unsafe) private let flags: UnsafePointer<AtomicFlags>
    /// The use of the edge that `cut` ends.
    private let use: UInt32

    /// Refers to an edge, which can then be cut through this reference.
    @usableFromInline init(of edge: borrowing AnyEdge) {
        memory = copy edge
        self.edge = .passUnretained(edge)
        flags = withUnsafePointer(to: edge.flags) { $0 }
        use = flags.pointee.bits & EdgeFlags.use
        if !flags.pointee.have(EdgeFlags.cancelable) { flags.pointee.set(EdgeFlags.cancelable) }
        assert(edge.flags.have(EdgeFlags.cancelable), "the edge's flags were copied")
    }
    /// Cuts the edge, unless it is gone or has begun another use.
    @usableFromInline func cut() {
        // While the edge is pinned, its number of uses changes only by `beginUse`. That also moves it past this use.
        take(next: use == EdgeFlags.use ? 0 : EdgeFlags.oneUse)?.cutAndWait()
    }
    /// The edge, unless it is gone or has begun another use.
    var known: AnyEdge? { take(next: 0) }
    /// Returns the edge, unless it is gone or has begun another use, and adds `next` to its flags.
    @inline(__always) private func take(next: UInt32) -> AnyEdge? {
        guard EdgeFlags.take(EdgeFlags.pinned, in: flags, ofUse: use) else { return nil }
        _ = edge.retain()
        let isAlive = UnownedEdge.isAlive(edge)
        // A retain of an object in `deinit` is none, so this release is not the last.
        if !isAlive { edge.release() }
        flags.pointee.word.wrappingAdd(next &- EdgeFlags.pinned, ordering: .releasing)
        return isAlive ? edge.takeRetainedValue() : nil
    }
    /// Returns true if the edge, which was retained before, is alive and so kept by that retain: its `deinit` has not
    /// begun.
    ///
    /// A connected edge is alive. Its source's list retains it from before its word says that it is connected, until
    /// after the word says that it is cut. The fence is needed because a retain orders nothing: with it, the word is no
    /// older than the last release before the retain. For any other edge, the runtime decides.
    ///
    /// Not inlined, so that the question is not moved before the retain.
    @inline(never) private static func isAlive(_ edge: Unmanaged<AnyEdge>) -> Bool {
        atomicMemoryFence(ordering: .acquiring)
        return edge._withUnsafeGuaranteedRef { $0.isConnected } || edge.whileAlive != nil
    }
}

extension AnyEdge: Cancelable {
    /// Disconnects both ends. Doing so again does nothing. Safe from any thread.
    public final func cancel() { cutAndWait() }
}
