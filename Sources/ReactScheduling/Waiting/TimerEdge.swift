import ReactCore

/// The edge of an operator that takes no value for later, and sends values of its own when its timer fires. The policy
/// of its core says when. A value passes at once.
///
/// Unchecked, as its superclass is: its own properties are constant.
final class TimerEdge<Input: Sendable, Output: Sendable>: Transform<Input, Output>, CoreEdge, ConnectionKeeper,
    BufferingEdge, @unchecked Sendable
{
    var ownFacts: OperatorFacts { .wraps }
    let core: WaitingCore
    private let wrap: @Sendable (Input) -> Output
    private let make: @Sendable (Int) -> Output
    private let tellsNext: Bool
    let ownValue: String?

    /// Creates an edge. `make` gets the number of values that were made before, and `ownValue` tells recorders how it
    /// makes one. If `tellsNext` is true, recorders are told that the next number is still to be sent.
    init(
        name: String, _ policy: some WaitingPolicy, on scheduler: any Scheduler, tellsNext: Bool = false,
        ownValue: String, making make: @escaping @Sendable (Int) -> Output,
        wrapping wrap: @escaping @Sendable (Input) -> Output
    ) {
        core = WaitingCore(policy, on: scheduler)
        (self.wrap, self.make, self.tellsNext, self.ownValue) = (wrap, make, tellsNext, ownValue)
        super.init(name: name)
    }
    /// Links `node` to `source` by this edge, begins, and returns `node`.
    func link(_ node: Node<Output>, to source: Node<Input>) -> Node<Output> {
        node.link(to: source, transform: self)
        begin()
        return node
    }
    override func next(_ value: Input, from senders: SenderList, context: NodeContext?) {
        core.begin(connectionOfCall, again: true, of: self)
        send(wrap(value), from: senders, context: context)
    }
    /// Called when the edge is pointed at another source, before that node's value comes.
    override func reset() { begin() }
    func discard(_ ended: Connection) { begin() }
    func didConnectLate() { begin() }
    private func begin() { core.begin(connection, of: self) }

    func leave(_ departure: WaitingCore.Departure) {
        guard case .own(let own) = departure else { return }
        pass(make(own.number), Origin(connection: own.connection), departure, of: core)
    }
    var valuesToSend: BufferedValues? {
        guard tellsNext, let next = core.nextOwn else { return nil }
        return BufferedValues(first: "\(next.number)", rest: next.rest)
    }
}
