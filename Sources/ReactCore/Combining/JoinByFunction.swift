extension Propagation {
    /// Fires a combination by a function: stores the result of `make` for the newest values, which were collected under
    /// the lock.
    ///
    /// `make` is user code, so no lock is held while it runs. The vertex is busy meanwhile, so an arrival waits for the
    /// next firing.
    @inlinable @inline(__always) package func fire<Inputs, Output: Sendable>(
        _ join: Join, with newest: Inputs, _ make: (Inputs) -> Output
    ) -> Sent {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            let losses = join.losses
            vertex.unlock(taker | Vertex.busy)
            var value = make(newest)
            let store = unsafeDowncast(vertex, to: Store<Output>.self)
            let bits = store.lock()
            // An input may have been disconnected meanwhile, and another connected in its place. The join fires again
            // for that one.
            guard join.losses == losses else {
                store.unlock(bits)
                finish(store)
                return .nothing
            }
            return self.store(&value, in: store, by: .firing, unlocking: bits)
        }
    }
    /// Ends the turn of a join that has no value to store.
    @usableFromInline package func fireNothing(_ join: Join) -> Sent {
        join.vertex.unlock(taker | Vertex.busy)
        observer?.firedNothing(join.vertex, .waits)
        finish(join.vertex)
        return .nothing
    }
}
