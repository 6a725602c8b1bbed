// The first value of a join. Its maker computes it from the values that the inputs hold when all are connected, before
// its call returns. All that arrives until then is a part of it.

extension Join {
    /// Notes that the maker has connected one more input. After the last one, gives the join its first value, unless
    /// the region stays busy.
    @usableFromInline func noteInputConnected() {
        // Another thread may own the join by now, so the state is noted later.
        connectedInputs &+= 1
        guard connectedInputs == inputs else { return }
        let links = lateLinks
        lateLinks = []
        Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
            engine.begin()
            engine.perform(in: vertex) { [self] engine in
                var others = links
                // The graphs of other inputs may have become one with the join's meanwhile.
                for link in LeftWork.take(from: &others, to: vertex) { link.work(engine) }
                fireFirst(in: engine)
                engine.leftWork.links += others
                // The maker has waited for them.
                let waitsAgain = others.isEmpty || engine.depth > 1 || !engine.leftWork.steps.isEmpty
                if !waitsAgain, engine.deadline == 0 { engine.deadline = Platform.clock }
            }
            engine.end()
        }
    }
    private func fireFirst(in engine: Engine) {
        if hasLoaded { for edge in vertex.upstreamEdges { unsafeDowncast(edge, to: AnyTransform.self).fillLoaded() } }
        let pulse = pulseOfInputs(in: engine)
        if state.endMaking() {
            context = pulse.map { ContextBox(nil, $0) }
            fireAtOnce(in: engine)
        } else if keepsPulses {
            endPulses()
        }
    }
    /// Returns the pulse under way on this thread that brought the value of an input, if the first value is to go with
    /// it.
    private func pulseOfInputs(in engine: Engine) -> TransientValue? {
        guard passesPulses, engine.passCount > 0 else { return nil }
        return vertex.sources.lazy.compactMap { engine.pulseStored(in: $0) }.first
    }
}
