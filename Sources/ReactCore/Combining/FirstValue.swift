// When a new join has its first value: at once, as every other operator's result; but where one of its inputs has yet to change in
// a set that is under way, on this thread or another, or it comes last anyway (`settled`), at the end of that. So it never holds one half of a set.
//
// A body may be about to read what it makes, and makes it anew when it is called again: where it found nothing there each time, it would
// be called without end. So in a body nothing is left for the end of the set that may as well be there now.

extension Join {
    /// Called by the maker when it has linked one input more. With the last one the join has its first value, or waits for it.
    @usableFromInline func isLinked(to input: Vertex) {
        Propagation.currentUnretained._withUnsafeGuaranteedRef { propagation in
            let isInOwnSet = propagation.mayHaveYetToDeliver(above: input)
            let isInOthersSet = propagation.mayBeChangedElsewhere(input)
            let isReady = vertex.locking { state.link(isInOwnSet: isInOwnSet, isInOthersSet: isInOthersSet) }
            guard isReady else { return }
            propagation.begin()
            begin(in: propagation)
            propagation.end()
        }
    }
    private func begin(in propagation: Propagation) {
        let bits = vertex.lock()
        guard state.begin(inputs: inputs, isLate: isLate(in: propagation)) else {
            return fireFirst(in: propagation, bits)
        }
        vertex.unlock(bits)
        beginInMidDelivery(in: propagation)
    }
    /// Whether it comes after all else of a set that is under way.
    private func isLate(in propagation: Propagation) -> Bool {
        isLast && propagation.depth > 1 && !propagation.isDirectlyInBody
    }
    /// Fires for the first time, without having been listed. Precondition: nobody else knows of it.
    func fireAtOnce(in propagation: Propagation) {
        let bits = vertex.lock()
        _ = state.request(by: propagation.id)
        fire(in: propagation, bits)
    }
    /// The lock is held, and not when it returns.
    private func fireFirst(in propagation: Propagation, _ bits: UInt32) {
        guard state.fireFirst(by: propagation.id) else { return vertex.unlock(bits) }
        let isInOthersSet = state.making.isInOthersSet
        fire(in: propagation, bits)
        // What the others have set may have come since the inputs were linked.
        if isInOthersSet { noteSetOfInputs(in: propagation) }
    }
    #if SCHEDULE_FAULTS
    private static let enoughLooks = 2
    #else
    private static let enoughLooks = 100
    #endif
    /// Looks for what has to be waited for, until nothing has come meanwhile: what is looked at, one vertex after another, and
    /// what the slots hold then belong together.
    @inline(never) private func beginInMidDelivery(in propagation: Propagation) {
        let inputs = vertex.locking { vertex.upstream.all }.compactMap { $0.source?.vertex }
        let senders = SenderList(path: inputs.reduce(nil) { SenderPath($1, after: $0) }, since: 0)
        // Where others set without a pause, it is not looked at for ever.
        for _ in 0..<(isLate(in: propagation) ? 0 : Join.enoughLooks) {
            let making = vertex.locking { state.making }
            switch Obstacle(above: vertex, in: propagation, andOthers: making.isInOthersSet) {
            case .nothing(let isCertain):
                let bits = vertex.lock()
                if isCertain || state.making.arrivals == making.arrivals { return fireFirst(in: propagation, bits) }
                vertex.unlock(bits)
            case .turn(let other): return wait(forTurnOf: other, in: propagation, senders)
            case .firing(let other): if wait(for: other, in: propagation, senders) { return }
            case .something: return waitForEnd(of: propagation, senders)
            }
        }
        waitForEnd(of: propagation, senders)
    }

    // MARK: Waiting

    /// Leaves the first value to whoever fires what it waits for, unless an input has gone meanwhile; says whether it did. The
    /// lock is held.
    private func leaveFirst(to heir: JoinHolder, _ senders: SenderList) -> Bool {
        guard state.leaveFirst(to: heir.id) else { return false }
        beginList(with: senders)
        heir.add(self)
        return true
    }
    private func waitForEnd(of propagation: Propagation, _ senders: SenderList) {
        _ = vertex.locking { leaveFirst(to: propagation, senders) }
    }
    /// Waits until the delivery under way at `other` is over, and then for the end of the set that it is a part of.
    private func wait(forTurnOf other: Vertex, in propagation: Propagation, _ senders: SenderList) {
        let waiting = WaitingFiring()
        guard vertex.locking({ leaveFirst(to: waiting, senders) }) else { return }
        let bits = other.lock()
        let isBusy = bits & Vertex.busy != 0
        if isBusy { other.rareLocked.queue.append(turn(for: waiting)) }
        other.unlock(isBusy ? bits | Vertex.pending : bits)
        if !isBusy { take(waiting, to: propagation) }
    }
    /// Waits until `other`, which this is downstream of, has fired; answers `false` where it has meanwhile.
    private func wait(for other: Join, in propagation: Propagation, _ senders: SenderList) -> Bool {
        Join.handingOver.withLock { _ in
            ScheduleFaults.pause(at: .handOverIsLocked)
            // Who holds the other has yet to come to it, or to finish with it: its inbox is read after that.
            return other.vertex.locking {
                guard let heir = other.state.firing(preferring: propagation.id)?.holder else { return false }
                _ = vertex.locking { leaveFirst(to: heir, senders) }
                return true
            }
        }
    }
}

/// What a new join has to wait for: something upstream of it is under way, and has yet to come to one of its inputs.
private enum Obstacle {
    /// There is none now; nor will there be one, where that is certain, whatever other threads set.
    case nothing(isCertain: Bool)
    /// A delivery.
    case turn(Vertex)
    /// A join that is to fire.
    case firing(Join)
    /// It may be there, and far away: what is upstream is too much to look at for one value that comes a little later.
    case something

    private static let most = 1_000

    /// Looks for one.
    ///
    /// What is under way on another thread is one only where its values come by several ways, or by a join: else the input that it
    /// comes to has it already, or will have it later, and no other knows of it. Where all that is upstream comes by one way,
    /// it is so whatever others set.
    ///
    /// O(what is upstream), or where this thread's own set is all that is under way, 1,000 vertices at most.
    init(above join: Vertex, in propagation: Propagation, andOthers othersCount: Bool) {
        // Where nothing is being delivered, as in a batch or a body, only what is made of joins that are to fire is still to change.
        let onlyJoinsAreLeft = !othersCount && propagation.isStackEmpty
        let lowest = onlyJoinsAreLeft ? propagation.lowestPending ?? .max : 0
        var seen: Set<ObjectIdentifier> = []
        var waiting: [(vertex: Vertex, way: AnyEdge?)] = [(join, nil)]
        var othersTurn: Vertex?
        var comesBySeveralWays = false
        var place = 0
        while place < waiting.count {
            if place > Obstacle.most, !othersCount {
                // What comes later corrects what a body has read.
                self = propagation.isDirectlyInBody ? .nothing(isCertain: false) : .something
                return
            }
            let (vertex, way) = waiting[place]
            let edges = vertex.locking { vertex.upstream.all }
            if let way, vertex.isJoin,
                let above = edges.lazy.compactMap({ ($0 as? any LeadsToJoin)?.join }).first
            {
                if above.isToFire(in: othersCount ? nil : propagation) {
                    self = .firing(above)
                    return
                }
                // It may have begun to fire since its turn was looked at.
                if vertex.isBusy, propagation.isYetToCall(way, from: vertex) ?? othersCount {
                    self = .turn(vertex)
                    return
                }
            }
            for edge in edges {
                guard let source = edge.source?.vertex, source.height >= lowest else { continue }
                let isNew = seen.insert(ObjectIdentifier(source)).inserted
                if !isNew || source.isJoin { comesBySeveralWays = true }
                if source.isBusy {
                    let isYetToCall = propagation.isYetToCall(edge, from: source)
                    if isYetToCall == true {
                        self = .turn(source)
                        return
                    }
                    // Another thread delivers it. An input that nothing else leads to has that value.
                    if isYetToCall == nil, place > 0 || !isNew || source.isJoin { othersTurn = othersTurn ?? source }
                }
                if isNew { waiting.append((source, edge)) }
            }
            if othersCount, comesBySeveralWays, let othersTurn {
                self = .turn(othersTurn)
                return
            }
            place += 1
        }
        self = .nothing(isCertain: othersCount && !comesBySeveralWays)
    }
}

extension Join {
    /// Whether `propagation` is to fire it; or, if that is `nil`, anybody.
    fileprivate func isToFire(in propagation: Propagation?) -> Bool {
        vertex.locking { state.isToFire && (propagation.map { state.isHeld(by: $0.id) } ?? true) }
    }
}

/// An edge to a join.
protocol LeadsToJoin: AnyEdge {
    var join: Join { get }
}

extension Vertex {
    fileprivate final var isBusy: Bool { word.load(ordering: .acquiring) & Vertex.busy != 0 }
}

extension Propagation {
    /// Whether a join that is being made is made by a body, and not by what that sets, or in a batch there. The making is one level
    /// itself.
    fileprivate var isDirectlyInBody: Bool { bodyLevel > 0 && level == bodyLevel + 1 }
    /// Whether something upstream of `input` may have yet to change in this thread's set.
    fileprivate func mayHaveYetToDeliver(above input: Vertex) -> Bool {
        depth > 0 && (runCount > 0 || hasPending(atMost: input.height))
    }
    /// Whether `input` was changed in a set of another thread's that is still under way, or holds what was taken over of one.
    fileprivate func mayBeChangedElsewhere(_ input: Vertex) -> Bool {
        isOpenElsewhere(input.locking { input.timeElsewhere(than: self) })
    }
}
