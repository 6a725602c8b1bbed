import Synchronization

// The wait for a region that another thread owns. A thread waits only while it owns nothing, or the lower one of two
// regions that it links. So waits end.

extension Engine {
    /// For how long the sets of one transaction may wait, in nanoseconds: 100 ms, and 2 ms on the main thread, which
    /// draws frames. A set that still waits then is late.
    static let longestWait: UInt64 = 100_000_000, longestWaitOfMainThread: UInt64 = 2_000_000
    /// For how long a thread looks before it sleeps, and how often. One that looked all the time would take the
    /// region's memory from the owner after each set.
    private static let timeOfLooking: UInt64 = 10_000, interval: UInt64 = 1_000
    /// For how long the main thread, and a thread whose request is ordered, stay awake.
    private static let timeAwake: UInt64 = 50_000

    /// Takes the region of a vertex: at once, or, if this thread owns nothing, within the bound. Returns whether it
    /// did.
    package func takeOrWait(for vertex: Vertex) -> Bool { take(vertex) || mayWait && wait(for: vertex) }
    /// Takes the region of a vertex, which is busy, within the bound. Returns whether it did.
    ///
    /// If the bound is over, and `late` returns work, that is late: a thread of the library does it in the place that
    /// this thread had in the line.
    @inline(never) func wait(for vertex: Vertex, late: () -> Engine.Step? = { nil }) -> Bool {
        let loan = PriorityLoan(toOwnerOf: vertex)
        defer { loan.end() }
        guard observingWait(for: vertex, { isGranted(vertex, late) }) else { return false }
        noteOwnedRegion(of: vertex)
        return true
    }
    /// Calls `wait`, which waits for the region of a vertex and returns whether it has it, and tells the observer.
    func observingWait(for vertex: Vertex, _ wait: () -> Bool) -> Bool {
        guard isObserved else { return wait() }
        let owner = Engine.with(vertex.region.owner) { ($0.thread, $0.calling.load(ordering: .relaxed)) } ?? (0, 0)
        var observed = ObservedWait(began: Platform.clock, owner: owner.0, calling: owner.1)
        let isGranted = wait()
        observed.isLate = !isGranted
        observer?.waited(at: vertex, observed)
        return isGranted
    }
    /// Waits until this thread is the owner of the vertex's region, or until the bound is over.
    private func isGranted(_ vertex: Vertex, _ late: () -> Engine.Step?) -> Bool {
        let begin = Platform.clock
        beginWaiting(at: begin)
        if deadline > begin, looks(for: vertex, from: begin) { return true }
        // Nobody overtakes the main thread.
        let request = Request(for: vertex, by: ownerID, isOrdered: isOfMainThread, blocksLinks: false, notify: wakeUp)
        let isMine = Region.change(of: vertex, by: request) { region, line in
            if region.tryTake(for: ownerID) { return true }
            line.append(request)
            return false
        }
        if isMine { return true }
        var isOrdered = isOfMainThread
        while true {
            let progress = request.progress
            switch progress {
            case .isGranted: return true
            case .isWoken where !isOrdered:
                // It is the first in line, and awake.
                if looks(for: vertex, from: Platform.clock) {
                    Region.change(of: vertex, by: request) { $1.remove(request) }
                    return true
                }
                isOrdered = true
                Region.change(of: vertex, by: request) { _, _ in request.isOrdered = true }
            case .isWoken, .waits:
                if isOver { return giveUp(request, late) }
                sleep(awakeFor: isOrdered ? Engine.timeAwake : 0, at: vertex) { request.progress != progress }
            }
        }
    }
    /// Begins to wait: sets the end of the bound, which is one for the whole transaction.
    func beginWaiting(at time: UInt64) {
        guard deadline == 0 else { return }
        deadline =
            time
            + (hasMoreLateWork || mayNotWait ? 0 : isOfMainThread ? Engine.longestWaitOfMainThread : Engine.longestWait)
    }
    /// True if the transaction has waited for as long as it may.
    var isOver: Bool { !ScheduleFuzzing.isControlled && Platform.clock >= deadline }

    /// Tries to take the region now and then, for a moment.
    private func looks(for vertex: Vertex, from begin: UInt64) -> Bool {
        func tries() -> Bool { vertex.root._withUnsafeGuaranteedRef { $0.tryTake(for: ownerID) } }
        if ScheduleFuzzing.isControlled { return tries() }
        var next = begin, now = begin
        while now &- begin < Engine.timeOfLooking {
            if now >= next {
                if tries() { return true }
                next = now + Engine.interval
            }
            now = Platform.clock
        }
        return false
    }
    /// Lets time pass until the condition, which others make true before they wake this thread, or until the bound is
    /// over.
    func sleep(awakeFor awake: UInt64, at vertex: Vertex, until isDone: () -> Bool) {
        // A controlled thread does not go by the clock. Others have run when this returns.
        if ScheduleFuzzing.handsOn(for: vertex.root.address) { return }
        let begin = Platform.clock
        while !isDone(), !isOver {
            let now = Platform.clock
            if now &- begin < awake { continue }
            bed.sleep(until: deadline)
        }
    }
    /// Wakes this thread, which waits. Any thread.
    var wakeUp: @Sendable (Request) -> Void {
        { [bed] request in
            LateWork.tellOfLongWait(request)
            bed.wake()
        }
    }

    /// Ends a wait in vain. Returns true if the region has been granted meanwhile, and is this thread's.
    private func giveUp(_ request: Request, _ late: () -> Engine.Step?) -> Bool {
        let work = late()
        let isMine = !Region.withdraw(request, replacedBy: work)
        guard isMine, let work else { return isMine }
        // It was granted at the last moment, and the work has been prepared for later.
        noteOwnedRegion(of: request.vertex)
        work(self)
        return false
    }
}

extension Region {
    /// Takes a request out of the line, and puts late work into its place, if there is any. Returns false, and does
    /// nothing, if the request has been granted meanwhile.
    static func withdraw(_ request: Request, replacedBy work: Engine.Step? = nil) -> Bool {
        let isOut = change(of: request.vertex) { _, line in
            if request.progress == .isGranted { return false }
            if let work {
                line.replace(request, by: LateWork.step(work)) { LateWork.request(for: request.vertex) }
            } else {
                line.remove(request)
            }
            return true
        }
        if isOut, work != nil { LateWork.tellOfLateSet(at: request.vertex) }
        return isOut
    }
}
