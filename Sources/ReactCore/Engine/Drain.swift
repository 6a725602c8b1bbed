// The values that were queued while their vertex was busy.
extension Engine {
    /// Delivers the values that were queued while the vertex was busy, until one leaves frames on the stack, or the
    /// turn has ended.
    @inline(never) package func takeTurns(at vertex: Unmanaged<Vertex>) {
        vertex._withUnsafeGuaranteedRef { vertex in
            // If a pulse has reached the vertex, this must be read before the pass ends, because the pulse then forgets
            // the vertices that it has reached.
            let pulse = passes[passCount - 1].context.pulse
            var epochOfPulse = pulse.flatMap { $0.isStored(in: vertex) ? vertex.lastEpoch : nil }
            if passes[passCount - 1].queued != nil, isLastPassEmpty { endPass() }
            while let next = vertex.releaseOrDequeue() {
                let update = unsafeDowncast(next, to: QueuedDelivery.self)
                // At the end of the pulse's pass it would be too late: the vertex may hold a later value.
                if !update.onlyWaits, let epoch = epochOfPulse.take() {
                    vertex.restoreValue(displacedIn: epoch)
                }
                if deliver(update, at: vertex) { break }
            }
            call.passes = passCount
        }
    }
    /// Delivers a queued value. Returns true if that leaves frames on the stack; otherwise its pass has ended.
    private func deliver(_ update: QueuedDelivery, at vertex: Vertex) -> Bool {
        _ = beginPass(context: update.context, senders: update.senders)
        passes[passCount - 1].queued = Pass.Queued(origin: update.origin, isSet: update.edge == nil)
        if !update.onlyWaits { vertex.countFeedback(in: self) }
        enterCall(0)
        observer?.resumed(at: vertex, by: update.edge?._withUnsafeGuaranteedRef(\.serial) ?? 0, from: update.source)
        if update.take(vertex, self) { return true }
        endPass()
        return false
    }
}
