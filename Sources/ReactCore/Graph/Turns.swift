import Synchronization

// The turn: one delivery at a time for each vertex, and a queue of those that wait.
extension Vertex {
    /// Takes the turn and the lock of an idle vertex. Fails if the vertex is locked or busy.
    @inlinable @inline(__always) final func tryAcquire() -> Bool {
        ScheduleFuzzing.pause(at: .turnIsToBeTaken, of: address)
        guard
            word.compareExchange(
                expected: 0, desired: Vertex.locked | Vertex.busy, successOrdering: .acquiring,
                failureOrdering: .relaxed
            ).exchanged
        else { return false }
        ScheduleFuzzing.pause(at: .turnIsTaken, of: address)
        return true
    }
    /// Takes the turn, or queues `update` if another delivery has it. Does neither if `condition`, called under the
    /// lock, returns false. `note` is called under the lock when the update is queued, and may record that.
    ///
    /// `times` are those of the set that the update belongs to, if any; `ownerBits` is the number of its thread as it
    /// stands in `word`. They tell whether the update belongs to the owner's own set. Until the owner has delivered
    /// something, `word` has the number of its thread, which is compared with `ownerBits`. Later, the time of the last
    /// visit has to lie in `times`.
    ///
    /// Returns whether the turn is this thread's, with the lock held; if not, whether the owner wants an heir: see
    /// "Handing the turn on".
    final func enter(
        orQueue update: PendingDelivery, of times: Range<UInt64>, on ownerBits: UInt32,
        if condition: (UInt32) -> Bool = { _ in true }, noting note: () -> Void = {}
    ) -> (isMine: Bool, wantsHeir: Bool) {
        var bits = lock()
        if bits & Vertex.busy != 0, coldState == nil {
            // Nothing is allocated while the lock is held.
            unlock(bits)
            let made = ColdState()
            bits = lock()
            if coldState == nil { coldState = made }
        }
        guard condition(bits) else {
            unlock(bits)
            return (false, false)
        }
        if bits & Vertex.busy == 0 {
            relock(Vertex.busy)
            return (true, false)
        }
        let coldState = coldStateLocked
        coldState.queue.append(update)
        // An owner that delivers was the last to visit. An owner that has only taken the turn has not visited yet.
        let owner = bits & ~Vertex.delivering(bits)
        if owner == 0 ? times.contains(lastEpoch) : owner == ownerBits && !times.isEmpty {
            update.isOwn = true
            coldState.ownWaiting += 1
        }
        note()
        let wantsHeir = wantsHeir && !update.isOwn
        unlock(bits | Vertex.pending)
        return (false, wantsHeir)
    }
    /// Ends the turn if nothing waits. Returns whether it did.
    @inline(__always) final func releaseIfIdle() -> Bool {
        let address = address
        ScheduleFuzzing.pause(at: .turnIsToEnd, of: address)
        defer { ScheduleFuzzing.pause(at: .turnHasEnded, of: address) }
        return word.compareExchange(
            expected: Vertex.busy, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed
        ).exchanged
    }
    /// Marks the lists that a delivery is going to walk. The lock is held.
    @inline(__always) final func markWalked() {
        listens.markWalked()
        transforms.markWalked()
    }
}

// Handing the turn on: how the turn of a vertex goes from one thread to another, so that no thread delivers for others
// without end.
//
//            a set                     a value is delivered
//     idle ─────────▶ one thread's turn ─────────────────────┐
//      ▲                     ▲                               ▼
//      │ nothing waits       │         the next queued value is delivered …
//      ├─────────────────────┼──── by the owner, while it did little for others, or its own sets wait here
//      │                     ├──── by the owner, while no heir is awake: it offers the turn
//      └─────────────────────┴──── by an heir that is awake: it gets the turn
//
// The turn is always one thread's, from the set that found the vertex idle until nothing waits. It passes under the
// vertex's lock, with the whole queue. So queued values are delivered in order, whichever thread queued them, and even
// if that thread has ended.
//
// A thread whose set was queued waits for the turn only while the vertex is far behind, or the turn is offered. It
// waits only if nothing else is under way on it, so that no other thread waits for something that it holds. It does not
// wait long, because the owner may be waiting for it: then it withdraws, and the turn stays with the owner. An heir
// that sleeps is called first, and gets the turn when it is awake. So the turn does not stand still longer than
// necessary.

/// The owner's readiness to go on with the queue.
enum Readiness {
    case goesOn
    /// Goes on, unless another thread waits for the turn. That one gets it.
    case handsOn
    /// Keeps the turn, and delivers nothing now.
    case pauses
}

/// The step that follows a delivered value.
enum AfterTurn {
    case next(PendingDelivery)
    /// The turn is kept, and deliveries wait.
    case kept
    /// The turn has ended, or has passed to another thread.
    case over
}

extension Vertex {
    /// The number of waiting deliveries above which the vertex is far behind.
    static let mostWaiting = 256
    /// The longest wait for a turn, in microseconds.
    static let longestPause = 10_000

    /// Ends the turn, hands it on, or keeps it, as `readiness` allows. Returns the next step.
    ///
    /// Values that the owner itself has set meanwhile are a part of its set. So it neither hands on nor pauses before
    /// they are delivered.
    @inline(never) final func releaseOrDequeue(_ readiness: Readiness) -> AfterTurn {
        var deferred = DeferredReleases()  // let go of when the lock is
        let bits = lock()
        guard bits & Vertex.pending != 0, let coldState else {
            unlock(0)
            return .over
        }
        swap(&deferred, &coldState.deferred)
        if coldState.queue.isEmpty {
            coldState.endTurn()
            unlock(0)
            return .over
        }
        if readiness != .goesOn, coldState.ownWaiting == 0 {
            if readiness == .handsOn, coldState.transferTurn() {
                // An heir delivers only for others: values that are set before its first visit are not a part of a set
                // of its own.
                unlock(Vertex.handedOn | Vertex.busy | Vertex.pending)
                return .over
            }
            coldState.offer()
            if readiness == .pauses {
                unlock(Vertex.busy | Vertex.pending)
                return .kept
            }
        }
        let next = coldState.takeNext()
        unlock(coldState.isNeeded ? bits : bits & ~Vertex.pending)
        return .next(next)
    }
    /// True if a thread that has queued a delivery here should wait for the turn. The lock is held.
    final var wantsHeir: Bool {
        guard let coldState else { return false }
        return coldState.isOffered || coldState.queue.count > Vertex.mostWaiting
    }
    /// Makes this thread an heir, if one is still wanted. Returns the longest wait in microseconds. The more deliveries
    /// are queued, the longer it is, so that the thread does not run far ahead.
    final func beginWaiting() -> (heir: TurnWaiter, atMost: Int)? {
        let bits = lock()
        guard bits & Vertex.busy != 0, wantsHeir, let coldState else {
            unlock(bits)
            return nil
        }
        let heir = TurnWaiter(coldState.isOffered ? .comes : .waits)
        coldState.heirs.append(heir)
        let atMost = coldState.isOffered ? Vertex.longestPause : min(coldState.queue.count, Vertex.longestPause)
        unlock(bits | Vertex.pending)
        return (heir, atMost)
    }
    /// Notes that an heir that was called is awake.
    final func come(_ heir: TurnWaiter) { locking { if heir.state == .isCalled { heir.become(.comes) } } }
    /// Ends the waiting of an heir. Returns whether it has been given the turn.
    final func endWaiting(_ heir: TurnWaiter) -> Bool {
        locking {
            if !heir.state.isOver {
                coldState?.heirs.removeAll { $0 === heir }
                heir.become(.isOut)
            }
        }
        return heir.state == .hasTurn
    }
}

// The lock of the vertex is held in all of these.
extension Vertex.ColdState {
    /// True if there is something that the owner has to look at.
    fileprivate var isNeeded: Bool { !queue.isEmpty || isOffered || !heirs.isEmpty }

    fileprivate func takeNext() -> PendingDelivery {
        let next = queue.popFirst().unsafelyUnwrapped
        if next.isOwn { ownWaiting -= 1 }
        return next
    }
    /// Gives the turn to the heir that has waited longest of those that are awake. Returns false if there is none.
    fileprivate func transferTurn() -> Bool {
        guard let first = heirs.firstIndex(where: { $0.state == .comes }) else { return false }
        isOffered = false
        heirs.remove(at: first).become(.hasTurn)
        return true
    }
    /// Offers the turn, and calls an heir. The next call goes to another heir, so that not everything depends on one
    /// that does not wake up.
    fileprivate func offer() {
        isOffered = true
        heirs.first { $0.state == .waits }?.become(.isCalled)
    }
    /// Dismisses all heirs, because no delivery waits.
    fileprivate func endTurn() {
        isOffered = false
        for heir in heirs { heir.become(.isOut) }
        heirs = []
    }
}

/// A thread that waits for the turn of a vertex: see "Handing the turn on".
///
///     waits ──the turn is offered──▶ isCalled ──it is awake──▶ comes ──▶ hasTurn
///       └─────────────────────────────────┴──────────────────────┴─────▶ isOut
final class TurnWaiter: Sendable {
    enum State: UInt8, AtomicRepresentable {
        case waits, isCalled, comes, hasTurn
        /// The heir has withdrawn, or nothing is left to deliver.
        case isOut

        var isOver: Bool { self == .hasTurn || self == .isOut }
    }
    private let known: Atomic<State>

    init(_ state: State) { known = Atomic(state) }

    var state: State { known.load(ordering: .acquiring) }
    /// Changes the state. The lock of the vertex is held.
    func become(_ state: State) { known.store(state, ordering: .releasing) }
}

/// A delivery that waits until its vertex is no longer busy, or its edge has caught up. Only the delivery knows its
/// contents.
class PendingDelivery {
    /// The next one at the same vertex. The link is in the object, so queuing it allocates nothing while the lock is
    /// held.
    @exclusivity(unchecked) fileprivate final var next: PendingDelivery?
    /// True if the owner has set it, as a part of the set with which it visited the vertex. Guarded like the queue.
    @exclusivity(unchecked) final var isOwn = false
}

/// The catch-up buffer: values that reach an edge while it catches up with an earlier one. Kept by the edge's source.
final class CatchUpBuffer {
    @exclusivity(unchecked) var entries = Queue<PendingDelivery>()
    /// True if the edge was ever far behind. From then on, threads that set the source pause until the edge has caught
    /// up. If they paused only while many values wait, they would set as many again as the edge has taken meanwhile.
    @exclusivity(unchecked) var isFarBehind = false
}

/// Pending deliveries, first in, first out: a list linked through the deliveries themselves.
struct PendingQueue {
    private var first: PendingDelivery?
    private var last: Unmanaged<PendingDelivery>?
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    mutating func append(_ update: PendingDelivery) {
        if let last { last._withUnsafeGuaranteedRef { $0.next = update } } else { first = update }
        last = .passUnretained(update)
        count += 1
    }
    mutating func popFirst() -> PendingDelivery? {
        guard let update = first else { return nil }
        first = update.next.take()
        if first == nil { last = nil }
        count -= 1
        return update
    }
}
