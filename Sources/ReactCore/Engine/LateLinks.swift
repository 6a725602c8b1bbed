import Synchronization

/// The late links of all regions. One thread of the library makes them.
enum LateLinks {
    /// The number of edges that have both ends, and wait to be linked.
    static let waiting = Atomic(0)
    private static let lock = Lock(())
    /// Used under the lock.
    nonisolated(unsafe) private static var links: [LeftWork.Link] = []
    /// The links that are being made.
    nonisolated(unsafe) private static var current: [LeftWork.Link] = [], isAtWork = false

    static func add(_ new: [LeftWork.Link]) {
        let isFirst = lock.locking {
            links += new
            defer { isAtWork = true }
            return !isAtWork
        }
        if isFirst { LateWork.begin { Engine.current.makeLateLinks() } }
    }
    /// Returns the next link, which is taken out; `nil` if there is none, and the work is over.
    static func next() -> LeftWork.Link? {
        // Released when no lock is held, because that may run user code.
        var old: [LeftWork.Link] = []
        defer { withExtendedLifetime(old) {} }
        return lock.locking {
            swap(&old, &current)
            if links.isEmpty { isAtWork = false } else { current = [links.removeFirst()] }
            return current.first
        }
    }
    /// See `LeftWork.take`.
    static func take(to target: Vertex) -> [LeftWork.Link] {
        lock.locking {
            let taken = LeftWork.take(from: &links, to: target)
            current += taken
            return taken
        }
    }
    /// Returns true if a late link leads to or from the region of a vertex.
    static func concern(_ vertex: Vertex) -> Bool {
        let all = lock.locking { links + current }
        return all.contains { $0.source.isInRegion(of: vertex) || $0.target.isInRegion(of: vertex) }
    }
}

extension Engine {
    /// Makes late links until none is left. Each try waits for a short time, so that one busy region does not hold up
    /// all.
    fileprivate func makeLateLinks() {
        while let link = LateLinks.next() {
            begin()
            deadline = Platform.clock + 20_000_000
            if !make(link, and: LateLinks.take) { LateLinks.add([link]) }
            end()
        }
    }
}
