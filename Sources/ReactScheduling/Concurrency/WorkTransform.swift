import ReactCore

// The machinery of `mapFirst` and `mapInOrder`: work for values in order, a limited number of pieces at a time.

/// The fate of a value that comes while the limit of work under way is reached.
enum WorkLimit {
    /// One piece of work at a time; values that come meanwhile are dropped.
    case drops
    /// `atOnce` pieces of work at a time; values that come meanwhile wait.
    case waits(atOnce: Int)

    var atOnce: Int {
        switch self {
        case .drops: 1
        case .waits(let count): count
        }
    }
}

/// The work for one value, from the value's arrival until its result is passed on.
private struct Work<Input: Sendable, Output: Sendable> {
    enum Stage {
        case waits(Input)
        /// The first part of the work runs on the thread that has begun it.
        case begins
        case goesOn(Task<Void, Never>, isTold: Bool)
        case ended(Result<Output, any Error>)
    }
    var stage: Stage
    let senders: SenderList
    let context: NodeContext?
    let connection: Connection
    let hold = BufferedValueRecord()
}

/// Runs the work for values, and passes phases on in the order of the values.
///
/// - `works` are in the order in which their values came, and have consecutive numbers, `front` first. Works that wait
///   come last.
/// - One thread at a time begins work, and one at a time sends a phase to the node. Other threads leave new work and
///   results to them. Phases are therefore in order, and work that ends without suspending does not recurse.
/// - All works belong to one connection of the edge.
/// - Tasks refer to the transform weakly, by the number of their work.
/// - No user code runs under the lock, and no user object is released under it.
///
/// Unchecked, as its superclass is: its own properties are constant, or under a lock.
final class WorkTransform<Input: Sendable, Output: Sendable>: Transform<Input, TaskPhase<Output>>, ConnectionKeeper,
    @unchecked Sendable
{
    private typealias Piece = Work<Input, Output>
    private struct Step {
        let phase: TaskPhase<Output>
        let work: Piece
        /// The output that the phase replaces, to be released without the lock.
        var old: Output?
        let isEnd: Bool
    }
    private struct State {
        var connection = Connection.none
        var works: [UInt64: Piece] = [:]
        var front: UInt64 = 0
        /// The number of the first work that waits, and the number of the next value.
        var firstWaiting: UInt64 = 0
        var next: UInt64 = 0
        var underWay = 0
        var last: Output?
        var isBeginning = false
        var isPassingOn = false

        /// Ends all works. Returns them and the last output, to be released without the lock.
        mutating func end() -> ([Piece], last: Output?) {
            defer { (works, front, firstWaiting, underWay, last) = ([:], next, next, 0, nil) }
            return ((front..<next).compactMap { works[$0] }, last)
        }
    }
    private let state = Lock(State())
    private let limit: WorkLimit
    private let priority: TaskPriority?
    private let executor: (any TaskExecutor)?
    private let make: @Sendable (Input) async throws -> Output

    init(
        _ name: String, _ limit: WorkLimit, _ priority: TaskPriority?, _ executor: (any TaskExecutor)?,
        _ make: @escaping @Sendable (Input) async throws -> Output
    ) {
        (self.limit, self.priority, self.executor, self.make) = (limit, priority, executor, make)
        super.init(name: name)
    }
    // Recorders are not told, because the edge is on no record by now.
    deinit { for work in state.withLock({ $0.end() }).0 { work.cancelTask() } }

    override func next(_ value: Input, from senders: SenderList, context: NodeContext?) {
        let work = Piece(stage: .waits(value), senders: senders, context: context, connection: connectionOfCall)
        let (isTaken, over) = state.withLock { state -> (Bool?, ([Piece], last: Output?)) in
            // Compared under the lock, because the thread that ends the connection drops the works only after that.
            guard work.connection == connection else { return (nil, ([], nil)) }
            let over = state.connection == work.connection ? ([], nil) : state.end()
            state.connection = work.connection
            if case .drops = limit, state.underWay > 0 || state.firstWaiting < state.next { return (false, over) }
            state.works[state.next] = work
            state.next += 1
            return (true, over)
        }
        drop(over.0)
        guard let isTaken else { return }
        work.hold.beginWork(at: self)
        guard isTaken else { return work.hold.drop(at: self, .superseded) }
        beginWork()
    }
    /// Ends the works of the connection `ended`.
    func discard(_ ended: Connection) {
        let over = state.withLock { $0.connection == ended ? $0.end() : ([], nil) }
        drop(over.0)
    }
    private func drop(_ works: [Piece]) {
        for work in works {
            work.cancelTask()
            work.hold.drop(at: self, .wasCut)
        }
    }

    /// Begins the works that may be under way, unless a thread is doing so, which then begins them all.
    private func beginWork() {
        var isMine = false
        while let (number, value) = nextToBegin(isMine: &isMine) {
            let task = Task.beginningHere(priority, executor) { [weak self, make] in
                let result: Result<Output, any Error>
                do { result = .success(try await make(value)) } catch { result = .failure(error) }
                self?.end(number, with: result)
            }
            let goesOn = state.withLock { state in
                guard case .begins = state.works[number]?.stage else { return false }
                state.works[number]?.stage = .goesOn(task, isTold: false)
                return true
            }
            // The connection has ended, or the work has, in which case cancelling does nothing.
            if !goesOn { task.cancel() }
            passOn()
        }
    }
    private func nextToBegin(isMine: inout Bool) -> (UInt64, Input)? {
        state.withLock { state in
            guard isMine || !state.isBeginning else { return nil }
            let number = state.firstWaiting
            guard state.underWay < limit.atOnce, case .waits(let value) = state.works[number]?.stage else {
                state.isBeginning = false
                return nil
            }
            (isMine, state.isBeginning) = (true, true)
            state.works[number]?.stage = .begins
            state.firstWaiting += 1
            state.underWay += 1
            return (number, value)
        }
    }
    private func end(_ number: UInt64, with result: Result<Output, any Error>) {
        let isCurrent = state.withLock { state in
            guard state.works[number] != nil else { return false }
            state.works[number]?.stage = .ended(result)
            state.underWay -= 1
            return true
        }
        guard isCurrent else { return }
        passOn()
        beginWork()
    }

    /// Passes on the phases whose turn has come, unless a thread is about to pass one on, which then looks for more.
    private func passOn() {
        while let step = nextStep() {
            var isSent = false
            let send = {
                self.send(from: step.work.senders, context: step.work.context, by: step.work.connection) {
                    let sent = $0.send(step.phase)
                    // The node has the phase, or has it in its queue, so from here on another thread may send the next.
                    // A thread that knows of this phase can therefore send its own before its set returns.
                    self.state.withLock { $0.isPassingOn = false }
                    isSent = true
                    return sent
                }
            }
            if step.isEnd { step.work.hold.sending(send) } else { send() }
            if !isSent { state.withLock { $0.isPassingOn = false } }
        }
    }
    private func nextStep() -> Step? {
        state.withLock { state in
            guard !state.isPassingOn, let work = state.works[state.front], let step = step(for: work, &state) else {
                return nil
            }
            state.isPassingOn = true
            return step
        }
    }
    private func step(for work: Piece, _ state: inout State) -> Step? {
        let last = state.last
        switch work.stage {
        case .waits, .begins, .goesOn(_, isTold: true): return nil
        case .goesOn(let task, isTold: false):
            state.works[state.front]?.stage = .goesOn(task, isTold: true)
            return Step(phase: .running(last: last), work: work, isEnd: false)
        case .ended(let result):
            state.works[state.front] = nil
            state.front += 1
            switch result {
            case .success(let output):
                state.last = output
                return Step(phase: .finished(output), work: work, old: last, isEnd: true)
            case .failure(let error):
                return Step(phase: .failed(error, last: last), work: work, isEnd: true)
            }
        }
    }
}

extension Work {
    fileprivate func cancelTask() {
        if case .goesOn(let task, _) = stage { task.cancel() }
    }
}
