import ReactCore

// The lifetime that ends with the result of a body's call, and the object by which a node holds its body.

extension ComputedCore {
    /// Returns the lifetime of the call, which must be the one under way. The lifetime ends before the next call, or
    /// with the node.
    @usableFromInline func lifetime(ofCall call: UInt64) -> Lifetime {
        let made = Lifetime(madeAt: nil)
        let bits = vertex.lock()
        _ = checkCall(call, bits)
        let lifetime = rareLocked.lifetime ?? made
        rareLocked.lifetime = lifetime
        vertex.unlock(bits)
        holdByHandle()
        return lifetime
    }
    /// Ends the lifetime of the last call. Runs user code, so the lock is not held.
    func endLifetime() {
        let old = vertex.locking { rare?.lifetime.take() }
        old?.cancel()
    }
    @usableFromInline func end() -> AnyObject {
        vertex.locking { isOver = true }
        return BodyKeeper(join.unsafelyUnwrapped.takeUnretainedValue())
    }
    /// Makes the node of a `computed` hold this join and its body, even while the body reads nothing. Does nothing if
    /// the handle has gone. The listen edge of an effect holds its body.
    private func holdByHandle() {
        let held = vertex.locking { () -> Join? in
            guard !origin.isEffect, !rareLocked.isHeldByHandle else { return nil }
            rareLocked.isHeldByHandle = true
            return join?.takeUnretainedValue()
        }
        guard let held else { return }
        let keeper = BodyKeeper(held)
        if !vertex.holdByHandle(keeper) { withExtendedLifetime(keeper) {} }
    }
}

/// Holds a body. When this object goes, it ends the lifetime of the body's last call.
private final class BodyKeeper {
    private let join: Join

    init(_ join: Join) { self.join = join }
    deinit {
        join.core._withUnsafeGuaranteedRef { $0.endLifetime() }
        join.keep()
    }
}
