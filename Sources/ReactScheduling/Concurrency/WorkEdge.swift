import ReactCore

/// The edge of `mapLatest`, `mapFirst` and `mapInOrder`. A `WorkPolicy` chooses the work that begins, and the phase
/// that follows.
///
/// - One thread at a time begins work, and one at a time sends a phase to the node. Other threads leave new work and
///   results to them. Phases are therefore in order, and work that ends without suspending does not recurse.
/// - The phase is taken in the node's turn, so an end is never seen after the work was superseded.
/// - All works belong to one connection of the edge.
/// - Tasks refer to the edge weakly, by the ticket of their value.
/// - A value counts as held until its end is stored, or it is dropped.
/// - No user code runs under the lock, and no user object is released under it.
///
/// Unchecked, as its superclass is: its own properties are constant, or under a lock.
final class WorkEdge<Input: Sendable, Output: Sendable>: Transform<Input, TaskPhase<Output>>, ConnectionKeeper,
    HoldingEdge, SecretCarrier, @unchecked Sendable
{
    private struct Work {
        let parcel: Parcel<Input>
        var task: Task<Void, Never>?
        var result: Result<Output, any Error>?
    }
    private struct State {
        var connection = Connection.none
        var policy: WorkPolicy
        var works: [Ticket: Work] = [:]
        var last: Output?
        var isBeginning = false
        var isPassingOn = false
        /// The number of ends that were taken, and are not stored.
        var leaving = 0

        var holdsNothing: Bool { works.isEmpty && leaving == 0 }
        /// Removes works, and returns them.
        mutating func remove(_ tickets: Range<Ticket>) -> [Work] {
            tickets.compactMap { works.removeValue(forKey: $0) }
        }
        /// Ends all works. Returns the works and the last output, to be released without the lock.
        mutating func end() -> Remains {
            defer { (connection, last, leaving) = (.none, nil, 0) }
            return Remains(works: remove(policy.end()), last: last)
        }
    }
    private struct Remains {
        var works: [Work] = []
        var last: Output?
    }
    private let state: Lock<State>
    private let priority: TaskPriority?
    private let executor: (any TaskExecutor)?
    private let make: @Sendable (Input) async throws -> Output

    init(
        _ name: String, _ rule: WorkPolicy.Rule, _ priority: TaskPriority?, _ executor: (any TaskExecutor)?,
        _ make: @escaping @Sendable (Input) async throws -> Output
    ) {
        (self.priority, self.executor, self.make) = (priority, executor.forOperators, make)
        state = Lock(State(policy: WorkPolicy(rule)))
        super.init(name: name)
        beginToHold()
    }
    // Recorders are not told, because the edge is on no record by now.
    deinit { for work in state.withLock({ $0.end() }).works { work.task?.cancel() } }

    /// The work may make the value itself a phase's output, or an optional or an array of it.
    var carriesSecrets: Bool {
        Output.self == Input.self || Output.self == Input?.self || Output.self == [Input].self
    }
    var holdsValues: Bool { state.withLock { !$0.holdsNothing } }

    override func next(_ value: Input, from senders: SenderList, context: NodeContext?) {
        let parcel = Parcel(value, from: senders, context: context, by: connectionOfCall)
        let (arrival, over, turns) = state.withLock { state -> (Arrival, Remains, turns: Bool) in
            // Compared under the lock, because the thread that ends the connection drops the works only after that.
            guard parcel.connection == connection else { return (.isLate, Remains(), false) }
            let heldNothing = state.holdsNothing
            let over = state.connection == parcel.connection ? Remains() : state.end()
            state.connection = parcel.connection
            guard let (ticket, dropped) = state.policy.arrived() else { return (.isRefused, over, false) }
            let superseded = state.remove(dropped)
            state.works[ticket] = Work(parcel: parcel)
            return (.isTaken(superseded, waits: state.policy.isFull), over, heldNothing)
        }
        drop(over.works, .wasCut)
        switch arrival {
        case .isLate: return
        case .isRefused: return parcel.hold.drop(at: self, .wasBusy)
        case .isTaken(let superseded, let waits):
            drop(superseded, .superseded)
            if turns { holdingHasChanged() }
            if waits { parcel.hold.begin(at: self) }
            beginWork()
        }
    }
    private enum Arrival {
        case isLate, isRefused
        case isTaken([Work], waits: Bool)
    }
    /// Ends the works of the connection `ended`.
    func discard(_ ended: Connection) {
        let over = state.withLock { $0.connection == ended ? $0.end() : Remains() }
        drop(over.works, .wasCut)
        if !over.works.isEmpty { holdingHasChanged() }
    }
    private func drop(_ works: [Work], _ why: BufferedValueRecord.Drop) {
        for work in works {
            work.task?.cancel()
            work.parcel.hold.drop(at: self, why)
        }
    }

    /// Begins the works that may be under way, unless a thread is doing so, which then begins them all.
    private func beginWork() {
        var isMine = false
        while let (ticket, parcel) = nextToBegin(isMine: &isMine) {
            parcel.hold.beginWork(at: self)
            let task = Task.beginningHere(priority, executor) { [weak self, make, value = parcel.value] in
                let result: Result<Output, any Error>
                do { result = .success(try await make(value)) } catch { result = .failure(error) }
                self?.end(ticket, with: result)
            }
            let goesOn = state.withLock { state in
                guard state.policy.hasSuspended(ticket) else { return false }
                state.works[ticket]?.task = task
                return true
            }
            // The work was dropped, or has ended, in which case cancelling does nothing.
            if !goesOn { task.cancel() }
            passOn()
        }
    }
    private func nextToBegin(isMine: inout Bool) -> (Ticket, Parcel<Input>)? {
        let wasMine = isMine
        let next = state.withLock { state -> (Ticket, Parcel<Input>)? in
            guard wasMine || !state.isBeginning else { return nil }
            guard let ticket = state.policy.begin(), let work = state.works[ticket] else {
                state.isBeginning = false
                return nil
            }
            state.isBeginning = true
            return (ticket, work.parcel)
        }
        isMine = next != nil
        return next
    }
    private func end(_ ticket: Ticket, with result: Result<Output, any Error>) {
        let isCurrent = state.withLock { state in
            guard state.policy.hasEnded(ticket) else { return false }
            state.works[ticket]?.result = result
            return true
        }
        guard isCurrent else { return }
        passOn()
        beginWork()
    }

    /// Passes on the phases whose turn has come, unless a thread is about to pass one on, which then looks for more.
    private func passOn() {
        while let (parcel, step, result) = nextToPassOn() {
            let send = {
                self.change(
                    from: parcel.senders, context: parcel.context, by: parcel.connection,
                    { self.phase(step, of: parcel, result) }, { self.hasLeft(parcel.connection, step, $0) })
            }
            if result == nil { send() } else { parcel.hold.sending(send) }
        }
    }
    private func nextToPassOn() -> (Parcel<Input>, WorkPolicy.Step, Result<Output, any Error>?)? {
        state.withLock { state in
            guard !state.isPassingOn, let step = state.policy.step else { return nil }
            state.policy.take(step)
            state.isPassingOn = true
            let work = state.works[step.ticket]
            if step.isEnd {
                state.leaving += 1
                state.works[step.ticket] = nil
            }
            return work.map { ($0.parcel, step, $0.result) }
        }
    }
    /// Returns the phase that is passed on, or `nil` if the value was superseded. Called in the node's turn.
    private func phase(
        _ step: WorkPolicy.Step, of parcel: Parcel<Input>, _ result: Result<Output, any Error>?
    ) -> TaskPhase<Output>?? {
        let (phase, old) = state.withLock { state -> (TaskPhase<Output>??, Output?) in
            guard state.connection == parcel.connection, state.policy.isCurrent(step) else { return (nil, nil) }
            let last = state.last
            switch result {
            case nil: return (.running(last: last), nil)
            case .success(let output):
                state.last = output
                return (.finished(output), last)
            case .failure(let error): return (.failed(error, last: last), nil)
            }
        }
        if phase == nil, result != nil { parcel.hold.drop(at: self, .superseded) }
        withExtendedLifetime(old) {}
        return phase
    }
    private func hasLeft(_ connection: Connection, _ phase: WorkPolicy.Step, _ step: LeavingStep) {
        let turns = state.withLock { state in
            // The node has the phase, or has it in its queue, so from here on another thread may send the next.
            // A thread that knows of this phase can therefore send its own before its set returns.
            if step != .isStoredLater { state.isPassingOn = false }
            guard phase.isEnd, step != .waits, state.connection == connection else { return false }
            state.leaving -= 1
            return state.holdsNothing
        }
        if turns { holdingHasChanged() }
    }
}
