import Synchronization

/// Something that can be ended. Ending it again does nothing. Dropping it without `cancel()` ends nothing.
///
///     let node = MutableNode(1), lifetime = Lifetime()
///     let listening = node.listened(by: lifetime).with { print($0) }      // 1
///     listening.cancel()
///     node.value = 2
public protocol Cancelable: AnyObject, Sendable {
    /// Ends it. Safe from any thread.
    func cancel()
}

/// Runs a closure on the first `cancel()`, and lets go of it then.
///
///     let cancelable = BlockCancelable { print("ended") }
///     cancelable.cancel()     // ended
///     cancelable.cancel()
public final class BlockCancelable: Cancelable {
    private let block: Lock<(@Sendable () -> Void)?>

    /// Something whose end is `block`.
    public init(_ block: @escaping @Sendable () -> Void) { self.block = Lock(block) }
    /// Runs the closure, the first time.
    public func cancel() {
        guard let block = block.withLock({ $0.take() }) else { return }
        block()
        Teardown.letGo(of: consume block)
    }
}

/// Ends all that it holds, together, on `cancel()` and when it is deallocated.
///
/// What is added after a `cancel()` waits for the next one. Safe from any thread.
///
///     let a = MutableNode(1), b = MutableNode(2)
///     let bag = CancelableBag()
///     bag.add(a.sync(with: b))
///     bag.cancel()
///     b.value = 3
///     print(a.current)         // 2
public final class CancelableBag: Cancelable {
    /// In the order in which they were added; a removed one leaves a hole until half are holes.
    private struct Held {
        var cancelables: [(any Cancelable)?] = []
        var places: [ObjectIdentifier: Int] = [:]

        mutating func compact() {
            cancelables.removeAll { $0 == nil }
            for (place, cancelable) in cancelables.enumerated() { places[ObjectIdentifier(cancelable!)] = place }
        }
    }
    private let held = Lock(Held())

    /// An empty bag.
    public init() {}
    deinit { cancel() }

    /// Holds `cancelable` until it is removed or ended. Adding it again does nothing. O(1).
    public func add(_ cancelable: any Cancelable) {
        held.withLock { held in
            guard held.places[ObjectIdentifier(cancelable)] == nil else { return }
            held.places[ObjectIdentifier(cancelable)] = held.cancelables.count
            held.cancelables.append(cancelable)
        }
    }
    /// Lets go of `cancelable` without ending it. O(1), amortised.
    public func remove(_ cancelable: any Cancelable) {
        held.withLock { held in
            guard let place = held.places.removeValue(forKey: ObjectIdentifier(cancelable)) else { return }
            held.cancelables[place] = nil
            if held.cancelables.count > 2 * held.places.count + 8 { held.compact() }
        }
    }
    /// Ends all that the bag holds, in the order in which they were added, and lets go of them.
    public func cancel() {
        // Bags in bags are ended in this one's call, however many lie one inside the other.
        var waiting = takeAll()
        while let next = waiting.popLast() {
            if let bag = next as? CancelableBag { waiting += bag.takeAll() } else { next.cancel() }
            Teardown.letGo(of: .passRetained(consume next))
        }
    }
    /// What the bag held, the last first.
    private func takeAll() -> [any Cancelable] {
        let taken = held.withLock { held in
            defer { held = Held() }
            return held.cancelables
        }
        return taken.reversed().compactMap { $0 }
    }
}

/// Cuts an edge. Holds nothing but the edge's memory, so that keeping it keeps nothing of the graph.
///
/// All of it is compiled into callers: so one that is dropped at once, or is cancelled where it was made, is never allocated.
@usableFromInline final class EdgeCancelable: Cancelable {
    @usableFromInline let edge: EdgeMemory

    @inlinable init(_ edge: AnyEdge) { self.edge = EdgeMemory(of: edge) }
    @inlinable deinit {}
    @inlinable func cancel() { edge.cut() }
}

/// The memory of an edge, which may have gone.
///
/// It is kept by an `unowned` count: a `weak` reference would cost each edge an allocation, and all retains of it a way
/// round for good. What that would tell, the edge's word of ties does: `gripped` keeps an edge that goes from the end
/// of its `deinit`, and `gone` says that it has come there. The word is a plain integer, and so outlives the edge in its memory.
@usableFromInline struct EdgeMemory: Sendable {
    /// Keeps the memory, and is never read, which would trap once the edge has gone.
    private unowned let memory: AnyEdge
    private let edge: Unmanaged<AnyEdge>
    /// The edge's, reached without it: to retain it while its memory is given back would be an error.
    nonisolated(unsafe) private let ties: UnsafePointer<Atomic<UInt32>>
    /// The use of the edge that is to be ended.
    private let use: UInt32

    /// That of an edge that may be cut by it from now on.
    @usableFromInline init(of edge: borrowing AnyEdge) {
        memory = copy edge
        self.edge = .passUnretained(edge)
        ties = withUnsafePointer(to: edge.ties) { $0 }
        let known = ties.pointee.load(ordering: .relaxed)
        use = known & EdgeTies.use
        if known & EdgeTies.cancelable == 0 {
            ties.pointee.bitwiseOr(EdgeTies.cancelable, ordering: .relaxed)
        }
        assert(edge.ties.load(ordering: .relaxed) & EdgeTies.cancelable != 0, "the edge's ties were copied")
    }
    /// Cuts the edge, unless it has gone, or is in another use by now.
    @usableFromInline func cut() {
        guard EdgeTies.take(EdgeTies.gripped, in: ties, ofUse: use) else { return }
        _ = edge.retain()
        let isAlive = EdgeMemory.isAlive(edge)
        // Of one that is going this is none, as in any `deinit`: and so not the last.
        if !isAlive { edge.release() }
        // Nobody changes the number of uses while the edge is gripped but those who give it another, which is then past this one as well.
        let next = use == EdgeTies.use ? 0 : EdgeTies.oneUse
        ties.pointee.wrappingAdd(next &- EdgeTies.gripped, ordering: .releasing)
        if isAlive { edge.takeRetainedValue().cut() }
    }
    /// Whether the edge, which was retained before, is alive, and so held by that: its `deinit` has not begun.
    ///
    /// One that is linked is: it is in its source's list, which has held it from before its word said so, and will until after that says
    /// that it is cut. The fence is there because a retain orders nothing: with it, the word is no older than the last release
    /// before the retain. Of any other edge, the runtime tells.
    ///
    /// Not inlined, so that it is not asked before the retain.
    @inline(never) private static func isAlive(_ edge: Unmanaged<AnyEdge>) -> Bool {
        atomicMemoryFence(ordering: .acquiring)
        return edge._withUnsafeGuaranteedRef { $0.isLinked } || edge.whileAlive != nil
    }
}

extension AnyEdge: Cancelable {
    /// Disconnects both ends. Doing so again does nothing.
    public final func cancel() { cut() }
}
