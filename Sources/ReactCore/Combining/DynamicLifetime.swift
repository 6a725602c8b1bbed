// What a call of a body makes for as long as its result stands, and what an effect is held by.

extension DynamicJoin {
    /// The lifetime of the call under way, which has to be this one. It ends before the next call, or with the node.
    @usableFromInline func lifetime(ofCall call: UInt64) -> Lifetime {
        let made = Lifetime()
        let bits = vertex.lock()
        _ = checkCall(call, bits)
        let lifetime = lifetime ?? made
        self.lifetime = lifetime
        let isHeld = isHeldByHandle
        vertex.unlock(bits)
        if !isHeld { holdByHandle() }
        return lifetime
    }
    /// Ends what was made by the last call. Runs user code: the lock is not held.
    func endLifetime() {
        let old = vertex.locking { lifetime.take() }
        old?.cancel()
    }
    /// Has the node hold this, and the body, also while nothing is read. Does nothing where the handle has gone.
    func holdByHandle() {
        let held = vertex.locking {
            isHeldByHandle = true
            return join?.takeUnretainedValue()
        }
        guard let held else { return }
        let hold = BodyHold(self, held)
        if !vertex.holdByHandle(hold) { withExtendedLifetime(hold) {} }
    }
}

/// Holds a body until its node goes, and ends the lifetime of its last call then.
private final class BodyHold {
    private let dynamic: DynamicJoin
    private let join: Join

    init(_ dynamic: DynamicJoin, _ join: Join) {
        self.dynamic = dynamic
        self.join = join
    }
    deinit {
        dynamic.endLifetime()
        join.keep()
    }
}
