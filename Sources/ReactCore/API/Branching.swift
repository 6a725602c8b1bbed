// How a value goes into a node beside the edge's target, as a switch has it: through the target, whether that changes or not.

extension Delivery {
    /// Gives `node`, which `branch` holds, and no other edge leads to, a value that has come through the target; and the target that
    /// `branch`, where it `isNew`, which is delivered after that.
    ///
    /// It waits for the target's turn, and is dropped where it came through the target, or the edge is cut before.
    @inlinable @inline(__always) package func send<Other>(
        _ value: Other, into node: Unmanaged<Node<Other>>, of branch: consuming Output, announcing isNew: Bool
    ) -> Sent {
        // What holds the node: this, or the target, which gives what it held for it.
        var held: Output? = consume branch
        let sent =
            sendIfIdle(value, into: node, announcing: isNew, &held)
            ?? sendClosely(value, into: node.takeUnretainedValue(), announcing: isNew ? held : nil)
        withExtendedLifetime(held) {}
        return sent
    }
    /// Does so where the target is idle, and nothing is to be looked at more closely: else answers `nil`, and does nothing.
    @inlinable @inline(__always) func sendIfIdle<Other>(
        _ value: Other, into node: Unmanaged<Node<Other>>, announcing isNew: Bool, _ held: inout Output?
    ) -> Sent? {
        raw.target.unsafelyUnwrapped._withUnsafeGuaranteedRef { target in
            raw.propagation._withUnsafeGuaranteedRef { propagation in
                guard target.enterIfIdle() else { return nil }
                guard isCurrent, propagation.top < propagation.room else {
                    propagation.abandon(target)
                    return nil
                }
                if isNew {
                    let store = unsafeDowncast(target, to: Store<Output>.self)
                    let branch = held.take().unsafelyUnwrapped
                    propagation.leaveOnStack(propagation.put(consume branch, in: store, replacing: &held))
                } else {
                    propagation.pushWithoutEdges(target)
                    target.unlock(Vertex.busy)
                }
                // The value has come through the target.
                propagation.call.top = propagation.top
                let vertex = node._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.vertex) }
                return vertex._withUnsafeGuaranteedRef { vertex in
                    propagation.send(value, to: unsafeDowncast(vertex, to: Store<Other>.self), by: raw.edge)
                }
            }
        }
    }
    @usableFromInline @inline(never) func sendClosely<Other>(
        _ value: Other, into branch: Node<Other>, announcing announcement: Output?
    ) -> Sent {
        switch takeTurnIfIdle() {
        case .mine: return pass(value, into: branch, announcing: announcement)
        case .refused: break
        case .someone: wait(value, toGoInto: branch, announcing: announcement)
        }
        return .nothing
    }
    /// The target's turn is this thread's.
    private func pass<Other>(
        _ value: Other, into branch: Node<Other>, announcing announcement: Output?
    ) -> Sent {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            let store = unsafeDowncast(raw.target!.takeUnretainedValue(), to: Store<Output>.self)
            propagation.put(announcement, inTurnOf: store)
            return propagation.put(value, in: branch.store, by: raw.edge, linking.number)
        }
    }
    private func wait<Other>(
        _ value: Other, toGoInto branch: Node<Other>, announcing announcement: Output?
    ) {
        let store = unsafeDowncast(raw.target!.takeUnretainedValue(), to: Store<Output>.self)
        let edge = raw.edge
        let number = linking.number
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            if propagation.isComing(from: store) { return }
            propagation.sendTurn(to: store, edge) { store, propagation, _ in
                propagation.put(announcement, in: store)
                propagation.leaveOnStack(propagation.put(value, in: branch.store, by: edge, number))
                return true
            }
        }
    }
}

extension Propagation {
    /// Puts a vertex whose turn this thread has on the stack: with its edges if it is given a value, and else for a value to pass
    /// through.
    fileprivate func put<Value>(_ value: Value?, in store: Store<Value>) {
        if let value {
            _ = self.store(value, in: store)
        } else {
            makeRoom()
            pushWithoutEdges(store)
        }
    }
    /// The same for a turn that was taken by `takeTurnIfIdle`, where it was found idle.
    fileprivate func put<Value>(_ value: Value?, inTurnOf store: Store<Value>) {
        if let value {
            storeInTurn(value, in: store)
        } else {
            if top >= usualRoom { prepareToPass(store) }
            pushWithoutEdges(store)
        }
    }
    /// Gives a vertex that is idle, or delivers on another thread, a value that comes through the last frame.
    fileprivate func put<Value>(
        _ value: Value, in store: Store<Value>, by edge: Unmanaged<AnyEdge>, _ number: UInt64
    ) -> Sent {
        enterCall(number)
        return send(value, to: store, by: edge)
    }
}
