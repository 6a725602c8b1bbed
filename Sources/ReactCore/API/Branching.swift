// How a value goes into a node beside the edge's target, as a switch has it: through the target, whether that changes or not.

/// A value that holds a node, for others to go into: a branch of a switch.
@usableFromInline package protocol NodeBranch<Carried>: Sendable {
    associatedtype Carried: Sendable
    var node: Node<Carried> { get }
}

extension Delivery where Output: NodeBranch {
    /// What the branches that are made in the present linking are to know their switch by.
    @usableFromInline package var junction: Junction { Junction(raw.target?.takeUnretainedValue()) }
    /// Gives the node of `branch` a value that has come through the target; and the target that `branch`, unless it has it, which is
    /// delivered after that.
    ///
    /// It waits for the target's turn, and is dropped where it came through the target, or the edge is cut before. `remember` is called
    /// under the target's lock, where the edge is linked as it was when the value came, even if it came through the target.
    ///
    /// The target holds the branch in its turn, and so until the value has been delivered: nothing else need do so.
    @inlinable @inline(__always) package func send(
        _ value: Output.Carried, into branch: consuming Output, remembering remember: () -> Void
    ) -> Sent {
        // The branch; and what the target held before, once that has it.
        var held: Output? = consume branch
        let sent =
            sendIfIdle(value, into: &held, remembering: remember)
            ?? (whileCurrent(remember) == nil ? .nothing : sendClosely(value, into: held.unsafelyUnwrapped))
        withExtendedLifetime(held) {}
        return sent
    }
    /// Does so where the target is idle, and nothing is to be looked at more closely: else answers `nil`, and does nothing.
    @inlinable @inline(__always) func sendIfIdle(
        _ value: Output.Carried, into held: inout Output?, remembering remember: () -> Void
    ) -> Sent? {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            raw.propagation._withUnsafeGuaranteedRef { propagation in
                guard target.enterIfIdle() else { return nil }
                guard isCurrent, propagation.top < propagation.room else {
                    propagation.abandon(target)
                    return nil
                }
                remember()
                let store = unsafeDowncast(target, to: Store<Output>.self)
                let node = Unmanaged.passUnretained(held.unsafelyUnwrapped.node)
                if store.holds(node) {
                    propagation.pushWithoutEdges(target)
                    target.unlock(Vertex.busy)
                } else {
                    propagation.leaveOnStack(propagation.put(in: store, exchanging: &held))
                }
                // The value has come through the target.
                propagation.call.top = propagation.top
                let vertex = node._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.vertex) }
                return vertex._withUnsafeGuaranteedRef { vertex in
                    propagation.send(value, to: unsafeDowncast(vertex, to: Store<Output.Carried>.self), by: raw.edge)
                }
            }
        }
    }
    @usableFromInline @inline(never) func sendClosely(_ value: Output.Carried, into branch: Output) -> Sent {
        switch takeTurnIfIdle() {
        case .mine: return pass(value, into: branch)
        case .refused: break
        case .someone: wait(value, toGoInto: branch)
        }
        return .nothing
    }
    /// The target's turn is this thread's.
    private func pass(_ value: Output.Carried, into branch: Output) -> Sent {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            let store = unsafeDowncast(raw.target!.takeUnretainedValue(), to: Store<Output>.self)
            guard propagation.put(store.announcement(of: branch), inTurnOf: store, by: choice) else {
                propagation.finish(store)
                return .nothing
            }
            return propagation.put(value, in: branch.node.store, by: raw.edge, linking.number)
        }
    }
    private func wait(_ value: Output.Carried, toGoInto branch: Output) {
        let store = unsafeDowncast(raw.target!.takeUnretainedValue(), to: Store<Output>.self)
        let edge = raw.edge
        let number = linking.number
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            if propagation.isComing(from: store) { return }
            propagation.sendTurn(to: store, edge) { store, propagation, choice in
                guard propagation.put(store.announcement(of: branch), in: store, by: choice) else { return false }
                propagation.leaveOnStack(propagation.put(value, in: branch.node.store, by: edge, number))
                return true
            }
        }
    }
}

// Asked by the one whose turn it is.
extension OptionalStore {
    /// Whether the value is the branch of `node`.
    @inlinable @inline(__always) func holds<Value: NodeBranch>(_ node: Unmanaged<Node<Value.Carried>>) -> Bool
    where Held == Value? {
        switch value {
        case .some(let branch): Unmanaged.passUnretained(branch.node).toOpaque() == node.toOpaque()
        case .none: false
        }
    }
    /// What is to be stored to have `branch` be there.
    fileprivate func announcement<Value: NodeBranch>(of branch: Value) -> Value? where Held == Value? {
        holds(.passUnretained(branch.node)) ? nil : branch
    }
}

extension AnyNode {
    /// Where the values of a branch come from; `nil` for every other node. Set while the node has no edges.
    @usableFromInline package final var junction: Junction? {
        get { vertex.locking { vertex.rare?.junction } }
        set {
            // What is made of the branch fires after what its values are made of, though no edge leads there; as far as that is known by now.
            let height = newValue?.vertex?.height ?? 0
            vertex.locking {
                vertex.rareLocked.junction = newValue
                if height > vertex.height { vertex.setHeight(height) }
            }
        }
    }
}

extension Propagation {
    /// Puts a vertex whose turn this thread has on the stack: with its edges if it is given a value, and else for a value to pass
    /// through. Answers whether it did: not where the edge has been cut, or given another end.
    fileprivate func put<Value>(_ value: Value?, in store: Store<Value>, by edge: EdgeChoice) -> Bool {
        if let value { return self.store(value, in: store, by: edge) }
        makeRoom()
        return pass(through: store, by: edge)
    }
    /// The same for a turn that was taken by `takeTurnIfIdle`, where it was found idle.
    fileprivate func put<Value>(_ value: Value?, inTurnOf store: Store<Value>, by edge: EdgeChoice) -> Bool {
        if let value { return storeInTurn(value, in: store, by: edge) }
        if top >= usualRoom { prepareToPass() }
        return pass(through: store, by: edge)
    }
    private func pass(through vertex: Vertex, by edge: EdgeChoice) -> Bool {
        let bits = vertex.lock()
        guard edge.isCurrent else {
            vertex.unlock(bits)
            return false
        }
        pushWithoutEdges(vertex)
        vertex.unlock(Vertex.delivering(bits))
        return true
    }
    /// Gives a vertex that is idle, or delivers on another thread, a value that comes through the last frame.
    fileprivate func put<Value>(
        _ value: Value, in store: Store<Value>, by edge: Unmanaged<AnyEdge>, _ number: UInt64
    ) -> Sent {
        enterCall(number)
        return send(value, to: store, by: edge)
    }
}
