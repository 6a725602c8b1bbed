/// A pulse under way. It remembers where its transient value is stored, so that the vertices get their earlier values
/// back after the delivery.
///
/// A vertex is noted before the value is stored there, with the epoch of the store. If the vertex's last epoch has
/// changed since, the vertex holds another value. Each store of a pulse has an epoch of its own (see `gate`), also one
/// that is not noted. A store is noted only if an edge that passes pulses on brings the value from a vertex that is
/// noted.
///
/// Unchecked, because the pulse is delivered in one transaction: only the thread of that uses the fields.
final class TransientValue: @unchecked Sendable {
    @exclusivity(unchecked) private var stores: [(vertex: Vertex, epoch: UInt64)] = []
    /// The newest noted epoch of each vertex.
    @exclusivity(unchecked) private var last: [ObjectIdentifier: UInt64] = [:]
    /// Values from before earlier pulses. They are released with the pulse.
    @exclusivity(unchecked) private var remains: [DisplacedValue] = []
    /// The number of passes that deliver the pulse.
    @exclusivity(unchecked) private var passes = 0

    func beginPass() { passes += 1 }
    /// Ends a pass. If no other pass delivers the pulse, every vertex that it reached gets its earlier value back; a
    /// busy vertex gets it when its delivery is over. (A value that waited for its turn until then begins a pass again,
    /// which ends like this one.)
    func endPass() {
        passes -= 1
        guard passes == 0 else { return }
        let reached = stores
        (stores, last) = ([], [:])
        for (vertex, epoch) in reached { vertex.whenIdle { vertex.restoreValue(displacedIn: epoch) } }
    }
    /// Notes that the pulse is about to reach a vertex whose turn this thread has. The origin of the pulse is empty
    /// afterwards; every other vertex gets its earlier value back.
    func note(_ vertex: Vertex, in epoch: UInt64, isOrigin: Bool = false) {
        if let old = vertex.displaceValue(in: epoch, isOrigin: isOrigin) { remains.append(old) }
        last[ObjectIdentifier(vertex)] = epoch
        stores.append((vertex, epoch))
    }
    /// Returns true if the vertex holds the pulse's value. Called by the owner.
    func isStored(in vertex: Vertex) -> Bool { last[ObjectIdentifier(vertex)] == vertex.lastEpoch }
}

// A pulse that an edge takes outside of the delivery by which it would be recognised.

extension Engine {
    /// Returns the context for a call outside of this delivery. The box says if that call takes the pulse's value.
    func context(_ takesValue: (TransientValue) -> Bool) -> ContextBox? {
        guard let context, let pulse = context.pulse else { return context }
        let isOfInitialDelivery = takesValue(pulse)
        if isOfInitialDelivery == context.isOfInitialDelivery { return context }
        return ContextBox(context.value, pulse, isOfInitialDelivery: isOfInitialDelivery)
    }
    /// Returns a context for an edge that is connected in the middle of a pulse, if its source holds the pulse's value.
    @inline(never) func pulseOfInitialDelivery(from vertex: Unmanaged<Vertex>) -> ContextBox? {
        vertex._withUnsafeGuaranteedRef { pulseStored(in: $0) }.map { ContextBox(nil, $0, isOfInitialDelivery: true) }
    }
    /// Returns true if a pulse under way on this thread brought the value of `vertex`.
    func isOfPulse(_ vertex: Vertex) -> Bool { pulseStored(in: vertex) != nil }
    /// Returns the pulse under way that brought the value of `vertex`, if one did.
    func pulseStored(in vertex: Vertex) -> TransientValue? {
        if passCount == 0 || !owns(vertex) { return nil }
        for pass in 0..<passCount {
            if let pulse = passes[pass].context.pulse, pulse.isStored(in: vertex) {
                return pulse
            }
        }
        return nil
    }
}

extension Vertex {
    /// The vertex with the value that this one has after the pulse whose value it holds, or holds now if that is no
    /// pulse's; `nil` if there is no such value. Called by the owner.
    final var afterPulse: Vertex? {
        guard let displaced = ownerState?.displaced, displaced.isDisplaced(in: lastEpoch) else {
            return isEmpty ? nil : self
        }
        return displaced.value
    }
    /// Calls `body` at once, or, if the vertex is busy, when all that is being delivered or pending here is done.
    /// Called by the owner.
    final func whenIdle(_ body: @escaping () -> Void) {
        if !isBusy { return body() }
        let update = QueuedDelivery(context: nil, senders: SenderList(), onlyWaits: true) { _, _ in
            body()
            return false
        }
        _ = acquireOrEnqueue(update)
    }
}
