import Synchronization

/// The engine: how a value travels. One for each thread that sets nodes, found by `current`.
///
///     set ──▶ enter: one delivery at a time per vertex, others queue
///              │
///              ▼
///         store, push a frame ──▶ listen edges, in order ──▶ transforms, in order, depth first
///              ▲                                                 │ `forward` makes the next value
///              └─────────────────────────────────────────────────┘ and stores it in the edge's target
///         when nothing is left: joins that were reached, lowest height first, each once
///
/// Whoever pushes a frame answers its first edge (`Sent`), and the loop goes on there; whatever is left of the frame it comes
/// back to.
///
/// It is a loop over a stack of its own: it never recurses, however deep the graph. A vertex stays busy until its whole
/// downstream has been served; so the vertices that a value came through are the frames below it, all of them busy, and
/// a vertex that is found idle is not among them. Only a run that began with senders behind it (a join, a queued value,
/// a value sent later) has more to look at.
///
/// Invariants:
/// - Every frame's vertex is busy, and this thread's.
/// - Nothing on the stack is held: a frame's vertex is held by the edge that led to it, or, a switch's branch, by what the target holds;
///   the edge by the lists of the
///   frame below, which lets go of nothing before it is idle again (see `Vertex`). The first frame's is held by its caller.
/// - No lock is held while an edge is called.
///
/// It is never let go of: when its thread has ended, it waits for the next one.
@usableFromInline package final class Propagation: JoinHolder {
    private let lineBefore = UnusedLine()
    // The stack: its beginning, the place for the next frame, and its end. See `Frame`.
    @exclusivity(unchecked) @usableFromInline var frames: UnsafeMutablePointer<Frame>
    @exclusivity(unchecked) @usableFromInline var top: UnsafeMutablePointer<Frame>
    @exclusivity(unchecked) @usableFromInline var limit: UnsafeMutablePointer<Frame>
    /// `store` asks the gate where the stack has come up to this: to `limit`, or, where each store has to be looked at, to `frames`.
    @exclusivity(unchecked) @usableFromInline var fastLimit: UnsafeMutablePointer<Frame>
    /// Whether each vertex that the last run comes to has to be looked at: it began with senders behind it, or is a pulse's.
    @exclusivity(unchecked) @usableFromInline var hasTrail = false
    @exclusivity(unchecked) var runs: UnsafeMutablePointer<Run>
    /// What is known of the turn that the last run is a part of.
    @exclusivity(unchecked) var turn = Turn()
    @exclusivity(unchecked) var runCapacity = 8
    @exclusivity(unchecked) var runCount = 0
    @exclusivity(unchecked) var depth = 0
    @exclusivity(unchecked) @usableFromInline var call: Call
    /// How many runs this thread has begun, and in the highest bits the thread.
    @exclusivity(unchecked) @usableFromInline var now: UInt64
    @exclusivity(unchecked) var visits = Visits()
    @exclusivity(unchecked) var joins = JoinQueue()
    /// Joins that another thread has left to this one.
    let inbox = JoinInbox()
    /// Joins that this propagation has left to others.
    @exclusivity(unchecked) var joinsLeft: [AnyJoin] = []
    /// Who may send by a `OneSend` now, or will be next. Each run inside another begins with numbers of its own: the higher half
    /// counts these runs.
    @exclusivity(unchecked) @usableFromInline var sending: UInt64 = 0
    @exclusivity(unchecked) var innerRuns: UInt64 = 0
    /// The `level` at which the innermost body of a dynamic join is being called; 0 while there is none.
    @exclusivity(unchecked) @usableFromInline var bodyLevel = 0
    /// Tells one run of joins from the next, on any thread.
    @exclusivity(unchecked) @usableFromInline var wave: UInt64
    /// What this thread set up to this time (`now`) belongs to outermost sets that are over.
    let finished: Atomic<UInt64>
    /// Whether a thread looks once more whether something was left to it, after it has said that its outermost set is over: once there has
    /// been a dynamic join.
    static let looksTwice = Atomic<Bool>(false)
    /// What is left for the end of the outermost set.
    @exclusivity(unchecked) @usableFromInline var lastDuties: LastDuties = []
    @exclusivity(unchecked) var lastWork = LastWork()
    @exclusivity(unchecked) var patience = Patience()
    /// How long the outermost set may still pause.
    @exclusivity(unchecked) var pauses = PauseBudget()
    /// How many outermost sets of this thread that somebody knew are over, times two; and one more if somebody waits until the
    /// present one is. See `OutermostSet`.
    @usableFromInline let setsOver = Atomic<UInt64>(0)
    let waiters = Lock<Queue<SetWaiter>>(Queue())
    /// The innermost call of an edge's own code; the one that stands for none, while there is none.
    @exclusivity(unchecked) var customCall: Unmanaged<CustomCall>
    /// What observes this thread, while something does.
    @exclusivity(unchecked) package var observer: (any ThreadObserver)?
    /// The same, kept for the next transaction.
    @exclusivity(unchecked) package var closedObserver: (any ThreadObserver)?
    /// How deep the propagation was when the observer was opened.
    @exclusivity(unchecked) var observerDepth = 0
    /// How many threads have had this propagation, and its number, and have ended.
    @exclusivity(unchecked) package var formerThreads = 0
    /// The value that an edge is sending now, which it has held: see `RecordedHold`.
    @exclusivity(unchecked) var wordOfHold: UInt = 0
    /// How many edges this thread has catch up, one inside another: see `Replay`.
    @exclusivity(unchecked) var replays = 0
    /// How the word of a vertex names this thread: see `Vertex`.
    @usableFromInline let taker: UInt32
    private let lineBehind = UnusedLine()

    init(thread: UInt64) {
        now = Clock.start(of: thread)
        taker = UInt32(thread) << Vertex.takerShift
        wave = now + 1
        finished = Atomic(now)
        (frames, top, limit) = Propagation.makeFrames()
        fastLimit = limit
        call = Call(top: top, runs: 0, number: 0)
        customCall = .passRetained(CustomCall(inside: nil))
        runs = .allocateOwnLines(capacity: runCapacity)
        runs.initialize(to: Run(bottom: top, context: nil, since: 0, outer: call))
    }

    /// Adds a join that another thread leaves to this one.
    override func add(_ join: AnyJoin) { inbox.add(join) }

    /// Whether nothing is under way on this thread.
    var isIdle: Bool { depth == 0 }
    /// Whether the last run has left nothing on the stack.
    var isLastRunEmpty: Bool { top == runs[runCount - 1].bottom }
    /// Whether no run has anything left on the stack. Each but the first begins with what ends the one before.
    var isStackEmpty: Bool { top - frames == max(runCount, 1) }
    /// How many sets, batches and other steps are under way, one inside another, apart from edges that catch up.
    var level: Int { depth - replays }
    /// Has `store` ask the gate before each store, where that has something to do.
    @inline(__always) func setFastLimit(hasTrail: Bool) {
        self.hasTrail = hasTrail
        fastLimit = hasTrail || observer != nil ? frames : limit
    }
}

extension Unmanaged<AnyObject> {
    /// What calls edges: the thread's propagation.
    @inlinable @inline(__always) static func propagation(_ propagation: Propagation) -> Unmanaged<AnyObject> {
        .fromOpaque(Unmanaged<Propagation>.passUnretained(propagation).toOpaque())
    }
}
extension RawDelivery {
    /// The propagation that calls the edge.
    @inlinable @inline(__always) var propagation: Unmanaged<Propagation> { .fromOpaque(caller.toOpaque()) }
}

/// The times of a delivery: the thread's number in the highest bits, and below how many runs, and steps of pulses, it has begun.
enum Clock {
    private static let bits: UInt64 = 48

    /// A time before all others, and of no thread's.
    static let elsewhere: UInt64 = 1

    static func start(of thread: UInt64) -> UInt64 {
        require(
            thread < 1 << (64 - bits),
            "EasyReact tells 65,535 threads from one another, and so many use it at once; have fewer, or let some of them end"
        )
        return thread << bits
    }
    static func thread(of time: UInt64) -> UInt64 { time >> bits }
    /// One of `count` places, which changes with the time. The thread's number may set the highest bit.
    static func place(at time: UInt64, among count: Int) -> Int { Int(time % UInt64(count)) }
}
extension Vertex {
    /// The thread of the delivery that came by last.
    package final var visitingThread: UInt64 { Clock.thread(of: visited) }
}

extension Propagation {
    /// Checks what must hold at the end of an outermost set, in debug builds: nothing is left on the stack, or to be fired, and no trail.
    @inline(__always) func checkInvariants() {
        #if DEBUG
        assert(runCount == 0 && call.runs == 0, "a run is left over at the end of a set")
        assert(top == frames + 1 && frames.pointee.next == Frame.endMark, "a frame is left over at the end of a set")
        assert(observer == nil, "an observer is open at the end of a set")
        assert(joins.isEmpty && joinsLeft.isEmpty, "a combination has not fired at the end of a set")
        assert(visits.isEmpty, "a trail is left over at the end of a set")
        assert(
            customCall._withUnsafeGuaranteedRef { $0.outer == nil } && bodyLevel == 0,
            "something is being called at the end of a set")
        #endif
    }
}
