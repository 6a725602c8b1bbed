/// Gives any object a lifetime that ends when the object is deallocated.
///
/// On platforms with associated objects, the lifetime is one. Elsewhere, nothing tells the library that an object is
/// gone. There, this table keeps the lifetime beside a weak reference to the object. Delivery checks that reference,
/// and lifetimes of objects that are gone are released the next time somebody listens.
#if canImport(ObjectiveC)
import ObjectiveC

enum AssociatedLifetimes {
    /// Only its address matters: nothing reads or writes there. So any thread may use it.
    nonisolated(unsafe) private static let key = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    static func lifetime(of listener: AnyObject) -> Lifetime {
        objc_sync_enter(listener)
        defer { objc_sync_exit(listener) }
        if let known = objc_getAssociatedObject(listener, key) as? Lifetime { return known }
        let made = Lifetime(madeAt: nil)
        objc_setAssociatedObject(listener, key, made, .OBJC_ASSOCIATION_RETAIN)
        return made
    }
    /// Returns the lifetime of a listener, if it has one already.
    static func known(of listener: AnyObject) -> Lifetime? {
        objc_sync_enter(listener)
        defer { objc_sync_exit(listener) }
        return objc_getAssociatedObject(listener, key) as? Lifetime
    }
    static func sweep() {}
}
#else
import Synchronization

enum AssociatedLifetimes {
    /// Unchecked, because it is used under the lock alone.
    private struct Table: @unchecked Sendable {
        var entries: [ObjectIdentifier: (weakListener: WeakListener, lifetime: Lifetime)] = [:]
        /// The address of each entry, in the order in which sweeps check them.
        var order = Queue<ObjectIdentifier>()

        /// Returns the lifetime of `listener`. An entry at its address with another listener belongs to an object that
        /// is gone.
        func lifetime(of listener: AnyObject) -> Lifetime? {
            entries[ObjectIdentifier(listener)].flatMap { $0.weakListener.listener === listener ? $0.lifetime : nil }
        }
    }
    private static let table = Lock(Table())
    private static let count = Atomic<Int>(0)
    /// The most live entries that one sweep checks. It is small, so that listening costs the same however many there
    /// are.
    private static let sweepLimit = 16

    static func lifetime(of listener: AnyObject) -> Lifetime {
        if let known = known(of: listener) { return known }
        let made = Lifetime(madeAt: nil)
        let weakListener = made.holdings.listenTarget(listener, mode: ConnectionState.checks)
        var gone: Any?  // released when no lock is held
        defer { withExtendedLifetime(gone) {} }
        return table.withLock { table in
            // Another thread may have been faster.
            if let known = table.lifetime(of: listener) { return known }
            gone = table.entries.updateValue((weakListener, made), forKey: ObjectIdentifier(listener))
            if gone == nil { table.order.append(ObjectIdentifier(listener)) }
            count.store(table.order.count, ordering: .relaxed)
            return made
        }
    }
    /// Returns the lifetime of a listener, if it has one already.
    static func known(of listener: AnyObject) -> Lifetime? { table.withLock { $0.lifetime(of: listener) } }
    /// Releases the lifetimes of listeners that are gone.
    static func sweep() {
        guard count.load(ordering: .relaxed) > 0 else { return }
        var gone: [Lifetime] = []
        var alive: [AnyObject] = []  // so that none goes while the lock is held
        table.withLock { table in
            for _ in 0..<table.order.count {
                guard alive.count < sweepLimit, let id = table.order.popFirst() else { break }
                if let listener = table.entries[id]?.weakListener.listener {
                    alive.append(listener)
                    table.order.append(id)
                } else if let entry = table.entries.removeValue(forKey: id) {
                    gone.append(entry.lifetime)
                }
            }
            count.store(table.order.count, ordering: .relaxed)
        }
        withExtendedLifetime((gone, alive)) {}
    }
}
#endif
