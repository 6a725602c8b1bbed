import Synchronization

/// The engine: how a value travels. One for each thread that sets nodes, found by `current`.
///
///     set ──▶ enter: one delivery at a time per vertex, others queue
///              │
///              ▼
///         store, push a frame ──▶ listen edges, in order ──▶ transforms, in order, depth first
///              ▲                                                 │ `forward` makes the next value
///              └─────────────────────────────────────────────────┘ and stores it in the edge's target
///         when nothing is left: joins that were reached, lowest rank first, each once
///
/// It is a loop over a stack of its own: it never recurses, however deep the graph. A vertex stays busy until its whole
/// downstream has been served; so the vertices that a value came through are the frames below it, all of them busy, and
/// a vertex that is found idle is not among them. Only a run that began with senders behind it (a join, a queued value,
/// a value sent later) has more to look at.
///
/// Invariants:
/// - Every frame's vertex is busy, and this thread's.
/// - Nothing on the stack is held: a frame's vertex is held by the edge that led to it, the edge by the lists of the
///   frame below, which lets go of nothing before it is idle again (see `Vertex`). The first frame's is held by its caller.
/// - No lock is held while an edge is called.
@usableFromInline final class Propagation {
    /// One vertex under delivery.
    struct Frame {
        let vertex: Unmanaged<Vertex>
        /// Whether the vertex was emptied; otherwise it was given a value.
        let isCleaning: Bool
        /// `EdgeSlots` words: what comes next, and what comes after that.
        var edges: UInt
        var edgesAfter: UInt
        /// Where in a list of edges the delivery is.
        var slot: UnsafeMutablePointer<EdgeList.Slot>?
        var end: UnsafeMutablePointer<EdgeList.Slot>?
        /// The path that ends here, once someone asked for it. Held.
        var path: Unmanaged<SenderPath>?
    }
    /// All that one value sets off: what travels beside it, and what it came through before.
    struct Run {
        let firstFrame: Int
        let context: NodeContext?
        let senders: Senders
    }
    /// What a value came through before its run began. `since` is a time (`now`) before the first of those visits, and 0
    /// where none is known.
    struct Senders {
        var path: SenderPath?
        var since: UInt64
        static let none = Senders(path: nil, since: .max)
    }
    /// A delivery that waits until its vertex is no longer busy. `take` stores the value and says whether there is
    /// something to deliver.
    struct Turn {
        let context: NodeContext?
        let senders: Senders
        let take: (Vertex, Propagation) -> Bool
    }
    /// Where the edge that is being called stands: its frame is the last below `frames`, its run the last below `runs`.
    @usableFromInline struct Call {
        var frames = 0
        var runs = 0
        @usableFromInline var link: UInt64 = 0
    }

    @exclusivity(unchecked) private var frames = UnsafeMutablePointer<Frame>.allocate(capacity: 64)
    @exclusivity(unchecked) private var frameCapacity = 64
    @exclusivity(unchecked) private var frameCount = 0
    @exclusivity(unchecked) private var runs = UnsafeMutablePointer<Run>.allocate(capacity: 8)
    @exclusivity(unchecked) private var runCapacity = 8
    @exclusivity(unchecked) private(set) var runCount = 0
    @exclusivity(unchecked) private var firstFrame = 0
    @exclusivity(unchecked) private var depth = 0
    @exclusivity(unchecked) @usableFromInline var call = Call()
    /// Whether the last run began with senders behind it.
    @exclusivity(unchecked) @usableFromInline var hasSenders = false
    /// How many runs this thread has begun, and in the highest bits the thread.
    @exclusivity(unchecked) var now: UInt64
    @exclusivity(unchecked) var joins = JoinQueue()
    /// Custom transforms' and listen edges' `next` under way, innermost last.
    @exclusivity(unchecked) var calling: Unmanaged<AnyEdge>?
    @exclusivity(unchecked) var teardown = Teardown()

    init(thread: UInt64) { now = thread << Propagation.clockBits }
    deinit {
        frames.deallocate()
        runs.deallocate()
    }
    static let clockBits: UInt64 = 48

    // MARK: Beginning and ending

    /// Brackets all that is set or linked together; joins fire when the outermost ends.
    @usableFromInline func begin() -> Call {
        depth += 1
        return call
    }
    @usableFromInline func end(_ outer: Call) {
        if depth == 1 {
            if !joins.isEmpty { settle() }
            if frameCapacity > 1 << 14 { shrink() }
        }
        depth -= 1
        call = outer
    }
    private func settle() {
        while let join = joins.popFirst() { join.fire(in: self) }
    }

    @usableFromInline func beginRun(context: NodeContext?) { beginRun(context: context, senders: .none) }
    /// Begins a run on top of those under way; returns what `drive` takes to end it.
    @discardableResult func beginRun(context: NodeContext?, senders: Senders) -> Int {
        if runCount == runCapacity { growRuns() }
        (runs + runCount).initialize(to: Run(firstFrame: frameCount, context: context, senders: senders))
        runCount += 1
        firstFrame = frameCount
        hasSenders = senders.path != nil
        now &+= 1
        return runCount
    }
    /// Makes the last run the one that is being called, for edges that are called by no frame.
    func enterCall(link: UInt64) { call = Call(frames: frameCount, runs: runCount, link: link) }
    func endRun() {
        runCount -= 1
        (runs + runCount).deinitialize(count: 1)
        firstFrame = runCount > 0 ? runs[runCount - 1].firstFrame : 0
        hasSenders = runCount > 0 && runs[runCount - 1].senders.path != nil
    }

    /// Whether the last run has left nothing on the stack.
    var isLastRunEmpty: Bool { frameCount == firstFrame }

    // MARK: Delivering

    /// Serves all frames of the last run, and of those that begin on top of it, and ends it.
    @usableFromInline func drive() { drive(runCount) }
    /// Serves all frames of the run `own`, and of those on top of it, and ends it.
    func drive(_ own: Int) {
        repeat {
            while frameCount > firstFrame { step() }
            endRun()
        } while runCount >= own
    }
    @inline(__always) private func step() {
        let frame = frames + (frameCount - 1)
        if let slot = frame.pointee.slot, slot != frame.pointee.end {
            frame.pointee.slot = slot + 1
            if let edge = slot.pointee { call(edge, frame) }
        } else if frame.pointee.edges != 0 {
            let word = frame.pointee.edges
            frame.pointee.edges = frame.pointee.edgesAfter
            frame.pointee.edgesAfter = 0
            if let edge = EdgeSlots.edge(in: word) {
                call(edge, frame)
            } else if let list = EdgeSlots.list(in: word) {
                list._withUnsafeGuaranteedRef {
                    frame.pointee.slot = $0.slots
                    frame.pointee.end = $0.slots + $0.count
                }
            }
        } else {
            frameCount -= 1
            if let path = frame.pointee.path { path.release() }
            let vertex = frame.pointee.vertex
            if !vertex._withUnsafeGuaranteedRef({ $0.leaveIfNothingPending() }) { takeTurns(at: vertex) }
        }
    }
    /// Hands the frame's value to one edge, unless that was cut.
    @inline(__always) private func call(_ edge: Unmanaged<AnyEdge>, _ frame: UnsafeMutablePointer<Frame>) {
        edge._withUnsafeGuaranteedRef { edge in
            let link = edge.link.load(ordering: .acquiring)
            let target = edge.target.load(ordering: .acquiring)
            guard Link.leads(link, from: frame.pointee.vertex), edge.link.load(ordering: .relaxed) == link else {
                return notCalled(edge, link, frame)
            }
            call = Call(frames: frameCount, runs: runCount, link: link)
            let delivery = RawDelivery(
                propagation: .passUnretained(self), edge: .passUnretained(edge), source: frame.pointee.vertex,
                target: target)
            if frame.pointee.isCleaning { edge.forwardEmpty(delivery) } else { edge.forward(delivery) }
        }
    }
    /// The edge was cut, or takes over an earlier value, or has just done so.
    @inline(never) private func notCalled(_ edge: AnyEdge, _ link: UInt64, _ frame: UnsafeMutablePointer<Frame>) {
        guard Link.isTakingOver(link, from: frame.pointee.vertex) else { return }
        let vertex = frame.pointee.vertex.takeUnretainedValue()
        if !leaveInMailbox(edge, link, at: vertex, isCleaning: frame.pointee.isCleaning) {
            call(.passUnretained(edge), frame)
        }
    }
    /// Delivers what was queued while the vertex was busy, until a turn leaves something on the stack.
    @inline(never) func takeTurns(at vertex: Unmanaged<Vertex>) {
        vertex._withUnsafeGuaranteedRef { vertex in
            while let turn = vertex.leaveOrTakeNext() {
                beginRun(context: turn.context, senders: turn.senders)
                if turn.take(vertex, self) { return }
                endRun()
            }
        }
    }
    /// Puts a busy vertex on the stack. Its lock is held.
    @usableFromInline func push(_ vertex: Vertex) { push(vertex, isCleaning: false) }
    @inline(__always) func push(_ vertex: Vertex, isCleaning: Bool) {
        let listens = vertex.listens.word
        let transforms = vertex.transforms.word
        EdgeSlots.list(in: listens)?._withUnsafeGuaranteedRef { $0.isWalked = true }
        EdgeSlots.list(in: transforms)?._withUnsafeGuaranteedRef { $0.isWalked = true }
        push(vertex, isCleaning: isCleaning, edges: listens, after: transforms)
    }
    /// Puts a busy vertex on the stack, for some of its edges.
    @inline(__always) func push(_ vertex: Vertex, isCleaning: Bool, edges: UInt, after: UInt) {
        vertex.visited = now
        if frameCount == frameCapacity { growFrames() }
        (frames + frameCount).initialize(
            to: Frame(
                vertex: .passUnretained(vertex), isCleaning: isCleaning,
                edges: edges != 0 ? edges : after, edgesAfter: edges != 0 ? after : 0, slot: nil, end: nil, path: nil))
        frameCount += 1
    }

    // MARK: Where a value came through

    /// Whether the value that the called edge carries came through `vertex`, which was idle.
    @usableFromInline func cameThroughIdle(_ vertex: Vertex) -> Bool {
        let run = runs + (call.runs - 1)
        let visited = vertex.visited
        let since = run.pointee.senders.since
        // The last to come by was the thread that the senders were recorded on, and before it recorded them.
        if (visited ^ since) >> Propagation.clockBits == 0, visited <= since { return false }
        return run.pointee.senders.path?.contains(vertex) ?? false
    }
    /// Whether the value that the called edge carries came through `vertex`.
    func cameThrough(_ vertex: Vertex) -> Bool {
        guard call.runs > 0 else { return false }
        let run = runs + (call.runs - 1)
        let wanted = Unmanaged.passUnretained(vertex).toOpaque()
        for index in stride(from: call.frames - 1, through: run.pointee.firstFrame, by: -1)
        where frames[index].vertex.toOpaque() == wanted {
            return true
        }
        return run.pointee.senders.path?.contains(vertex) ?? false
    }
    /// Whether the value that the called edge carries came through `vertex`, whose lock is held.
    @usableFromInline func cameThrough(_ vertex: Vertex, _ bits: UInt32) -> Bool {
        bits & Vertex.busy != 0 ? cameThrough(vertex) : hasSenders && cameThroughIdle(vertex)
    }
    /// What the value that the called edge carries came through, made on demand and shared by all who ask.
    var senders: Senders {
        guard call.runs > 0 else { return .none }
        return senders(before: call.frames)
    }
    /// Where the value that the called edge carries comes from.
    @usableFromInline var origin: Join.Origin {
        let run = runs + (call.runs - 1)
        guard call.frames > run.pointee.firstFrame else {
            return Join.Origin(senders: run.pointee.senders, context: run.pointee.context)
        }
        return Join.Origin(
            source: frames[call.frames - 1].vertex.takeUnretainedValue(), senders: senders(before: call.frames - 1),
            context: run.pointee.context)
    }

    private func senders(before end: Int) -> Senders {
        let run = runs + (call.runs - 1)
        let first = run.pointee.firstFrame
        var known = end
        while known > first, frames[known - 1].path == nil { known -= 1 }
        var path = known > first ? frames[known - 1].path!.takeUnretainedValue() : run.pointee.senders.path
        for index in known..<max(end, known) {
            let made = SenderPath(frames[index].vertex.takeUnretainedValue(), after: path)
            frames[index].path = .passRetained(made)
            path = made
        }
        let since = run.pointee.senders.since
        guard since == .max else { return Senders(path: path, since: since) }
        // A run without senders began at its first frame: all visits since then are marked with its time or a later one.
        let began = first < call.frames ? frames[first].vertex._withUnsafeGuaranteedRef { $0.visited } : now
        return Senders(path: path, since: began &- 1)
    }
    /// What the called edge's value brought along.
    @usableFromInline var context: NodeContext? { call.runs > 0 ? runs[call.runs - 1].context : nil }

    // MARK: Room

    @inline(never) private func growFrames() {
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: frameCapacity * 2)
        larger.moveInitialize(from: frames, count: frameCount)
        frames.deallocate()
        frames = larger
        frameCapacity *= 2
    }
    @inline(never) private func growRuns() {
        let larger = UnsafeMutablePointer<Run>.allocate(capacity: runCapacity * 2)
        larger.moveInitialize(from: runs, count: runCount)
        runs.deallocate()
        runs = larger
        runCapacity *= 2
    }
    /// Gives back what an unusually deep delivery took.
    @inline(never) private func shrink() {
        guard frameCount == 0 else { return }
        frames.deallocate()
        frameCapacity = 64
        frames = .allocate(capacity: frameCapacity)
    }
}
