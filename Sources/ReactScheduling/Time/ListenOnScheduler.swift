import ReactCore

extension ListenContext {
    /// Calls `body` by `scheduler` with the node's present value, and then with every later one, in order.
    ///
    ///     let lifetime = Lifetime(), total = MutableNode(1)
    ///     let queue = DispatchQueue(label: "log")
    ///     lifetime.listen(to: total).with(on: queue) { print("total: \($0)") }
    ///     total.value = 2
    ///     queue.sync {}           // total: 1
    ///                             // total: 2
    ///
    /// **Order.** One value at a time, in the order in which the node delivered them, on a concurrent queue too.
    ///
    /// **Lifetime.** As with `with(_:)`. Values that still wait are dropped when the listening is cancelled, when the
    /// listener goes (for a `Listener`: its `lifetime`), or when the edge gets another `from` or `to`. A call that
    /// already runs on another thread finishes.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which `body` is called. The listening holds it.
    ///   - body: Called with each value.
    /// - Returns: An object that ends the listening.
    /// - Complexity: One piece of scheduled work for each value, and O(1) besides.
    @discardableResult
    public func with(on scheduler: some Scheduler, _ body: @escaping @Sendable (Value) -> Void) -> any Cancelable {
        with(edge: WaitingListenEdge(on: scheduler) { value, _, _ in body(value) })
    }

    /// Calls `body` with each value and its context, on a scheduler.
    @discardableResult
    public func withContext(
        on scheduler: some Scheduler,
        _ body: @escaping @Sendable (Value, NodeContext?) -> Void
    ) -> any Cancelable {
        with(edge: WaitingListenEdge(on: scheduler) { value, _, context in body(value, context) })
    }

    /// Calls `body` with each value, its sender list and its context, on a scheduler.
    @discardableResult
    public func withSenderListAndContext(
        on scheduler: some Scheduler,
        _ body: @escaping @Sendable (Value, SenderList, NodeContext?) -> Void
    ) -> any Cancelable {
        with(edge: WaitingListenEdge(on: scheduler, body))
    }
}

/// A listen edge whose values wait in line for a scheduler before they are heard.
///
/// Scheduled work refers to the edge weakly, and the values wait in the edge, which lives as long as the listening.
///
/// Unchecked, as its superclass is: its own properties are constant.
final class WaitingListenEdge<Value: Sendable>: ListenEdge<Value>, CoreEdge, @unchecked Sendable {
    let core: WaitingCore
    private let body: @Sendable (Value, SenderList, NodeContext?) -> Void

    init(on scheduler: any Scheduler, _ body: @escaping @Sendable (Value, SenderList, NodeContext?) -> Void) {
        core = WaitingCore(EachPolicy(work: .soon), on: scheduler)
        self.body = body
        super.init()
    }
    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        let connection = connectionOfCall
        core.arrive(by: connection, at: self) {
            Parcel(value, Origin(senders: senders, context: context, connection: connection))
        }
    }
    func leave(_ departure: WaitingCore.Departure) {
        guard case .one(let parcel) = departure else { return }
        defer { core.hasLeft(departure, .isStored) }
        // The edge was cut or given another end meanwhile, or the listener has gone.
        guard mayHear(whatCameBy: parcel.connection) else { return parcel.record.drop(at: self, .wasCut) }
        let known = unsafeDowncast(parcel, to: Parcel<Value>.self)
        known.record.hearing(by: self) { body(known.value, known.origin.senders, known.origin.context) }
    }
}
