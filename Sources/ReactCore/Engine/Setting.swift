// Changes of a node that are more than a plain set: with a context that lasts, in a busy node, or at a later time.

extension Engine {
    /// Calls `take`, which changes the value of `store`, when the turn of the vertex comes: at once if it is idle. This
    /// thread owns the region.
    ///
    /// `origin`: Where the change was asked for, if that was at an earlier time.
    func change<Value>(
        _ store: ValueCell<Value>, _ context: ContextBox?, from origin: SetOrigin?,
        _ take: @escaping (ValueCell<Value>, Engine) -> Bool
    ) {
        observer?.willChange(store)
        let update = QueuedDelivery(context: context, senders: SenderList(), after: chain) { take(store, $1) }
        let isMine = store.acquireOrEnqueue(update) {
            update.origin = origin ?? originOfQueuedSet
            observer?.queued(at: store, by: 0)
        }
        guard isMine else { return }
        let pass = beginPass(context: context, senders: .none)
        passes[passCount - 1].origin = origin
        if !take(store, self) { takeTurns(at: .passUnretained(store)) }
        deliverAll(pass)
    }
}
