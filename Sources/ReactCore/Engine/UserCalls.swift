import Synchronization

/// A call of a user's own edge: a subclass of `Transform` or `ListenEdge`. It is also the source of the sender list
/// that the call receives.
///
/// While nobody asks for the senders, no trail entries are added: the frames below have them, and stay in place until
/// the call is over. If the list is still retained then, it gets its senders, and another object serves the next call.
/// Each thread has one object per nesting depth, and reuses it.
///
/// Invariants:
/// - While `isKnown` is false and the object is in use, its call is under way. The call's pass began without senders,
///   and the frames from `bottom` to `top` belong to the call.
/// - `isKnown` is set under the lock. Only the call's own thread clears it, when nobody else retains the object and no
///   other thread has asked it.
///
/// Unchecked, because other threads read only `bottom`, `top` and the known senders, under the lock. These change only
/// when nobody else retains the object, or when the senders are known. The code that asks the thread's engine is
/// in `CallOfThread`.
@usableFromInline class UserCall: SenderSource, @unchecked Sendable {
    /// The enclosing call, which retains this one; `nil` for the object that stands for no call.
    @exclusivity(unchecked) final var outer: Unmanaged<UserCall>?
    @exclusivity(unchecked) final var inner: UserCall?

    @exclusivity(unchecked) final var edge = Unmanaged<AnyEdge>?.none
    @exclusivity(unchecked) final var target = Unmanaged<Vertex>?.none
    /// The fields of `Engine.call` for this call.
    @exclusivity(unchecked) final var number: UInt64 = 0
    @exclusivity(unchecked) final var passes = 0
    /// True if the value has no context, and its pass began without senders.
    @exclusivity(unchecked) @usableFromInline final var isPlain = false

    @exclusivity(unchecked) final var bottom = UnsafeMutablePointer<Frame>?.none
    @exclusivity(unchecked) final var top = UnsafeMutablePointer<Frame>?.none
    private let lock = Lock(())
    private let isKnown = Atomic<Bool>(false)
    /// True if another thread has asked. Then the known senders stay as they are.
    private let isShared = Atomic<Bool>(false)
    private var known: (path: SenderPath?, since: UInt64) = (nil, 0)

    /// The context for a call whose value has none. A constant, so that it is not made for each call.
    @usableFromInline final let noContext = NodeContext?.none

    init(inside outer: Unmanaged<UserCall>?) { self.outer = outer }

    /// Returns true if the list has been asked for its senders, or if `place` is not its only reference.
    @inline(__always) final func isOfNoMoreUse(_ place: inout UserCall?) -> Bool {
        isKnown.load(ordering: .relaxed) || !isKnownUniquelyReferenced(&place)
    }
    /// Drops the known senders, so that the object can serve another call. Returns false if another thread has asked.
    /// Nobody else retains the object.
    final func startOver() -> Bool {
        guard !isShared.load(ordering: .acquiring) else { return false }
        let old = lock.withLock { _ in
            isKnown.store(false, ordering: .relaxed)
            defer { known = (nil, 0) }
            return known.path
        }
        withExtendedLifetime(old) {}
        return true
    }

    override var path: SenderPath? { asked.path }
    override func since(_ known: UInt64) -> UInt64 { asked.since }

    private final var asked: (path: SenderPath?, since: UInt64) {
        if !isOfThisThread { isShared.store(true, ordering: .releasing) }
        if !isKnown.load(ordering: .acquiring) { putDown() }
        return known
    }
    /// True if this thread's engine makes the call.
    var isOfThisThread: Bool { true }
    /// Notes the senders, unless they are known.
    func putDown() {}
    /// Calls `body` with this call, and then with those around it.
    final func forEach(_ body: (UserCall) -> Void) {
        var call = Unmanaged.passUnretained(self)
        while let outer = call._withUnsafeGuaranteedRef({ $0.outer }) {
            call._withUnsafeGuaranteedRef(body)
            call = outer
        }
    }
    /// Notes the senders that `find` returns, unless they are known.
    final func note(_ find: () -> (path: SenderPath?, since: UInt64)) {
        lock.withLock { _ in
            guard !isKnown.load(ordering: .relaxed) else { return }
            known = find()
            isKnown.store(true, ordering: .releasing)
        }
    }
    /// The senders, read from the frames. Any thread may read them inside `note`, because the call's own thread waits
    /// for its lock before it pops the frames.
    final var pathOfFrames: SenderPath? {
        var path: SenderPath?
        var frame = bottom.unsafelyUnwrapped
        while frame < top.unsafelyUnwrapped {
            path = SenderPath(frame.pointee.vertex.takeUnretainedValue(), after: path)
            frame += 1
        }
        return path
    }
}

// Calls of users' edges, and the values that those send.

/// A call of a user's edge by a thread's engine. Unchecked, as `UserCall` is: it adds a constant.
private final class CallOfThread: UserCall, @unchecked Sendable {
    let engine: Unmanaged<Engine>

    init(_ engine: Engine, inside outer: Unmanaged<UserCall>) {
        self.engine = .passUnretained(engine)
        super.init(inside: outer)
    }
    override var isOfThisThread: Bool { engine.toOpaque() == Engine.currentUnretained.toOpaque() }
    /// Notes the senders. On the call's own thread, they also go onto the trail, so that other lists can share them.
    override func putDown() {
        guard isOfThisThread else { return note { (pathOfFrames, 0) } }
        engine._withUnsafeGuaranteedRef { engine in
            guard !engine.isOnRecord(self) else { return }
            let senders = engine.senders(of: self)
            let path = engine.visits.path(senders.visit)
            note { (path, senders.since) }
        }
    }
}

extension Engine {
    /// Sends through an edge, from inside the edge's own `next` or from anywhere else. If `ofCall` is true and the
    /// caller is inside `next`, the value belongs to the connection through which `next` was called.
    func send(
        through edge: AnyEdge, to target: Vertex, _ number: UInt64, ofCall: Bool, _ senders: SenderList,
        _ context: ContextBox?,
        _ body: (ErasedEdgeCall) -> NextEdge
    ) {
        let delivery = ErasedEdgeCall(
            caller: .engine(self), edge: .passUnretained(edge), source: .passUnretained(target),
            target: .passUnretained(target))
        guard isCalling(edge), ofCall || call.number == number else {
            return sendLate(through: edge, delivery, number, senders, context, body)
        }
        // Inside `next`: the frame is delivered when `next` has returned.
        guard call.number == number else { return }
        resumingCall {
            _ = beginPass(context: context, senders: senders)
            enterCall(number)
            leaveOnStack(body(delivery))
            if isLastPassEmpty { endPass() }
        }
    }
    /// Sends from outside of the edge's `next`. A function of its own, so that sends from inside do not pay for it.
    @inline(never) private func sendLate(
        through edge: AnyEdge, _ delivery: ErasedEdgeCall, _ number: UInt64, _ senders: SenderList,
        _ context: ContextBox?, _ body: (ErasedEdgeCall) -> NextEdge
    ) {
        begin()
        let pass = beginPass(context: context, senders: senders)
        func bring() -> NextEdge {
            enterCall(number)
            return body(delivery)
        }
        deliverAll(pass, isObserved ? callSeparately(.late(wordOfHold), edge, from: nil, bring) : bring())
        end()
    }
}

extension ErasedEdgeCall {
    /// Calls the edge's own code, which sends by itself.
    func callOwnCode(_ body: (SenderList, NodeContext?) -> Void) -> NextEdge {
        let call = beginUserCall(engine, edge, target)
        do {
            // Released before `endCall` checks if somebody retains the list.
            let (senders, context) = engine._withUnsafeGuaranteedRef { $0.argumentsOfCall }
            body(senders, context)
        }
        endUserCall(call, engine)
        return .nothing
    }
}

extension Engine {
    /// Returns true if the own code of `edge` is being called, and nothing else inside that call.
    func isCalling(_ edge: AnyEdge) -> Bool {
        customCall._withUnsafeGuaranteedRef {
            $0.edge?.toOpaque() == Unmanaged.passUnretained(edge).toOpaque() && $0.passes == call.passes
        }
    }
    /// Returns true if the call's pass began with senders. Then the call is not the source of its sender list.
    fileprivate func isOnRecord(_ call: UserCall) -> Bool { passes[call.passes - 1].visit >= 0 }
    /// The sender list and context for the code that is called.
    @usableFromInline @inline(never) var argumentsOfCall: (senders: SenderList, context: NodeContext?) {
        let call = customCall.takeUnretainedValue()
        return (isObserved || isOnRecord(call) ? senderList : SenderList(call), context?.value)
    }
    @inline(never) fileprivate func makeCall(inside outer: UserCall) -> Unmanaged<UserCall> {
        let made = CallOfThread(self, inside: .passUnretained(outer))
        outer.inner = made
        return .passUnretained(made)
    }
    /// Ends a call whose list somebody has asked or retains.
    @inline(never) fileprivate func leave(_ ended: Unmanaged<UserCall>, inside outer: Unmanaged<UserCall>) {
        let isHeldHere = outer._withUnsafeGuaranteedRef { isKnownUniquelyReferenced(&$0.inner) }
        if isHeldHere, ended._withUnsafeGuaranteedRef({ $0.startOver() }) { return }
        ended._withUnsafeGuaranteedRef { $0.putDown() }
        outer._withUnsafeGuaranteedRef { outer in
            let inner = ended._withUnsafeGuaranteedRef { $0.inner.take() }
            inner?.outer = .passUnretained(outer)
            outer.inner = inner
        }
    }
}

@usableFromInline @inline(never) func beginUserCall(
    _ engine: Unmanaged<Engine>, _ edge: Unmanaged<AnyEdge>, _ target: Unmanaged<Vertex>?
) -> Unmanaged<UserCall> {
    engine._withUnsafeGuaranteedRef { engine in
        let made = engine.customCall._withUnsafeGuaranteedRef { outer in
            outer.inner.map { .passUnretained($0) } ?? engine.makeCall(inside: outer)
        }
        let call = engine.call
        made._withUnsafeGuaranteedRef { made in
            let pass = engine.passes + (call.passes &- 1)
            made.edge = edge
            made.target = target
            made.number = call.number
            made.passes = call.passes
            (made.bottom, made.top) = (pass.pointee.bottom, call.top)
            made.isPlain = pass.pointee.context == nil && pass.pointee.visit < 0 && !engine.isObserved
        }
        engine.customCall = made
        return made
    }
}
@usableFromInline @inline(never) func endUserCall(
    _ ended: Unmanaged<UserCall>, _ engine: Unmanaged<Engine>
) {
    let (top, number, outer) = ended._withUnsafeGuaranteedRef { ($0.top, $0.number, $0.outer) }
    engine._withUnsafeGuaranteedRef { engine in
        // The call around this one goes on. A value that was sent meanwhile may have begun a pass.
        engine.call = CurrentEdge(top: top.unsafelyUnwrapped, passes: engine.passCount, number: number)
        guard let outer else { return }
        engine.customCall = outer
        let isOver = ended._withUnsafeGuaranteedRef { ended in
            outer._withUnsafeGuaranteedRef { !ended.isOfNoMoreUse(&$0.inner) }
        }
        if !isOver { engine.leave(ended, inside: outer) }
    }
}
/// Takes the turn of the target of `edge`, for a value sent inside the edge's `next` with the sender list that it
/// received. `source` is the source of that list. Returns the engine and the target. Returns `nil`, and does
/// nothing, in all unusual cases.
@usableFromInline @inline(never) func beginUserSend(
    by edge: AnyEdge, from source: UnsafeRawPointer?
) -> (Unmanaged<Engine>, Unmanaged<Vertex>)? {
    guard source != nil, let current = Engine.quick else { return nil }
    return current._withUnsafeGuaranteedRef { engine in
        let call = engine.customCall
        guard UnsafeRawPointer(call.toOpaque()) == source, engine.isCalling(edge) else { return nil }
        let (isPlain, number, target) = call._withUnsafeGuaranteedRef { ($0.isPlain, $0.number, $0.target) }
        guard isPlain, let target, target._withUnsafeGuaranteedRef({ $0.tryAcquire() }) else { return nil }
        guard edge.isLinked(by: number), engine.top < engine.fastLimit else {
            _ = target._withUnsafeGuaranteedRef { engine.release($0) }
            return nil
        }
        return (current, target)
    }
}
