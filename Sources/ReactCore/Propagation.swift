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
@usableFromInline final class Propagation: JoinHolder {
    /// One vertex under delivery, and how far it has come.
    ///
    /// Every store to it is paid for by the next atomic instruction, which waits for them; so it is small, and `end` is
    /// written where a list is walked alone.
    @usableFromInline struct Frame {
        @usableFromInline var vertex: Unmanaged<Vertex>
        /// What comes next: an `EdgeSlots` word, or the address of a slot in a list, marked as such.
        @usableFromInline var next: UInt
        /// The `EdgeSlots` word that comes after that.
        @usableFromInline var after: UInt
        /// See `visit` and `isCleaning`.
        @usableFromInline var state: UInt64
        /// Where the list ends that is being walked, marked as `next` is.
        var end: UInt

        static let slotBit: UInt = 2

        /// The record of this visit, once someone asked for one; -1 until then.
        var visit: Visits.Index {
            get { Visits.Index(truncatingIfNeeded: state) }
            set { state = state & ~0xFFFF_FFFF | UInt64(UInt32(bitPattern: newValue)) }
        }
        /// Whether the vertex was emptied; otherwise it was given a value.
        var isCleaning: Bool { state >> 32 != 0 }
        @inlinable @inline(__always) static func state(isCleaning: Bool) -> UInt64 {
            isCleaning ? 1 << 32 | 0xFFFF_FFFF : 0xFFFF_FFFF
        }
    }
    /// All that one value sets off: what travels beside it, and what it came through before.
    struct Run {
        let bottom: Int
        /// Held.
        let context: Unmanaged<ContextBox>?
        /// Where there are none, `since` becomes a time before the first visit of the run, once one is on record.
        var senders: Senders
    }
    /// A delivery that waits until its vertex is no longer busy. `take` stores the value and says whether there is
    /// something to deliver.
    struct Turn {
        let context: ContextBox?
        let senders: SenderList
        let take: (Vertex, Propagation) -> Bool
    }
    /// Where the edge that is being called stands: its frame ends at `top`, its run is the last below `runs`.
    @usableFromInline struct Call {
        var top = 0
        var runs = 0
        @usableFromInline var link: UInt64 = 0
    }

    // The stack of frames. Positions are offsets in bytes, which stay what they are when the stack moves to a larger place.
    @exclusivity(unchecked) @usableFromInline private(set) var frames: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline var top = 0
    @exclusivity(unchecked) @usableFromInline private(set) var limit: Int
    /// Where the last run's frames begin.
    @exclusivity(unchecked) private var bottom = 0
    @exclusivity(unchecked) private(set) var runs = UnsafeMutablePointer<Run>.allocate(capacity: 8)
    @exclusivity(unchecked) private var runCapacity = 8
    @exclusivity(unchecked) private(set) var runCount = 0
    @exclusivity(unchecked) private var depth = 0
    @exclusivity(unchecked) @usableFromInline var call = Call()
    /// Whether the last run began with senders behind it.
    @exclusivity(unchecked) @usableFromInline private(set) var hasSenders = false
    /// How many runs this thread has begun, and in the highest bits the thread.
    @exclusivity(unchecked) @usableFromInline var now: UInt64
    @exclusivity(unchecked) var visits = Visits()
    @exclusivity(unchecked) var joins = JoinQueue()
    /// Joins that another thread has left to this one.
    let inbox = JoinInbox()
    /// Joins that this propagation has left to others.
    @exclusivity(unchecked) var joinsLeft: [Join] = []
    /// Whether this thread and another keep leaving a join to each other.
    @exclusivity(unchecked) var yieldsWhenDone = false
    /// The custom edge whose own code runs, innermost.
    @exclusivity(unchecked) var calling: Unmanaged<AnyEdge>?
    @exclusivity(unchecked) var teardown = Teardown()

    static let clockBits: UInt64 = 48
    private static let firstLimit = 64 * MemoryLayout<Frame>.stride

    init(thread: UInt64) {
        now = thread << Propagation.clockBits
        limit = Propagation.firstLimit
        frames = .allocate(byteCount: limit, alignment: 16)
    }
    deinit {
        frames.deallocate()
        runs.deallocate()
        visits.deallocate()
        joins.deallocate()
    }

    // MARK: Beginning and ending

    /// Brackets all that is set or linked together; joins fire when the outermost ends.
    @usableFromInline @inline(__always) func begin() -> Call {
        depth &+= 1
        return call
    }
    @usableFromInline @inline(__always) func end(_ outer: Call) {
        if depth == 1 {
            while !joins.isEmpty || !visits.isEmpty || !inbox.isEmpty { settle() }
            if limit > Propagation.firstLimit << 8 { shrink() }
        }
        depth &-= 1
        call = outer
        if yieldsWhenDone, depth == 0 { yield() }
    }
    /// Begins to deliver what was stored in `vertex`, whose turn this thread has. Its lock is held, and not when this returns.
    @usableFromInline func beginSet(_ vertex: Vertex, _ context: ContextBox?) -> Call {
        let outer = begin()
        beginRun(context: context, senders: .none)
        push(vertex)
        vertex.unlock(Vertex.busy)
        return outer
    }
    @usableFromInline func endSet(_ outer: Call) {
        drive(runCount)
        end(outer)
    }

    override func add(_ join: Join) { inbox.add(join) }

    private func settle() {
        while let entry = nextJoin() {
            entry.join._withUnsafeGuaranteedRef { $0.fire(in: self, listedWith: entry.rank) }
            entry.join.release()
        }
        if !joinsLeft.isEmpty { joinsLeft = [] }
        visits.removeAll()
    }

    /// The next join to fire, of those that were reached here, or handed over by another thread.
    @inline(__always) private func nextJoin() -> JoinQueue.Entry? {
        if !inbox.isEmpty { inbox.empty(into: &joins) }
        return joins.popFirst()
    }

    /// Begins a run on top of those under way; returns what `drive` takes to end it.
    @inline(__always) @discardableResult func beginRun(context: ContextBox?, senders: Senders) -> Int {
        if let context { return beginRun(holding: .passRetained(context), senders: senders) }
        return beginRun(holding: nil, senders: senders)
    }
    /// The same with a context that the run lets go of.
    @inline(__always) @discardableResult
    func beginRun(holding context: Unmanaged<ContextBox>?, senders: Senders) -> Int {
        if runCount == runCapacity { growRuns() }
        (runs + runCount).initialize(
            to: Run(bottom: top, context: context, senders: senders))
        runCount &+= 1
        bottom = top
        hasSenders = senders.visit >= 0
        now &+= 1
        return runCount
    }
    func beginRun(context: ContextBox?, senders: SenderList) -> Int {
        beginRun(context: context, senders: record(senders))
    }
    func endRun() {
        runCount &-= 1
        (runs + runCount).pointee.context?.release()
        guard runCount > 0 else {
            bottom = 0
            return
        }
        bottom = runs[runCount - 1].bottom
        hasSenders = runs[runCount - 1].senders.visit >= 0
    }
    /// Makes the last run the one that is being called, for edges that are called by no frame.
    func enterCall(link: UInt64) { call = Call(top: top, runs: runCount, link: link) }
    /// Whether nothing is under way on this thread.
    var isIdle: Bool { depth == 0 }
    /// Whether the last run has left nothing on the stack.
    var isLastRunEmpty: Bool { top == bottom }

    // MARK: Delivering

    /// Serves all frames of the run `own`, and of those on top of it, and ends it.
    @usableFromInline func drive(_ own: Int) {
        repeat {
            while top > bottom { step() }
            endRun()
        } while runCount >= own
    }
    @inline(__always) private func step() {
        let frame = frame(at: top &- MemoryLayout<Frame>.stride)
        let next = frame.pointee.next
        if let edge = EdgeSlots.edge(in: next) {
            frame.pointee.next = frame.pointee.after
            if frame.pointee.after != 0 { frame.pointee.after = 0 }
            call(edge, frame)
        } else if next == 0 {
            top &-= MemoryLayout<Frame>.stride
            let vertex = frame.pointee.vertex
            if !vertex._withUnsafeGuaranteedRef({ $0.leaveIfNothingPending() }) { takeTurns(at: vertex) }
        } else if let list = EdgeSlots.list(in: next) {
            list._withUnsafeGuaranteedRef {
                frame.pointee.next = UInt(bitPattern: $0.slots) | Frame.slotBit
                frame.pointee.end = UInt(bitPattern: $0.slots + $0.count) | Frame.slotBit
            }
        } else if next != frame.pointee.end {
            frame.pointee.next = next &+ UInt(MemoryLayout<EdgeList.Slot>.stride)
            let slot = UnsafePointer<EdgeList.Slot>(bitPattern: next & ~Frame.slotBit).unsafelyUnwrapped
            if let edge = slot.pointee { call(edge, frame) }
        } else {
            frame.pointee.next = frame.pointee.after
            frame.pointee.after = 0
        }
    }
    /// Hands the frame's value to one edge, unless that was cut.
    @inline(__always) private func call(_ edge: Unmanaged<AnyEdge>, _ frame: UnsafeMutablePointer<Frame>) {
        edge._withUnsafeGuaranteedRef { edge in
            let link = edge.link.load(ordering: .acquiring)
            ScheduleFaults.pause(at: .linkIsRead)
            let target = edge.target.load(ordering: .acquiring)
            guard Link.leads(link, from: frame.pointee.vertex), edge.link.load(ordering: .relaxed) == link else {
                return notCalled(edge, link, frame)
            }
            ScheduleFaults.pause(at: .linkIsChecked)
            call.top = top
            if call.runs != runCount { call.runs = runCount }
            call.link = link
            let delivery = RawDelivery(
                propagation: .passUnretained(self), edge: .passUnretained(edge), source: frame.pointee.vertex,
                target: target)
            if frame.pointee.isCleaning { edge.forwardEmpty(delivery) } else { edge.forward(delivery) }
        }
    }
    /// The edge was cut, or linked while the source delivered, or takes over an earlier value, or has just done so.
    @inline(never) private func notCalled(_ edge: AnyEdge, _ link: UInt64, _ frame: UnsafeMutablePointer<Frame>) {
        guard Link.leadsWithMarks(link, from: frame.pointee.vertex) else { return }
        let vertex = frame.pointee.vertex.takeUnretainedValue()
        if link & Link.late != 0, !vertex.admits(edge, link) { return }
        if link & Link.takingOver != 0,
            leaveInMailbox(edge, link, at: vertex, isCleaning: frame.pointee.isCleaning)
        {
            return
        }
        call(.passUnretained(edge), frame)
    }
    /// Delivers what was queued while the vertex was busy, until a turn leaves something on the stack.
    @inline(never) func takeTurns(at vertex: Unmanaged<Vertex>) {
        vertex._withUnsafeGuaranteedRef { vertex in
            while let turn = vertex.leaveOrTakeNext() {
                _ = beginRun(context: turn.context, senders: turn.senders)
                if turn.take(vertex, self) { return }
                endRun()
            }
        }
    }
    /// Puts a busy vertex on the stack. Its lock is held.
    @inlinable @inline(__always) func push(_ vertex: Vertex, isCleaning: Bool = false) {
        let listens = vertex.listens.word
        let transforms = vertex.transforms.word
        if (listens | transforms) & EdgeSlots.listBit != 0 { vertex.markWalked() }
        push(
            vertex, next: listens != 0 ? listens : transforms, after: listens != 0 ? transforms : 0,
            isCleaning: isCleaning)
    }
    /// The same for some of its edges.
    @inlinable @inline(__always) func push(_ vertex: Vertex, next: UInt, after: UInt, isCleaning: Bool = false) {
        vertex.visited = now
        if top == limit { grow() }
        let frame = frame(at: top)
        frame.pointee.vertex = .passUnretained(vertex)
        frame.pointee.next = next
        frame.pointee.after = after
        frame.pointee.state = Frame.state(isCleaning: isCleaning)
        top &+= MemoryLayout<Frame>.stride
    }

    @inlinable @inline(__always) func frame(at offset: Int) -> UnsafeMutablePointer<Frame> {
        Propagation.frame(frames + offset)
    }
    @inlinable @inline(__always) static func frame(_ place: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Frame> {
        place.assumingMemoryBound(to: Frame.self)
    }

    // MARK: Room

    @usableFromInline @inline(never) func grow() {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: limit * 2, alignment: 16)
        larger.copyMemory(from: frames, byteCount: top)
        frames.deallocate()
        frames = larger
        limit *= 2
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
        guard top == 0 else { return }
        frames.deallocate()
        limit = Propagation.firstLimit
        frames = .allocate(byteCount: limit, alignment: 16)
    }
}

/// What travels beside a value, in a box, so that having nothing costs nothing.
@usableFromInline final class ContextBox: Sendable {
    let value: NodeContext

    init(_ value: NodeContext) { self.value = value }
    @usableFromInline static func box(_ context: NodeContext?) -> ContextBox? { context.map { ContextBox($0) } }
}
