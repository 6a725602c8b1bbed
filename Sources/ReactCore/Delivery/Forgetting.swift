extension Vertex {
    /// Takes the value away from a vertex whose handle has gone, so that it gets no other: when nothing is being delivered at
    /// `source`, nor here.
    final func forgetValue(afterTurnOf source: Vertex) {
        source.whenIdle { self.whenIdle { self.forgetValue { _ in true } } }
    }
    /// Calls `body` with no lock held: at once, or when all that is being delivered, or waits here, has been.
    final func whenIdle(_ body: @escaping () -> Void) {
        let update = Update(context: nil, senders: SenderList(), isVisit: true) { _, _ in
            body()
            return false
        }
        guard enter(orQueue: update, of: 0..<0, on: 0).isMine else { return }
        unlock(0)
        body()
    }
}
