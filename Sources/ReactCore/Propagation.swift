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
        /// What comes next: nothing, an edge and no more, or, marked as such, what `after` comes after: a list, a place in
        /// one, or an edge.
        @usableFromInline var next: UInt
        /// The `EdgeSlots` word that comes after that.
        @usableFromInline var after: UInt
        /// See `visit` and `isCleaning`.
        @usableFromInline var state: UInt64
        /// Where the list ends that is being walked, marked as `next` is.
        var end: UInt

        static let listMark = EdgeSlots.listBit
        static let slotMark: UInt = 2
        static let edgeMark: UInt = 3
        static let marks: UInt = 3

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
        /// Where its frames begin: for the first run, at 0.
        var bottom = 0
        /// Held.
        var context: Unmanaged<ContextBox>?
        /// Where there are none, `since` becomes a time before the first visit of the run, once one is on record.
        var senders = Senders.none
        /// What was being called when the run began; of no use to the first run.
        var outer = Call()
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
    @exclusivity(unchecked) private(set) var runs: UnsafeMutablePointer<Run>
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
        runs = .allocate(capacity: runCapacity)
        runs.initialize(repeating: Run(), count: runCapacity)
    }
    deinit {
        frames.deallocate()
        runs.deallocate()
        visits.deallocate()
        joins.deallocate()
    }

    // MARK: Beginning and ending

    /// Brackets all that is set or linked together; joins fire when the outermost ends.
    @usableFromInline func begin() { depth &+= 1 }
    @usableFromInline @inline(__always) func end() {
        if depth == 1 {
            while !joins.isEmpty || !visits.isEmpty || !inbox.isEmpty { settle() }
            if limit > Propagation.firstLimit << 8 { shrink() }
        }
        depth &-= 1
        if yieldsWhenDone, depth == 0 { yield() }
    }
    /// Delivers what `beginSet` began with.
    @usableFromInline func endSet(_ sent: Sent) {
        serve(runCount, sent)
        end()
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
    @discardableResult func beginRun(context: ContextBox?, senders: Senders) -> Int {
        if let context { return beginRun(holding: .passRetained(context), senders: senders) }
        return beginRun(holding: nil, senders: senders)
    }
    /// The same with a context that the run lets go of.
    @inline(__always) @discardableResult
    func beginRun(holding context: Unmanaged<ContextBox>?, senders: Senders) -> Int {
        if runCount > 0 { makePlaceForRun() }
        let run = runs + runCount
        run.pointee.context = context
        run.pointee.senders = senders
        runCount &+= 1
        hasSenders = senders.visit >= 0
        now &+= 1
        return runCount
    }
    /// The same for the first run, of a value that nothing travels beside.
    @inline(__always) func beginFirstRun() {
        runs.pointee.context = nil
        runs.pointee.senders = .none
        runCount = 1
        hasSenders = false
        now &+= 1
    }
    func beginRun(context: ContextBox?, senders: SenderList) -> Int {
        beginRun(context: context, senders: record(senders))
    }
    /// Notes what goes on when the run on top of those under way has ended.
    @inline(never) private func makePlaceForRun() {
        if runCount == runCapacity { growRuns() }
        runs[runCount].bottom = top
        runs[runCount].outer = call
        bottom = top
    }
    @inline(__always) func endRun() {
        runCount &-= 1
        guard runCount == 0 else { return resumeRun() }
        call.runs = 0
        runs.pointee.context?.release()
    }
    @inline(never) private func resumeRun() {
        let run = runs + runCount
        call = run.pointee.outer
        bottom = (run - 1).pointee.bottom
        hasSenders = (run - 1).pointee.senders.visit >= 0
        run.pointee.context?.release()
    }
    /// Makes the last run the one that is being called, for edges that are called by no frame.
    func enterCall(link: UInt64) { call = Call(top: top, runs: runCount, link: link) }
    /// Whether nothing is under way on this thread.
    var isIdle: Bool { depth == 0 }
    /// Whether the last run has left nothing on the stack.
    var isLastRunEmpty: Bool { top == bottom }

    // MARK: Delivering

    /// Serves all frames of the run `own`, and of those on top of it, and ends it. What was `sent` last comes first.
    @usableFromInline func drive(_ own: Int, _ sent: Sent = .nothing) { serve(own, sent) }
    @inline(__always) private func serve(_ own: Int, _ first: Sent) {
        var sent = first
        call.runs = runCount
        repeat {
            while true {
                if let edge = sent.edge {
                    sent = call(edge)
                } else if top > bottom {
                    sent = advance()
                } else {
                    break
                }
            }
            endRun()
        } while runCount >= own
    }
    /// Takes the next edge from the last frame; or, when there is none, that frame from the stack.
    @inline(__always) private func advance() -> Sent {
        if call.runs != runCount { call.runs = runCount }
        let frame = lastFrame
        let next = frame.pointee.next
        if next & Frame.marks == Frame.slotMark, next != frame.pointee.end {
            frame.pointee.next = next &+ UInt(MemoryLayout<EdgeList.Slot>.stride)
            return Sent(edge: UnsafePointer<EdgeList.Slot>(bitPattern: next & ~Frame.marks).unsafelyUnwrapped.pointee)
        }
        if next == 0 {
            leave(frame)
            return .nothing
        }
        if next & Frame.marks == 0 {
            frame.pointee.next = 0
            return Sent(word: next)
        }
        return goOn(with: frame)
    }
    /// At the beginning or the end of a list, or at an edge before one.
    @inline(never) private func goOn(with frame: UnsafeMutablePointer<Frame>) -> Sent {
        let next = frame.pointee.next
        if next & Frame.marks == Frame.listMark {
            EdgeSlots.list(in: next).unsafelyUnwrapped._withUnsafeGuaranteedRef {
                frame.pointee.next = UInt(bitPattern: $0.slots) | Frame.slotMark
                frame.pointee.end = UInt(bitPattern: $0.slots + $0.count) | Frame.slotMark
            }
            return .nothing
        }
        goOnAfterList(frame)
        return next & Frame.marks == Frame.edgeMark ? Sent(word: next & ~Frame.marks) : .nothing
    }
    private func goOnAfterList(_ frame: UnsafeMutablePointer<Frame>) {
        frame.pointee.next = frame.pointee.after
        frame.pointee.after = 0
    }
    /// Ends the turn of a vertex that has been served, and of those below that have been as well: in a chain, all of them.
    @inline(__always) private func leave(_ last: UnsafeMutablePointer<Frame>) {
        var frame = last
        repeat {
            top &-= MemoryLayout<Frame>.stride
            let vertex = frame.pointee.vertex
            guard vertex._withUnsafeGuaranteedRef({ $0.leaveIfNothingPending() }) else { return takeTurns(at: vertex) }
            frame -= 1
        } while top > bottom && frame.pointee.next == 0
    }
    /// Hands the last frame's value to one edge, unless that was cut.
    @inline(__always) private func call(_ edge: Unmanaged<AnyEdge>) -> Sent {
        let end = top
        let frame = frame(at: end &- MemoryLayout<Frame>.stride)
        let vertex = frame.pointee.vertex
        return edge._withUnsafeGuaranteedRef { edge in
            let link = edge.link.load(ordering: .acquiring)
            ScheduleFaults.pause(at: .linkIsRead)
            let target = edge.target.load(ordering: .acquiring)
            guard Link.leads(link, from: vertex), edge.link.load(ordering: .relaxed) == link else {
                return callMarked(edge, link)
            }
            ScheduleFaults.pause(at: .linkIsChecked)
            call.top = end
            call.link = link
            let delivery = RawDelivery(
                propagation: .passUnretained(self), edge: .passUnretained(edge), source: vertex, target: target)
            return frame.pointee.isCleaning ? edge.forwardEmpty(delivery) : edge.forward(delivery)
        }
    }
    /// The same for an edge that was cut, or is marked: see `Link`.
    @inline(never) private func callMarked(_ edge: AnyEdge, _ link: UInt64) -> Sent {
        let frame = lastFrame
        guard Link.leadsWithMarks(link, from: frame.pointee.vertex) else { return .nothing }
        let vertex = frame.pointee.vertex.takeUnretainedValue()
        if link & Link.late != 0, !vertex.admits(edge, link) { return .nothing }
        if link & Link.takingOver != 0,
            leaveInMailbox(edge, link, at: vertex, isCleaning: frame.pointee.isCleaning)
        {
            return .nothing
        }
        guard link & Link.marks == Link.asks else { return call(.passUnretained(edge)) }
        if edge.isForsaken { return .nothing }
        enterCall(link: link)
        let delivery = RawDelivery(
            propagation: .passUnretained(self), edge: .passUnretained(edge), source: frame.pointee.vertex, target: nil)
        return frame.pointee.isCleaning ? edge.forwardEmpty(delivery) : edge.forward(delivery)
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
    /// Puts a busy vertex on the stack, and answers its first edge, which is to be called next. Its lock is held.
    @inlinable @inline(__always) func push(_ vertex: Vertex, isCleaning: Bool = false) -> Sent {
        let listens = vertex.listens.word
        let transforms = vertex.transforms.word
        vertex.visited = now
        if top == limit { Seldom.grow(self) }
        let frame = frame(at: top)
        frame.pointee.vertex = .passUnretained(vertex)
        frame.pointee.state = Frame.state(isCleaning: isCleaning)
        top &+= MemoryLayout<Frame>.stride
        if (listens | transforms) & EdgeSlots.listBit != 0 { return Seldom.beginLists(of: vertex, self) }
        frame.pointee.next = listens != 0 ? transforms : 0
        return Sent(word: listens != 0 ? listens : transforms)
    }
    /// The same where one of the two is a list.
    fileprivate func beginLists(of vertex: Vertex) -> Sent {
        let frame = lastFrame
        vertex.markWalked()
        frame.pointee.next = vertex.listens.word
        frame.pointee.after = vertex.transforms.word
        if let edge = EdgeSlots.edge(in: vertex.listens.word) {
            goOnAfterList(frame)
            return Sent(edge: edge)
        }
        if vertex.listens.isEmpty { goOnAfterList(frame) }
        return .nothing
    }
    /// Puts back what was sent: it is called when it is its turn on the stack.
    func leaveOnStack(_ sent: Sent) {
        guard let edge = sent.edge else { return }
        let frame = lastFrame
        let word = UInt(bitPattern: edge.toOpaque())
        if frame.pointee.next == 0 {
            frame.pointee.next = word
        } else {
            frame.pointee.after = frame.pointee.next
            frame.pointee.next = word | Frame.edgeMark
        }
    }

    @inline(__always) private var lastFrame: UnsafeMutablePointer<Frame> {
        frame(at: top &- MemoryLayout<Frame>.stride)
    }
    @inlinable @inline(__always) func frame(at offset: Int) -> UnsafeMutablePointer<Frame> {
        Propagation.frame(frames + offset)
    }
    @inlinable @inline(__always) static func frame(_ place: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Frame> {
        place.assumingMemoryBound(to: Frame.self)
    }

    // MARK: Room

    fileprivate func grow() {
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

/// Where a delivery goes on: at the edge that is to be called next, if what was called knows it, and so spares the engine
/// to look for it. The edge is the first of the last frame's, and no longer among those that are still to come there.
@usableFromInline package struct Sent {
    @usableFromInline let edge: Unmanaged<AnyEdge>?

    @inlinable init(edge: Unmanaged<AnyEdge>?) { self.edge = edge }
    @inlinable init(word: UInt) {
        edge = UnsafeRawPointer(bitPattern: word).map { .fromOpaque($0) }
    }
    /// It is not known, or there is none.
    @inlinable package static var nothing: Sent { Sent(edge: nil) }
}

extension Vertex {
    /// Begins to deliver what was stored here; this thread has the turn. The lock is held, and not when this returns.
    /// Ends by the `endSet` of the propagation that is returned.
    @usableFromInline final func beginSet(_ context: ContextBox?) -> (propagation: Unmanaged<Propagation>, sent: Sent) {
        // Unlike a closure, it is compiled in.
        @inline(__always) func begin(_ propagation: Propagation) -> Sent {
            propagation.begin()
            if context == nil, propagation.runCount == 0 {
                propagation.beginFirstRun()
            } else {
                propagation.beginRun(context: context, senders: .none)
            }
            return propagation.push(self)
        }
        let propagation = Propagation.currentUnretained
        let sent = propagation._withUnsafeGuaranteedRef(begin)
        unlock(Vertex.busy)
        return (propagation, sent)
    }
}

/// What the paths that are compiled into the users of a module seldom call.
///
/// Functions of nobody's: a method has its `self` in a register that its caller would have to save, in every call.
@usableFromInline enum Seldom {
    @usableFromInline @inline(never) static func grow(_ propagation: Propagation) { propagation.grow() }
    @usableFromInline @inline(never)
    static func beginLists(of vertex: Vertex, _ propagation: Propagation) -> Sent { propagation.beginLists(of: vertex) }
    @usableFromInline @inline(never) static func cameThrough(_ vertex: Vertex, _ propagation: Propagation) -> Bool {
        propagation.cameThroughIdle(vertex)
    }
    /// Sends a value to a vertex that is locked or busy.
    @inlinable @inline(never) static func send<Output>(
        _ value: Output, to store: Store<Output>, _ edge: Unmanaged<AnyEdge>, _ propagation: Propagation
    ) -> Sent {
        propagation.sendContended(value, to: store, edge)
        return .nothing
    }
}

/// What travels beside a value, in a box, so that having nothing costs nothing.
@usableFromInline final class ContextBox: Sendable {
    let value: NodeContext

    init(_ value: NodeContext) { self.value = value }
    @usableFromInline static func box(_ context: NodeContext?) -> ContextBox? { context.map { ContextBox($0) } }
}
