import ReactCore
import Synchronization

/// "CombineSampled": the newest values of all nodes, in order, at most one array an interval.
///
///     let clock = VirtualScheduler(), screen = Lifetime()
///     let prices = [10, 20, 30].map { MutableNode($0) }
///     let table = combine(prices, sampledEvery: .seconds(1), on: clock)
///     table.listened(by: screen).with { print($0) }           // [10, 20, 30]
///     prices[0].value = 11
///     prices[1].value = 21
///     prices[0].value = 12
///     clock.advance(by: .seconds(1))                          // [12, 21, 30]
///     clock.advance(by: .seconds(1))
///     prices[2].value = 31                                    // [12, 21, 31]
///
/// Use it for tables of many nodes that change often. It reads its nodes when an array is due, and not at each change.
/// In contrast, `combine(nodes)` behind `sample` makes an array for each change, and drops most of them. A combination
/// of no nodes holds `[]`.
///
/// **Time.** The first array comes when each node has a value. After that, the first change passes an array on at once.
/// Changes within the interval after it are passed on together, at the end of the interval. If none has come by then,
/// the next change passes an array on at once.
///
/// **Threads.** An array that comes at once is made by the thread that sets, at the end of its outermost set or batch.
/// The scheduler makes all others. Nodes are read one after the other. An array that the scheduler makes during another
/// thread's set may therefore have the new value of one node beside the old value of another. The array after it has
/// both new values.
///
/// **Order.** Arrays are passed on one at a time. The last one has all changes.
///
/// **Rings.** A change that has come through the new node makes no array.
///
/// **Lifetime.** The new node holds its nodes. When it is released, the timer is cancelled. If one of its transforms is
/// cut, no more arrays come.
///
/// **Emptiness.** If a node is emptied, no array comes until it has a value again.
///
/// **Context and sender list** are those of the first change since the last array.
///
/// - Parameters:
///   - nodes: The nodes to combine. One may come several times.
///   - interval: The least time between two arrays, by the scheduler's clock.
///   - scheduler: The scheduler on which everything downstream of a later array runs. It is held as long as the new
///     node lives.
///   - file: The file of the call, which the message of a trap names.
///   - line: The line of the call.
/// - Returns: A new immutable node.
/// - Precondition: `interval` is greater than zero.
/// - Complexity: A change costs no more than a listener. An array costs O(nodes), and there is one timer for each
///   interval in which changes come.
public func combine<Value>(
    _ nodes: some Sequence<Node<Value>>, sampledEvery interval: Duration, on scheduler: some Scheduler,
    file: StaticString = #fileID, line: UInt = #line
) -> Node<[Value]> {
    interval.requirePositive("combine(sampledEvery:)", "combine(nodes) passes on each change", file, line)
    let nodes = Array(nodes)
    guard !nodes.isEmpty else { return Node([]) }
    let combined = Node<[Value]>()
    let sampler = Sampler(of: nodes.count, for: combined, every: interval, on: scheduler)
    for (index, node) in nodes.enumerated() { sampler.link(combined, to: node, index) }
    sampler.sample()
    return combined
}

/// The state of the edge from one of the nodes: the node's place in the array.
private final class SampledInput<Value: Sendable>: OperatorState {
    let sampler: Sampler<Value>
    let index: Int

    init(_ sampler: Sampler<Value>, _ index: Int) { (self.sampler, self.index) = (sampler, index) }

    var facts: OperatorFacts { [.passesPulses, .passesLater, .asksForSenders] }
    var hasBufferedValues: Bool { sampler.hasBufferedValues }
    func discard(_ ended: Connection) { sampler.discard(ended, index) }
}

/// Reads the nodes when an array is due. The edges hold this object, and scheduled work refers to it weakly.
///
/// - `isDirty` is true if a node has changed since the nodes were last read. A change that finds it true has nothing
///   more to do.
/// - While `isBusy`, a timer runs, or a thread is about to read. One thread at a time therefore reads and sends, and
///   arrays are in order.
/// - The atomic exchanges of `isDirty` order a reading after every change that it covers.
private final class Sampler<Value: Sendable>: TimerHolder {
    private typealias Input = StatefulTransform<Value, [Value]>
    private typealias Change = (index: Int, senders: SenderList, context: NodeContext?)
    private struct State {
        /// The sampler is busy until all nodes are linked.
        var isBusy = true
        var first: Change?
        /// The place and the connection of the edge that has sent the last array.
        var sender: (index: Int, connection: Connection)?
        /// The records of the values that wait for their array, by their nodes' places, while a recorder is on.
        var records: [Int: BufferedValueRecord] = [:]
        var timer = WaitingTimer()
    }
    private let isDirty = Atomic(true), isSending = Atomic(false)
    private let state = Lock(State())
    private weak let node: Node<[Value]>?
    private let count: Int
    private let interval: Duration
    private let scheduler: any Scheduler

    init(of count: Int, for node: Node<[Value]>, every interval: Duration, on scheduler: any Scheduler) {
        (self.count, self.node, self.interval, self.scheduler) = (count, node, interval, scheduler)
    }
    deinit {
        var timer: (any Cancelable)?
        state.withLock { $0.timer.stop(&timer) }
        timer?.cancel()
    }

    /// A change counts as buffered until its array is stored.
    var hasBufferedValues: Bool {
        isDirty.load(ordering: .sequentiallyConsistent) || isSending.load(ordering: .sequentiallyConsistent)
    }

    /// Adds an edge from one of the nodes.
    func link(_ combined: Node<[Value]>, to node: Node<Value>, _ index: Int) {
        combined.follow(node, "CombineSampled", state: SampledInput(self, index)) { [unowned self] in
            nodeHasChanged(EdgeCall($0), index)
            return .nothing
        }
    }
    @inline(__always) private func nodeHasChanged(_ delivery: EdgeCall<Value, [Value]>, _ index: Int) {
        // The sender list is searched before the exchange, because a mark is never taken back: other threads may rely
        // on it.
        if !isDirty.load(ordering: .relaxed), hasComeThroughNode(delivery.senders) { return }
        if Observers.isOn { note(delivery.raw.edge.takeUnretainedValue(), index) }
        if !isDirty.exchange(true, ordering: .sequentiallyConsistent) { begin(delivery, index) }
    }
    /// Tells recorders that a value waits for its array, in place of the one before from the same node.
    @inline(never) private func note(_ edge: AnyEdge, _ index: Int) {
        let record = BufferedValueRecord()
        record.begin(at: edge, .nextArray)
        state.withLock { $0.records.updateValue(record, forKey: index) }?.drop(at: edge, .superseded)
    }
    private func hasComeThroughNode(_ senders: SenderList) -> Bool {
        node.map { node in senders.senders.contains { $0 === node } } ?? true
    }
    @inline(never) private func begin(_ delivery: EdgeCall<Value, [Value]>, _ index: Int) {
        node?.bufferingUpstreamHasChanged()
        let change: Change = (index, delivery.senders, delivery.context)
        let (isIdle, old) = state.withLock { state in
            defer { (state.first, state.isBusy) = (change, true) }
            return (!state.isBusy, state.first)
        }
        withExtendedLifetime(old) {}
        guard isIdle else { return }
        // At the end of the transaction, everything that it reaches has its new value.
        delivery.transaction.whenOver { [self] in sample() }
    }

    /// If a node has changed, passes an array on and starts the timer. Otherwise rests. The caller has set `isBusy`.
    func sample() { node?.inGraph { [self] in sampleInGraph() } }
    private func sampleInGraph() {
        let begin = scheduler.clockReading
        while let change = takeChange() {
            guard send(change) else { continue }
            var old: (any Cancelable)?
            let start = state.withLock { $0.timer.start(after: interval, at: begin, replacing: &old) }
            old?.cancel()
            if let start { schedule(start, on: scheduler) }
            return
        }
    }
    func timerFired(_ number: UInt64) {
        let now = scheduler.clockReading
        var old: (any Cancelable)?
        let firing = state.withLock { $0.timer.fired(number, at: now, releasing: &old) }
        old = nil
        if case .goesOn(let start) = firing { schedule(start, on: scheduler) }
        guard case .fires = firing else { return }
        guard let edge = node?.upstreamTransforms.first else { return sample() }
        // If the graph stays busy, the scheduler is asked again.
        let isDue = Atomic(true)
        edge.repeatInGraphOfTarget(while: { isDue.load(ordering: .relaxed) }, again: scheduler.again) { [self] in
            isDue.store(false, ordering: .relaxed)
            sampleInGraph()
        }
    }
    func keep(_ timer: any Cancelable, _ number: UInt64) -> Bool { state.withLock { $0.timer.keep(timer, number) } }
    /// Takes the first change since the nodes were last read, which may not have been noted yet. Returns `nil` if no
    /// node has changed: the sampler then rests.
    private func takeChange() -> Change?? {
        state.withLock { state -> Change?? in
            // Only the thread that has set `isBusy` takes the mark back. If it finds none, nothing has been buffered,
            // and nobody is told of a change.
            guard isDirty.load(ordering: .sequentiallyConsistent) else {
                state.isBusy = false
                return nil
            }
            isSending.store(true, ordering: .sequentiallyConsistent)
            _ = isDirty.exchange(false, ordering: .sequentiallyConsistent)
            return .some(state.first.take())
        }
    }
    /// Sends an array. Returns false if a node has no value.
    private func send(_ change: Change?) -> Bool {
        let inputs = inputs
        // Taken before the nodes are read, so that the array has at least these values.
        let records = Observers.isOn ? state.withLock { exchange(&$0.records, with: [:]) } : [:]
        let values = inputs.compactMap { $0?.from?.value }
        let index = change?.index ?? 0
        guard values.count == count, let edge = inputs[index] else {
            if !records.isEmpty { state.withLock { $0.records.merge(records) { newer, _ in newer } } }
            hasSent()
            return false
        }
        // All values but one leave with that one.
        for (other, record) in records.sorted(by: { $0.key < $1.key }) where other != index { record.join(at: edge) }
        let origin = Origin(
            senders: change?.senders ?? SenderList(), context: change?.context, connection: edge.connection)
        state.withLock { $0.sender = (index, origin.connection) }
        func pass() { edge.change(by: origin, { .some(.some(values)) }, { [self] in if $0 != .waits { hasSent() } }) }
        if let record = records[index] { record.sending(pass) } else { pass() }
        return true
    }
    /// The edges from the nodes, in the order of the array; `nil` for each that is cut.
    private var inputs: [Input?] {
        var inputs = [Input?](repeating: nil, count: count)
        for case let edge as Input in node?.upstreamTransforms ?? [] {
            if let input = edge.state as? SampledInput<Value>, input.sampler === self { inputs[input.index] = edge }
        }
        return inputs
    }
    /// If the array that was sent by this connection waits for its turn, it never comes.
    func discard(_ ended: Connection, _ index: Int) {
        guard let sender = state.withLock({ $0.sender }), sender == (index, ended) else { return }
        hasSent()
    }
    private func hasSent() {
        isSending.store(false, ordering: .sequentiallyConsistent)
        node?.bufferingUpstreamHasChanged()
    }
}
