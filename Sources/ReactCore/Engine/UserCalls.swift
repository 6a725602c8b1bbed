import Synchronization

/// A call of a user's own edge: a subclass of `Transform` or `ListenEdge`. It is also the source of the sender list
/// that the call receives.
///
/// While nobody asks for the senders, no trail entries are added: the frames below have them, and stay in place until
/// the call is over. If the list is still retained then, it gets its senders. Otherwise, and if nobody has asked for
/// them, the object serves the next call: `Engine.spareCall`.
///
/// Invariants:
/// - While `hasSenders` is false and the object is in use, its call is under way. The call's pass began without
///   senders, and the frames from `bottom` to `top` belong to the call.
/// - `hasSenders` is set under the lock, and never cleared.
///
/// Unchecked, because other threads read only `position` and the known senders, under the lock. `position` changes only
/// when nobody else retains the object, or when the senders are known.
@usableFromInline final class UserCall: SenderPathProvider, @unchecked Sendable {
    /// The called edge, and its position on the stack.
    struct StackPosition {
        let edge: Unmanaged<AnyEdge>
        let target: Unmanaged<Vertex>?
        /// The fields of `Engine.call` for this call.
        let generation: UInt64
        let passes: Int
        /// The frames that the call's pass has on the stack.
        let bottom: UnsafeMutablePointer<Frame>
        var top: UnsafeMutablePointer<Frame>
    }
    private let engine: Unmanaged<Engine>
    /// The enclosing call, which this one retains.
    @exclusivity(unchecked) var outer: Unmanaged<UserCall>?
    @exclusivity(unchecked) var position: StackPosition
    /// True if the value has no context, and its pass began without senders.
    @exclusivity(unchecked) @usableFromInline var isPlain = false

    private let lock = Lock(())
    private let hasSenders = Atomic<Bool>(false)
    private var known: (path: SenderPath?, since: UInt64) = (nil, 0)

    init(of engine: Engine, at position: StackPosition) {
        self.engine = .passUnretained(engine)
        self.position = position
    }

    /// True if somebody has asked for the senders. Called by the call's own thread when nobody else retains the object.
    /// The other thread is then done with the frames.
    var hasBeenAsked: Bool {
        // The other thread asked before it released its reference. The load acquires as well, because the thread
        // sanitizer does not see fences.
        atomicMemoryFence(ordering: .acquiring)
        return hasSenders.load(ordering: .acquiring)
    }
    override var path: SenderPath? { asked.path }
    override func since(_ known: UInt64) -> UInt64 { asked.since }

    private var asked: (path: SenderPath?, since: UInt64) {
        if !hasSenders.load(ordering: .acquiring) { putDown() }
        return known
    }
    /// Notes the senders, unless they are known. On the call's own thread, they also go onto the trail, so that other
    /// lists can share them.
    func putDown() {
        guard engine.toOpaque() == Engine.currentUnretained.toOpaque() else { return note { (pathOfFrames, 0) } }
        engine._withUnsafeGuaranteedRef { engine in
            guard !engine.beganWithSenders(self) else { return }
            let senders = engine.senders(of: self)
            let path = engine.trail.path(senders.entry)
            note { (path, senders.since) }
        }
    }
    /// Notes the senders that `find` returns, unless they are known.
    private func note(_ find: () -> (path: SenderPath?, since: UInt64)) {
        lock.withLock { _ in
            guard !hasSenders.load(ordering: .relaxed) else { return }
            known = find()
            hasSenders.store(true, ordering: .releasing)
        }
    }
    /// The senders, read from the frames. Any thread may read them inside `note`, because the call's own thread waits
    /// for its lock before it pops the frames.
    private var pathOfFrames: SenderPath? {
        var path: SenderPath?
        var frame = position.bottom
        while frame < position.top {
            path = SenderPath(frame.pointee.vertex.takeUnretainedValue(), after: path)
            frame += 1
        }
        return path
    }
}

extension Engine {
    /// Sends through an edge, from inside the edge's own `next` or from anywhere else. If `ofCall` is true and the
    /// caller is inside `next`, the value belongs to the connection through which `next` was called.
    func send(
        through edge: AnyEdge, to target: Vertex, _ generation: UInt64, ofCall: Bool, _ senders: SenderList,
        _ context: ContextBox?,
        _ body: @escaping (ErasedEdgeCall) -> NextEdge
    ) {
        let delivery = ErasedEdgeCall(
            caller: .engine(self), edge: .passUnretained(edge), source: .passUnretained(target),
            target: .passUnretained(target))
        guard isCalling(edge), ofCall || call.generation == generation else {
            return sendFromOutside(through: edge, to: target, generation, senders, context, body)
        }
        // Inside `next`: the frame is delivered when `next` has returned.
        guard call.generation == generation else { return }
        let outer = call, position = call.top - frames
        _ = beginPass(context: context, senders: senders)
        enterCall(generation)
        leaveOnStack(body(delivery))
        if isLastPassEmpty { endPass() }
        // The stack may have moved meanwhile.
        call = CurrentEdge(top: frames + position, passes: outer.passes, generation: outer.generation)
    }
    /// Sends from outside of the edge's `next`, as a transaction, or as a part of the open one. A function of its own,
    /// so that sends from inside do not pay for it.
    @inline(never) private func sendFromOutside(
        through edge: AnyEdge, to target: Vertex, _ generation: UInt64, _ senders: SenderList, _ context: ContextBox?,
        _ body: @escaping (ErasedEdgeCall) -> NextEdge
    ) {
        let word = bufferedWord
        begin()
        perform(in: target) { engine in
            let pass = engine.beginPass(context: context, senders: senders)
            func bring() -> NextEdge {
                engine.enterCall(generation)
                return body(
                    ErasedEdgeCall(
                        caller: .engine(engine), edge: .passUnretained(edge), source: .passUnretained(target),
                        target: .passUnretained(target)))
            }
            engine.deliverAll(
                pass, engine.isObserved ? engine.callSeparately(.sentLater(word), edge, from: nil, bring) : bring())
        }
        end()
    }
}

extension ErasedEdgeCall {
    /// Calls the edge's own code, which sends by itself.
    @inlinable @inline(__always) func callOwnCode(_ body: (SenderList, NodeContext?) -> Void) -> NextEdge {
        let call = engine._withUnsafeGuaranteedRef { $0.beginUserCall(edge, target) }
        call._withUnsafeGuaranteedRef { call in
            if call.isPlain { body(SenderList(call), nil) } else { callWithTrail(body) }
        }
        engine._withUnsafeGuaranteedRef { $0.endUserCall(call) }
        return .nothing
    }
    /// Calls `body` for a value that has a context, or whose pass began with senders.
    ///
    /// A function of its own, so that the list is released before `endUserCall` checks if somebody retains it.
    @usableFromInline @inline(never) func callWithTrail(_ body: (SenderList, NodeContext?) -> Void) {
        let (senders, context) = engine._withUnsafeGuaranteedRef { $0.argumentsOfCall }
        body(senders, context)
    }
}

extension Engine {
    /// Returns true if the own code of `edge` is being called, and nothing else inside that call.
    func isCalling(_ edge: AnyEdge) -> Bool {
        userCall?._withUnsafeGuaranteedRef {
            $0.position.edge.toOpaque() == Unmanaged.passUnretained(edge).toOpaque()
                && $0.position.passes == call.passes
        } ?? false
    }
    /// Calls `body` with the calls under way, the innermost first.
    func forEachUserCall(_ body: (UserCall) -> Void) {
        var next = userCall
        while let call = next?.takeUnretainedValue() {
            body(call)
            next = call.outer
        }
    }
    /// Returns true if the call's pass began with senders. Then the call is not the source of its sender list.
    fileprivate func beganWithSenders(_ call: UserCall) -> Bool { passes[call.position.passes - 1].entry >= 0 }
    /// The sender list and context for the code that is called.
    @inline(never) var argumentsOfCall: (senders: SenderList, context: NodeContext?) {
        let call = userCall.unsafelyUnwrapped.takeUnretainedValue()
        return (isObserved || beganWithSenders(call) ? senderList : SenderList(call), contextValue)
    }
    @usableFromInline @inline(never) func beginUserCall(
        _ edge: Unmanaged<AnyEdge>, _ target: Unmanaged<Vertex>?
    ) -> Unmanaged<UserCall> {
        let pass = passes + (call.passes &- 1)
        let position = UserCall.StackPosition(
            edge: edge, target: target, generation: call.generation, passes: call.passes, bottom: pass.pointee.bottom,
            top: call.top)
        let made = Unmanaged.passRetained(spareCall.take() ?? UserCall(of: self, at: position))
        made._withUnsafeGuaranteedRef { made in
            made.position = position
            made.isPlain = bringsNothingElse && pass.pointee.entry < 0 && !isObserved
            made.outer = userCall
        }
        userCall = made
        return made
    }
    @usableFromInline @inline(never) func endUserCall(_ ended: Unmanaged<UserCall>) {
        let (position, outer) = ended._withUnsafeGuaranteedRef { ($0.position, $0.outer) }
        // The call around this one goes on. A value that was sent meanwhile may have begun a pass.
        call = CurrentEdge(top: position.top, passes: passCount, generation: position.generation)
        userCall = outer
        recycle(ended)
    }
    /// Uses the object of a call that has ended for the next call, if nobody needs it.
    @inline(__always) private func recycle(_ ended: Unmanaged<UserCall>) {
        var ended: UserCall? = ended.takeRetainedValue()
        guard isKnownUniquelyReferenced(&ended) else { return ended.unsafelyUnwrapped.putDown() }
        if !ended.unsafelyUnwrapped.hasBeenAsked, spareCall == nil { swap(&spareCall, &ended) }
    }
}

extension AnyEdge {
    /// Takes the turn of the target, for a value sent inside the edge's `next` with the sender list that it received.
    /// `source` is the source of that list. Returns the engine and the target. Returns `nil`, and does nothing, in all
    /// unusual cases. By `send(through:)` alone, a user's transform takes 3.4 times the instructions.
    @usableFromInline @inline(never) final func beginUserSend(
        from source: UnsafeRawPointer?
    ) -> (Unmanaged<Engine>, Unmanaged<Vertex>)? {
        guard source != nil, let current = Engine.known else { return nil }
        return current._withUnsafeGuaranteedRef { engine in
            guard let call = engine.userCall, UnsafeRawPointer(call.toOpaque()) == source, engine.isCalling(self) else {
                return nil
            }
            let (isPlain, position) = call._withUnsafeGuaranteedRef { ($0.isPlain, $0.position) }
            guard isPlain, let target = position.target, target._withUnsafeGuaranteedRef({ $0.tryAcquire() }) else {
                return nil
            }
            guard isConnected(by: position.generation), engine.top < engine.fastLimit else {
                _ = target._withUnsafeGuaranteedRef { engine.release($0) }
                return nil
            }
            return (current, target)
        }
    }
}
