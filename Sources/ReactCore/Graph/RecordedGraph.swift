// How nodes and edges are entered where records are kept, and what their changes say there.

extension RecordedObjects {
    /// Enters a vertex, unless that was done, or its node has gone.
    static func enter(_ vertex: Vertex) {
        if !vertex.isKnown { enter(node: vertex.address, vertex.valueType) { vertex.markKnown() } }
    }
    /// Enters an edge and its ends, unless that was done since the last recorder began; `source` is where its value came from, if it was
    /// called with one. No lock is held.
    static func enter(_ edge: AnyEdge, from source: Vertex? = nil) {
        guard edge.knownTo != Recording.generation else { return }
        let listener = edge.leadsToListener ? edge.currentDestination : nil
        enter(edge, isNew: false, leadingTo: listener.map { type(of: $0) })
        withExtendedLifetime(listener) {}
        let (origin, target) = edge.lock.locking {
            (edge.originVertex?.takeUnretainedValue(), edge.target.load(ordering: .relaxed)?.takeUnretainedValue())
        }
        if let source = source ?? origin { enter(source) }
        if let target { enter(target) }
    }
    /// The same for those who hold the edge's lock, without the ends. One that leads to a listener has a type of that now and then.
    static func enter(_ edge: AnyEdge, isNew: Bool, leadingTo listenerType: Any.Type?) {
        let generation = Recording.generation
        guard edge.knownTo != generation else { return }
        let address = edge.recordAddress
        let site = isNew ? Recording.site() : nil
        let made = isNew ? Recording.now : 0
        let thread = Recording.writer.thread
        state.withLock { state in
            let isKnown = edge.becomeKnown(to: generation)
            if !isKnown || state.edges.there[address] == nil {
                state.edges.there[address] = Edge(
                    id: state.nextID(), address: address, site: site, made: made, thread: thread, name: "",
                    isListening: edge.leadsToListener, listenerType: listenerType)
            } else if let listenerType {
                state.edges.there[address]?.listenerType = listenerType
            }
        }
    }
}

extension AnyEdge {
    /// Has a change of the graph recorded. The lock is held.
    @inline(never) final func note(
        _ kind: Record.Kind, _ source: Vertex, _ target: Unmanaged<Vertex>?, _ deferred: inout Deferred
    ) {
        RecordedObjects.enter(self, isNew: kind == .linked, leadingTo: listenerType(&deferred))
        RecordedObjects.enter(source)
        if let target { RecordedObjects.enter(target.takeUnretainedValue()) }
        Recording.writer.write(
            Record(
                kind, first: source.address, target: target?.address ?? 0, edge: recordAddress, aux: UInt(Recording.now)
            ),
            &deferred)
    }
}
