// What a `Memory` has from one value to the next is guarded by the lock of what its edge leads to: a linking ends under that, so
// that what is read or written there, while the edge is linked as it was when the value came, is of that linking; and a value takes
// it to be stored anyway.

extension Delivery {
    /// Calls `body` under the target's lock, where the edge is still linked as it was when the delivery began; else answers `nil`.
    @inlinable @inline(__always) package func whileCurrent<Result>(_ body: () -> Result) -> Result? {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            let bits = target.lock()
            let result = isCurrent ? body() : nil
            target.unlock(bits)
            return result
        }
    }
    /// The same as `send`, where `isWanted`, which is asked under the target's lock, unless the edge is linked no more; also where the
    /// value has to wait then, or has come round.
    @inlinable @inline(__always) package func send(_ value: Output, where isWanted: () -> Bool) -> Sent {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            let store = unsafeDowncast(target, to: Store<Output>.self)
            return raw.propagation._withUnsafeGuaranteedRef { propagation in
                guard store.enterIfIdle() else {
                    guard whileCurrent(isWanted) ?? false else { return .nothing }
                    return propagation.send(value, to: store, by: raw.edge, if: isCurrent)
                }
                guard isCurrent, isWanted(),
                    propagation.top < propagation.room || OutOfLine.admits(store, by: raw.edge, propagation)
                else {
                    return propagation.refuse(store)
                }
                return propagation.put(value, in: store)
            }
        }
    }
    /// The same for what others may change who do not have the target's lock: a value that has to wait is asked for again in its turn.
    @inlinable package func sendInTurn(_ value: Output, where isWanted: @escaping () -> Bool) -> Sent {
        switch takeTurnIfIdle() {
        case .mine: return end(turnWith: .some(.some(value)), where: isWanted)
        case .refused: break
        case .someone: _ = changeContended { isWanted() ? .some(value) : nil }
        }
        return .nothing
    }
}
