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
