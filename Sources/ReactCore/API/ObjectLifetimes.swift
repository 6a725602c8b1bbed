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
    static func sweep() {}
}
#else
import Synchronization

enum ObjectLifetimes {
    private struct Entry {
        weak var listener: AnyObject?
        let id: ObjectIdentifier
        let lifetime: Lifetime
    }
    /// Unchecked, because it is reached under the lock alone.
    private struct Table: @unchecked Sendable {
        var entries: [Entry] = []
        var places: [ObjectIdentifier: Int] = [:]
        /// Where the next sweep begins.
        var next = 0

        mutating func remove(at place: Int) -> Entry {
            let removed = entries[place]
            let last = entries.removeLast()
            if places[removed.id] == place { places[removed.id] = nil }
            if place < entries.count {
                entries[place] = last
                places[last.id] = place
            }
            return removed
        }
    }
    private static let table = Lock(Table())
    private static let count = Atomic<Int>(0)
    /// How many live entries one sweep looks at, at most: so few that listening costs the same however many there are.
    private static let sweepLimit = 16

    static func lifetime(of listener: AnyObject) -> Lifetime {
        let id = ObjectIdentifier(listener)
        let made = Lifetime()
        var replaced: Entry?
        var found = made
        table.withLock { table in
            if let place = table.places[id] {
                // At this address, an entry whose listener is not this one is of an object that has gone.
                if table.entries[place].listener === listener {
                    found = table.entries[place].lifetime
                    return
                }
                replaced = table.remove(at: place)
            }
            table.places[id] = table.entries.count
            table.entries.append(Entry(listener: listener, id: id, lifetime: made))
            count.store(table.entries.count, ordering: .relaxed)
        }
        withExtendedLifetime(replaced) {}
        return found
    }
    /// Lets go of what listeners that are gone have left over.
    static func sweep() {
        guard count.load(ordering: .relaxed) > 0 else { return }
        var gone: [Entry] = []
        var alive: [AnyObject] = []  // so that none goes while the lock is held
        table.withLock { table in
            var left = table.entries.count
            while left > 0, alive.count < sweepLimit {
                left -= 1
                if table.next >= table.entries.count { table.next = 0 }
                if let listener = table.entries[table.next].listener {
                    alive.append(listener)
                    table.next += 1
                } else {
                    gone.append(table.remove(at: table.next))
                }
            }
            count.store(table.entries.count, ordering: .relaxed)
        }
        withExtendedLifetime((gone, alive)) {}
    }
}
#endif
