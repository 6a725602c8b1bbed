import ReactCore

// Sends a value through the edge's target into another node, as a `switch` sends into its branches. The value passes
// the target, whether or not the target changes.

extension EdgeCall {
    /// A reference to the switch, for the branches that are made during the present connection.
    @usableFromInline var junction: SwitchSource { SwitchSource(raw.target?.takeUnretainedValue()) }
    /// Sends a value through the target into the node of `branch`. If the target does not have `branch` yet, the target
    /// first stores `branch`, and delivers it after the value.
    ///
    /// The value waits for the target's turn. It is dropped if it has passed the target, or if the edge is disconnected
    /// before. `remember` runs if the edge has the connection through which the value came,
    /// even if the value has passed the target.
    ///
    /// The target retains the branch during its turn, and so until the value has been delivered.
    @inlinable @inline(__always) func send<Key, Carried>(
        _ value: Carried, into branch: consuming Output, remembering remember: () -> Void
    ) -> NextEdge where Output == SwitchedNode<Key, Carried> {
        // The branch; later the target's old value.
        var held = consume branch
        var value = value
        let sent = raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            raw.engine._withUnsafeGuaranteedRef { engine -> NextEdge in
                guard target.tryAcquire() else {
                    return whileCurrent(remember) == nil ? .nothing : wait(value, toGoInto: held)
                }
                guard isStillConnected else { return engine.release(target) }
                remember()
                let cell = unsafeDowncast(target, to: ValueCell<Output>.self)
                let node = Unmanaged.passUnretained(held.node)
                guard engine.letPass(cell, storing: &held, if: !cell.holds(node), by: raw.edge) else { return .nothing }
                let vertex = node._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.vertex) }
                return vertex._withUnsafeGuaranteedRef { vertex in
                    let cell = unsafeDowncast(vertex, to: ValueCell<Carried>.self)
                    return engine.send(&value, to: cell, by: raw.edge, if: isStillConnected)
                }
            }
        }
        withExtendedLifetime(held) {}
        return sent
    }
    /// Sends the value into `branch` when the target's turn comes.
    @usableFromInline @inline(never) func wait<Key, Carried>(_ value: Carried, toGoInto branch: Output) -> NextEdge
    where Output == SwitchedNode<Key, Carried> {
        let cell = unsafeDowncast(raw.target!.takeUnretainedValue(), to: ValueCell<Output>.self)
        let edge = raw.edge
        let generation = connection.generation
        raw.engine._withUnsafeGuaranteedRef { engine in
            guard !engine.isComing(from: cell) else { return engine.noteCameRound() }
            engine.sendTurn(to: cell, edge) { cell, engine, token in
                let isMine =
                    cell.holds(.passUnretained(branch.node))
                    ? engine.letPass(cell, by: token) : engine.change(branch, in: cell, by: .turn(token))
                guard isMine else { return false }
                engine.enterCall(generation)
                var value = value
                engine.leaveOnStack(engine.send(&value, to: branch.node.cell, by: edge, if: token.isStillConnected))
                return true
            }
        }
        return .nothing
    }
}

extension OptionalValueCell {
    /// Returns true if the value is the branch of `node`. Called only by the thread that has the turn.
    @inlinable @inline(__always) func holds<Key, Carried>(_ node: Unmanaged<Node<Carried>>) -> Bool
    where Held == SwitchedNode<Key, Carried>? {
        holds { Unmanaged.passUnretained($0.node).toOpaque() == node.toOpaque() }
    }
}
