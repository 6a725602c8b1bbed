// The stack of frames; see `Frame`.
extension Engine {
    /// The last frame. There is always one: the first frame stands below the first pass.
    @inline(__always) var lastFrame: UnsafeMutablePointer<Frame> { top - 1 }

    /// Pushes a frame for a busy vertex, and returns it. The caller sets its edges. There is room for a frame.
    @inlinable @inline(__always) func pushFrame(of vertex: Vertex, state: UInt64) -> UnsafeMutablePointer<Frame> {
        vertex.beginToDeliver()
        vertex.lastEpoch = epoch
        let frame = top
        top = frame + 1
        frame.pointee.vertex = .passUnretained(vertex)
        frame.pointee.state = state
        return frame
    }
    /// Pushes a frame for a busy vertex, and returns its first edge, which is called next. There is room for a frame.
    @usableFromInline @inline(never) func push(_ vertex: Vertex, state: UInt64) -> NextEdge {
        let listens = vertex.listens.word
        let transforms = vertex.transforms.word
        let frame = pushFrame(of: vertex, state: state)
        // One test after the other, because this order takes the fewest instructions for one transform.
        if (listens | transforms) & EdgeStorage.listBit != 0 { return frame.pointee.beginLists(of: vertex) }
        var first = NextEdge(word: listens)
        if listens == 0 {
            frame.pointee.next = 0
            first = NextEdge(word: transforms)
        } else {
            frame.pointee.next = transforms
            if transforms != 0 { frame.pointee.limit = UInt(NextEdge(word: transforms).generation) }
        }
        return first
    }
    /// Puts the edge `sent` back on the stack. It is called when its frame is the last.
    @usableFromInline package func leaveOnStack(_ sent: NextEdge) {
        if let edge = sent.edge { lastFrame.pointee.takeBack(edge, sent.generation) }
    }

    // MARK: Capacity

    static let firstCapacity = 64
    /// The largest capacity that a thread keeps for its next transaction: 768 KB.
    static let mostKept = firstCapacity << 8

    /// Allocates a stack, with the frame that stands below the first pass.
    static func makeFrames() -> (
        frames: UnsafeMutablePointer<Frame>, top: UnsafeMutablePointer<Frame>, limit: UnsafeMutablePointer<Frame>
    ) {
        let frames = UnsafeMutablePointer<Frame>.allocateOwnCacheLines(capacity: firstCapacity)
        frames.pointee.next = Frame.endTag
        return (frames, frames + 1, frames + firstCapacity)
    }
    /// Moves the stack to a block of twice the size.
    @inline(never) func grow() {
        // Other threads may read the frames that are about to move, so the calls under way first note their senders.
        forEachUserCall { $0.putDown() }
        let capacity = 2 * (limit - frames)
        let old = frames
        frames = old.moved(top - old, toOwnCacheLinesFor: capacity)
        func moved(_ frame: UnsafeMutablePointer<Frame>) -> UnsafeMutablePointer<Frame> { frames + (frame - old) }
        top = moved(top)
        limit = frames + capacity
        setFastLimit()
        call.top = moved(call.top)
        forEachUserCall { $0.position.top = moved($0.position.top) }
        for pass in 0..<max(passCount, 1) {
            passes[pass].bottom = moved(passes[pass].bottom)
            passes[pass].outer.top = moved(passes[pass].outer.top)
        }
        if capacity > Engine.mostKept { endFlags.insert(.shrink) }
    }
    /// Gives back the memory of a large stack. Nothing is under way.
    @inline(never) func shrink() {
        frames.deallocate()
        (frames, top, limit) = Engine.makeFrames()
        hasTrail = false
        setFastLimit()
        call.top = top
        passes.pointee.bottom = top
        passes.pointee.outer.top = top
    }
}

extension Engine {
    /// Begins a pass on top of those under way. Returns the count of passes, which `deliverAll` takes to end it.
    @inline(__always) @discardableResult func beginPass(context: ContextBox?, senders: TrailPosition) -> Int {
        beginPass(in: context.map { .boxed(.passRetained($0)) } ?? .none, senders: senders)
    }
    /// Begins a pass that takes over the reference to the context's box.
    @inline(__always) @discardableResult func beginPass(in context: PassContext, senders: TrailPosition) -> Int {
        if passCount > 0 { makePlaceForPass() }
        let pass = passes + passCount
        pass.pointee.context = context
        pass.pointee.origin = nil
        lastFrame.pointee.state = Frame.state(entry: senders.entry)
        // Without senders, no entry of the value's trail is older than this pass.
        pass.pointee.since = senders.entry == TrailPosition.noSenders ? epoch : senders.since
        passCount &+= 1
        setHasTrail(hasCare(context, senders.entry))
        epoch &+= 1
        context.pulse?.beginPass()
        return passCount
    }
    func beginPass(context: ContextBox?, senders: SenderList) -> Int {
        beginPass(context: context, senders: addEntry(of: senders))
    }
    /// Saves the engine's state for the end of the new pass, and puts a separating frame on the stack.
    @inline(never) private func makePlaceForPass() {
        if passCount == passCapacity { growPasses() }
        if top == limit { grow() }
        top.pointee.next = Frame.endTag
        top += 1
        (passes + passCount).initialize(
            to: Pass(
                bottom: top, context: .none, since: 0, outer: call, outerSending: sending))
        innerPasses &+= 1
        sending = innerPasses << 32
    }
    @inline(__always) func endPass() {
        passCount &-= 1
        guard passCount == 0 else { return resumePass() }
        call.passes = 0
        if case .boxed(let context) = passes.pointee.context { fade(context) }
    }
    @inline(never) private func resumePass() {
        let pass = passes + passCount
        top -= 1
        call = pass.pointee.outer
        sending = pass.pointee.outerSending
        setHasTrail(hasCare((pass - 1).pointee.context, (pass - 1).pointee.entry))
        if case .boxed(let context) = pass.pointee.context { fade(context) }
    }
    /// Returns true if every vertex that the pass reaches has to be checked before its value is stored: the value may
    /// have passed it before, or is a pulse's.
    @inline(__always) private func hasCare(_ context: PassContext, _ entry: Trail.Index) -> Bool {
        entry >= 0 || context.pulse != nil
    }
    @inline(__always) private func setHasTrail(_ new: Bool) {
        if new == hasTrail { return }
        hasTrail = new
        setFastLimit()
    }
    /// Releases the context of a pass that has ended.
    @inline(never) private func fade(_ context: Unmanaged<ContextBox>) {
        context._withUnsafeGuaranteedRef { $0.pulse?.endPass() }
        context.release()
    }
    /// Makes the innermost pass the one whose edge is being called. Used for edges that no frame calls.
    package func enterCall(_ generation: UInt64) {
        call = CurrentEdge(top: top, passes: passCount, generation: generation)
    }
    @inline(never) private func growPasses() {
        passCapacity *= 2
        passes = passes.moved(passCount, toOwnCacheLinesFor: passCapacity)
    }
}

extension Engine {
    /// The context of the called edge's value.
    var context: ContextBox? { call.passes > 0 ? passes[call.passes - 1].context.box : nil }
    /// The pulse that brings the called edge's value, or whose delivery has led to it.
    var pulse: TransientValue? { call.passes > 0 ? passes[call.passes - 1].context.pulse : nil }
    /// The context of the called edge's value, as users see it.
    var contextValue: NodeContext? { call.passes > 0 ? passes[call.passes - 1].context.value : nil }
    /// True if the called edge's value has no context. Precondition: an edge is being called.
    @inline(__always) var bringsNothingElse: Bool {
        if case .none = passes[call.passes &- 1].context { true } else { false }
    }
}
