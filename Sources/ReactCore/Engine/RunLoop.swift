// Delivers values: the loop that works off the stack.
extension Engine {
    /// Begins a set in the vertex's region, with a pass of its own. `endSet` ends it; until then, the caller keeps the
    /// vertex. Returns false, and begins nothing, if the region is busy, or if this thread has put off an earlier set
    /// there.
    @usableFromInline func beginSet(of vertex: Vertex) -> Bool { beginSet(of: vertex, in: .none) }
    /// Begins a set with a context that travels beside the value, and stays in place until the set has ended.
    @usableFromInline func beginSet(of vertex: Vertex, carrying context: UnsafePointer<NodeContext?>) -> Bool {
        beginSet(of: vertex, in: .borrowed(context))
    }
    @inline(__always) private func beginSet(of vertex: Vertex, in context: PassContext) -> Bool {
        depth &+= 1
        guard !hasLeftWork || !leftWork.hasSteps(with: vertex), takeForSet(vertex) else {
            end()
            return false
        }
        if Observers.isOn { openObserver(for: vertex) }
        beginPass(in: context, senders: .none)
        return true
    }
    @inline(never) func openObserver(for vertex: Vertex) {
        openObserver()
        observer?.willChange(vertex)
    }
    /// Delivers the value that was stored since `beginSet`. Then ends the set.
    @usableFromInline func endSet(_ sent: NextEdge) {
        deliverAll(passCount, sent)
        end()
    }
    /// Ends a set that stores nothing in `vertex`, whose turn this thread has. Delivers the values that are pending
    /// there.
    @usableFromInline func endSet(leaving vertex: Vertex) {
        // Before the pending values begin passes on top of the set's own.
        let own = passCount
        takeTurns(at: .passUnretained(vertex))
        deliverAll(own)
        end()
    }
    /// Delivers all frames of the pass whose number on this thread's stack is `own`, and of the passes on top of it,
    /// and ends these passes. Begins with the edge `sent`.
    @usableFromInline func deliverAll(_ own: Int, _ sent: NextEdge = .nothing) {
        if let reports { return reports._withUnsafeGuaranteedRef { runLoop(own, sent, $0) } }
        runLoop(own, sent, NoObserver())
    }
    /// Calls edges until the pass `own` has ended.
    private func runLoop<Observer: CallObserver>(_ own: Int, _ first: NextEdge, _ observer: Observer) {
        var sent = first
        self.call.passes = passCount
        while true {
            if let edge = sent.edge {
                sent = call(edge, sent.generation, observer)
            } else if lastFrame.pointee.next != Frame.endTag {
                sent = nextEdge()
            } else {
                endPass()
                if passCount < own { return }
                self.call.passes = passCount
            }
        }
    }
    /// Returns the next edge of the last frame. If there is none, pops that frame.
    @inline(__always) func nextEdge() -> NextEdge {
        assert(call.passes == passCount, "the called edge is not of the last pass: EasyReact's engine is at fault")
        let frame = lastFrame
        if let sent = frame.pointee.takeFromList() { return sent }
        if frame.pointee.next != 0 { return frame.pointee.takeUnlisted() }
        endTurns(from: frame)
        return .nothing
    }
    /// Ends the turn of a vertex whose edges have all been called, and of those below it that are done as well: in a
    /// chain, all of them.
    @inline(__always) private func endTurns(from last: UnsafeMutablePointer<Frame>) {
        var frame = last
        repeat {
            top = frame
            let vertex = frame.pointee.vertex
            guard vertex._withUnsafeGuaranteedRef({ $0.releaseIfIdle() }) else { return takeTurns(at: vertex) }
            frame -= 1
        } while frame.pointee.next == 0
    }
    /// Calls one edge with the last frame's value, unless its connection of that generation has ended.
    @inline(__always)
    private func call<Observer: CallObserver>(
        _ edge: Unmanaged<AnyEdge>, _ generation: UInt64, _ observer: Observer
    ) -> NextEdge {
        edge._withUnsafeGuaranteedRef { edge in
            // The order of these two loads matters: if the edge still has its connection after the target was read, the
            // target belongs to that connection.
            let target = edge.target.load(ordering: .acquiring)
            ScheduleFuzzing.pause(at: .connectionIsRead, of: UInt(bitPattern: lastFrame.pointee.vertex.toOpaque()))
            guard edge.connectionWord.load(ordering: .acquiring) == generation else {
                return callUnlessPlain(edge, generation, target, observer)
            }
            ScheduleFuzzing.pause(at: .connectionIsChecked, of: UInt(bitPattern: lastFrame.pointee.vertex.toOpaque()))
            return invoke(edge, generation, target, observer)
        }
    }
    @inline(__always)
    private func invoke<Observer: CallObserver>(
        _ edge: AnyEdge, _ generation: UInt64, _ target: Unmanaged<Vertex>?, _ observer: Observer
    ) -> NextEdge {
        let source = lastFrame.pointee.vertex
        source._withUnsafeGuaranteedRef {
            observer.willCall(edge, from: $0, isEmptying: lastFrame.pointee.isEmptying)
        }
        let end = top
        call.top = end
        call.generation = generation
        let delivery = ErasedEdgeCall(
            caller: .engine(self), edge: .passUnretained(edge), source: source, target: target)
        let sent = (end - 1).pointee.isEmptying ? edge.forwardEmpty(delivery) : edge.forward(delivery)
        source._withUnsafeGuaranteedRef { observer.didCall(edge, from: $0) }
        return sent
    }
    /// Calls an edge that was disconnected, whose initial delivery is not over, or whose listener has to be checked, if
    /// it is to be called at all.
    @inline(never) private func callUnlessPlain<Observer: CallObserver>(
        _ edge: AnyEdge, _ generation: UInt64, _ target: Unmanaged<Vertex>?, _ observer: Observer
    ) -> NextEdge {
        call.generation = 0
        if mayCall(edge, generation) { return invoke(edge, generation, target, observer) }
        if call.generation == 0 {
            let source = lastFrame.pointee.vertex.takeUnretainedValue()
            observer.willCall(edge, from: source, isEmptying: true)
            observer.didCall(edge, from: source)
        }
        return .nothing
    }
    /// Returns true if the edge is to be called now. If the edge has been disconnected, `call.generation` stays 0,
    /// which the caller has set.
    private func mayCall(_ edge: AnyEdge, _ generation: UInt64) -> Bool {
        let word = edge.connectionWord.load(ordering: .acquiring)
        guard ConnectionState.isStillConnected(word, generation) else { return false }
        enterCall(generation)
        if word & ConnectionState.catchingUp != 0 {
            leaveForCatchUp(edge, lastFrame)
            return false
        }
        return word & ConnectionState.checks == 0 || edge.currentDestination != nil
    }
}
