/// A pass: everything that one value sets off. A pass has a context, a segment of the stack, and the senders that the
/// value had passed before.
struct Pass {
    /// The place of the pass's first frame. The frame below it separates this pass from the one before.
    var bottom: UnsafeMutablePointer<Frame>
    /// Retained by the pass.
    var context: Unmanaged<ContextBox>?
    /// An epoch (`epoch`) before the first trail entry of the value's senders; 0 if none is known.
    var since: UInt64
    /// The engine's state when the pass began, restored at its end. The first pass has no use for it.
    var outer: CurrentEdge
    var outerSending: UInt64 = 0
    var outerTurn = DrainState()
    /// True if the pass delivers a pending delivery.
    var isTurn = false

    /// The trail entry that the value had reached before the pass began; -1 for none. The frame below the pass stores
    /// it, as each frame does for the one above.
    @inline(__always) var visit: Trail.Index { (bottom - 1).pointee.visit }
    @inline(__always) var senders: TrailPosition { TrailPosition(visit: visit, since: since) }
}
/// The state of a drain: the deliveries that a thread makes one after another at a vertex, or, outside of a drain, its
/// own transaction.
struct DrainState {
    /// True if the thread delivers for others. Then no set that it makes belongs to a transaction of its own.
    var isForeign = false
    /// The number of other threads' values that have been delivered at the vertex in a row, including this one.
    var foreigners = 0
    /// The number of sets in a row that led to this delivery, each of which had to wait for the one before.
    var chain = 0
}
/// The position of the edge that is being called: its frame ends at `top`, and its pass is the last one below `passes`.
@usableFromInline struct CurrentEdge {
    @usableFromInline var top: UnsafeMutablePointer<Frame>
    @usableFromInline var passes: Int
    /// The generation of the connection through which the edge was called.
    @usableFromInline var number: UInt64
}

extension Engine {
    /// The senders of the innermost pass.
    var sendersOfLastPass: TrailPosition { passes[passCount - 1].senders }
    /// Begins a pass on top of those under way. Returns the count of passes, which `drive` takes to end it.
    @discardableResult func beginPass(context: ContextBox?, senders: TrailPosition) -> Int {
        if let context { return beginPass(holding: .passRetained(context), senders: senders) }
        return beginPass(holding: nil, senders: senders)
    }
    /// Begins a pass that takes over the reference to `context`.
    @inline(__always) @discardableResult
    func beginPass(holding context: Unmanaged<ContextBox>?, senders: TrailPosition) -> Int {
        if passCount > 0 { makePlaceForPass() }
        let pass = passes + passCount
        pass.pointee.context = context
        lastFrame.pointee.state = Frame.state(visit: senders.visit)
        // Without senders, the value's first trail entry is the pass's own.
        pass.pointee.since = senders.visit < 0 ? epoch : senders.since
        passCount &+= 1
        setFastLimit(hasTrail: hasCare(context, senders.visit))
        epoch &+= 1
        if let context { context._withUnsafeGuaranteedRef { $0.pulse?.beginPass() } }
        return passCount
    }
    func beginPass(context: ContextBox?, senders: SenderList) -> Int {
        beginPass(context: context, senders: record(senders))
    }
    /// Saves the engine's state for the end of the new pass, and puts a separating frame on the stack.
    @inline(never) private func makePlaceForPass() {
        if passCount == passCapacity { growPasses() }
        if top == limit { grow() }
        top.pointee.next = Frame.endMark
        top += 1
        (passes + passCount).initialize(
            to: Pass(
                bottom: top, context: nil, since: 0, outer: call, outerSending: sending, outerTurn: turn))
        innerPasses &+= 1
        sending = innerPasses << 32
    }
    @inline(__always) func endPass() {
        passCount &-= 1
        guard passCount == 0 else { return resumePass() }
        call.passes = 0
        if let context = passes.pointee.context { fade(context) }
    }
    @inline(never) private func resumePass() {
        let pass = passes + passCount
        top -= 1
        call = pass.pointee.outer
        sending = pass.pointee.outerSending
        turn = pass.pointee.outerTurn
        setFastLimit(hasTrail: hasCare((pass - 1).pointee.context, (pass - 1).pointee.visit))
        if let context = pass.pointee.context { fade(context) }
    }
    /// Returns true if every vertex that the pass reaches has to be checked before its value is stored: the value may
    /// have passed it before, or is a pulse's.
    @inline(__always) private func hasCare(_ context: Unmanaged<ContextBox>?, _ visit: Trail.Index) -> Bool {
        visit >= 0 || context.map { $0._withUnsafeGuaranteedRef { $0.pulse != nil } } ?? false
    }
    /// Releases the context of a pass that has ended.
    @inline(never) private func fade(_ context: Unmanaged<ContextBox>) {
        context._withUnsafeGuaranteedRef {
            $0.pulse?.endPass()
        }
        context.release()
    }
    /// Makes the innermost pass the one whose edge is being called. Used for edges that no frame calls.
    package func enterCall(_ number: UInt64) { call = CurrentEdge(top: top, passes: passCount, number: number) }
    /// Runs `body`, and then restores the edge that is being called, even if the stack has moved meanwhile.
    func resumingCall(_ body: () -> Void) {
        let outer = call
        let place = outer.top - frames
        body()
        call = CurrentEdge(top: frames + place, passes: outer.passes, number: outer.number)
    }
    @inline(never) private func growPasses() {
        passCapacity *= 2
        passes = passes.moved(passCount, toOwnLinesFor: passCapacity)
    }
}

extension Engine {
    /// The context of the called edge's value.
    var context: ContextBox? { call.passes > 0 ? passes[call.passes - 1].context?.takeUnretainedValue() : nil }
    /// True if the called edge's value has a context.
    var hasContext: Bool { call.passes > 0 && passes[call.passes - 1].context != nil }
    /// True if the called edge's value has no context. Precondition: an edge is being called.
    @inline(__always) var bringsNothingElse: Bool { passes[call.passes &- 1].context == nil }
}
