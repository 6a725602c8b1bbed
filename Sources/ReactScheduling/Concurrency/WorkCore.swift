import ReactCore

/// The works of `mapLatest`, `mapFirst` or `mapInOrder`, and the lock under which their policy makes its transitions.
/// It chooses the work that begins, and the phase that follows.
///
/// - One thread at a time begins work, and one at a time sends a phase to the node. Other threads leave new work and
///   results to them. Phases are therefore in order, and work that ends without suspending does not recurse.
/// - The phase is taken in the node's turn, so an end is never seen after the work was superseded.
/// - All works belong to one connection of the edge.
/// - A value counts as buffered until its end is stored, or it is dropped.
/// - No user code runs under the lock, and no user object is released under it.
///
/// Not generic, as `WaitingCore` is not.
final class WorkCore: Sendable {
    private struct Work {
        let parcel: any AnyParcel
        /// The priority of the task that has set the value.
        let priority: TaskPriority
        var task: Task<Void, Never>?
        var result: (any AnyWorkResult)?
    }
    private struct State {
        var connection = Connection.none
        var policy: WorkPolicy
        var works: [Ticket: Work] = [:]
        /// The last success.
        var last: (any AnyWorkResult)?
        var isBeginning = false
        var isPassingOn = false
        /// The number of ends that were taken, and are not stored.
        var leaving = 0

        var isEmpty: Bool { works.isEmpty && leaving == 0 }
        /// Removes works, and returns them.
        mutating func remove(_ tickets: Range<Ticket>) -> [Work] {
            tickets.compactMap { works.removeValue(forKey: $0) }
        }
        /// Ends all works. Returns the works and the last success, to be released without the lock.
        mutating func end() -> Remains {
            defer { (connection, last, leaving) = (.none, nil, 0) }
            return (remove(policy.end()), last)
        }
    }
    private typealias Remains = (works: [Work], last: (any AnyWorkResult)?)
    /// A phase that is to be passed on.
    struct Phase {
        let parcel: any AnyParcel
        fileprivate let step: WorkPolicy.Step
        /// The result; `nil` if the work runs.
        let result: (any AnyWorkResult)?
    }
    private let state: Lock<State>

    init(_ rule: WorkPolicy.Rule) { state = Lock(State(policy: WorkPolicy(rule))) }
    // Recorders are not told, because the edge is on no record by now.
    deinit { for work in state.withLock({ $0.end() }).works { work.task?.cancel() } }

    var hasBufferedValues: Bool { state.withLock { !$0.isEmpty } }

    // MARK: Values

    /// Takes a value, unless the connection by which it came has ended.
    func arrive(_ parcel: any AnyParcel, at edge: any WorkingEdge) {
        let priority = Task.currentPriority
        let (arrival, over, turns) = state.withLock { state -> (Arrival, Remains, turns: Bool) in
            // Compared under the lock, because the thread that ends the connection drops the works only after that.
            guard parcel.connection == edge.connection else { return (.isLate, ([], nil), false) }
            let wasEmpty = state.isEmpty
            let over = state.connection == parcel.connection ? ([], nil) : state.end()
            state.connection = parcel.connection
            guard let (ticket, dropped) = state.policy.arrived() else { return (.isRefused, over, false) }
            let superseded = state.remove(dropped)
            state.works[ticket] = Work(parcel: parcel, priority: priority)
            return (.isTaken(ticket, superseded, waits: state.policy.isFull), over, wasEmpty)
        }
        drop(over.works, .wasCut, of: edge)
        switch arrival {
        case .isLate: return
        case .isRefused: return parcel.record.drop(at: edge, .wasBusy)
        case .isTaken(let ticket, let superseded, let waits):
            drop(superseded, .superseded, of: edge)
            if turns { edge.bufferingHasChanged() }
            if waits { parcel.record.begin(at: edge, .earlierWork) }
            beginWork(of: edge, arrived: ticket)
        }
    }
    private enum Arrival {
        case isLate, isRefused
        case isTaken(Ticket, [Work], waits: Bool)
    }
    /// Ends the works of the connection `ended`.
    func discard(_ ended: Connection, of edge: any WorkingEdge) {
        let over: Remains = state.withLock { $0.connection == ended ? $0.end() : ([], nil) }
        drop(over.works, .wasCut, of: edge)
        if !over.works.isEmpty { edge.bufferingHasChanged() }
    }
    private func drop(_ works: [Work], _ why: BufferedValueRecord.Drop, of edge: any WorkingEdge) {
        for work in works {
            work.task?.cancel()
            work.parcel.record.drop(at: edge, why)
        }
    }

    // MARK: Work

    /// Begins the works that may be under way, unless a thread is doing so, which then begins them all. All but that
    /// for `arrived`, a value that has come just now, have waited.
    private func beginWork(of edge: any WorkingEdge, arrived: Ticket? = nil) {
        if state.withLock({ exchange(&$0.isBeginning, with: true) }) { return }
        while let (ticket, work) = nextToBegin() {
            work.parcel.record.begin(at: edge, .result)
            let task = edge.begin(ticket, work.parcel, waitedWith: ticket == arrived ? nil : work.priority)
            let goesOn = state.withLock { state in
                guard state.policy.hasSuspended(ticket) else { return false }
                state.works[ticket]?.task = task
                return true
            }
            // The work was dropped, or has ended, in which case cancelling does nothing.
            if !goesOn { task.cancel() }
            passOn(of: edge)
        }
    }
    /// Returns the value whose work begins next. If there is none, lets another thread look for it from now on.
    private func nextToBegin() -> (Ticket, Work)? {
        state.withLock { state in
            guard let ticket = state.policy.begin(), let work = state.works[ticket] else {
                state.isBeginning = false
                return nil
            }
            return (ticket, work)
        }
    }
    /// The work for a value has ended.
    func end(_ ticket: Ticket, with result: any AnyWorkResult, of edge: any WorkingEdge) {
        let isCurrent = state.withLock { state in
            guard state.policy.hasEnded(ticket) else { return false }
            state.works[ticket]?.result = result
            return true
        }
        guard isCurrent else { return }
        passOn(of: edge)
        beginWork(of: edge)
    }

    // MARK: Phases

    /// Passes on the phases whose turn has come, unless a thread is about to pass one on, which then looks for more. A
    /// phase is taken out in the graph of the node that it goes to.
    private func passOn(of edge: any WorkingEdge) {
        edge.repeatInGraphOfTarget(
            while: { [self] in state.withLock { !$0.isPassingOn && $0.policy.step != nil } }, again: nil
        ) { [self] in
            switch nextToPassOn() {
            case nil: break
            case let phase? where phase.result == nil: edge.pass(phase)
            case let phase?: phase.parcel.record.sending { edge.pass(phase) }
            }
        }
    }
    private func nextToPassOn() -> Phase? {
        state.withLock { state in
            guard !state.isPassingOn, let step = state.policy.step else { return nil }
            state.policy.take(step)
            state.isPassingOn = true
            let work = state.works[step.ticket]
            if step.isEnd {
                state.leaving += 1
                state.works[step.ticket] = nil
            }
            return work.map { Phase(parcel: $0.parcel, step: step, result: $0.result) }
        }
    }
    /// Takes a phase in the node's turn. Returns the success before it, if any; `nil` if the value was superseded.
    func take(_ phase: Phase, of edge: any WorkingEdge) -> (any AnyWorkResult)?? {
        let last = state.withLock { state -> (any AnyWorkResult)?? in
            guard state.connection == phase.parcel.connection, state.policy.isCurrent(phase.step) else {
                return nil
            }
            let last = state.last
            if let result = phase.result, result.isSuccess { state.last = result }
            return .some(last)
        }
        if last == nil, phase.result != nil { phase.parcel.record.drop(at: edge, .superseded) }
        return last
    }
    /// Notes a stage of a phase that is passed on.
    func hasLeft(_ phase: Phase, _ stage: DepartureStage, of edge: any WorkingEdge) {
        let turns = state.withLock { state in
            // The node has the phase, or has it in its queue, so from here on another thread may send the next.
            // A thread that knows of this phase can therefore send its own before its set returns.
            if stage != .isStoredLater { state.isPassingOn = false }
            guard phase.step.isEnd, stage != .waits, state.connection == phase.parcel.connection else {
                return false
            }
            state.leaving -= 1
            return state.isEmpty
        }
        if turns { edge.bufferingHasChanged() }
    }
}

/// An edge whose values are worked on.
protocol WorkingEdge: AnyTransform {
    /// Begins the work for a value. `waitedWith`: The priority of its setter, if it has waited.
    func begin(_ ticket: Ticket, _ parcel: any AnyParcel, waitedWith priority: TaskPriority?) -> Task<Void, Never>
    /// Passes a phase on, and calls `hasLeft` of the core.
    func pass(_ phase: WorkCore.Phase)
}

/// The result of work, of any type.
protocol AnyWorkResult: AnyObject, Sendable {
    var isSuccess: Bool { get }
}
