// How a value goes into a node beside the edge's target, as a switch has it: through the target, whether that changes or not.

extension Delivery {
    /// Gives `branch`, which no other edge leads to, a value that has come through the target; and the target `announcement`,
    /// unless that is `nil`, which is delivered after that.
    ///
    /// It waits for the target's turn, and is dropped where it came through the target, or the edge is cut before.
    @inlinable package func send<Other>(
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
    @usableFromInline func pass<Other>(
        _ value: Other, into branch: Node<Other>, announcing announcement: Output?
    ) -> Sent {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            let store = unsafeDowncast(raw.target!.takeUnretainedValue(), to: Store<Output>.self)
            propagation.put(announcement, inTurnOf: store)
            return propagation.put(value, in: branch.store, by: raw.edge, linking.number)
        }
    }
    @usableFromInline func wait<Other>(
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
        call = Call(top: top, runs: runCount, number: number)
        guard store.enterIfIdle() else {
            sendContended(value, to: store, edge)
            return .nothing
        }
        guard top < room || OutOfLine.admits(store, by: edge, self) else {
            abandon(store)
            return .nothing
        }
        return put(value, in: store)
    }
}
