import ReactCore

/// Enters nodes and edges in the registry, and records how they are connected.
struct RecordingObserver: GraphObserver {
    func made(_ vertex: Vertex) { ObjectRegistry.enter(vertex, isNew: true) }
    func gone(_ vertex: Vertex, named name: String?, isRedacted: Bool) {
        ObjectRegistry.nodes.withLock { nodes in
            nodes.leave(vertex.serial) { ($0.name, $0.wasRedacted) = (name, isRedacted) }
        }
    }
    func gone(_ edge: AnyEdge, named name: String) {
        ObjectRegistry.edges.withLock { edges in edges.leave(edge.serial) { $0.name = name } }
    }
    func noteConnection(
        of edge: AnyEdge, isCut: Bool, _ source: Vertex, _ target: Unmanaged<Vertex>?,
        _ deferred: inout DeferredReleases
    ) {
        let target = target?.takeUnretainedValue()
        ObjectRegistry.enter(edge, isNew: !isCut, leadingTo: edge.listenerType(&deferred))
        ObjectRegistry.enter(source)
        if let target { ObjectRegistry.enter(target) }
        let record = Record(
            isCut ? .cut : .linked, first: source.serial, target: target?.serial ?? 0, edge: edge.serial,
            aux: UInt(Recorders.now))
        let engine = Engine.current
        if let recorder = engine.observer as? ThreadRecorder { return recorder.write(record) }
        // Outside of a transaction, a recorder of its own writes the record. It may release user objects, so it is
        // released when the lock is released.
        let recorder = ThreadRecorder(thread: engine.thread, after: engine.formerThreads)
        recorder.open()
        recorder.write(record)
        recorder.closeBuffers()
        deferred.take(recorder)
    }
    func observer(ofThread thread: UInt64, after formerThreads: Int) -> any ThreadObserver {
        ThreadRecorder(thread: thread, after: formerThreads)
    }
}
