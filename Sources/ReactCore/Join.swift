/// A node that is made from several: what `combine` is built on.
///
/// Its edges store their values in slots, and the join fires when nothing else is left to deliver: lowest rank first, so
/// after every join upstream of it, and once for all that arrived.
///
/// Invariants (all mutable fields, and the slots, are guarded by the lock of the vertex):
/// - `missing` counts the slots without a value. A join that misses one does not fire.
/// - `isDirty` says that something arrived since it last fired.
/// - `owner` is the propagation that has the join on its list. What arrives from another thread meanwhile leaves the
///   firing to it, so that a join never shows one half of what that thread is about to set.
///
/// Unchecked, because of the lock.
@usableFromInline package final class Join: @unchecked Sendable {
    /// Stores the newest values in the vertex as one, and puts that on the stack; says whether it did.
    @usableFromInline typealias Fire = @Sendable (Join, Propagation) -> Bool

    @usableFromInline let vertex: Vertex
    @exclusivity(unchecked) @usableFromInline var missing: Int
    @exclusivity(unchecked) private var isDirty = false
    @exclusivity(unchecked) private var owner: Unmanaged<Propagation>?
    /// What came with the newest arrival.
    @exclusivity(unchecked) private var origin = Origin()
    private let fire: Fire

    /// Where a value comes from: the source of the edge that it came by, what it had come through before, and what
    /// travels beside it.
    @usableFromInline struct Origin {
        var source: Vertex?
        var senders = Propagation.Senders.none
        var context: NodeContext?
    }

    @usableFromInline init(at vertex: Vertex, inputs: Int, fire: @escaping Fire) {
        self.vertex = vertex
        missing = inputs
        self.fire = fire
        vertex.isJoin = true
    }

    /// Notes an arrival, and puts its origin in the place of the one before. The lock is held.
    @usableFromInline func arrived(_ newest: inout Origin, in propagation: Propagation) {
        swap(&origin, &newest)
        isDirty = true
        if missing == 0, owner == nil {
            owner = .passUnretained(propagation)
            propagation.joins.insert(self)
        }
    }
    /// Fires unless it was fired since, or another propagation is to.
    func fire(in propagation: Propagation) {
        let bits = vertex.lock()
        guard owner?.toOpaque() == Unmanaged.passUnretained(propagation).toOpaque() else { return vertex.unlock(bits) }
        owner = nil
        if bits & Vertex.busy != 0 {
            vertex.rareLocked.queue.append(
                Propagation.Turn(context: nil, senders: .none) { [self] _, propagation in fire(self, propagation) })
            return vertex.unlock(bits | Vertex.pending)
        }
        vertex.unlock(Vertex.busy)
        let run = propagation.runCount + 1
        if !fire(self, propagation) { propagation.takeTurns(at: .passUnretained(vertex)) }
        if propagation.runCount >= run { propagation.drive(run) }
    }
    /// Whether a firing is due and nobody else's. The lock is held.
    @usableFromInline var isReady: Bool { isDirty && missing == 0 && owner == nil }
    /// Begins the run of a firing. The lock is held.
    @usableFromInline func beginRun(in propagation: Propagation) {
        var origin = Origin()
        swap(&origin, &self.origin)
        isDirty = false
        if let source = origin.source { origin.senders.path = SenderPath(source, after: origin.senders.path) }
        propagation.beginRun(context: origin.context, senders: origin.senders)
    }
    /// Counts an input that has no value any more. The lock is held.
    func lost() { missing += 1 }
}

/// The place of one of a join's inputs.
///
/// Unchecked, because it is guarded by the lock of the join's vertex.
@usableFromInline package final class JoinSlot<Value: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline package var value: Value?
    @inlinable package init() {}
}

extension Propagation {
    /// The typed half of a firing: `make` puts the newest values together, under the lock.
    @inlinable func fire<Output: Sendable>(_ join: Join, _ make: () -> Output) -> Bool {
        let store = unsafeDowncast(join.vertex, to: Store<Output>.self)
        let bits = store.lock()
        guard join.isReady else {
            store.unlock(bits)
            return false
        }
        var new: Output? = make()
        swap(&store.value, &new)
        join.beginRun(in: self)
        push(store)
        store.unlock(bits)
        withExtendedLifetime(new) {}
        return true
    }
}

extension Delivery {
    /// Stores the value in a join's slot, and has the join fire when nothing else is left to deliver.
    @inlinable func arrive(at slot: JoinSlot<Input>, of join: Join) {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            var new: Input? = value
            var origin = propagation.origin
            let bits = join.vertex.lock()
            guard isCurrent, !propagation.cameThrough(join.vertex, bits) else { return join.vertex.unlock(bits) }
            swap(&slot.value, &new)
            if case .none = new { join.missing -= 1 }
            join.arrived(&origin, in: propagation)
            join.vertex.unlock(bits)
            withExtendedLifetime((new, origin)) {}
        }
    }
}

/// The edge from an input to a join.
@usableFromInline
final class JoinTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>,
    @unchecked Sendable
{
    private let join: Join
    private let slot: JoinSlot<Input>

    @usableFromInline init(_ name: String, _ join: Join, _ slot: JoinSlot<Input>, forward: @escaping Forward) {
        self.join = join
        self.slot = slot
        super.init(name: name, forward: forward)
    }
    override func forwardEmpty(_ delivery: RawDelivery) {}
    /// A join without one of its inputs is silent.
    override func didUnlink() {
        let bits = join.vertex.lock()
        let old = slot.value.take()
        if old != nil { join.lost() }
        join.vertex.unlock(bits)
    }
}

/// The joins that a propagation is to fire: lowest rank first, then in the order in which they were reached.
struct JoinQueue {
    private struct Entry {
        let rank: Int32
        let order: UInt64
        let join: Join
        func precedes(_ other: Entry) -> Bool { (rank, order) < (other.rank, other.order) }
    }
    /// A binary heap.
    private var entries: [Entry] = []
    private var inserted: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Precondition: the lock of the join's vertex is held.
    mutating func insert(_ join: Join) {
        inserted += 1
        entries.append(Entry(rank: join.vertex.rank, order: inserted, join: join))
        var child = entries.count - 1
        while child > 0, entries[child].precedes(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }
    mutating func popFirst() -> Join? {
        guard let last = entries.popLast() else { return nil }
        guard let first = entries.first else { return last.join }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].precedes(entries[least]) { least = child }
            }
            if least == parent { return first.join }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
