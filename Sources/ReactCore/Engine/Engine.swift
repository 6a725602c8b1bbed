import Synchronization

/// The engine of one thread: its stack, passes and open transaction. Each thread that sets nodes has one; `current`
/// finds it.
///
///     set ──▶ take the turn: one delivery at a time per vertex, others queue
///              │
///              ▼
///         store, push a frame ──▶ listen edges, in order ──▶ transforms, in order, depth first
///              ▲                                                 │ `forward` makes the next value
///              └─────────────────────────────────────────────────┘ and stores it in the edge's target
///         when nothing is left: joins that were reached, lowest height first, each once
///
/// A store pushes a frame, and returns the frame's first edge (`NextEdge`). The loop goes on with that edge, and
/// returns to the rest of the frame later.
///
/// The engine is a loop over its own stack, which no depth of the graph makes recurse. A closure that sets a node does.
/// A vertex stays busy, and keeps its frame, until everything downstream of it has been delivered. So a vertex that a
/// value has passed is busy, and an idle vertex needs no search. A trail has to be searched only if the pass begins
/// with senders, which are vertices that its value passed before the pass. Passes of pending deliveries and of values
/// that are sent later begin with senders. A join's pass does where the join notes them: see `noteArrival`.
///
/// Invariants:
/// - Every frame's vertex is busy, and this thread has its turn.
/// - Frames retain nothing. A frame's vertex is retained by the edge that led to it or, for a branch of a `switch`, by
///   the target's value. That edge is retained by the edge lists of the vertex in the frame below. These lists release
///   nothing before their vertex is idle again (see `Vertex`). The caller retains the vertex of the first frame.
/// - No lock is held while an edge is called.
///
/// An engine is never deallocated. When its thread has ended, a later thread takes it over.
@usableFromInline package final class Engine {
    private let paddingBefore = CacheLinePadding()
    // The stack: its beginning, the place of the next frame, and its end. See `Frame`.
    @exclusivity(unchecked) @usableFromInline var frames: UnsafeMutablePointer<Frame>
    @exclusivity(unchecked) @usableFromInline var top: UnsafeMutablePointer<Frame>
    @exclusivity(unchecked) @usableFromInline var limit: UnsafeMutablePointer<Frame>
    /// A store calls the gate (`gate`) if `top` has reached this place: `limit`, or `frames` if every store
    /// has to call the gate.
    @exclusivity(unchecked) @usableFromInline var fastLimit: UnsafeMutablePointer<Frame>
    /// True if the gate has to check every vertex that the innermost pass reaches, because the pass began with senders,
    /// or delivers a pulse.
    @exclusivity(unchecked) @usableFromInline var hasTrail = false
    /// The passes under way, `passCount` of them, the innermost last.
    @exclusivity(unchecked) var passes: UnsafeMutablePointer<Pass>
    @exclusivity(unchecked) var passCapacity = 8
    @exclusivity(unchecked) var passCount = 0
    /// The number of nested transactions, parts of transactions and initial deliveries under way.
    @exclusivity(unchecked) var depth = 0
    /// The edge that is being called.
    @exclusivity(unchecked) @usableFromInline var call: CurrentEdge
    /// The epoch: the number of passes, and of stores in pulses, that this thread has begun. The thread's number is in
    /// the highest bits.
    @exclusivity(unchecked) @usableFromInline var epoch: UInt64
    @exclusivity(unchecked) var trail = Trail()
    @exclusivity(unchecked) var joins = JoinQueue()
    /// Each call of a user's closure has a number, and only the call with this one may send (see `NodeSender`). A pass
    /// that begins inside another one counts in a range of its own: the upper half of its numbers is `innerPasses`.
    @exclusivity(unchecked) @usableFromInline var sending: UInt64 = 0
    /// The number of passes so far that began inside another pass.
    @exclusivity(unchecked) var innerPasses: UInt64 = 0
    /// The `level` at which the innermost body of a join with dynamic inputs (such as `computed`) runs; 0 if none does.
    @exclusivity(unchecked) @usableFromInline package var bodyLevel = 0
    /// The read that the body under way does not follow; noted in debug builds.
    @exclusivity(unchecked) var pastReader = ReadPastReader()
    /// The number of the current firing phase, unique across threads.
    @exclusivity(unchecked) @usableFromInline package internal(set) var firingPhase: UInt64
    /// The last epoch of this thread that belongs to a transaction that is over.
    @exclusivity(unchecked) @usableFromInline var finished: UInt64
    /// The work that is to be done at the end of the outermost transaction.
    @exclusivity(unchecked) @usableFromInline var endFlags: TransactionEndFlags = []
    /// True if the engine belongs to the main thread.
    @exclusivity(unchecked) var isOfMainThread = false
    /// The number of counted transactions of this thread that are over; see `Transaction`. It changes under the lock of
    /// `whenOverClosures`.
    @usableFromInline let transactionsOver = Atomic<UInt64>(0)
    /// The closures to call at the end of the present transaction.
    let whenOverClosures = Lock<Queue<@Sendable () -> Void>>(Queue())
    /// The closures of transactions that are over, which are still to be called; and true while this thread calls them.
    @exclusivity(unchecked) var closuresToCall = Queue<@Sendable () -> Void>(), isTelling = false
    /// The innermost call of a user's own edge. Retained.
    @exclusivity(unchecked) var userCall: Unmanaged<UserCall>?
    /// The object for the next such call. An object for each call takes 46 % more instructions in a user's transform.
    @exclusivity(unchecked) var spareCall: UserCall?
    /// The reports to the observer of this thread, while one is open. `keptReports` retains them.
    @exclusivity(unchecked) var reports: Unmanaged<ObserverReports>?
    /// The reports to the thread's observer, kept for the next transaction.
    @exclusivity(unchecked) var keptReports: ObserverReports?
    /// The depth at which the observer was opened.
    @exclusivity(unchecked) var observerDepth = 0
    /// The number of threads that have used this engine, and its number, and have ended.
    @exclusivity(unchecked) package var formerThreads = 0
    /// The record of a held value that an edge sends now; see `BufferedValueRecord`.
    @exclusivity(unchecked) var bufferedWord: UInt = 0
    /// The number of nested initial deliveries that this thread is making; see `InitialDelivery`.
    @exclusivity(unchecked) var initialDeliveries = 0
    /// True once a node has been marked; see `NodeMark`.
    static let hasMarks = Atomic(false)
    /// The number of nested calls of listeners on schedulers and on the main actor; counted while `hasMarks`.
    @exclusivity(unchecked) var hearings = 0
    /// The thread that has the engine. Used only under the lock of `EngineOfThread`.
    @exclusivity(unchecked) fileprivate(set) var platformThread: PlatformThread?
    /// The engine's number, which is in its epochs.
    package let thread: UInt64
    /// The serial number of the edge that this thread calls, or of the vertex whose join fires, while something
    /// observes; 0 if there is none. Threads that wait for this one read it.
    package let calling = Atomic<UInt>(0)
    /// The regions that the transaction owns.
    @exclusivity(unchecked) var owned = OwnedRegions()
    /// True while the thread does late work, and has more to do in its regions.
    @exclusivity(unchecked) var hasMoreLateWork = false
    /// True while the thread does the removals that others have left to the owner of its regions: see `Vertex.asOwner`.
    @exclusivity(unchecked) var doesRemovals = false
    @exclusivity(unchecked) var leftWork = LeftWork() { didSet { hasLeftWork = !leftWork.isEmpty } }
    /// True if `leftWork` is not empty. Each set asks this.
    @exclusivity(unchecked) private(set) var hasLeftWork = false
    /// The vertices that may fall before joins fire.
    @exclusivity(unchecked) var falling: [Vertex] = []
    /// True while the thread waits for no region.
    @exclusivity(unchecked) var mayNotWait = false
    /// The time at which the waits of the transaction for regions end; 0 if it has not waited.
    @exclusivity(unchecked) var deadline: UInt64 = 0
    let bed = Bed()
    /// The platform's number of the engine's thread.
    private let threadInUse = Atomic<UInt>(0)
    private let paddingBehind = CacheLinePadding()

    init(thread: UInt64) {
        self.thread = thread
        epoch = Epoch.start(of: thread)
        firingPhase = epoch + 1
        finished = epoch
        (frames, top, limit) = Engine.makeFrames()
        fastLimit = limit
        call = CurrentEdge(top: top, passes: 0, generation: 0)
        passes = .allocateOwnCacheLines(capacity: passCapacity)
        passes.initialize(to: Pass(bottom: top, context: .none, since: 0, outer: call))
    }

    /// Returns true if `engine`, whose thread has not ended, is that of the thread that asks. Takes fewer instructions
    /// than `current`.
    package static func isOfThisThread(_ engine: Unmanaged<Engine>) -> Bool {
        engine._withUnsafeGuaranteedRef { $0.threadInUse.load(ordering: .relaxed) } == Platform.thread
    }
    /// True if nothing is under way on this thread.
    package var isIdle: Bool { depth == 0 }
    /// True if the innermost pass has nothing left on the stack.
    var isLastPassEmpty: Bool { top == passes[passCount - 1].bottom }
    /// The number of nested transactions and parts of transactions under way, not counting initial deliveries.
    package var level: Int { depth - initialDeliveries }
    /// Begins a call of a body, and returns the `bodyLevel` outside of it, which `leaveBody` takes.
    package func enterBody() -> Int {
        enterCall(0)
        defer { bodyLevel = level }
        return bodyLevel
    }
    package func leaveBody(to outer: Int) { bodyLevel = outer }
    /// The number of the current firing phase, for other modules, where the compiler would check each access to the
    /// field for exclusivity.
    @inlinable package var phase: UInt64 { firingPhase }
    /// Makes every store call the gate if the gate has something to do.
    @inline(__always) func setFastLimit() { fastLimit = hasTrail || isObserved ? frames : limit }
}

extension Unmanaged<AnyObject> {
    /// Wraps the engine for an edge's call: the caller is the thread's engine.
    @inlinable @inline(__always) static func engine(_ engine: Engine) -> Unmanaged<AnyObject> {
        .fromOpaque(Unmanaged<Engine>.passUnretained(engine).toOpaque())
    }
}
extension ErasedEdgeCall {
    /// The engine that calls the edge.
    @inlinable @inline(__always) package var engine: Unmanaged<Engine> { .fromOpaque(caller.toOpaque()) }
}

extension Vertex {
    /// Returns true if a delivery has visited this vertex, and the last one was another thread's.
    @inlinable package final func wasReached(byOtherThan thread: UInt64) -> Bool {
        lastEpoch > Epoch.made && Epoch.thread(of: lastEpoch) != thread
    }
}

extension Engine {
    /// Checks the invariants at the end of a transaction, in debug builds: the stack and the trail are empty, and no
    /// join is left to fire.
    @inline(__always) func checkInvariants() {
        #if DEBUG
        assert(passCount == 0 && call.passes == 0, "a pass is left over at the end")
        assert(top == frames + 1 && frames.pointee.next == Frame.endTag, "a frame is left over at the end")
        assert(!isObserved, "an observer is open at the end")
        assert(
            joins.isEmpty && joins.heldBack.isEmpty,
            "a combination has not fired at the end")
        assert(trail.isEmpty, "a trail is left over at the end")
        assert(userCall == nil && bodyLevel == 0, "something is being called at the end")
        #endif
    }
}

extension Engine {
    /// The engine of this thread.
    package static var current: Engine { currentUnretained.takeUnretainedValue() }
    /// The engine of this thread, without the cost of a retain.
    @inline(__always) package static var currentUnretained: Unmanaged<Engine> { known ?? makeCurrent() }
    @inline(never) private static func makeCurrent() -> Unmanaged<Engine> {
        EngineOfThread.threads.current._withUnsafeGuaranteedRef { $0.engine }
    }
    /// The engine of this thread, if the thread has one yet.
    @inline(__always) static var known: Unmanaged<Engine>? {
        EngineOfThread.threads.known?._withUnsafeGuaranteedRef { $0.engine }
    }
    /// Returns true if an epoch belongs to another thread.
    func isOthers(_ time: UInt64) -> Bool { time != 0 && Epoch.thread(of: time ^ epoch) != 0 }
    /// Called on the engine's new thread.
    fileprivate func threadBegins() {
        threadInUse.store(Platform.thread, ordering: .relaxed)
        isOfMainThread = Platform.isMainThread
        EngineOfThread.lock.locking { platformThread = PlatformThread() }
    }
    /// Called when the engine's thread has ended.
    fileprivate func threadHasEnded() {
        EngineOfThread.lock.locking { platformThread = nil }
        formerThreads += 1
        keptReports?.observer.threadHasEnded()
    }
}

extension Engine {
    /// Calls `body` with the engine that is the owner `id`, whose thread does not end meanwhile; returns `nil` if there
    /// is none. `body` is called under a lock.
    static func with<Result>(_ id: UInt, _ body: (Engine) -> Result?) -> Result? {
        EngineOfThread.lock.locking {
            EngineOfThread.all.first { $0._withUnsafeGuaranteedRef { $0.ownerID } == id }?
                ._withUnsafeGuaranteedRef(body)
        }
    }
}

/// Gives a thread its engine, and takes it back when the thread ends. A later thread reuses the engine, and so its
/// number.
private final class EngineOfThread {
    static let threads = ThreadLocal { EngineOfThread() }
    static let lock = Lock(())
    /// The engines that no thread uses, and all engines. Used only under the lock.
    nonisolated(unsafe) static var idle: [Unmanaged<Engine>] = [], all: [Unmanaged<Engine>] = []

    let engine = EngineOfThread.take()

    init() { engine._withUnsafeGuaranteedRef { $0.threadBegins() } }
    deinit {
        engine._withUnsafeGuaranteedRef { $0.threadHasEnded() }
        EngineOfThread.lock.locking { EngineOfThread.idle.append(engine) }
    }
    private static func take() -> Unmanaged<Engine> {
        lock.locking {
            if let known = idle.popLast() { return known }
            all.append(.passRetained(Engine(thread: UInt64(all.count) + 1)))
            return all[all.count - 1]
        }
    }
}

/// Returns `Engine.currentUnretained` to code that is inlined into other modules. A static function would load the
/// class's metadata in each set, which takes 10 instructions.
@usableFromInline @inline(never) func currentEngine() -> Unmanaged<Engine> { Engine.currentUnretained }
