import Synchronization

/// A call of an edge's own code: of a `Transform` or a `ListenEdge` that somebody wrote. The sender list that it is given is this.
///
/// Nothing is put on record while nobody asks: what the value came through are the frames below, which stay where they are until the
/// call is over. A list that is still held by then is given its senders, and another call takes the next value. Each thread
/// has one for each call inside another, and uses it again.
///
/// Invariants:
/// - While `isKnown` is not set and the call is not kept for the next one, it is under way, its run began without senders, and the frames from `bottom` to `top` are its.
/// - `isKnown` is set under the lock, and taken back by the call's own thread while nobody else holds this, nor ever asked it.
///
/// Unchecked, because others than the call's thread read `bottom`, `top` and what is known alone, under the lock; these are
/// changed where nobody else holds this, or what they would be asked for is known. What asks the thread's propagation is in `CallOfThread`.
@usableFromInline class CustomCall: SenderSource, @unchecked Sendable {
    /// The call that this one is inside of, which holds this; `nil` for the one that stands for no call.
    @exclusivity(unchecked) final var outer: Unmanaged<CustomCall>?
    @exclusivity(unchecked) final var inner: CustomCall?

    @exclusivity(unchecked) final var edge = Unmanaged<AnyEdge>?.none
    @exclusivity(unchecked) final var target = Unmanaged<Vertex>?.none
    /// As in `Propagation.call`.
    @exclusivity(unchecked) final var number: UInt64 = 0
    @exclusivity(unchecked) final var runs = 0
    /// Whether nothing travels beside the value, and what it came through is not on record.
    @exclusivity(unchecked) @usableFromInline final var isPlain = false

    @exclusivity(unchecked) final var bottom = UnsafeMutablePointer<Frame>?.none
    @exclusivity(unchecked) final var top = UnsafeMutablePointer<Frame>?.none
    private let lock = Lock(())
    private let isKnown = Atomic<Bool>(false)
    /// Whether another thread has asked: then what is known stays as it is.
    private let isShared = Atomic<Bool>(false)
    private var known: (path: SenderPath?, since: UInt64) = (nil, 0)

    /// What is given to code that nothing travels beside the value to: a constant, so that it need not be made for each call.
    @usableFromInline final let noContext = NodeContext?.none

    init(inside outer: Unmanaged<CustomCall>?) { self.outer = outer }

    /// Whether the list has been asked for its senders, or, at its place, somebody else holds it.
    @inline(__always) final func isOfNoMoreUse(_ place: inout CustomCall?) -> Bool {
        isKnown.load(ordering: .relaxed) || !isKnownUniquelyReferenced(&place)
    }
    /// Makes what was asked for unknown again; answers `false` if another thread has asked. Nobody else holds this.
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
    /// Whether this thread's propagation makes the call.
    var isOfThisThread: Bool { true }
    /// Notes the senders, unless they are known.
    func putDown() {}
    /// Does something with this call and those that it is inside of.
    final func forEach(_ body: (CustomCall) -> Void) {
        var call = Unmanaged.passUnretained(self)
        while let outer = call._withUnsafeGuaranteedRef({ $0.outer }) {
            call._withUnsafeGuaranteedRef(body)
            call = outer
        }
    }
    /// Notes the senders that `find` finds, unless they are known.
    final func note(_ find: () -> (path: SenderPath?, since: UInt64)) {
        lock.withLock { _ in
            guard !isKnown.load(ordering: .relaxed) else { return }
            known = find()
            isKnown.store(true, ordering: .releasing)
        }
    }
    /// What the frames say, on any thread while `note` asks: the call's own waits for that before they go.
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

// How the engine calls edges that users wrote, and how those send.

/// A call of an edge's own code by a thread's propagation. Unchecked, as `CustomCall` is: it adds a constant.
private final class CallOfThread: CustomCall, @unchecked Sendable {
    let propagation: Unmanaged<Propagation>

    init(_ propagation: Propagation, inside outer: Unmanaged<CustomCall>) {
        self.propagation = .passUnretained(propagation)
        super.init(inside: outer)
    }
    override var isOfThisThread: Bool { propagation.toOpaque() == Propagation.currentUnretained.toOpaque() }
    /// On its own thread, the senders are on record then: others of the same way share them.
    override func putDown() {
        guard isOfThisThread else { return note { (pathOfFrames, 0) } }
        propagation._withUnsafeGuaranteedRef { propagation in
            guard !propagation.isOnRecord(self) else { return }
            let senders = propagation.senders(of: self)
            let path = propagation.visits.path(senders.visit)
            note { (path, senders.since) }
        }
    }
}

extension Propagation {
    /// Sends through an edge from outside a delivery, or from inside the edge's own `next`. What is `ofCall` belongs to the linking by which
    /// that was called, if it is from there.
    func send(
        through edge: AnyEdge, to target: Vertex, _ number: UInt64, ofCall: Bool, _ senders: SenderList,
        _ context: ContextBox?,
        _ body: (RawDelivery) -> Sent
    ) {
        let delivery = RawDelivery(
            caller: .propagation(self), edge: .passUnretained(edge), source: .passUnretained(target),
            target: .passUnretained(target))
        guard isCalling(edge), ofCall || call.number == number else {
            return sendLate(through: edge, delivery, number, senders, context, body)
        }
        // From inside `next`: what is put on the stack is served when that has returned.
        guard call.number == number else { return }
        resumingCall {
            _ = beginRun(context: context, senders: senders)
            enterCall(number)
            leaveOnStack(body(delivery))
            if isLastRunEmpty { endRun() }
        }
    }
    /// From outside: apart, so that what this needs is not paid for inside.
    @inline(never) private func sendLate(
        through edge: AnyEdge, _ delivery: RawDelivery, _ number: UInt64, _ senders: SenderList,
        _ context: ContextBox?, _ body: (RawDelivery) -> Sent
    ) {
        begin()
        let run = beginRun(context: context, senders: senders)
        func bring() -> Sent {
            enterCall(number)
            return body(delivery)
        }
        drive(run, isObserved ? callSeparately(.late(wordOfHold), edge, from: nil, bring) : bring())
        end()
    }
}

extension RawDelivery {
    /// Runs the edge's own code, which sends by itself what it sends.
    func callOwnCode(_ body: (SenderList, NodeContext?) -> Void) -> Sent {
        let call = OutOfLine.beginCall(propagation, edge, target)
        do {
            // Let go of before it is asked whether somebody has kept the list.
            let (senders, context) = propagation._withUnsafeGuaranteedRef { $0.argumentsOfCall }
            body(senders, context)
        }
        OutOfLine.endCall(call, propagation)
        return .nothing
    }
}

extension Propagation {
    /// Whether the own code of `edge` is being called, and nothing else inside it.
    func isCalling(_ edge: AnyEdge) -> Bool {
        customCall._withUnsafeGuaranteedRef {
            $0.edge?.toOpaque() == Unmanaged.passUnretained(edge).toOpaque() && $0.runs == call.runs
        }
    }
    /// Whether a call's run began with senders behind it: then its list is another one.
    fileprivate func isOnRecord(_ call: CustomCall) -> Bool { runs[call.runs - 1].visit >= 0 }
    /// What is given to the code that is called.
    @usableFromInline @inline(never) var argumentsOfCall: (senders: SenderList, context: NodeContext?) {
        let call = customCall.takeUnretainedValue()
        return (isObserved || isOnRecord(call) ? senderList : SenderList(call), context?.value)
    }
    @inline(never) fileprivate func makeCall(inside outer: CustomCall) -> Unmanaged<CustomCall> {
        let made = CallOfThread(self, inside: .passUnretained(outer))
        outer.inner = made
        return .passUnretained(made)
    }
    /// Ends a call whose list somebody has asked, or kept.
    @inline(never) fileprivate func leave(_ ended: Unmanaged<CustomCall>, inside outer: Unmanaged<CustomCall>) {
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

extension OutOfLine {
    @usableFromInline @inline(never) static func beginCall(
        _ propagation: Unmanaged<Propagation>, _ edge: Unmanaged<AnyEdge>, _ target: Unmanaged<Vertex>?
    ) -> Unmanaged<CustomCall> {
        propagation._withUnsafeGuaranteedRef { propagation in
            let made = propagation.customCall._withUnsafeGuaranteedRef { outer in
                outer.inner.map { .passUnretained($0) } ?? propagation.makeCall(inside: outer)
            }
            let call = propagation.call
            made._withUnsafeGuaranteedRef { made in
                let run = propagation.runs + (call.runs &- 1)
                made.edge = edge
                made.target = target
                made.number = call.number
                made.runs = call.runs
                (made.bottom, made.top) = (run.pointee.bottom, call.top)
                made.isPlain = run.pointee.context == nil && run.pointee.visit < 0 && !propagation.isObserved
            }
            propagation.customCall = made
            return made
        }
    }
    @usableFromInline @inline(never) static func endCall(
        _ ended: Unmanaged<CustomCall>, _ propagation: Unmanaged<Propagation>
    ) {
        let (top, number, outer) = ended._withUnsafeGuaranteedRef { ($0.top, $0.number, $0.outer) }
        propagation._withUnsafeGuaranteedRef { propagation in
            // What was being called is so again; and what was sent meanwhile may have begun a run.
            propagation.call = Call(top: top.unsafelyUnwrapped, runs: propagation.runCount, number: number)
            guard let outer else { return }
            propagation.customCall = outer
            let isOver = ended._withUnsafeGuaranteedRef { ended in
                outer._withUnsafeGuaranteedRef { !ended.isOfNoMoreUse(&$0.inner) }
            }
            if !isOver { propagation.leave(ended, inside: outer) }
        }
    }
    /// Takes the turn of the target of `edge`, whose own code is being called, and sends on what that was given, as it came from
    /// `source`; answers whose call it is. `nil` where anything is out of the ordinary, and then nothing is done.
    @usableFromInline @inline(never) static func beginSend(
        by edge: AnyEdge, from source: UnsafeRawPointer?
    ) -> (Unmanaged<Propagation>, Unmanaged<Vertex>)? {
        guard source != nil, let current = Propagation.quick else { return nil }
        return current._withUnsafeGuaranteedRef { propagation in
            let call = propagation.customCall
            guard UnsafeRawPointer(call.toOpaque()) == source, propagation.isCalling(edge) else { return nil }
            let (isPlain, number, target) = call._withUnsafeGuaranteedRef { ($0.isPlain, $0.number, $0.target) }
            guard isPlain, let target, target._withUnsafeGuaranteedRef({ $0.enterIfIdle() }) else { return nil }
            guard edge.isLinked(by: number), propagation.top < propagation.fastLimit else {
                _ = target._withUnsafeGuaranteedRef { propagation.refuse($0) }
                return nil
            }
            return (current, target)
        }
    }
}
