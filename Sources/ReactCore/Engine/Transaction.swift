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
    /// The number of counted transactions of the thread that were over when this was made.
    @usableFromInline let count: UInt64

    @inlinable @inline(__always) init(of engine: Unmanaged<Engine>) {
        self.engine = engine
        count = engine._withUnsafeGuaranteedRef {
            $0.endFlags.insert(.count)
            return $0.transactionsOver.load(ordering: .relaxed)
        }
    }
    @usableFromInline package static func == (one: Transaction, other: Transaction) -> Bool {
        one.count == other.count && one.engine.toOpaque() == other.engine.toOpaque()
    }
    @usableFromInline package var isOver: Bool {
        engine._withUnsafeGuaranteedRef { $0.transactionsOver.load(ordering: .acquiring) != count }
    }

    /// Calls `isTold` when this transaction is over, on its thread, when nothing is under way there. Returns false, and
    /// calls nothing, if it is over already. Safe from any thread.
    @discardableResult @usableFromInline package func whenOver(_ isTold: @escaping @Sendable () -> Void) -> Bool {
        engine._withUnsafeGuaranteedRef { engine in
            engine.whenOverClosures.withLock { closures in
                // The count changes under this lock alone.
                guard engine.transactionsOver.load(ordering: .relaxed) == count else { return false }
                closures.append(isTold)
                return true
            }
        }
    }
}

extension Engine {
    /// Calls `work` when the transaction that is open on this thread is over; at once if there is none. Meanwhile, the
    /// thread waits for no region: a set that finds one busy is late.
    package static func whenOver(_ work: @escaping @Sendable () -> Void) {
        let engine = currentUnretained
        engine._withUnsafeGuaranteedRef {
            if $0.isIdle { return $0.withoutWaiting(work) }
            Transaction(of: engine).whenOver { Engine.current.withoutWaiting(work) }
        }
    }
    private func withoutWaiting(_ work: () -> Void) {
        let outer = mayNotWait
        mayNotWait = true
        work()
        mayNotWait = outer
    }
    /// Does the work of `endFlags`. Called when nothing is under way, and there is some.
    @inline(never) func doWorkAtEnd() {
        let flags = endFlags
        endFlags = []
        if flags.contains(.shrink) { shrink() }
        if flags.contains(.count) { countTransactionOver() }
    }
    /// Counts the transaction that is over, and calls its closures.
    private func countTransactionOver() {
        whenOverClosures.withLock { closures in
            transactionsOver.wrappingAdd(1, ordering: .releasing)
            while let isTold = closures.popFirst() { closuresToCall.append(isTold) }
        }
        // A closure may set a node, which is a transaction of its own. Its closures are called by the loop that is
        // under way, so that a chain of them needs no stack.
        guard !isTelling else { return }
        isTelling = true
        while let isTold = closuresToCall.popFirst() { isTold() }
        isTelling = false
    }
}

/// The kinds of work that a thread does at the end of its outermost transaction.
@usableFromInline struct TransactionEndFlags: OptionSet {
    @usableFromInline let rawValue: UInt8

    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The transaction is to be counted, because somebody refers to it.
    @inlinable static var count: TransactionEndFlags { TransactionEndFlags(rawValue: 1) }
    /// The stack has grown large in an unusually deep delivery, and is to be shrunk.
    static var shrink: TransactionEndFlags { TransactionEndFlags(rawValue: 2) }
}

// Transactions, and the joins that fire at their end.
extension Engine {
    /// Begins a transaction, or a part of the open one. Joins fire when the outermost one ends.
    @usableFromInline package func begin() {
        depth &+= 1
        if Observers.isOn { openObserver() }
    }
    @usableFromInline package func end() {
        // Most often nothing is left to do. A call in the middle would cost each set about 18 instructions.
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
    /// Fires joins, and does the left work.
    private func doAllWork() {
        repeat {
            // All are lowered before their region is left.
            repeat {
                if !falling.isEmpty { lowerFalling() }
                stabilize()
            } while !falling.isEmpty
        } while doLeftWork()
    }
    /// Lowers vertices whose inputs have gone: once, if a transaction is open, however many inputs go.
    static func lower(_ vertices: [Vertex]) {
        if let engine = known?.takeUnretainedValue(), !engine.isIdle {
            // Those of another region are on the list of its owner.
            engine.falling += vertices.filter { engine.owns($0) }
        } else {
            Heights.lower(vertices)
        }
    }
    @inline(never) private func lowerFalling() {
        let vertices = falling
        falling = []
        Heights.lower(vertices)
    }
    /// Declares the outermost transaction over, and does the work of `endFlags`.
    @inline(__always) private func close() {
        finished = epoch
        checkInvariants()
        deadline = 0
        // The depth goes down first: the optimiser may move a release, and with it a transaction, to any place in here.
        depth = 0
        leaveRegionsAtEnd()
        if !endFlags.isEmpty { doWorkAtEnd() }
    }
    /// True if a join is to fire, or if the trail has to be cleared.
    private var hasWork: Bool { !joins.isEmpty || !trail.isEmpty || hasLeftWork || !falling.isEmpty }
    /// Fires all joins that values have reached, and clears the trail.
    func stabilize() {
        while !joins.isEmpty || !trail.isEmpty { runFiringPhase() }
    }
    private func runFiringPhase() {
        repeat {
            while let entry = joins.popFirst() {
                entry.join._withUnsafeGuaranteedRef { $0.fire(in: self, listedAt: entry.height) }
            }
            if !joins.incomplete.isEmpty { endWaiting() }
        } while !joins.isEmpty
        endPhase()
        if !trail.isEmpty { letGoOfTrail() }
    }
    /// Ends a firing phase. Each call of a body in it counts as outdated from then on, if a value reaches it.
    package func endPhase() { firingPhase &+= 1 }
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
}
