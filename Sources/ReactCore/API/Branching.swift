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
        var held = consume branch
        var value = value
        let sent = raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            raw.propagation._withUnsafeGuaranteedRef { propagation -> Sent in
                guard target.enterIfIdle() else {
                    return whileCurrent(remember) == nil ? .nothing : wait(value, toGoInto: held)
                }
                guard isCurrent else { return propagation.refuse(target) }
                remember()
                let store = unsafeDowncast(target, to: Store<Output>.self)
                let node = Unmanaged.passUnretained(held.node)
                if store.holds(node) {
                    guard propagation.pass(target, by: .call(raw.edge), unlocking: Vertex.busy) else { return .nothing }
                } else {
                    let count = propagation.top - propagation.frames
                    propagation.leaveOnStack(propagation.store(&held, in: store, by: .call(raw.edge)))
                    // Refused: the value has passed the target before.
                    guard propagation.top - propagation.frames != count else { return .nothing }
                }
                // The value has come through the target.
                propagation.call.top = propagation.top
                let vertex = node._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.vertex) }
                return vertex._withUnsafeGuaranteedRef { vertex in
                    let store = unsafeDowncast(vertex, to: Store<Output.Carried>.self)
                    let sent = propagation.send(&value, to: store, by: raw.edge)
                    return sent
                }
            }
        }
        withExtendedLifetime(held) {}
        return sent
    }
    /// Does so when the target's turn comes.
    @usableFromInline @inline(never) func wait(_ value: Output.Carried, toGoInto branch: Output) -> Sent {
        let store = unsafeDowncast(raw.target!.takeUnretainedValue(), to: Store<Output>.self)
        let edge = raw.edge
        let number = linking.number
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            guard !propagation.isComing(from: store) else { return propagation.noteCameRound() }
            propagation.sendTurn(to: store, edge) { store, propagation, choice in
                let isThere = store.holds(.passUnretained(branch.node))
                guard
                    isThere
                        ? propagation.pass(store, by: choice)
                        : propagation.change(branch, in: store, by: .turn(choice))
                else { return false }
                propagation.enterCall(number)
                var value = value
                propagation.leaveOnStack(propagation.send(&value, to: branch.node.store, by: edge))
                return true
            }
        }
        return .nothing
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
    /// Puts a vertex whose turn this thread has on the stack, for a value to pass through. Answers whether it did: not where the edge
    /// has been cut, or given another end.
    fileprivate func pass(_ vertex: Vertex, by edge: EdgeChoice) -> Bool {
        let bits = vertex.lock()
        guard edge.isCurrent else {
            vertex.unlock(bits)
            return false
        }
        return pass(vertex, by: .turn(edge), unlocking: bits)
    }
}
