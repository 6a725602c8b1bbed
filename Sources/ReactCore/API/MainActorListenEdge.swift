/// A listen edge whose values wait for the main actor: all of them in line, or the newest alone.
///
/// A value that comes on the main actor is heard before this returns, after those that wait. Any other one adds a job
/// to the main actor. The job refers to the edge weakly, and the values wait in the edge, which lives as long as the
/// listening.
///
/// - A value waits before its job is added. So each value is heard, unless a newer one takes its place.
/// - Calls do not nest. A value that comes on the main actor during a call is heard after it.
/// - Of all values, a job delivers those up to its own. Of the newest alone, it delivers whatever waits.
///
/// Unchecked, as `AnyEdge` is: it adds constants, and state under a lock.
package final class MainActorListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    private struct Waiting {
        /// `nil` if the node was emptied.
        let value: Value?
        let context: NodeContext?
        let connection: Connection
        /// The number of this arrival, of all that have come.
        var number = 0
        let record = BufferedValueRecord()
    }
    private struct Line {
        var waiting = Queue<Waiting>()
        /// The number of values that have come, and the number of those that are due.
        var arrivals = 0
        var due = 0
        /// True while the main actor delivers. Only the main actor delivers, but its listener may set the node again.
        var isHearing = false

        mutating func takeNextDue() -> Waiting? {
            let next = arrivals - waiting.count < due ? waiting.popFirst() : nil
            isHearing = next != nil
            return next
        }
    }
    private let line = Lock(Line())
    private let hear: @MainActor (Value?, NodeContext?, Int) -> Void
    private let keepsNewest: Bool
    private let hearsEmptiness: Bool
    private let needsJob: @Sendable () -> Bool

    /// Makes an edge by which every value is heard.
    init(_ hear: @escaping @MainActor (Value, NodeContext?) -> Void) {
        self.hear = { value, context, _ in if let value { hear(value, context) } }
        (keepsNewest, hearsEmptiness, needsJob) = (false, false, { true })
        super.init()
    }
    /// Makes an edge by which the newest value is heard, with its number; `nil` stands for emptiness, if that is heard.
    /// `needsJob` tells if a value that takes the place of another, which has a job, needs a job of its own.
    package init(
        hearsEmptiness: Bool, needsJob: @escaping @Sendable () -> Bool = { true },
        newest hear: @escaping @MainActor (Value?, Int) -> Void
    ) {
        self.hear = { value, _, number in hear(value, number) }
        (keepsNewest, self.hearsEmptiness, self.needsJob) = (true, hearsEmptiness, needsJob)
        super.init()
    }
    /// The number of the next value. Read in the node's turn, it is the number of the value that this turn stores.
    package var nextNumber: Int { line.withLock { $0.arrivals + 1 } }

    override package func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        arrive(value, context)
    }
    override package func empty(from senders: SenderList, context: NodeContext?) {
        if hearsEmptiness { arrive(nil, context) }
    }
    private func arrive(_ value: Value?, _ context: NodeContext?) {
        var waiting = Waiting(value: value, context: context, connection: connectionOfCall)
        waiting.record.begin(at: self)
        // Released without the lock.
        var old = Queue<Waiting>()
        let place = line.withLock { line -> Int? in
            line.arrivals += 1
            waiting.number = line.arrivals
            // A late value of an ended connection must not take the place of one of the next connection.
            if keepsNewest {
                guard waiting.connection == connection else { return nil }
                swap(&line.waiting, &old)
            }
            line.waiting.append(waiting)
            return keepsNewest ? .max : line.arrivals
        }
        guard let place else { return waiting.record.drop(at: self, .wasCut) }
        old.first?.record.drop(at: self, .superseded)
        if old.isEmpty || needsJob() { MainActor.runNowOrSoon { [weak self] in self?.hear(upTo: place) } }
    }
    @MainActor private func hear(upTo place: Int) {
        let isHearing = line.withLock { line in
            line.due = max(line.due, place)
            defer { line.isHearing = true }
            return line.isHearing
        }
        // The delivery under way goes on up to `place`.
        if isHearing { return }
        while let next = line.withLock({ $0.takeNextDue() }) {
            // The edge has been cut or given another end meanwhile, or its listener is gone.
            guard mayHear(whatCameBy: next.connection) else {
                next.record.drop(at: self, .wasCut)
                continue
            }
            next.record.hearing(by: self) { hear(next.value, next.context, next.number) }
        }
    }
}

extension MainActor {
    /// Runs `work` on the main actor: before this returns, if the caller is on it.
    static func runNowOrSoon(_ work: @escaping @MainActor @Sendable () -> Void) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            if Platform.isMainThread { assumeIsolated(work) } else { Task { @MainActor in work() } }
            return
        }
        Task.immediate { @MainActor in work() }
    }
}
