import Dispatch

/// A listen edge whose values wait for the main actor: each of them in line, or the newest in place of the others.
///
/// Values wait in the edge, which lives as long as the listening. They add jobs to the main actor, which refer to the
/// edge weakly. In line, each value adds a job, which delivers all values up to that one. Of the newest alone, a job
/// delivers the one that it finds, so a value that replaces another one needs no job of its own.
///
/// Calls do not nest. A value that comes during a call, on the main actor, is heard after it.
///
/// Unchecked, as `AnyEdge` is: it adds constants, and state under a lock.
package final class MainActorListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    package enum Choice {
        /// Each value, in order.
        case each
        /// The newest of the values that wait.
        case newest
        /// The newest of the changes that wait: a value, or `nil` if the node was emptied.
        case newestChange
    }
    private struct WaitingValue {
        let value: Value?
        let context: NodeContext?
        /// Once it has ended, the value is not heard.
        let connection: Connection
        let record = BufferedValueRecord()
        var number = 0
    }
    private struct Backlog {
        var waiting = Queue<WaitingValue>()
        /// The number of values that have come, and the number of those that are due.
        var arrivals = 0
        var due = 0
        /// True while the main actor delivers. Only the main actor delivers, but its listener may set the node again.
        var isHearing = false

        mutating func takeNextDue() -> WaitingValue? {
            isHearing = !waiting.isEmpty && arrivals - waiting.count < due
            return isHearing ? waiting.popFirst() : nil
        }
    }
    private let backlog = Lock(Backlog())
    private let choice: Choice
    private let hear: @MainActor (Value?, NodeContext?, Int) -> Void

    /// `hear` receives a value, its context, and its number.
    package init(_ choice: Choice, _ hear: @escaping @MainActor (Value?, NodeContext?, Int) -> Void) {
        (self.choice, self.hear) = (choice, hear)
        super.init()
    }
    convenience init(_ hear: @escaping @MainActor (Value, NodeContext?) -> Void) {
        self.init(.each) { value, context, _ in if let value { hear(value, context) } }
    }
    /// The number of the next value. Read in the node's turn, it is the number of the value that this turn stores.
    package var nextNumber: Int { backlog.withLock { $0.arrivals + 1 } }

    override var asksForSenders: Bool { false }
    override package func next(_ value: Value, from senders: SenderList, context: NodeContext?) { add(value, context) }
    override package func empty(from senders: SenderList, context: NodeContext?) {
        if choice == .newestChange { add(nil, nil) }
    }
    private func add(_ value: Value?, _ context: NodeContext?) {
        var new = WaitingValue(value: value, context: context, connection: connectionOfCall), replaced: WaitingValue?
        new.record.begin(at: self)
        let place = backlog.withLock { backlog -> Int? in
            backlog.arrivals += 1
            new.number = backlog.arrivals
            if choice != .each {
                // A value that came by an ended connection must not replace one of the next connection.
                guard new.connection == connection else { return nil }
                replaced = backlog.waiting.popFirst()
            }
            backlog.waiting.append(new)
            return choice == .each ? backlog.arrivals : .max
        }
        guard let place else { return new.record.drop(at: self, .wasCut) }
        if let replaced {
            replaced.record.drop(at: self, .superseded)
            // Its job delivers this value. On the main actor, a value must be heard when its set returns.
            guard MainQueue.isCurrent else { return }
        }
        MainActor.runNowOrSoon { [weak self] in self?.hear(upTo: place) }
    }
    @MainActor private func hear(upTo place: Int) {
        let isHearing = backlog.withLock { backlog in
            backlog.due = max(backlog.due, place)
            defer { backlog.isHearing = true }
            return backlog.isHearing
        }
        // The delivery under way goes on up to `place`.
        if isHearing { return }
        while let next = backlog.withLock({ $0.takeNextDue() }) {
            // The edge has been cut or given another end meanwhile, or its listener is gone.
            guard mayHear(whatCameBy: next.connection) else {
                next.record.drop(at: self, .wasCut)
                continue
            }
            next.record.hearing(by: self) { hear(next.value, next.context, next.number) }
        }
    }
}

private enum MainQueue {
    /// True on the main actor.
    ///
    /// Outside Apple's platforms, `dispatchMain()`, which an `async` main function calls, ends the main thread. Other
    /// threads then run the main queue.
    static var isCurrent: Bool { Engine.current.isOfMainThread || DispatchQueue.getSpecific(key: queueKey) != nil }
    private static let queueKey: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}
