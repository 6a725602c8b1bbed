// How what is set is delivered: the loop that serves what is on the stack.
extension Propagation {
    /// Begins to deliver what was stored in `vertex`, whose turn this thread has. Its lock is held, and not when this returns.
    @usableFromInline func beginSet(_ vertex: Vertex) -> Sent { beginSet(vertex, holding: nil) }
    /// The same where something travels beside the value.
    @usableFromInline func beginSet(_ vertex: Vertex, carrying context: NodeContext?) -> Sent {
        beginSet(vertex, holding: box(context))
    }
    @inline(__always) private func beginSet(_ vertex: Vertex, holding context: Unmanaged<ContextBox>?) -> Sent {
        depth &+= 1
        if runCount == 0 {
            beginFirstRun(holding: context)
        } else {
            beginRun(holding: context, senders: .none)
            makeRoom()
        }
        let sent = push(vertex)
        vertex.unlock(Vertex.busy)
        return sent
    }
    /// Delivers what `beginSet` began with.
    @usableFromInline func endSet(_ sent: Sent) {
        serve(runCount, sent) { call($0, $1) }
        endQuickly()
    }
    /// Begins the first run, of a value that no pulse travels beside.
    @inline(__always) private func beginFirstRun(holding context: Unmanaged<ContextBox>?) {
        let run = runs
        run.pointee.context = context
        run.pointee.since = now
        lastFrame.pointee.state = Frame.state(visit: -1)
        runCount = 1
        room = usualRoom
        now &+= 1
    }
    /// Serves all frames of the run `own`, and of those on top of it, and ends it. What was `sent` last comes first.
    @usableFromInline func drive(_ own: Int, _ sent: Sent = .nothing) {
        if tape != nil { return driveRecorded(own, sent) }
        driveQuickly(own, sent)
    }
    /// The same where no tape is open.
    @inline(__always) func driveQuickly(_ own: Int, _ sent: Sent) { serve(own, sent) { call($0, $1) } }
    /// The loop: each driver has a copy with its own way to call an edge.
    @inline(__always) func serve(_ own: Int, _ first: Sent, by call: (Unmanaged<AnyEdge>, UInt64) -> Sent) {
        var sent = first
        self.call.runs = runCount
        while true {
            if let edge = sent.edge {
                sent = call(edge, sent.number)
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
    @inline(__always) func call(_ edge: Unmanaged<AnyEdge>, _ number: UInt64) -> Sent {
        let end = top
        let frame = end - 1
        return edge._withUnsafeGuaranteedRef { edge in
            // In this order: a target that is seen here while the edge is still in its linking is that linking's.
            let target = edge.target.load(ordering: .acquiring)
            ScheduleFaults.pause(at: .linkIsRead, of: UInt(bitPattern: frame.pointee.vertex.toOpaque()))
            guard edge.link.load(ordering: .acquiring) == number else { return callUnlessPlain(edge, number, target) }
            ScheduleFaults.pause(at: .linkIsChecked, of: UInt(bitPattern: frame.pointee.vertex.toOpaque()))
            call.top = end
            call.number = number
            return pass(from: frame, to: edge, target)
        }
    }
    @inline(__always)
    func pass(from frame: UnsafeMutablePointer<Frame>, to edge: AnyEdge, _ target: Unmanaged<Vertex>?) -> Sent {
        let delivery = RawDelivery(
            caller: .propagation(self), edge: .passUnretained(edge), source: frame.pointee.vertex, target: target)
        return frame.pointee.isCleaning ? edge.forwardEmpty(delivery) : edge.forward(delivery)
    }
    /// The same for an edge that was cut, that is catching up, or whose listener has to be asked for.
    @inline(never) private func callUnlessPlain(_ edge: AnyEdge, _ number: UInt64, _ target: Unmanaged<Vertex>?) -> Sent
    {
        mayCall(edge, number) ? pass(from: lastFrame, to: edge, target) : .nothing
    }
    @inline(__always) func mayCall(_ edge: AnyEdge, _ number: UInt64) -> Bool {
        let word = edge.link.load(ordering: .acquiring)
        guard LinkWord.isCurrent(word, number) else { return false }
        enterCall(number)
        if word & LinkWord.replaying != 0, leaveForReplay(edge, lastFrame) { return false }
        return word & LinkWord.asks == 0 || edge.currentDestination != nil
    }
}
