// The way in which an edge is connected and cut: by the owner of its regions.

extension AnyEdge {
    /// Changes the edge's ends by `change`, in a transaction, so that it leads from `source` to `target`.
    ///
    /// First takes the region in which the edge is connected. If that stays busy, the whole change is late: `later`
    /// makes it. Then makes the regions of the new ends one, or, for an edge to a listener and for a border, takes the
    /// source's. If one of these stays busy, `change` is called all the same, and must not connect the edge. The edge
    /// is connected later, if it still has these ends.
    ///
    /// If `loads` is true, the target is to have a first value all the same: see `loadFirst`. `isNeeded` is called
    /// under the edge's lock: a late change that would change nothing does not end the connection. The first argument
    /// of `change` is true if it may connect the edge, the second the owner for `reconnect`. It is called again if
    /// another thread has changed the edge meanwhile, so that other regions are needed.
    @inline(__always) final func connecting(
        _ source: Vertex?, to target: Vertex?, loads: Bool = false, if isNeeded: () -> Bool = { true },
        orLater later: () -> (() -> Void), _ change: (_ connects: Bool, _ owner: UInt) -> EdgeChange
    ) {
        Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
            if !isBorder, engine.ownsBoth(source, target) {
                let made = change(true, engine.ownerID)
                if made == .isDone { return }
                if made == .isToBeConnected { return engine.connectLater(self, loads: loads) }
            }
            engine.connects(self, source, to: target, loads: loads, if: isNeeded, orLater: later, change)
        }
    }
    /// Cuts the edge if `condition`, called under the edge's lock, returns true. Waits for the region as a set does, so
    /// that the edge passes nothing on when this returns. If the wait is in vain, the connection ends at once, and the
    /// owner of the region takes the edge out of the graph.
    final func cutAndWait(if condition: () -> Bool = { true }) {
        Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
            engine.begin()
            var isDone = false
            while !isDone {
                let known = lock.locking { anchor?.takeUnretainedValue() }
                func isToCut() -> Bool {
                    isDone = isAnchored(at: known)
                    return isDone && condition()
                }
                guard let known, !engine.takeOrWait(for: known) else {
                    cut(if: isToCut)
                    continue
                }
                if let ended = endAtOnce(if: isToCut) {
                    known.asOwner { [self] _ in cut { awaitsRemoval && generation == ended && isAnchored(at: known) } }
                }
            }
            engine.end()
        }
    }
    /// Ends the connection at once if `condition`, called under the edge's lock, returns true, and has the result of a
    /// call under way dropped that has read the edge. The owner of the edge's region takes the edge out of the graph,
    /// later. Returns the generation of the connection.
    private func endAtOnce(if condition: () -> Bool) -> UInt64? {
        let ended: UInt64? = lock.locking {
            guard condition() else { return nil }
            connectionWord.bitwiseOr(ConnectionState.awaitsRemoval, ordering: .acquiringAndReleasing)
            return generation
        }
        if ended != nil { dropCall(evenIfUnread: false) }
        return ended
    }
    /// Ends the connection in the region of `busy` at once.
    fileprivate final func endAtOnce(at busy: Vertex, if isNeeded: () -> Bool) {
        _ = endAtOnce(if: { isAnchored(at: busy) && isNeeded() })
    }
    /// Takes the edge, which is a border, out of the graph before its target, which has gone.
    final func leadNowhere(before gone: Vertex) {
        guard let source = lock.locking({ leads(to: gone) ? anchor?.takeUnretainedValue() : nil }) else {
            return disconnect(if: { leads(to: gone) && anchor == nil }) { setTarget(nil, &$0) }
        }
        source.asOwner { [self] _ in
            disconnect(if: { leads(to: gone) && isAnchored(at: source) }) { setTarget(nil, &$0) }
            if lock.locking({ leads(to: gone) }) { return leadNowhere(before: gone) }
            // The edge still leaves from its node.
            _ = reconnect(if: { !isConnectable && isAnchored(at: source) }, catchesUp: false) { _ in }
        }
    }

    private func isAnchored(at vertex: Vertex?) -> Bool { anchor?.takeUnretainedValue() === vertex }
    private func leaves(from source: Vertex) -> Bool { knownSource?.takeUnretainedValue() === source }
}

extension Vertex {
    /// Takes the upstream edges out of their sources' lists, and cuts the downstream edges, which do not hold the
    /// handle. Called when the handle goes. If someone else holds an upstream edge, returns that edge's source.
    final func abandon() -> Vertex? {
        var sourceOfHeld: Vertex?
        var downstream: [AnyEdge] = []
        let edges = locking {
            // These edges do not hold the node; others would have kept it alive.
            if !transforms.isEmpty { downstream = transforms.all }
            if !listens.isEmpty { downstream += listens.all }
            return upstream.removeAll()
        }
        for edge in downstream { edge.cut() }
        edges.consumeEach { edge in
            if edge.isBorder { return edge.leadNowhere(before: self) }
            edge.disconnect(if: { edge.leads(to: self) }) { edge.setTarget(nil, &$0) }
            if !isKnownUniquelyReferenced(&edge) {
                // The edge still leaves from its node.
                _ = edge.reconnect(if: { !edge.isConnectable }, catchesUp: false) { _ in }
                sourceOfHeld = edge.lock.locking { edge.knownSource?.takeUnretainedValue() }
            }
        }
        return sourceOfHeld
    }
}

extension Engine {
    /// True if a transaction is open that has left no work, and both vertices are in one region that it owns.
    @inline(__always) fileprivate func ownsBoth(_ source: Vertex?, _ target: Vertex?) -> Bool {
        guard !isIdle, !hasLeftWork, let source, let target else { return false }
        return source.isInRegion(of: target) && owns(source)
    }
    /// Takes the region in which an edge is connected. Returns a vertex of it if it is busy. If this transaction has
    /// left steps there, does them first.
    @inline(never) fileprivate func busyAnchor(of edge: AnyEdge) -> Vertex? {
        guard edge.generation != 0, let known = edge.lock.locking({ edge.anchorOfChange?.takeUnretainedValue() }) else {
            return nil
        }
        guard take(known) else { return known }
        if hasLeftWork, leftWork.hasSteps(with: known) { doSteps(with: known) }
        return nil
    }
    /// Changes an edge in a transaction: see `connecting`.
    @inline(never) fileprivate func connects(
        _ edge: AnyEdge, _ source: Vertex?, to target: Vertex?, loads: Bool, if isNeeded: () -> Bool,
        orLater later: () -> (() -> Void), _ change: (Bool, UInt) -> EdgeChange
    ) {
        begin()
        repeat {
            if let busy = busyAnchor(of: edge) {
                let later = later()
                perform(in: busy, ifPutOff: { edge.endAtOnce(at: busy, if: isNeeded) }) { _ in later() }
                break
            }
        } while !makes(change, of: edge, source, to: target, loads: loads)
        end()
    }
    /// Makes a change of an edge, whose region this thread owns, and connects the edge now or later. Returns false if
    /// another thread has changed the edge meanwhile, so that it is in another region.
    private func makes(
        _ change: (Bool, UInt) -> EdgeChange, of edge: AnyEdge, _ source: Vertex?, to target: Vertex?, loads: Bool
    ) -> Bool {
        switch change(isReady(toConnect: edge, source, target), ownerID) {
        case .isDone: return true
        case .isElsewhere: return false
        case .isToBeConnected:
            connectLater(edge, loads: loads)
            return true
        }
    }
    /// Returns true if the edge may be connected between these ends at once.
    @inline(never) fileprivate func isReady(toConnect edge: AnyEdge, _ source: Vertex?, _ target: Vertex?) -> Bool {
        guard let source else { return true }
        if let target, !edge.isBorder { return unite(source, target, waits: !hasWaited(for: source, at: edge)) }
        return takeOrWait(for: source)
    }
    private func joinBeingMade(of edge: AnyEdge) -> Join? { (edge as? any InputEdge)?.joinBeingMade(by: self) }
    /// True if the edge is an input of a new combination, and another one has waited in vain for the same region.
    private func hasWaited(for source: Vertex, at edge: AnyEdge) -> Bool {
        guard LateLinks.waiting.load(ordering: .relaxed) > 0, let join = joinBeingMade(of: edge) else { return false }
        return join.lateLinks.contains { $0.source.isInRegion(of: source) }
    }
    /// Connects an edge, whose ends are set, when its regions are this thread's.
    @inline(never) fileprivate func connectLater(_ edge: AnyEdge, loads: Bool) {
        let (source, target) = edge.vertices
        guard let source else { return }
        let loaded = loads ? edge.loadFirst(from: source, in: self) : nil, generation = edge.generation
        LateLinks.waiting.add(1, ordering: .releasing)
        let work: Engine.Step = { _ in
            edge.connect(from: source, to: target, havingLoaded: loaded, isFirst: edge.generation == generation)
            LateLinks.waiting.subtract(1, ordering: .releasing)
        }
        if let join = joinBeingMade(of: edge) {
            join.lateLinks.append((source, join.vertex, work))
        } else if let target, !edge.isBorder {
            leftWork.links.append((source, target, work))
        } else {
            leftWork.steps.append((source, work))
        }
    }
}

extension AnyEdge {
    /// Connects an edge that is to lead from `source` to `target`, unless it has been connected or changed meanwhile.
    /// This thread owns the regions. The source's value of the store `loaded` has been brought already. `isFirst` is
    /// false if the edge has been connected since then.
    fileprivate final func connect(
        from source: Vertex, to target: Vertex?, havingLoaded loaded: UInt32?, isFirst: Bool
    ) {
        // If a source goes that the edge does not hold, nobody cuts the edge there, unless it is listed.
        func sourceHasGone() -> Bool { !holdsSource && source.hasEnded }
        if sourceHasGone() { return cut { leaves(from: source) && !isListedAtSource } }
        let catchesUp = !isFirst || source.sequence.load(ordering: .relaxed) != loaded
        var isAsBefore = false
        reconnect(
            if: {
                isAsBefore =
                    !isListedAtSource && !awaitsRemoval && leaves(from: source)
                    && knownTarget?.toOpaque() == target.map { Unmanaged.passUnretained($0).toOpaque() }
                return isAsBefore
            }, catchesUp: catchesUp
        ) { _ in }.perform(self)
        if sourceHasGone() { cut { leaves(from: source) } }
        (self as? any ConnectionKeeper)?.didConnectLate()
        guard loaded != nil else { return }
        if !isAsBefore { return dropLoaded() }
        // The source was emptied after its value had been loaded.
        if catchesUp, source.isEmpty, isConnected { beMissing() }
    }
}

extension AnyEdge {
    /// Calls an edge that is not connected with a copy of the source's value, so that its target has a first value
    /// while the source's region is busy. Returns the number of that value's store; `nil` if there is none.
    ///
    /// Nobody else knows the edge or its target yet.
    final func callUnconnected(from source: Vertex, in engine: Engine) -> UInt32? {
        guard let target = knownTarget, engine.take(target.takeUnretainedValue()) else {
            return nil
        }
        let (value, store) = source.readCopy()
        if value.isEmpty { return nil }
        let word = knownWord
        let generation = ConnectionState.next(after: word)
        connectionWord.store(generation, ordering: .releasing)
        let pass = engine.beginPass(context: nil, senders: engine.addEntry(ofSource: .passRetained(source)))
        engine.enterCall(generation)
        let delivery = ErasedEdgeCall(
            caller: .engine(engine), edge: .passUnretained(self), source: .passUnretained(value), target: target)
        engine.deliverAll(pass, forward(delivery))
        withExtendedLifetime(value) {}
        connectionWord.store(generation | ConnectionState.cut, ordering: .releasing)
        return store
    }
}
