import Synchronization

// Initial delivery: a new edge gets its source's present value at once, and before any later one.
//
// The connecting thread delivers a copy, to this edge alone, and does not take the source's turn. If the source is set
// meanwhile, by code that the delivery calls, the source leaves its values for the new edge in the edge's catch-up
// buffer, until the edge has caught up.

extension InitialDelivery {
    /// Makes the initial delivery: calls `edge` with the value, and then with the values that came meanwhile. If
    /// `holdsSource` is false, the source is not put on the trail, because the edge never asks for senders.
    consuming func perform(_ edge: AnyEdge, holdsSource: Bool = true) {
        Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
            engine.begin()
            perform(edge, in: engine, holdsSource: holdsSource)
            engine.end()
            target?.release()
            if let value { value.release() } else if holdsSource { source.release() }
        }
    }
    /// Makes the initial delivery in `engine`. If there is a value, the trail takes over the reference to the
    /// source, and keeps it until the transaction is over.
    @inline(__always) private func perform(_ edge: AnyEdge, in engine: Engine, holdsSource: Bool) {
        engine.initialDeliveries &+= 1
        defer { engine.initialDeliveries &-= 1 }
        if let value {
            let pulse = engine.passCount == 0 ? nil : engine.pulseOfInitialDelivery(from: source)
            let pass = engine.beginPass(
                context: pulse, senders: holdsSource ? engine.addEntry(ofSource: source) : .none)
            let sent = engine.call(edge, with: value, isEmptying: false, isBuffered: false, self)
            engine.deliverAll(pass, sent)
        }
        var feedback = FeedbackCount()
        while let buffered = nextBuffered(edge) {
            let pass = engine.beginPass(context: buffered.context, senders: buffered.senders)
            if feedback.isExceeded(in: engine) {
                source._withUnsafeGuaranteedRef { $0.refuseFeedback() }
            }
            let sent = engine.call(
                edge, with: .passUnretained(buffered.value), isEmptying: buffered.isEmptying, isBuffered: true, self)
            engine.deliverAll(pass, sent)
            withExtendedLifetime(buffered) {}
        }
    }
    /// Removes the oldest value from the catch-up buffer, and returns it. If there is none, the edge has caught up, and
    /// is called like any other from now on.
    @inline(__always) private func nextBuffered(_ edge: AnyEdge) -> BufferedDelivery? {
        source._withUnsafeGuaranteedRef { source in
            let word = edge.knownWord
            guard ConnectionState.isStillConnected(word, generation) else { return nil }
            if let ownerState = source.ownerState, let buffer = ownerState.catchUpBuffers[ObjectIdentifier(edge)] {
                if let oldest = buffer.entries.popFirst() { return unsafeDowncast(oldest, to: BufferedDelivery.self) }
                ownerState.catchUpBuffers[ObjectIdentifier(edge)] = nil
            }
            ScheduleFuzzing.pause(at: .connectionIsRead, of: source.address)
            // Another thread may end the connection in this moment: it stands.
            _ = edge.connectionWord.compareExchange(
                expected: word, desired: word & ~ConnectionState.catchingUp, ordering: .acquiringAndReleasing)
            return nil
        }
    }
}

/// The outcome of a change of an edge: see `connecting`.
enum EdgeChange { case isDone, isToBeConnected, isElsewhere }

extension Reconnected {
    /// Makes the initial delivery to `edge`, if there is one to make.
    @inline(__always) @discardableResult
    consuming func perform(_ edge: AnyEdge, holdsSource: Bool = true) -> EdgeChange {
        switch consume self {
        case .refused: return .isDone
        case .elsewhere: return .isElsewhere
        case .toBeConnected: return .isToBeConnected
        case .made(let initial):
            if let initial { initial.perform(edge, holdsSource: holdsSource) }
            return .isDone
        }
    }
}

extension Engine {
    /// Calls one edge outside of its source's delivery.
    @inline(__always) fileprivate func call(
        _ edge: AnyEdge, with value: Unmanaged<Vertex>, isEmptying: Bool, isBuffered: Bool,
        _ initial: borrowing InitialDelivery
    ) -> NextEdge {
        let generation = initial.generation
        let word = edge.connectionWord.load(ordering: .acquiring)
        let isThere = word & ConnectionState.checks == 0 || edge.currentDestination != nil
        guard isThere, ConnectionState.isStillConnected(word, generation) else { return .nothing }
        let delivery = ErasedEdgeCall(
            caller: .engine(self), edge: .passUnretained(edge), source: value, target: initial.target)
        @inline(__always) func bring() -> NextEdge {
            enterCall(generation)
            return isEmptying ? edge.forwardEmpty(delivery) : edge.forward(delivery)
        }
        if !isObserved { return bring() }
        let source = initial.source.takeUnretainedValue()
        return callSeparately(isBuffered ? .buffered : .initial, edge, from: source, isEmptying: isEmptying, bring)
    }
}

extension Engine {
    /// Leaves the value under delivery to the edge's initial delivery, which is under way.
    @inline(never) func leaveForCatchUp(_ edge: AnyEdge, _ frame: UnsafeMutablePointer<Frame>) {
        let vertex = frame.pointee.vertex.takeUnretainedValue()
        let buffered = BufferedDelivery(of: frame.pointee, in: self)
        let ownerState = vertex.madeOwnerState
        let buffer = ownerState.catchUpBuffers[ObjectIdentifier(edge)] ?? CatchUpBuffer()
        buffer.entries.append(buffered)
        ownerState.catchUpBuffers[ObjectIdentifier(edge)] = buffer
    }
}

/// A buffered value: it reached an edge during the edge's initial delivery.
final class BufferedDelivery: PendingDelivery {
    let value: Vertex
    let isEmptying: Bool
    let context: ContextBox?
    let senders: SenderList

    /// Copies the value that `frame` delivers.
    init(of frame: Frame, in engine: Engine) {
        let vertex = frame.vertex.takeUnretainedValue()
        value = vertex.copyOfValue()
        isEmptying = frame.isEmptying
        context = engine.context { $0.isStored(in: vertex) }
        senders = engine.senderList
    }
}
