extension Propagation {
    /// Fires a combination by a function: stores what `make` makes of the newest values, which were put together under the lock.
    ///
    /// `make` is the user's, and so called without the lock. The vertex is busy meanwhile: what arrives waits for the next
    /// firing.
    @inlinable @inline(__always) package func fire<Inputs, Output: Sendable>(
        _ join: Join, with newest: Inputs, _ make: (Inputs) -> Output
    ) -> Sent {
        join.vertex.unlock(Vertex.busy)
        let value = make(newest)
        let bits = join.vertex.lock()
        makeRoom()
        return put(value, in: unsafeDowncast(join.vertex, to: Store<Output>.self), unlocking: bits)
    }
    /// Fires a join that has nothing to say: ends its turn.
    @usableFromInline package func fireNothing(_ join: Join) -> Sent {
        if top >= usualRoom { prepareToFireNothing(join.vertex) }
        pushWithoutEdges(join.vertex)
        join.vertex.unlock(Vertex.busy)
        return .nothing
    }
}
