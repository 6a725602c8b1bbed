// Sends a value through the edge's target into another node, as a `switch` sends into its branches. The value passes
// the target, whether or not the target changes.

/// A value that refers to a node which receives values: a branch of a `switch`.
@usableFromInline package protocol NodeBranch<Carried>: Sendable {
    associatedtype Carried: Sendable
    var node: Node<Carried> { get }
}
extension NodeBranch {
    /// Returns when no value is being stored in the branch by a connection that has ended before.
    ///
    /// A value is stored under the branch's lock, and only while the connection is found to last. So whoever takes that
    /// lock after the connection's end has waited for the last value.
    @usableFromInline package func waitForStore() { node.vertex.locking {} }
}

extension EdgeCall where Output: NodeBranch {
    /// A reference to the switch, for the branches that are made during the present connection.
    @usableFromInline package var junction: SwitchSource { SwitchSource(raw.target?.takeUnretainedValue()) }
    /// Sends a value through the target into the node of `branch`. If the target does not have `branch` yet, the target
    /// first stores `branch`, and delivers it after the value.
    ///
    /// The value waits for the target's turn. It is dropped if it has passed the target, or if the edge is disconnected
    /// before. `remember` runs under the target's lock, if the edge has the connection through which the value came. It
    /// runs even if the value has passed the target.
    ///
    /// The target retains the branch during its turn, and so until the value has been delivered.
    @inlinable @inline(__always) package func send(
        _ value: Output.Carried, into branch: consuming Output, remembering remember: () -> Void
    ) -> NextEdge {
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
                let store = unsafeDowncast(target, to: ValueCell<Output>.self)
                let node = Unmanaged.passUnretained(held.node)
                if store.holds(node) {
                    guard engine.pass(target, by: .call(raw.edge), unlocking: Vertex.busy) else { return .nothing }
                } else {
                    let count = engine.top - engine.frames
                    engine.leaveOnStack(engine.store(&held, in: store, by: .call(raw.edge)))
                    // The gate has refused it: the value has passed the target before.
                    guard engine.top - engine.frames != count else { return .nothing }
                }
                // From here on, the value has passed the target.
                engine.call.top = engine.top
                let vertex = node._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.vertex) }
                return vertex._withUnsafeGuaranteedRef { vertex in
                    let store = unsafeDowncast(vertex, to: ValueCell<Output.Carried>.self)
                    let sent = engine.send(&value, to: store, by: raw.edge, if: isStillConnected)
                    return sent
                }
            }
        }
        withExtendedLifetime(held) {}
        return sent
    }
    /// Sends the value into `branch` when the target's turn comes.
    @usableFromInline @inline(never) func wait(_ value: Output.Carried, toGoInto branch: Output) -> NextEdge {
        let store = unsafeDowncast(raw.target!.takeUnretainedValue(), to: ValueCell<Output>.self)
        let edge = raw.edge
        let number = connection.number
        raw.engine._withUnsafeGuaranteedRef { engine in
            guard !engine.isComing(from: store) else { return engine.noteCameRound() }
            engine.sendTurn(to: store, edge) { store, engine, choice in
                let isThere = store.holds(.passUnretained(branch.node))
                guard
                    isThere
                        ? engine.pass(store, by: choice)
                        : engine.change(branch, in: store, by: .turn(choice))
                else { return false }
                engine.enterCall(number)
                var value = value
                engine.leaveOnStack(
                    engine.send(&value, to: branch.node.store, by: edge, if: choice.isStillConnected))
                return true
            }
        }
        return .nothing
    }
}

// Called only by the owner of the turn.
extension OptionalValueCell {
    /// Returns true if the value is the branch of `node`.
    @inlinable @inline(__always) func holds<Value: NodeBranch>(_ node: Unmanaged<Node<Value.Carried>>) -> Bool
    where Held == Value? {
        switch value {
        case .some(let branch): Unmanaged.passUnretained(branch.node).toOpaque() == node.toOpaque()
        case .none: false
        }
    }
}

extension AnyNode {
    /// The origin of a branch's values; `nil` for every other node. Set while the node has no edges.
    @usableFromInline package final var junction: SwitchSource? {
        get { vertex.locking { vertex.coldState?.junction } }
        set {
            // No edge leads to the branch, but nodes derived from it must fire after the joins upstream of the switch.
            // Joins that come to stand upstream later are not known yet.
            let height = newValue?.vertex?.height ?? 0
            vertex.locking {
                vertex.coldStateLocked.junction = newValue
                if height > vertex.height { vertex.setHeight(height) }
            }
        }
    }
}

extension Engine {
    /// Pushes a vertex whose turn this thread has, for a value to pass. Returns false if the edge has been
    /// disconnected, or given another end.
    fileprivate func pass(_ vertex: Vertex, by edge: ConnectionToken) -> Bool {
        let bits = vertex.lock()
        guard edge.isStillConnected else {
            vertex.unlock(bits)
            return false
        }
        return pass(vertex, by: .turn(edge), unlocking: bits)
    }
}
