import Synchronization

// One delivery at a time for each vertex: who has the turn, and what waits for it.
extension Vertex {
    /// Takes the idle vertex's turn to deliver, with the lock held; fails where it is locked or busy.
    @inlinable @inline(__always) final func enterIfIdle() -> Bool {
        ScheduleFaults.pause(at: .turnIsToBeTaken, of: address)
        guard
            word.compareExchange(
                expected: 0, desired: Vertex.locked | Vertex.busy, successOrdering: .acquiring,
                failureOrdering: .relaxed
            ).exchanged
        else { return false }
        ScheduleFaults.pause(at: .turnIsTaken, of: address)
        return true
    }
    /// Takes the turn to deliver, or queues `update` if it is someone's already. Does neither where `condition`, asked under
    /// the lock, does not hold. `note`, called under the lock as well, may put on record that it is queued.
    ///
    /// `times` are those of the set that the update belongs to, if any, and `taker` is how the word names its thread: it is of who
    /// delivers where that has taken the turn, or else came by in those times.
    ///
    /// Answers whether the turn is this thread's, and the lock held; or else whether whoever has it wants an heir: see `HandingOn`.
    final func enter(
        orQueue update: PendingUpdate, of times: Range<UInt64>, on taker: UInt32,
        if condition: (UInt32) -> Bool = { _ in true }, noting note: () -> Void = {}
    ) -> (isMine: Bool, wantsHeir: Bool) {
        var bits = lock()
        if bits & Vertex.busy != 0, rare == nil {
            // Nothing is allocated while the lock is held.
            unlock(bits)
            let made = Rare()
            bits = lock()
            if rare == nil { rare = made }
        }
        guard condition(bits) else {
            unlock(bits)
            return (false, false)
        }
        if bits & Vertex.busy == 0 {
            relock(Vertex.busy)
            return (true, false)
        }
        let rare = rareLocked
        rare.queue.append(update)
        // Who delivers was the last to come by; but who has only taken the turn was not here yet.
        let owner = bits & ~Vertex.delivering(bits)
        if owner == 0 ? times.contains(visited) : owner == taker && !times.isEmpty {
            update.isOwn = true
            rare.ownWaiting += 1
        }
        note()
        let wantsHeir = wantsHeir && !update.isOwn
        unlock(bits | Vertex.pending)
        return (false, wantsHeir)
    }
    /// Ends the turn if nothing waits.
    @inline(__always) final func leaveIfNothingPending() -> Bool {
        let address = address
        ScheduleFaults.pause(at: .turnIsToEnd, of: address)
        defer { ScheduleFaults.pause(at: .turnHasEnded, of: address) }
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

// How the turn to deliver at a vertex goes from one thread to another, so that nobody delivers for others without end.
//
//                set                   a value is delivered, and
//     idle ─────────────▶ someone's ──────────────────────────────────┐
//      ▲                      ▲                                       ▼
//      │ nothing waits        │                              what waits is delivered …
//      ├──────────────────────┼──── by the same thread, as it has done little for others, or has a set of its own waiting there
//      │                      ├──── by the same thread, as nobody has come: the turn is offered
//      └──────────────────────┴──── by an heir who has come: the turn is its
//
// The turn is always one thread's from the set that found the vertex idle until nothing waits: it goes over under the lock of
// the vertex, with all that is queued. So what is queued is delivered, in order, whoever queued it, and whether or not that thread
// is still there.
//
// Who has had a set queued waits for the turn only while the vertex is far behind, or the turn is offered; with nothing else
// under way on its thread, so that nobody waits for what it holds; and not for long. What it waits for may wait for it: so it
// withdraws then, and the turn stays whose it is. An heir that sleeps is called first, and has the turn when it is awake: so that
// the turn stands still for no longer than it has to.

/// Whether one who delivers goes on with what waits.
enum Readiness {
    case goesOn
    /// Goes on, unless somebody waits for the turn, who then has it.
    case handsOn
    /// Keeps the turn, and delivers nothing now.
    case pauses
}

/// What comes after a value that was delivered.
enum AfterTurn {
    case next(PendingUpdate)
    /// The turn is kept, and something waits.
    case kept
    /// The turn has ended, or is another thread's.
    case over
}

extension Vertex {
    /// With more waiting than this, the vertex is far behind.
    static let mostWaiting = 256
    /// Nobody waits longer, in microseconds.
    static let longestPause = 10_000

    /// Ends the turn, hands it on, or keeps it, as far as `readiness` leaves that open; and says what comes next.
    ///
    /// What who delivers has itself set meanwhile is a part of its set: so it neither hands on nor pauses before that.
    @inline(never) final func leaveOrTakeNext(_ readiness: Readiness) -> AfterTurn {
        var deferred = Deferred()  // let go of when the lock is
        let bits = lock()
        guard bits & Vertex.pending != 0, let rare else {
            unlock(0)
            return .over
        }
        swap(&deferred, &rare.deferred)
        if rare.queue.isEmpty {
            rare.endTurn()
            unlock(0)
            return .over
        }
        if readiness != .goesOn, rare.ownWaiting == 0 {
            if readiness == .handsOn, rare.handOn() {
                // An heir delivers for others alone: nothing that is set before it has come by is a part of a set of its own.
                unlock(Vertex.handedOn | Vertex.busy | Vertex.pending)
                return .over
            }
            rare.offer()
            if readiness == .pauses {
                unlock(Vertex.busy | Vertex.pending)
                return .kept
            }
        }
        let next = rare.takeNext()
        unlock(rare.isNeeded ? bits : bits & ~Vertex.pending)
        return .next(next)
    }
    /// Whether a thread that has queued something here is to wait for the turn. The lock is held.
    final var wantsHeir: Bool {
        guard let rare else { return false }
        return rare.isOffered || rare.queue.count > Vertex.mostWaiting
    }
    /// Has this thread wait for the turn, where that is still wanted, and says for how many microseconds at most: the longer
    /// the more is waiting, so that it does not run far ahead.
    final func beginWaiting() -> (heir: Heir, atMost: Int)? {
        let bits = lock()
        guard bits & Vertex.busy != 0, wantsHeir, let rare else {
            unlock(bits)
            return nil
        }
        let heir = Heir(rare.isOffered ? .comes : .waits)
        rare.heirs.append(heir)
        let atMost = rare.isOffered ? Vertex.longestPause : min(rare.queue.count, Vertex.longestPause)
        unlock(bits | Vertex.pending)
        return (heir, atMost)
    }
    /// An heir says that it is awake, if it was called.
    final func come(_ heir: Heir) { locking { if heir.state == .isCalled { heir.become(.comes) } } }
    /// An heir waits no more; answers whether it has been given the turn.
    final func endWaiting(_ heir: Heir) -> Bool {
        locking {
            if !heir.state.isOver {
                rare?.heirs.removeAll { $0 === heir }
                heir.become(.isOut)
            }
        }
        return heir.state == .hasTurn
    }
}

// The lock of the vertex is held.
extension Vertex.Rare {
    /// Whether there is something that whoever delivers has to look at.
    fileprivate var isNeeded: Bool { !queue.isEmpty || isOffered || !heirs.isEmpty }

    fileprivate func takeNext() -> PendingUpdate {
        let next = queue.popFirst().unsafelyUnwrapped
        if next.isOwn { ownWaiting -= 1 }
        return next
    }
    /// Gives the turn to the heir who has waited longest of those that have come, if there is one.
    fileprivate func handOn() -> Bool {
        guard let first = heirs.firstIndex(where: { $0.state == .comes }) else { return false }
        isOffered = false
        heirs.remove(at: first).become(.hasTurn)
        return true
    }
    /// Offers the turn, and calls an heir. The next time another one, so that not all depends on one that is not awake.
    fileprivate func offer() {
        isOffered = true
        heirs.first { $0.state == .waits }?.become(.isCalled)
    }
    /// Nothing waits: nor need anybody wait for the turn.
    fileprivate func endTurn() {
        isOffered = false
        for heir in heirs { heir.become(.isOut) }
        heirs = []
    }
}

/// A thread that waits for the turn of a vertex: see `HandingOn`.
///
///     waits ──the turn is offered──▶ isCalled ──it is awake──▶ comes ──▶ hasTurn
///       └─────────────────────────────────┴──────────────────────┴─────▶ isOut
final class Heir: Sendable {
    enum State: UInt8, AtomicRepresentable {
        case waits, isCalled, comes, hasTurn
        /// It has withdrawn, or nothing is left to be delivered.
        case isOut

        var isOver: Bool { self == .hasTurn || self == .isOut }
    }
    private let known: Atomic<State>

    init(_ state: State) { known = Atomic(state) }

    var state: State { known.load(ordering: .acquiring) }
    /// The lock of the vertex is held.
    func become(_ state: State) { known.store(state, ordering: .releasing) }
}

/// Something that is to be delivered, and waits until its vertex is no longer busy, or its edge has caught up. What it is,
/// only the delivery knows.
class PendingUpdate {
    /// The next one at the same vertex: so queuing it allocates nothing while the lock is held.
    @exclusivity(unchecked) fileprivate final var next: PendingUpdate?
    /// Whether who has the turn set it, as a part of the set that it came with. Guarded as the queue is.
    @exclusivity(unchecked) final var isOwn = false
}

/// Values that reach an edge while it catches up with an earlier one. Kept by the vertex that it leaves from.
final class ReplayBuffer {
    @exclusivity(unchecked) var entries = Queue<PendingUpdate>()
    /// Whether the edge has been so far behind that who sets pauses until it has caught up: pausing only where much waits, others
    /// would set as many again as it has taken meanwhile.
    @exclusivity(unchecked) var isFarBehind = false
}

/// Updates that wait, first in, first out: a list through the updates themselves.
struct PendingQueue {
    private var first: PendingUpdate?
    private var last: Unmanaged<PendingUpdate>?
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    mutating func append(_ update: PendingUpdate) {
        if let last { last._withUnsafeGuaranteedRef { $0.next = update } } else { first = update }
        last = .passUnretained(update)
        count += 1
    }
    mutating func popFirst() -> PendingUpdate? {
        guard let update = first else { return nil }
        first = update.next.take()
        if first == nil { last = nil }
        count -= 1
        return update
    }
}
