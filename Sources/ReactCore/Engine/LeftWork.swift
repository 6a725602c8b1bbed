/// The work of a transaction that it could not do at once, because another thread owned the region. It does it when it
/// owns nothing.
struct LeftWork {
    /// Sets, updates and changes, in order, each with the vertex in whose region it belongs.
    var steps: [(vertex: Vertex, work: Engine.Step)] = []
    /// Links of two vertices in different regions.
    var links: [Link] = []
    /// The requests for the regions of `steps`.
    var requests: [Request] = []

    /// The link of a vertex to one in another region. `work` is done when both are in one region, which the thread
    /// owns.
    typealias Link = (source: Vertex, target: Vertex, work: Engine.Step)

    /// Takes out the links to a vertex whose sources are in its region, which this thread owns.
    static func take(from links: inout [Link], to target: Vertex) -> [Link] {
        func isTaken(_ link: Link) -> Bool { link.target === target && link.source.isInRegion(of: target) }
        let taken = links.filter(isTaken)
        if !taken.isEmpty { links.removeAll(where: isTaken) }
        return taken
    }

    var isEmpty: Bool { steps.isEmpty && links.isEmpty && requests.isEmpty }
    /// True if there is a step in the region of a vertex, or a request for it.
    func concerns(_ vertex: Vertex) -> Bool {
        hasSteps(with: vertex) || requests.contains { $0.vertex.isInRegion(of: vertex) }
    }
    /// True if there is a step in the region of a vertex.
    func hasSteps(with vertex: Vertex) -> Bool {
        steps.contains { $0.vertex.isInRegion(of: vertex) }
    }
    /// Takes out the steps in the region of a vertex, as one.
    mutating func takeSteps(with vertex: Vertex) -> Engine.Step {
        let taken = steps.filter { $0.vertex.isInRegion(of: vertex) }
        steps.removeAll { $0.vertex.isInRegion(of: vertex) }
        return { engine in for step in taken { step.work(engine) } }
    }
}

extension Engine {
    /// A step of a transaction, which may be done later, on another thread.
    typealias Step = (Engine) -> Void

    /// Does `work` in the region of a vertex: now, after a wait, or later. Called in a transaction.
    ///
    /// If the region stays busy for longer than the bound, the work is late. In a listener, a closure or a batch, in
    /// which the thread owns a region, there is no wait: the thread does the work at the end of its transaction.
    ///
    /// `putOff`: Called first, at once, if the work is not done before this returns.
    /// `waits`: False if the work is late at once, so that the thread is not blocked.
    func perform(
        in vertex: Vertex, waits: Bool = true, ifPutOff putOff: () -> Void = {}, _ work: @escaping Engine.Step
    ) {
        if hasLeftWork, leftWork.hasSteps(with: vertex) {
            // It comes after them.
            putOff()
            leftWork.steps.append((vertex, work))
        } else if take(vertex) {
            work(self)
        } else if !waits {
            putOff()
            LateWork.add(in: vertex, work)
        } else if mayWait, depth == 1 {
            let isMine = wait(for: vertex) {
                putOff()
                return work
            }
            if isMine { work(self) }
        } else if mayWait, wait(for: vertex) {
            // The first set of a batch. If the wait is in vain, the sets of the batch are late together.
            work(self)
        } else {
            putOff()
            leftWork.steps.append((vertex, work))
        }
    }
    /// True if this thread owns the region of a vertex, and has left no work there.
    func delivers(in vertex: Vertex) -> Bool { owns(vertex) && !(hasLeftWork && leftWork.concerns(vertex)) }
    /// True if nothing that this thread owns would make others wait meanwhile.
    var mayWait: Bool { owned.isEmpty && !hasLeftWork }

    /// Does a part of the left work. Returns false if there is none. All joins have fired.
    func doLeftWork() -> Bool {
        if !hasLeftWork { return false }
        // A region may have become this thread's meanwhile, by a link. Its part of a batch is done before it is left.
        if let own = leftWork.steps.first(where: { owns($0.vertex) }) {
            doSteps(with: own.vertex)
            return true
        }
        // The regions are asked for before others are let go of, so nobody comes between the parts of a batch.
        requestRegions()
        finished = epoch
        leaveRegions()
        if !leftWork.requests.isEmpty { serveSteps() } else { serveLinks() }
        return true
    }
    private func requestRegions() {
        for (vertex, _) in leftWork.steps
        where !leftWork.requests.contains(where: { $0.vertex.isInRegion(of: vertex) }) {
            let request = Request(for: vertex, by: ownerID, isOrdered: true, blocksLinks: true, notify: wakeUp)
            Region.change(of: vertex, by: request) { $1.append(request) }
            leftWork.requests.append(request)
        }
    }
    /// Waits until it has one of the regions asked for, and does the steps there.
    private func serveSteps() {
        beginWaiting(at: Platform.clock)
        let requests = leftWork.requests
        func granted() -> Request? { requests.first { $0.progress == .isGranted } }
        _ = observingWait(for: requests[0].vertex) {
            while granted() == nil, !isOver {
                sleep(awakeFor: 10_000, at: requests[0].vertex) { granted() != nil }
            }
            return granted() != nil
        }
        if let granted = granted() { return serve(granted) }
        // The first is late.
        let request = leftWork.requests.removeFirst()
        let work = leftWork.takeSteps(with: request.vertex)
        if Region.withdraw(request, replacedBy: work) { return dropRequests(for: request.vertex) }
        noteOwnedRegion(of: request.vertex)
        work(self)
    }
    private func serve(_ request: Request) {
        leftWork.requests.removeAll { $0 === request }
        guard owns(request.vertex) else { return }  // merged into another region, and left with that
        if !owned.contains(where: { $0 === request.vertex.region }) { noteOwnedRegion(of: request.vertex) }
        doSteps(with: request.vertex)
    }
    /// Does the steps in the region of a vertex, which this thread owns by now.
    func doSteps(with vertex: Vertex) {
        dropRequests(for: vertex)
        leftWork.takeSteps(with: vertex)(self)
    }
    /// Withdraws further requests for the region of a vertex: after a merge, there may be several.
    private func dropRequests(for vertex: Vertex) {
        leftWork.requests.removeAll { request in
            guard request.vertex.isInRegion(of: vertex) else { return false }
            let isMine = !Region.withdraw(request), region = vertex.region
            if isMine, owns(vertex), !owned.contains(where: { $0 === region }) { noteOwned(region) }
            return true
        }
    }
}
