import ReactCore
import Synchronization

/// The knowledge that the two edges of a sync, or of a focus, share, so that both nodes end with the same value.
///
/// A value that finds the other node busy waits for its turn there. In that node's order, it comes after the value that
/// the node is delivering. That value must not travel the opposite way, because each node would then end with the
/// other's value. If two values travel in opposite directions at once, the one that is noted first is the newer one,
/// and the other is dropped.
///
/// Invariants:
/// - Noted values wait at one of the two nodes at most.
/// - A value is noted by the owner of the node that it comes from, before that node's next turn, unless a pulse passes
///   it on. When the two are synced, the first node takes a value over. That value is noted when its turn comes, if not
///   before. The value that the other node takes over then is not noted.
/// - A value stays noted until it is stored. A value that is read from one node in the turn of the other is therefore
///   not overtaken by a value that the first node has yet to store.
@usableFromInline final class Agreement: OperatorState {
    @usableFromInline enum Way: Int, Sendable { case there = 1, here = -1 }

    /// Number of noted values that wait on the way there. Negative if they wait on the way here. Guarded by the lock.
    @usableFromInline let waiting = Atomic<Int>(0)
    /// True while both edges are linked as `sync` has linked them. Otherwise the edges are independent.
    private let isWhole = Lock(false)
    private let isCancelled = Atomic(false)

    @usableFromInline init() {}
    @usableFromInline var facts: OperatorFacts { .passesPulses }

    @usableFromInline func begin() { isWhole.withLock { $0 = true } }
    /// Drops a value that `other` still has to take over, before both edges are cut. A value that the first edge to be
    /// cut does not bring any more may have overtaken it.
    @usableFromInline func cancel() { isCancelled.store(true, ordering: .sequentiallyConsistent) }
    /// Ends the agreement when one of the edges is cut or pointed elsewhere.
    @usableFromInline func discard(_ connection: Connection) {
        isWhole.withLock {
            $0 = false
            waiting.store(0, ordering: .releasing)
        }
    }

    /// Makes an edge that passes every value on.
    @inlinable @inline(never) func link<Value>(_ way: Way) -> StatefulTransform<Value, Value> {
        StatefulTransform(name: "Link", state: self) { [self] in
            let delivery = EdgeCall<Value, Value>($0)
            return pass(delivery.value, way, delivery)
        }
    }
    /// Makes an edge that passes on the results of `transform`.
    @inlinable @inline(__always) func map<Input, Output>(
        _ way: Way, _ transform: @escaping @Sendable (Input) -> Output
    ) -> StatefulTransform<Input, Output> {
        StatefulTransform(name: "Map", state: self) { [self] in
            let delivery = EdgeCall<Input, Output>($0)
            return pass(transform(delivery.value), way, delivery)
        }
    }

    /// Passes `value` on, unless the target has a newer value that has not yet arrived at the source.
    @inlinable @inline(__always) func pass<Input, Output>(
        _ value: Output, _ way: Way, _ delivery: EdgeCall<Input, Output>
    ) -> NextEdge {
        delivery.send(value, if: { !isOutdated(way) }) {
            if !delivery.comesBack { wait(way, delivery) { value } } else { delivery.noteCameBack() }
        }
    }
    /// Passes on the result of `make`, which is called in the target's turn.
    @inlinable func pass<Input, Output>(
        _ way: Way, _ delivery: EdgeCall<Input, Output>, _ make: @escaping () -> Output?
    ) -> NextEdge {
        switch delivery.takeTurnIfIdle() {
        case .mine: return delivery.end(turnWith: isOutdated(way) ? nil : make().map { .some($0) })
        case .refused: break
        case .someone: if !delivery.comesBack { wait(way, delivery, make) } else { delivery.noteCameBack() }
        }
        return .nothing
    }
    /// Passes on the result of `make` when the sync begins. While it waits, values of the opposite way pass, because
    /// they are newer.
    @usableFromInline func takeOver<Input, Output>(
        _ way: Way, _ delivery: EdgeCall<Input, Output>, _ make: @escaping () -> Output?
    ) -> NextEdge {
        delivery.change { [self] in
            isOutdated(way) || isCancelled.load(ordering: .sequentiallyConsistent) ? nil : make().map { .some($0) }
        }
    }

    /// True if values wait on the opposite way.
    @inlinable @inline(__always) func isOutdated(_ way: Way) -> Bool {
        let waiting = waiting.load(ordering: .acquiring)
        return waiting != 0 && (waiting < 0) == (way == .there)
    }
    /// True if values wait on either way.
    var hasWaiting: Bool { waiting.load(ordering: .acquiring) != 0 }
    @usableFromInline @inline(never) func wait<Input, Output>(
        _ way: Way, _ delivery: EdgeCall<Input, Output>, _ make: @escaping () -> Output?
    ) {
        // A pulse leaves no value behind, so it is not newer than a value of the opposite way.
        if delivery.passesPulseOn {
            _ = delivery.changeContended { make().map { .some($0) } }
            return
        }
        let message = Message()
        let comes = delivery.changeContended(afterwards: { [self] in settle(message, way) }) { [self] in
            take(message, way) ? make().map { .some($0) } : nil
        }
        if comes { note(message, way) }
    }

    // MARK: Values that wait

    /// A value that waits for its turn.
    private final class Message: Sendable {
        enum Fate: UInt8, AtomicRepresentable { case sent, noted, outdated, settled }
        /// Changed under the agreement's lock.
        let fate = Atomic(Fate.sent)
    }
    private func note(_ message: Message, _ way: Way) {
        isWhole.withLock { isWhole in
            guard isWhole, message.fate.load(ordering: .relaxed) == .sent else { return }
            let isOutdated = isOutdated(way)
            message.fate.store(isOutdated ? .outdated : .noted, ordering: .relaxed)
            if !isOutdated { waiting.add(way.rawValue, ordering: .releasing) }
        }
    }
    /// Returns true if the message, whose turn has come, is still to be heard.
    private func take(_ message: Message, _ way: Way) -> Bool {
        note(message, way)
        return message.fate.load(ordering: .acquiring) != .outdated
    }
    /// Removes the message after its result, if any, is stored.
    private func settle(_ message: Message, _ way: Way) {
        isWhole.withLock { isWhole in
            guard message.fate.exchange(.settled, ordering: .relaxed) == .noted, isWhole else { return }
            waiting.subtract(way.rawValue, ordering: .releasing)
        }
    }
}
