import ReactCore

// The lifetime that ends with the result of a body's call, and the object by which a node holds its body.

extension ComputedCore {
    /// Returns the lifetime of the call, which must be the one under way. The lifetime ends before the next call, or
    /// with the node.
    @usableFromInline func lifetime(ofCall call: UInt64) -> Lifetime {
        let made = Lifetime()
        let bits = vertex.lock()
        _ = checkCall(call, bits)
        let lifetime = rareLocked.lifetime ?? made
        rareLocked.lifetime = lifetime
        let isHeld = isHeldByHandle
        vertex.unlock(bits)
        if !isHeld { holdByHandle() }
        return lifetime
    }
    /// Ends the lifetime of the last call. Runs user code, so the lock is not held.
    func endLifetime() {
        let old = vertex.locking { rare?.lifetime.take() }
        old?.cancel()
    }
    /// Makes the node hold this join and its body, even while the body reads nothing. Does nothing if the handle has
    /// gone.
    func holdByHandle() {
        let held = vertex.locking {
            isHeldByHandle = true
            return join?.takeUnretainedValue()
        }
        guard let held else { return }
        let hold = BodyKeeper(self, held)
        if !vertex.holdByHandle(hold) { withExtendedLifetime(hold) {} }
    }
}

/// Holds a body until its node goes. Then it ends the lifetime of the body's last call.
private final class BodyKeeper {
    private let dynamic: ComputedCore
    private let join: Join

    init(_ dynamic: ComputedCore, _ join: Join) {
        self.dynamic = dynamic
        self.join = join
    }
    deinit {
        dynamic.endLifetime()
        join.keep()
    }
}
