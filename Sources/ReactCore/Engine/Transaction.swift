import Synchronization

/// The outermost set or `batch` under way on a thread: a transaction. Everything that the thread sets and connects
/// meanwhile is a part of it.
///
/// `whenOver` calls a closure when the transaction is over, including its combinations and all that they led to.
///
/// The transaction's own thread counts it at its end only if somebody refers to it. So a transaction that nobody waits
/// for costs next to nothing, and any thread can ask later if it is over.
///
/// Unchecked, because engines are never deallocated.
@usableFromInline package struct Transaction: Equatable, @unchecked Sendable {
    @usableFromInline let engine: Unmanaged<Engine>
    /// The value of `setsOver` when this was made: twice the number of counted transactions of the thread that were
    /// over. The lowest bit is ignored.
    @usableFromInline let count: UInt64

    @inlinable @inline(__always) init(of engine: Unmanaged<Engine>) {
        self.engine = engine
        count = engine._withUnsafeGuaranteedRef {
            $0.endFlags.insert(.count)
            return $0.setsOver.load(ordering: .relaxed)
        }
    }
    @usableFromInline package static func == (one: Transaction, other: Transaction) -> Bool {
        one.number == other.number && one.engine.toOpaque() == other.engine.toOpaque()
    }
    @usableFromInline package var isOver: Bool {
        engine._withUnsafeGuaranteedRef { $0.setsOver.load(ordering: .acquiring) >> 1 != number }
    }
    private var number: UInt64 { count >> 1 }

    /// Calls `isTold` with `object` when this transaction is over, on its thread, when nothing is under way there.
    /// Returns false, and calls nothing, if it is over already. Safe from any thread.
    @discardableResult @usableFromInline package func whenOver(
        _ object: any AnyObject & Sendable, _ isTold: @escaping @Sendable (AnyObject) -> Void
    ) -> Bool {
        engine._withUnsafeGuaranteedRef { engine in
            engine.transactionObservers.withLock { observers in
                // The bit that says that somebody waits is set only under this lock. So if the exchange fails, the
                // count has changed.
                let count = engine.setsOver.load(ordering: .relaxed)
                guard count >> 1 == number,
                    engine.setsOver.compareExchange(
                        expected: count, desired: count | 1, ordering: .acquiringAndReleasing
                    ).exchanged
                else { return false }
                observers.append(TransactionObserver(object: object, isTold: isTold))
                return true
            }
        }
    }
}

extension Engine {
    /// Does the work that is left. Called when nothing is under way, and `endFlags` is not empty.
    @inline(__always) func doWorkAtEnd() {
        if endFlags != .count { return doLastWork() }
        endFlags = []
        countSetOver()
    }
    /// Counts the transaction that is over, and tells its observers.
    @inline(__always) func countSetOver() {
        if setsOver.wrappingAdd(2, ordering: .acquiringAndReleasing).oldValue & 1 != 0 { tellObservers() }
    }
    @inline(never) private func tellObservers() {
        var waiting = transactionObservers.withLock { observers in
            setsOver.bitwiseAnd(~1, ordering: .acquiringAndReleasing)
            let waiting = observers
            observers = Queue()
            return waiting
        }
        // An observer may set a node, which is a transaction of its own.
        while let observer = waiting.popFirst() { observer.isTold(observer.object) }
    }
}

/// An object that waits until an outermost transaction is over.
///
/// The reaction is a closure, not a protocol requirement, so that it is specialised where it is made. The object is
/// stored beside it, so that one closure serves all objects.
struct TransactionObserver {
    let object: any AnyObject & Sendable
    /// Receives the object, on the transaction's thread, when nothing is under way there any more.
    let isTold: @Sendable (AnyObject) -> Void
}

/// The kinds of work that a thread has left for the end of its outermost transaction.
@usableFromInline struct TransactionEndFlags: OptionSet {
    @usableFromInline let rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The transaction is to be counted, because somebody refers to it.
    @inlinable static var count: TransactionEndFlags { TransactionEndFlags(rawValue: 1) }
    /// The thread is to pause, because it and another thread keep leaving a join to each other.
    static var yield: TransactionEndFlags { TransactionEndFlags(rawValue: 2) }
    /// There are turns to serve or to wait for, which `TransactionEndWork` lists, or the pause budget is to be
    /// refilled.
    static var serve: TransactionEndFlags { TransactionEndFlags(rawValue: 4) }
    /// The stack has grown large in an unusually deep delivery, and is to be shrunk.
    static var shrink: TransactionEndFlags { TransactionEndFlags(rawValue: 8) }
}

/// The turns that a thread has kept, or is to wait for, at the end of its outermost transaction.
struct TransactionEndWork {
    /// The vertices whose turn this thread keeps until the transaction is over; see Drain.swift.
    var kept = Queue<Vertex>()
    /// True while this thread serves the turns listed here.
    var isServing = false
    /// The vertices where a value of this thread's is pending, and for whose turn it waits.
    var awaited: [Vertex] = []
}

// Transactions, and the joins that fire at their end.
extension Engine {
    /// Begins a transaction, or a part of the open one. Joins fire when the outermost one ends.
    @usableFromInline package func begin() {
        depth &+= 1
        if Observers.isOn { openObserver() }
    }
    @usableFromInline package func end() {
        // Most often nothing is left to do. A call in the middle would cost each set about 18 instructions of 270.
        guard depth == 1, !isObserved, !hasWork else { return endWithWork() }
        close()
    }
    @inline(never) private func endWithWork() {
        if depth == 1 { doAllWork() }
        if isObserved { closeObserver() }
        guard depth == 1 else {
            if trail.isLong { trail.share() }
            depth &-= 1
            return
        }
        // User code that ran when the observer let go of values may have set nodes.
        doAllWork()
        close()
    }
    /// Fires joins, and does the work that was left because regions were busy.
    private func doAllWork() { repeat { stabilize() } while doLeftWork() }
    /// Declares the outermost transaction over, and does the work that was left for its end.
    @inline(__always) private func close() {
        finished.store(epoch, ordering: .releasing)
        // Read after that: a thread that sets the flag later finds the transaction over, and leaves no join here.
        Engine.looksTwice.load(ordering: .relaxed) ? closeFiringPhases() : finish()
    }
    @inline(__always) private func finish() {
        checkInvariants()
        deadline = 0
        // The depth goes down first: the optimiser may move a release, and with it a transaction, to any place in here.
        depth = 0
        leaveRegions()
        if !endFlags.isEmpty { doWorkAtEnd() }
    }
    /// True if a join is to fire, or if the trail has to be cleared.
    private var hasWork: Bool { !joins.isEmpty || !trail.isEmpty || !inbox.isEmpty || !left.isEmpty }
    /// Fires all joins that values have reached, and clears the trail.
    func stabilize() {
        while !joins.isEmpty || !trail.isEmpty || !inbox.isEmpty { runFiringPhase() }
    }
    package func runFiringPhase() {
        while true {
            while let entry = nextJoin() {
                entry.join._withUnsafeGuaranteedRef { $0.fire(in: self, listedAt: entry.height) }
            }
            if !joins.incomplete.isEmpty {
                endWaiting()
                continue
            }
            guard let first = setAside.joins.first else { break }
            first.leaveSetAside(in: self)
        }
        firingPhase &+= 1
        if !trail.isEmpty { letGoOfTrail() }
    }
    @inline(never) private func endWaiting() {
        let waiting = joins.incomplete
        joins.incomplete = []
        for join in waiting { join.endWaiting(in: self) }
    }
    /// Clears the trail, the newest entry first. That may run user code that sets nodes. Then stops, and the trail is
    /// cleared after the joins that those sets reach have fired.
    private func letGoOfTrail() {
        trail.beginToGo()
        defer { trail.endToGo() }
        while !trail.isEmpty {
            let entry = trail.popLast()
            let count = trail.count
            entry.letGo()
            if trail.count != count { return }
        }
    }

    /// Returns the next join to fire, of those reached on this thread or handed over by another.
    @inline(__always) func nextJoin() -> JoinQueue.Entry? {
        if !inbox.isEmpty { emptyInbox() }
        return joins.popFirst()
    }

    /// Returns true if a vertex is at or downstream of a join that is set aside.
    package func hasSetAside(above vertex: Vertex) -> Bool {
        setAside.followConnections()
        return setAside.reaches(vertex)
    }
    @inline(never) func emptyInbox() {
        if inbox.empty(into: &joins) { list(setAside.take().joins) }
    }
    /// Puts joins into the queue, of which this thread is a holder.
    func list(_ joins: [JoinBase]) {
        for join in joins { join.vertex.locking { self.joins.insert(join) } }
    }
    /// Ends the outermost transaction, and still fires joins that other threads left here just before.
    @inline(never) private func closeFiringPhases() {
        finished.store(epoch, ordering: .sequentiallyConsistent)
        while hasWork {
            doAllWork()
            finished.store(epoch, ordering: .sequentiallyConsistent)
        }
        finish()
    }
}

/// Identifies a holder of a join: a transaction that has it on a list, or a firing that waits for a turn. The state
/// only compares holders.
@usableFromInline package struct TransactionID: Hashable {
    package let address: UnsafeRawPointer

    @inline(__always) package init(_ address: UnsafeRawPointer) { self.address = address }
    @usableFromInline @inline(__always) package static func == (one: TransactionID, other: TransactionID) -> Bool {
        one.address == other.address
    }
}
