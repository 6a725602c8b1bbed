extension Vertex {
    /// Takes the value away from a vertex whose handle has gone: at once, or when what is being delivered there is over.
    final func forgetValueInTurn() {
        while !forgetValue(if: { $0 & Vertex.busy == 0 }) {
            let update = Update(context: nil, senders: SenderList()) { vertex, _ in
                vertex.forgetValue { _ in true }
                return false
            }
            guard case .entered = enter(orQueue: update) else { return }
            unlock(0)
        }
    }
}
