/// Gives objects that know nothing of listening a lifetime that ends with them.
///
/// Where the platform has associated objects, the lifetime is one. Elsewhere nothing tells us that an object has gone:
/// its lifetime is kept here beside a weak reference, delivery asks that reference, and what is left over is let go
/// whenever someone listens.
#if canImport(ObjectiveC)
import ObjectiveC

enum ObjectLifetimes {
    private static let key = malloc(1)!

    static func lifetime(of listener: AnyObject) -> Lifetime {
        objc_sync_enter(listener)
        defer { objc_sync_exit(listener) }
        if let known = objc_getAssociatedObject(listener, key) as? Lifetime { return known }
        let made = Lifetime()
        objc_setAssociatedObject(listener, key, made, .OBJC_ASSOCIATION_RETAIN)
        return made
    }
    /// The lifetime of a listener that has one by now.
    static func known(of listener: AnyObject) -> Lifetime? {
        objc_sync_enter(listener)
        defer { objc_sync_exit(listener) }
        return objc_getAssociatedObject(listener, key) as? Lifetime
    }
    static func sweep() {}
}
#else
import Synchronization

enum ObjectLifetimes {
    private struct Entry {
        let owner: LifetimeOwner
        let id: ObjectIdentifier
        let lifetime: Lifetime
    }
    /// Unchecked, because it is reached under the lock alone.
    private struct Table: @unchecked Sendable {
        /// In no order.
        var entries: [Entry] = []
        /// The newest one of each address.
        var newest: [ObjectIdentifier: Entry] = [:]
        /// Where the next sweep begins.
        var next = 0

        /// At its address, an entry whose listener is not this one is of an object that has gone.
        func lifetime(of listener: AnyObject) -> Lifetime? {
            newest[ObjectIdentifier(listener)].flatMap { $0.owner.listener === listener ? $0.lifetime : nil }
        }
    }
    private static let table = Lock(Table())
    private static let count = Atomic<Int>(0)
    /// How many live entries one sweep looks at, at most: so few that listening costs the same however many there are.
    private static let sweepLimit = 16

    static func lifetime(of listener: AnyObject) -> Lifetime {
        if let known = known(of: listener) { return known }
        let made = Lifetime()
        let owner = made.holdings.hearer(listener, mode: LinkWord.asks)
        let entry = Entry(owner: owner, id: ObjectIdentifier(listener), lifetime: made)
        return table.withLock { table in
            // Another thread may have been quicker.
            if let known = table.lifetime(of: listener) { return known }
            table.newest[entry.id] = entry
            table.entries.append(entry)
            count.store(table.entries.count, ordering: .relaxed)
            return made
        }
    }
    /// The lifetime of a listener that has one by now.
    static func known(of listener: AnyObject) -> Lifetime? { table.withLock { $0.lifetime(of: listener) } }
    /// Lets go of what listeners that are gone have left over.
    static func sweep() {
        guard count.load(ordering: .relaxed) > 0 else { return }
        var gone: [Entry] = []
        var alive: [AnyObject] = []  // so that none goes while the lock is held
        table.withLock { table in
            for _ in 0..<table.entries.count {
                guard alive.count < sweepLimit else { break }
                if table.next >= table.entries.count { table.next = 0 }
                let entry = table.entries[table.next]
                if let listener = entry.owner.listener {
                    alive.append(listener)
                    table.next += 1
                } else {
                    gone.append(entry)
                    table.entries.swapAt(table.next, table.entries.count - 1)
                    table.entries.removeLast()
                    if table.newest[entry.id]?.lifetime === entry.lifetime { table.newest[entry.id] = nil }
                }
            }
            count.store(table.entries.count, ordering: .relaxed)
        }
        withExtendedLifetime((gone, alive)) {}
    }
}
#endif
