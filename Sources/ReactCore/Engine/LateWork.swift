import Dispatch

/// Late work: steps that a thread could not take within its bound. A thread of the library does it, in the place of the
/// request that has waited in vain.
///
/// The request for late work is the owner of the region when it is granted, until a thread of the library takes that
/// over. So no thread sleeps meanwhile, and no thread of the program does another's work.
package enum LateWork {
    /// True if nothing is late in the graph of a node. For tests, and for checks that nothing is left over.
    package static func isDone(at node: AnyNode) -> Bool {
        !LateLinks.concern(node.vertex) && !Region.hasLate(at: node.vertex)
    }

    /// Makes a request for the late work in the region of a vertex.
    static func request(for vertex: Vertex) -> Request {
        Request(for: vertex, isOrdered: true, blocksLinks: true) { request in
            tellOfLongWait(request)
            begin { Engine.current.doLateWork(of: request) }
        }
    }
    static func step(_ work: @escaping Engine.Step) -> RegionLine.LateStep {
        { engine in work(unsafeDowncast(engine, to: Engine.self)) }
    }
    /// Does `work` in the region of a vertex, on a thread of the library, when the request for it is granted. If
    /// `isChange` is false, the work changes nothing in the graph.
    static func add(in vertex: Vertex, isChange: Bool = true, _ work: @escaping Engine.Step) {
        Region.change(of: vertex) { $1.add(step(work), isChange: isChange) { request(for: vertex) } }
    }
    /// Calls `body` on a thread of the library when all that is under way in the graph of a node is over.
    package static func afterPresentWork(at node: AnyNode, _ body: @escaping @Sendable () -> Void) {
        add(in: node.vertex, isChange: false) { _ in body() }
    }
    /// Says, in debug builds, that a set of a node is late: once for each node.
    static func tellOfLateSet(at vertex: Vertex) {
        #if DEBUG
        if ScheduleFuzzing.isControlled { return }
        let node = vertex.kindInMessages
        SilentMistake.tell(
            at: "late set of \(node)",
            "a set of \(node) is late: another thread has kept its graph busy for longer than a set waits. A thread of the "
                + "library finishes it. Put slow work there into a task, as by mapLatest, or behind deliver(on:)")
        #endif
    }
    /// Says, in debug builds, that this thread has kept a graph busy for long while another one waited: once for each
    /// node at which one waited.
    static func tellOfLongWait(_ request: Request) {
        #if DEBUG
        let duration = (Platform.clock &- request.since) / 1_000_000
        if duration < 100 || ScheduleFuzzing.isControlled { return }
        let node = request.vertex.kindInMessages
        SilentMistake.tell(
            at: "long wait at \(node)",
            "a set or batch on \(Platform.isMainThread ? "the main thread" : "a thread") kept the graph of \(node) busy while others waited, for \(duration) "
                + "ms so far. Put slow work of its closures into a task, as by mapLatest, or behind deliver(on:)")
        #endif
    }
    /// Calls `body` on a thread of the library.
    static func begin(_ body: @escaping @Sendable () -> Void) {
        // A queue of its own has a thread of its own, however many other threads wait.
        DispatchQueue(label: "EasyReact late work", qos: .userInitiated).async { body() }
    }
}

extension Engine {
    /// Does the late work of a region, which the request has been granted.
    fileprivate func doLateWork(of request: Request) {
        let (works, changes) = Region.change(of: request.vertex) { region, line in
            region.changeOwner(from: request.owner, to: ownerID)
            return line.takeLate()
        }
        noteOwnedRegion(of: request.vertex)
        for (place, work) in works.enumerated() {
            // Each is a transaction of its own. The region is left after the last one.
            hasMoreLateWork = place < works.count - 1
            begin()
            work(self)
            end()
        }
        hasMoreLateWork = false
        Region.change(of: request.vertex) { $1.noteDone(changes) }
    }
}
