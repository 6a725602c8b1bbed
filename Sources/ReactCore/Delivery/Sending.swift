// How an edge sends what it has made of a value to the node that it leads to.
extension Delivery {
    /// Stores `value` in the target, which delivers it in its turn: right after the edge's call returns, or, where the
    /// target is busy, when those that came before are done. A value that came through the target stops here.
    @inlinable @inline(__always) package func send(_ value: consuming Output) -> Sent {
        if _isConcrete(Output.self), !_isPOD(Output.self) { return sendMoving(consume value) }
        return sendCopying(value)
    }
    /// Moves the value: for one that is no plain data, whose type is known. In a closure below, it would be copied.
    @inlinable @inline(__always) func sendMoving(_ value: consuming Output) -> Sent {
        var held = consume value
        let sent = raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            let store = unsafeDowncast(target, to: Store<Output>.self)
            return raw.propagation._withUnsafeGuaranteedRef { propagation in
                guard store.enterIfIdle() else { return OutOfLine.send(held, to: store, raw.edge, propagation) }
                guard isCurrent,
                    propagation.top < propagation.room || OutOfLine.admits(store, by: raw.edge, propagation)
                else {
                    return propagation.refuse(store)
                }
                return propagation.put(in: store, exchanging: &held)
            }
        }
        // The value before: its end may be the user's code.
        withExtendedLifetime(held) {}
        return sent
    }
    @inlinable @inline(__always) func sendCopying(_ value: Output) -> Sent {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            let store = unsafeDowncast(target, to: Store<Output>.self)
            return raw.propagation._withUnsafeGuaranteedRef { $0.send(value, to: store, by: raw.edge, if: isCurrent) }
        }
    }
    /// The same for a value that is sent only where `isWanted`, which is asked in the target's turn and under its lock; `wait` is called
    /// where the target is busy.
    @inlinable @inline(__always)
    package func send(_ value: Output, if isWanted: () -> Bool, elseWaiting wait: () -> Void) -> Sent {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            let store = unsafeDowncast(target, to: Store<Output>.self)
            return raw.propagation._withUnsafeGuaranteedRef { propagation in
                guard store.enterIfIdle() else {
                    wait()
                    return .nothing
                }
                guard isCurrent,
                    propagation.top < propagation.room || OutOfLine.admitsTurn(at: store, by: raw.edge, propagation)
                else {
                    return propagation.refuse(store)
                }
                guard isWanted() else {
                    store.unlock(Vertex.busy)
                    propagation.finish(store)
                    return .nothing
                }
                return propagation.put(value, in: store)
            }
        }
    }
    /// Empties the target.
    package func sendEmpty() {
        let store = unsafeDowncast(raw.target!.takeUnretainedValue(), to: Store<Output>.self)
        raw.propagation._withUnsafeGuaranteedRef {
            _ = $0.sendTurn(to: store, raw.edge) { $1.store(nil, in: $0, by: $2) }
        }
    }
}

extension Propagation {
    /// Gives `store` what the called edge brings, in its turn; `isCurrent`, asked in that turn, says whether it still may.
    @inlinable @inline(__always) func send<Value>(
        _ value: Value, to store: Store<Value>, by edge: Unmanaged<AnyEdge>,
        if isCurrent: @autoclosure () -> Bool = true
    ) -> Sent {
        guard store.enterIfIdle() else { return OutOfLine.send(value, to: store, edge, self) }
        guard isCurrent(), top < room || OutOfLine.admits(store, by: edge, self) else {
            return refuse(store)
        }
        return put(value, in: store)
    }
    /// Stores a value in a vertex whose lock and turn are this thread's, and puts that on the stack, where there is room.
    /// Unlocks. The value before is let go after that: its end may be the user's code.
    @inlinable @inline(__always)
    func put<Value>(_ value: Value, in store: Store<Value>, unlocking bits: UInt32 = Vertex.busy) -> Sent {
        store.replace(with: value) { deliver(store, unlocking: bits) }
    }
    /// The same where the value is in a place of the caller's, in which the one before comes instead.
    @inlinable @inline(__always) func put<Value>(
        in store: Store<Value>, unlocking bits: UInt32 = Vertex.busy, exchanging value: inout Value?
    ) -> Sent {
        swap(&store.value, &value)
        return deliver(store, unlocking: bits)
    }
    @inlinable @inline(__always)
    func put<Value>(in store: Store<Value>, exchanging value: inout Value) -> Sent {
        store.exchange(&value)
        return deliver(store)
    }
    /// Puts a vertex on the stack that has been given its value, where there is room. Unlocks.
    @inlinable @inline(__always) func deliver<Value>(_ store: Store<Value>, unlocking bits: UInt32 = Vertex.busy)
        -> Sent
    {
        let sent = push(store)
        store.unlock(bits)
        return sent
    }
}
