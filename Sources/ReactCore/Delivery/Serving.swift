// How what is set is delivered: the loop that serves what is on the stack.
extension Propagation {
    /// Begins a set: a run of its own. `endSet` ends it.
    @usableFromInline func beginSet(of vertex: Vertex) { beginSet(of: vertex, holding: nil) }
    /// The same where something travels beside the value.
    @usableFromInline func beginSet(of vertex: Vertex, carrying context: NodeContext?) {
        beginSet(of: vertex, holding: context.map { .passRetained(ContextBox($0)) })
    }
    @inline(__always) private func beginSet(of vertex: Vertex, holding context: Unmanaged<ContextBox>?) {
        depth &+= 1
        if Observers.isOn { openObserver(for: vertex) }
        beginRun(holding: context, senders: .none)
    }
    @inline(never) func openObserver(for vertex: Vertex) {
        openObserver()
        observer?.willChange(vertex)
    }
    /// Delivers what was set since `beginSet`.
    @usableFromInline func endSet(_ sent: Sent) {
        drive(runCount, sent)
        end()
    }
    /// Serves all frames of the run `own`, and of those on top of it, and ends it. What was `sent` last comes first.
    @usableFromInline func drive(_ own: Int, _ sent: Sent = .nothing) {
        if let observer { return serve(own, sent, observer) }
        serve(own, sent, NoObserver())
    }
    /// The loop.
    private func serve<Observer: CallObserver>(_ own: Int, _ first: Sent, _ observer: Observer) {
        var sent = first
        self.call.runs = runCount
        while true {
            if let edge = sent.edge {
                sent = call(edge, sent.number, observer)
            } else if lastFrame.pointee.next != Frame.endMark {
                sent = advance()
            } else {
                endRun()
                if runCount < own { return }
                self.call.runs = runCount
            }
        }
    }
    /// Takes the next edge from the last frame; or, when there is none, that frame from the stack.
    @inline(__always) func advance() -> Sent {
        assert(call.runs == runCount, "what is being called is not of the last run: EasyReact's engine is at fault")
        let frame = lastFrame
        if let sent = frame.pointee.takeFromList() { return sent }
        if frame.pointee.next != 0 { return frame.pointee.takeElsewhere() }
        leave(frame)
        return .nothing
    }
    /// Ends the turn of a vertex that has been served, and of those below that have been as well: in a chain, all of them.
    @inline(__always) private func leave(_ last: UnsafeMutablePointer<Frame>) {
        var frame = last
        repeat {
            top = frame
            let vertex = frame.pointee.vertex
            guard vertex._withUnsafeGuaranteedRef({ $0.leaveIfNothingPending() }) else { return takeTurns(at: vertex) }
            frame -= 1
        } while frame.pointee.next == 0
    }
    /// Hands the last frame's value to one edge, unless that was cut since it was linked as `number`.
    @inline(__always)
    private func call<Observer: CallObserver>(
        _ edge: Unmanaged<AnyEdge>, _ number: UInt64, _ observer: Observer
    ) -> Sent {
        edge._withUnsafeGuaranteedRef { edge in
            // In this order: a target that is seen here while the edge is still in its linking is that linking's.
            let target = edge.target.load(ordering: .acquiring)
            ScheduleFaults.pause(at: .linkIsRead, of: UInt(bitPattern: lastFrame.pointee.vertex.toOpaque()))
            guard edge.link.load(ordering: .acquiring) == number else {
                return callUnlessPlain(edge, number, target, observer)
            }
            ScheduleFaults.pause(at: .linkIsChecked, of: UInt(bitPattern: lastFrame.pointee.vertex.toOpaque()))
            return pass(to: edge, number, target, observer)
        }
    }
    @inline(__always)
    private func pass<Observer: CallObserver>(
        to edge: AnyEdge, _ number: UInt64, _ target: Unmanaged<Vertex>?, _ observer: Observer
    ) -> Sent {
        let source = lastFrame.pointee.vertex
        let outer = source._withUnsafeGuaranteedRef {
            observer.willCall(edge, from: $0, isEmptying: lastFrame.pointee.isCleaning)
        }
        let end = top
        call.top = end
        call.number = number
        let delivery = RawDelivery(
            caller: .propagation(self), edge: .passUnretained(edge), source: source, target: target)
        let sent = (end - 1).pointee.isCleaning ? edge.forwardEmpty(delivery) : edge.forward(delivery)
        source._withUnsafeGuaranteedRef { observer.didCall(edge, from: $0, inside: outer) { result(of: edge) } }
        return sent
    }
    /// The same for an edge that was cut, that is catching up, or whose listener has to be asked for.
    @inline(never) private func callUnlessPlain<Observer: CallObserver>(
        _ edge: AnyEdge, _ number: UInt64, _ target: Unmanaged<Vertex>?, _ observer: Observer
    ) -> Sent {
        call.number = 0
        if mayCall(edge, number) { return pass(to: edge, number, target, observer) }
        if call.number == 0 {
            let source = lastFrame.pointee.vertex.takeUnretainedValue()
            let outer = observer.willCall(edge, from: source, isEmptying: true)
            observer.didCall(edge, from: source, inside: outer) { .cut }
        }
        return .nothing
    }
    /// Whether the edge is to be called now; `call.number` stays 0 where it has been cut.
    private func mayCall(_ edge: AnyEdge, _ number: UInt64) -> Bool {
        let word = edge.link.load(ordering: .acquiring)
        guard LinkWord.isCurrent(word, number) else { return false }
        enterCall(number)
        if word & LinkWord.replaying != 0, leaveForReplay(edge, lastFrame) { return false }
        return word & LinkWord.asks == 0 || edge.currentDestination != nil
    }
}
