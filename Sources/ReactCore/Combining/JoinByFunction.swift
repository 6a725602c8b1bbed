extension Propagation {
    /// Fires a combination by a function: stores what `make` makes of the newest values, which were put together under the lock.
    ///
    /// `make` is the user's, and so called without the lock. The vertex is busy meanwhile: what arrives waits for the next
    /// firing.
    @inlinable @inline(__always) package func fire<Inputs, Output: Sendable>(
        _ join: Join, with newest: Inputs, _ make: (Inputs) -> Output
    ) -> Sent {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            let losses = join.losses
            vertex.unlock(taker | Vertex.busy)
            var value = make(newest)
            let store = unsafeDowncast(vertex, to: Store<Output>.self)
            let bits = store.lock()
            // An input may have gone meanwhile, and another have come in its place, for which the join fires again.
            guard join.losses == losses else {
                store.unlock(bits)
                finish(store)
                return .nothing
            }
            return self.store(&value, in: store, by: .firing, unlocking: bits)
        }
    }
    /// Fires a join that has nothing to say: ends its turn.
    @usableFromInline package func fireNothing(_ join: Join) -> Sent {
        join.vertex.unlock(taker | Vertex.busy)
        observer?.firedNothing(join.vertex, .waits)
        finish(join.vertex)
        return .nothing
    }
}
