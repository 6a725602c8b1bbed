// The way in which an edge is connected: in one region, which the thread owns.

extension AnyEdge {
    /// Changes the edge's ends by `change`, in a transaction, so that it leads from `source` to `target`.
    ///
    /// First makes their regions one, or, for an edge to a listener and for a border, takes the source's. If a region
    /// stays busy, `change` is called all the same, and must not connect the edge. The edge is connected later, if it
    /// still has these ends.
    ///
    /// If `loads` is true, the target is to have a first value all the same: see `loadFirst`. `change` is called once.
    /// Its argument is true if it may connect the edge.
    @inline(__always) final func connecting(
        _ source: Vertex?, to target: Vertex?, loads: Bool = false, _ change: (Bool) -> Void
    ) {
        Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
            if engine.ownsBoth(source, target) { return change(true) }
            engine.begin()
            let isReady = engine.isReady(toConnect: self, source, target)
            change(isReady)
            if !isReady { engine.connectLater(self, source, target, loads: loads) }
            engine.end()
        }
    }
    /// Cuts the edge if `condition`, called under the edge's lock, returns true. Waits for the region as a set does, so
    /// that the edge passes nothing on when this returns.
    final func cutAndWait(if condition: () -> Bool = { true }) {
        guard let source = lock.locking({ originVertex?.takeUnretainedValue() }) else { return cut(if: condition) }
        Engine.currentUnretained._withUnsafeGuaranteedRef { engine in
            engine.begin()
            _ = engine.takeOrWait(for: source)
            cut(if: condition)
            engine.end()
        }
    }
}

extension Engine {
    /// True if a transaction is open, and both vertices are in one region that it owns.
    @inline(__always) fileprivate func ownsBoth(_ source: Vertex?, _ target: Vertex?) -> Bool {
        guard !isIdle, let source, let target else { return false }
        return source.isInRegion(of: target) && owns(source)
    }
    /// Returns true if the edge may be connected between these ends at once.
    @inline(never) fileprivate func isReady(toConnect edge: AnyEdge, _ source: Vertex?, _ target: Vertex?) -> Bool {
        guard let source else { return true }
        if let target, !edge.isBorder { return unite(source, target) }
        return takeOrWait(for: source)
    }
    /// Connects an edge, whose ends are set, when its regions are this thread's.
    @inline(never) fileprivate func connectLater(
        _ edge: AnyEdge, _ source: Vertex?, _ target: Vertex?, loads: Bool
    ) {
        guard let source else { return }
        let epoch = loads ? edge.loadFirst(from: source, in: self) : nil
        let work: Engine.Step = { _ in edge.connect(from: source, to: target, havingLoaded: epoch) }
        if let target, !edge.isBorder {
            left.links.append((source, target, work))
        } else {
            left.steps.append((source, work))
        }
    }
}

extension AnyEdge {
    /// Connects an edge that is to lead from `source` to `target`, unless it has been connected or changed meanwhile.
    /// This thread owns the regions. The source's value of the epoch `loaded` has been brought already.
    fileprivate final func connect(from source: Vertex, to target: Vertex?, havingLoaded loaded: UInt64?) {
        let catchesUp = source.locking { source.lastEpoch } != loaded
        reconnect(
            if: {
                !isLinked && originVertex?.toOpaque() == Unmanaged.passUnretained(source).toOpaque()
                    && self.target.load(ordering: .relaxed)?.toOpaque()
                        == target.map { Unmanaged.passUnretained($0).toOpaque() }
            }, catchesUp: catchesUp
        ) { _ in }.perform(self)
    }
}

extension AnyEdge {
    /// Calls an edge that is not connected with a copy of the source's value, so that its target has a first value
    /// while the source's region is busy. Returns the epoch of that value; `nil` if there is none.
    ///
    /// Nobody else knows the edge or its target yet.
    final func callUnconnected(from source: Vertex, in engine: Engine) -> UInt64? {
        guard let target = target.load(ordering: .relaxed), engine.take(target.takeUnretainedValue()) else {
            return nil
        }
        let (epoch, value) = source.locking { (source.lastEpoch, source.isEmpty ? nil : source.copyOfValue()) }
        guard let value else { return nil }
        let word = link.load(ordering: .relaxed)
        let generation = ConnectionState.next(after: word)
        link.store(generation, ordering: .releasing)
        let pass = engine.beginPass(context: nil, senders: engine.record(source: .passRetained(source)))
        engine.enterCall(generation)
        let delivery = ErasedEdgeCall(
            caller: .engine(engine), edge: .passUnretained(self), source: .passUnretained(value), target: target)
        engine.deliverAll(pass, forward(delivery))
        withExtendedLifetime(value) {}
        link.store(generation | ConnectionState.cut, ordering: .releasing)
        return epoch
    }
}
