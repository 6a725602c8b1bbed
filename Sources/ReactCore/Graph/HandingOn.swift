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
