import Synchronization

/// Reports reads of old values, in debug builds. In other builds nothing is reported.
///
/// A node's listeners are called before the nodes downstream of it are given their values. A listener that reads
/// `value` or `current` of such a node gets its previous value. A debug build writes a line to standard error then, or
/// calls your own closure:
///
///     let price = MutableNode(20).named("price"), lifetime = Lifetime()
///     let total = price.map { $0 * 3 }.named("total")
///     price.listened(by: lifetime).with { _ in _ = total.current }
///     OldReads.report = { print($0) }
///     price.value = 30        // 'total' was read by code that is called for 'price', which is upstream: it still holds its value from before. Listen to 'total', or combine the nodes.
///     price.value = 31
///     OldReads.report = nil
///
/// **Limits.** Each pair of nodes is reported once, and at most a hundred pairs are. At most 32 nodes are searched,
/// upstream of the one that is read. An operator between the two nodes may be about to stop the value. Then the read
/// value is not old, and is reported all the same.
///
/// - Complexity: Inside a listener or an operator's closure, a read is O(edges upstream of the node that is read, at
///   most those of 32 nodes). Elsewhere, it is O(1).
public enum OldReads {
    /// A structure, because a closure that is the whole state of a lock is wrapped once more by each access.
    private struct Reports {
        var handler: (@Sendable (String) -> Void)? = { warn($0) }
        /// The pairs that have been reported since the handler was set.
        var told: Set<Pair> = []
    }
    /// The serial numbers of a node that was read, and of the node for which the reading code was called.
    private struct Pair: Hashable {
        let read: UInt, called: UInt
    }
    private static let reports = Lock(Reports())
    private static let isOn = Atomic(true)
    private static let mostPairs = 100, mostSearched = 32
    /// True while the handler is being called, because it may read nodes itself.
    @TaskLocal private static var isReporting = false

    /// The handler, called with a sentence when an old value is read, on the thread that reads. By default, it writes
    /// the sentence to standard error. If it is `nil`, the check is off.
    ///
    /// Safe from any thread. The reads of the closure itself are not reported. Setting it lets each pair of nodes be
    /// reported once more.
    public static var report: (@Sendable (String) -> Void)? {
        get { reports.withLock { $0.handler } }
        set {
            var other = Reports(handler: newValue)
            isOn.store(newValue != nil, ordering: .relaxed)
            // The previous handler is released after the lock.
            reports.withLock { swap(&$0, &other) }
        }
    }

    /// Called where a node is read. No lock is held.
    @inline(__always) static func note(_ vertex: Vertex) {
        #if DEBUG
        Engine.noteRead(of: vertex)
        if isOn.load(ordering: .relaxed) { check(vertex) }
        #endif
    }
    /// Calls `note`. Code that is compiled into users of the module calls this function instead.
    @usableFromInline @inline(never) static func noteRead(of vertex: Vertex) { note(vertex) }

    @inline(never) private static func check(_ vertex: Vertex) {
        guard let source = Engine.delivering, source !== vertex, isPending(vertex, after: source), !isReporting,
            let report = handlerToTell(of: Pair(read: vertex.serial, called: source.serial))
        else { return }
        let (read, called) = (label(of: vertex), label(of: source))
        $isReporting.withValue(true) {
            report(
                "\(read) was read by code that is called for \(called), which is upstream: it still holds its value from before. "
                    + "Listen to \(read), or combine the nodes.")
        }
    }
    /// Returns the handler the first time that it is asked for `pair`, unless the most pairs have been reported.
    private static func handlerToTell(of pair: Pair) -> (@Sendable (String) -> Void)? {
        reports.withLock { reports in
            guard reports.told.count < mostPairs, reports.told.insert(pair).inserted else { return nil }
            return reports.handler
        }
    }
    /// Returns true if a value may be on its way to `vertex` from `source`, whose edges are being called. Searches the
    /// nearest nodes first.
    private static func isPending(_ vertex: Vertex, after source: Vertex) -> Bool {
        let start = source.lastEpoch
        func cameBy(_ vertex: Vertex) -> (since: Bool, isBusy: Bool) {
            let isSince = vertex.lastEpoch >= start && Epoch.thread(of: vertex.lastEpoch ^ start) == 0
            return (isSince, vertex.isBusy)
        }
        guard !cameBy(vertex).since else { return false }
        var walk = VertexWalk(from: [vertex])
        while walk.visited < mostSearched, let next = walk.next() {
            for edge in next.locking({ next.upstream.all }) {
                let transform = edge as? AnyTransform
                guard transform?.bringsValues ?? true,
                    let origin = edge.lock.locking({ edge.knownSource?.takeUnretainedValue() })
                else { continue }
                if origin === source { return true }
                let (since, isBusy) = cameBy(origin)
                // The origin was visited in this delivery and is done: it has passed its value on, or stopped it. A
                // combination fires later, so the edges that lead to it are followed all the same.
                if since, !isBusy, !(transform?.isJoining ?? false) { continue }
                walk.find(origin)
            }
        }
        return false
    }
    private static func label(of vertex: Vertex) -> String {
        vertex.locking { vertex.coldState?.name }.map { "'\($0)'" } ?? "a node of \(vertex.valueType)"
    }
}

extension Engine {
    /// The vertex for which this thread calls an edge, if it does.
    fileprivate static var delivering: Vertex? {
        guard let engine = known?.takeUnretainedValue(), engine.top - engine.frames > 1,
            engine.lastFrame.pointee.next != Frame.endTag
        else { return nil }
        return engine.lastFrame.pointee.vertex.takeUnretainedValue()
    }
}
