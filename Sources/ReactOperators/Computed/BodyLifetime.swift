import ReactCore

// The lifetime that ends with the result of a body's call, and the object by which a node holds its body.

extension ComputedCore {
    /// Returns the lifetime of the call, which must be the one under way. The lifetime ends before the next call, or
    /// with the node.
    @usableFromInline func lifetime(ofCall call: UInt64) -> Lifetime {
        let made = Lifetime(madeAt: nil)
        _ = checkCall(call)
        let lifetime = madeRare.lifetime ?? made
        madeRare.lifetime = lifetime
        holdByHandle()
        return lifetime
    }
    /// Ends the lifetime of the last call. Runs user code.
    func endLifetime() { rare?.lifetime.take()?.cancel() }
    @usableFromInline func end() -> AnyObject {
        isOver = true
        return BodyKeeper(join.unsafelyUnwrapped.takeUnretainedValue())
    }
    /// Makes the node of a `computed` hold this join and its body, even while the body reads nothing. Does nothing if
    /// the handle has gone. The listen edge of an effect holds its body.
    private func holdByHandle() {
        guard !site.isEffect, !madeRare.isHeldByHandle, let held = join?.takeUnretainedValue() else { return }
        madeRare.isHeldByHandle = true
        let keeper = BodyKeeper(held)
        if !vertex.holdByHandle(keeper) { withExtendedLifetime(keeper) {} }
    }
}

/// Holds a body. When this object goes, the lifetime of the body's last call ends.
private final class BodyKeeper {
    private let join: Join

    init(_ join: Join) { self.join = join }
    deinit {
        join.vertex.asOwner { [join] _ in
            join.core._withUnsafeGuaranteedRef { $0.endLifetime() }
            join.retainItself()
        }
    }
}
