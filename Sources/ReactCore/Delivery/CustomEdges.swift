/// How the engine calls edges that users wrote, and how those send.
extension Propagation {
    /// Runs an edge's own code.
    func calling(_ edge: AnyEdge, _ body: () -> Void) {
        let outer = calling
        calling = .passUnretained(edge)
        resumingCall(body)
        // What was sent meanwhile has begun a run.
        call.runs = runCount
        calling = outer
    }
    /// Sends through an edge from outside a delivery, or from inside the edge's own `next`.
    func send(
        through edge: AnyEdge, to target: Vertex, _ number: UInt64, _ senders: SenderList, _ context: ContextBox?,
        _ body: (RawDelivery) -> Sent
    ) {
        let delivery = RawDelivery(
            caller: .propagation(self), edge: .passUnretained(edge), source: .passUnretained(target),
            target: .passUnretained(target))
        guard calling?.toOpaque() == Unmanaged.passUnretained(edge).toOpaque() else {
            return sendLate(through: edge, delivery, number, senders, context, body)
        }
        // From inside `next`: what is put on the stack is served when that has returned.
        guard call.number == number else { return }
        resumingCall {
            _ = beginRun(context: context, senders: senders)
            enterCall(number)
            leaveOnStack(body(delivery))
            if isLastRunEmpty { endRun() }
        }
    }
    /// From outside: apart, so that what this needs is not paid for inside.
    @inline(never) private func sendLate(
        through edge: AnyEdge, _ delivery: RawDelivery, _ number: UInt64, _ senders: SenderList,
        _ context: ContextBox?, _ body: (RawDelivery) -> Sent
    ) {
        begin()
        let run = beginRun(context: context, senders: senders)
        let sent = recordingLate(edge) {
            enterCall(number)
            return body(delivery)
        }
        drive(run, sent)
        end()
    }
}
