import Synchronization

// The turn: the right to deliver a vertex's values. One thread has it at a time, and other deliveries wait in a queue.
extension Vertex {
    /// Takes the turn and the lock of an idle vertex. Fails if the vertex is locked or busy.
    @inlinable @inline(__always) package final func tryAcquire() -> Bool {
        ScheduleFuzzing.pause(at: .turnIsToBeTaken, of: address)
        guard
            state.compareExchange(
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
    /// `times` are the epochs of the set that the update belongs to, and are empty if there is none. `ownerBits` is the
    /// number of the setting thread, in the form that it has in `state`. Both tell if the owner of the turn itself
    /// queues the update. An owner that has delivered nothing yet is found by the number of its thread, which `state`
    /// then contains. Later, an owner is found by the vertex's last epoch, which has to be one of `times`.
    ///
    /// Returns whether this thread has got the turn; if so, the lock is held. If not, returns whether this thread
    /// should wait for the turn, as a waiter: see "Handing the turn on".
    final func acquireOrEnqueue(
        _ update: PendingDelivery, of times: Range<UInt64>, on ownerBits: UInt32,
        if condition: (UInt32) -> Bool = { _ in true }, noting note: () -> Void = {}
    ) -> (isMine: Bool, wantsWaiter: Bool) {
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
        // An owner that delivers has written the last epoch. An owner that has only taken the turn has not.
        let owner = bits & ~Vertex.delivering(bits)
        if owner == 0 ? times.contains(lastEpoch) : owner == ownerBits && !times.isEmpty {
            update.isOwn = true
            coldState.ownWaiting += 1
        }
        note()
        let wantsWaiter = wantsWaiter && !update.isOwn
        unlock(bits | Vertex.pending)
        return (false, wantsWaiter)
    }
    /// Ends the turn if nothing waits. Returns whether it did.
    @inline(__always) final func releaseIfIdle() -> Bool {
        let address = address
        ScheduleFuzzing.pause(at: .turnIsToEnd, of: address)
        defer { ScheduleFuzzing.pause(at: .turnHasEnded, of: address) }
        return state.compareExchange(
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
// without end. A *waiter* is a thread that waits for the turn.
//
//            a set                     a value is delivered
//     idle ─────────▶ one thread's turn ─────────────────────┐
//      ▲                     ▲                               ▼
//      │ nothing waits       │         the next queued value is delivered …
//      ├─────────────────────┼──── by the owner, if it has delivered few values of others, or its own sets wait here
//      │                     ├──── by the owner, which offers the turn, if no waiter is awake
//      └─────────────────────┴──── by a waiter, which gets the turn, if one is awake
//
// From the set that found the vertex idle until nothing waits, one thread has the turn at each moment. The turn passes
// under the vertex's lock, with the whole queue. So queued values are delivered in order, even if the threads that
// queued them have ended.
//
// A thread whose set was queued becomes a waiter only if the turn is offered, or if more than `mostWaiting` deliveries
// wait. It does so only if nothing else is under way on it, so that no other thread waits for something that it holds.
// A waiter waits for a limited time, because the owner may be waiting for that thread. Then the waiter withdraws, and
// the owner keeps the turn.
//
// A waiter may be asleep. The owner calls it, and goes on delivering, until the waiter is awake and gets the turn. So
// the turn does not stand still while a thread wakes up.

/// The owner's readiness to go on with the queue.
enum TurnReadiness {
    /// Delivers the next value.
    case goesOn
    /// Hands the turn to a waiter that is awake. If there is none, offers the turn, and delivers the next value.
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
    /// Values that the owner itself has set meanwhile are a part of its set. So it delivers them before it hands the
    /// turn on or pauses.
    @inline(never) final func releaseOrDequeue(_ readiness: TurnReadiness) -> AfterTurn {
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
                // The waiter delivers for others only. So no value that is queued before its first pass is a part of a
                // set of its own.
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
    /// True if a thread that has queued a delivery here should become a waiter. The lock is held.
    final var wantsWaiter: Bool {
        guard let coldState else { return false }
        return coldState.isOffered || coldState.queue.count > Vertex.mostWaiting
    }
    /// Makes this thread a waiter, if one is still wanted. Returns the longest wait in microseconds. It grows with the
    /// number of queued deliveries, so that the thread does not run far ahead.
    final func beginWaiting() -> (waiter: TurnWaiter, atMost: Int)? {
        let bits = lock()
        guard bits & Vertex.busy != 0, wantsWaiter, let coldState else {
            unlock(bits)
            return nil
        }
        let waiter = TurnWaiter(coldState.isOffered ? .comes : .waits)
        coldState.waiters.append(waiter)
        let atMost = coldState.isOffered ? Vertex.longestPause : min(coldState.queue.count, Vertex.longestPause)
        unlock(bits | Vertex.pending)
        return (waiter, atMost)
    }
    /// Notes that a waiter that was called is awake.
    final func come(_ waiter: TurnWaiter) { locking { if waiter.state == .isCalled { waiter.become(.comes) } } }
    /// Ends the waiting of a waiter. Returns whether it has been given the turn.
    final func endWaiting(_ waiter: TurnWaiter) -> Bool {
        locking {
            if !waiter.state.isOver {
                coldState?.waiters.removeAll { $0 === waiter }
                waiter.become(.isOut)
            }
        }
        return waiter.state == .hasTurn
    }
}

// The lock of the vertex is held in all of these.
extension Vertex.ColdState {
    /// True if the owner has something to look at: a queue, an offer, or waiters.
    fileprivate var isNeeded: Bool { !queue.isEmpty || isOffered || !waiters.isEmpty }

    fileprivate func takeNext() -> PendingDelivery {
        let next = queue.popFirst().unsafelyUnwrapped
        if next.isOwn { ownWaiting -= 1 }
        return next
    }
    /// Gives the turn to the waiter that has waited longest of those that are awake. Returns false if there is none.
    fileprivate func transferTurn() -> Bool {
        guard let first = waiters.firstIndex(where: { $0.state == .comes }) else { return false }
        isOffered = false
        waiters.remove(at: first).become(.hasTurn)
        return true
    }
    /// Offers the turn, and calls one waiter. The next offer calls another one, in case the first does not wake up.
    fileprivate func offer() {
        isOffered = true
        waiters.first { $0.state == .waits }?.become(.isCalled)
    }
    /// Dismisses all waiters, because no delivery waits.
    fileprivate func endTurn() {
        isOffered = false
        for waiter in waiters { waiter.become(.isOut) }
        waiters = []
    }
}

/// A thread that waits for the turn of a vertex: see "Handing the turn on".
///
///     waits ──the turn is offered──▶ isCalled ──it is awake──▶ comes ──▶ hasTurn
///       └─────────────────────────────────┴──────────────────────┴─────▶ isOut
final class TurnWaiter: Sendable {
    enum State: UInt8, AtomicRepresentable {
        case waits, isCalled, comes, hasTurn
        /// The waiter has withdrawn, or nothing is left to deliver.
        case isOut

        var isOver: Bool { self == .hasTurn || self == .isOut }
    }
    private let known: Atomic<State>

    init(_ state: State) { known = Atomic(state) }

    var state: State { known.load(ordering: .acquiring) }
    /// Changes the state. The lock of the vertex is held.
    func become(_ state: State) { known.store(state, ordering: .releasing) }
}
