import Dispatch
import Foundation
import ReactCore

/// What one point of a run does to the schedule.
public enum Effect: Sendable {
    case none
    /// The thread has taken the lock at the point's place. Nobody can tell that from a moment before: no thread hands on.
    case taken
    /// It has let go of that lock.
    case letGo
}

/// One step of a run.
struct Step: Equatable, Sendable {
    let thread: Int
    /// The thread's own count.
    let number: Int
    let name: String
    let place: UInt
}

/// How a run ended.
enum End: Equatable {
    case allDone
    /// Nobody can go on: for each thread that waits, what it waits for, and who has that.
    case deadlock([Waiting])
    /// So many steps, and no end.
    case endless(Int)

    struct Waiting: Equatable {
        let thread: Int
        let place: UInt
        let holder: Int?
    }
}

/// Threads that run one at a time. The one that runs hands on at the points that it reaches, to whom the strategy says.
///
/// All that is mutable here belongs to the thread that runs, and between runs to the one that calls `run`; it is handed
/// on with the baton. Unchecked, because of that.
final class ControlledThreads: @unchecked Sendable {
    static let most = 4
    private static let endlessAfter = 50_000

    /// One thread. It lives as long as the process, and waits for its baton.
    fileprivate final class Runner: @unchecked Sendable {
        enum State {
            case idle, ready
            case waiting(UInt)
        }
        let index: Int
        /// Held by the thread itself, which never ends.
        let threads: ControlledThreads
        let baton = DispatchSemaphore(value: 0)
        var state = State.idle
        var steps = 0
        /// How many calls of `Point.alone` it is in.
        var alone = 0
        /// How often it has waited since its run was given up.
        var freeWaits = 0
        var body: (() -> Void)?

        init(index: Int, threads: ControlledThreads) {
            self.index = index
            self.threads = threads
        }
    }
    private var runners: [Runner] = []
    private let finished = DispatchSemaphore(value: 0)
    private var strategy: any Strategy = InitialDelivery(Schedule(threads: 1))
    private var holders: [(place: UInt, thread: Int)] = []
    private var end: End?
    private var total = 0
    private var fruitless = 0
    /// How many times a thread that no thread of the run can help is asked whether it can go on.
    private let patience: Int
    /// Those that are still to end when a run has been given up, under the lock.
    private var isFree = false
    private let freeLock = NSLock()
    private var stillRunning = 0

    // What a run leaves.
    private var trace: [(thread: UInt8, name: StaticString, place: UInt)] = []
    private(set) var schedule = Schedule(threads: 1)
    /// How often a thread that could have gone on did not.
    private(set) var preemptions = 0
    /// Whether threads of a run that was given up are still somewhere: then no other run may begin.
    private(set) var isSpoilt = false

    init(patience: Int) {
        self.patience = patience
        trace.reserveCapacity(1 << 12)
        for index in 0..<ControlledThreads.most {
            let runner = Runner(index: index, threads: self)
            runners.append(runner)
            let thread = Thread { runner.live() }
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    var steps: [Step] {
        var counts = Array(repeating: 0, count: ControlledThreads.most)
        return trace.map { step in
            let thread = Int(step.thread)
            counts[thread] += 1
            return Step(thread: thread, number: counts[thread], name: "\(step.name)", place: step.place)
        }
    }
    var stepCount: Int { total }

    /// Runs each body on a thread of its own, in the order that `strategy` says; returns when all have ended, or none can.
    func run(_ bodies: [() -> Void], by strategy: any Strategy) -> End {
        precondition(!isSpoilt && (1...ControlledThreads.most).contains(bodies.count))
        self.strategy = strategy
        holders.removeAll(keepingCapacity: true)
        trace.removeAll(keepingCapacity: true)
        schedule = Schedule(threads: bodies.count)
        preemptions = 0
        total = 0
        fruitless = 0
        end = nil
        for (runner, body) in zip(runners, bodies) {
            runner.body = body
            runner.steps = 0
            runner.state = .ready
        }
        strategy.begin(threads: bodies.count)
        let first = choose(thread: bodies.count, step: 0, ready: ready, yields: false)
        runners[first].baton.signal()
        finished.wait()
        if isFree { isSpoilt = !waitForTheFree() }
        return end ?? .allDone
    }

    private var ready: UInt8 {
        var bits: UInt8 = 0
        for runner in runners { if case .ready = runner.state { bits |= 1 << UInt8(runner.index) } }
        return bits
    }
    private func choose(thread: Int, step: Int, ready: UInt8, yields: Bool) -> Int {
        let moment = Moment(thread: thread, step: step, total: total, ready: ready, yields: yields)
        let next = strategy.choose(at: moment)
        if next != moment.rule {
            schedule.switches.append(Schedule.Switch(thread: thread, step: step, next: next))
            Blackbox.note(thread: thread, step: step, next: next)
        }
        if moment.canGoOn, !yields, next != thread { preemptions += 1 }
        return next
    }

    // MARK: What the thread that runs does

    fileprivate func reach(_ runner: Runner, _ name: StaticString, _ effect: Effect, at place: UInt) {
        guard !isFree else { return }
        note(runner, name, at: place)
        switch effect {
        case .taken:
            holders.append((place, runner.index))
            return
        case .letGo:
            if let index = holders.lastIndex(where: { $0.place == place }) { holders.remove(at: index) }
            for other in runners {
                if case .waiting(place) = other.state { other.state = .ready }
            }
        case .none: break
        }
        transferTurn(runner, ready, yields: false)
    }
    fileprivate func wait(_ runner: Runner, for place: UInt) {
        guard !isFree else { return runner.waitFree() }
        note(runner, place == 0 ? "lets others run" : "has to wait", at: place)
        guard place != 0 else {
            let others = ready & ~(1 << UInt8(runner.index))
            return transferTurn(runner, others == 0 ? ready : others, yields: true)
        }
        runner.state = .waiting(place)
        guard waitForThreadsOutside() else { return giveUp(.deadlock(waiting), runner) }
        transferTurn(runner, ready, yields: false)
        runner.state = .ready
    }
    /// Returns when a thread of the run can go on, or none waits. Returns false if they wait for one another.
    private func waitForThreadsOutside() -> Bool {
        while ready == 0, !waiting.isEmpty {
            // What no thread of the run has taken is some other thread's, which needs no help.
            guard waiting.contains(where: { $0.holder == nil }), fruitless < patience else { return false }
            fruitless += 1
            // That thread may be waiting for a processor: only ten seconds are a deadlock.
            usleep(fruitless < 500 ? 50 : 1_000)
            for other in runners {
                if case .waiting(let place) = other.state, holder(of: place) == nil { other.state = .ready }
            }
        }
        return true
    }
    fileprivate func ended(_ runner: Runner) {
        runner.state = .idle
        guard !isFree else { return freeEnded() }
        guard waitForThreadsOutside() else { return giveUp(.deadlock(waiting), runner) }
        let ready = ready
        if ready != 0 {
            // The end is a step of its own, so that a schedule can say who follows.
            runner.steps += 1
            runners[choose(thread: runner.index, step: runner.steps, ready: ready, yields: false)].baton.signal()
        } else {
            finished.signal()
        }
    }
    private func note(_ runner: Runner, _ name: StaticString, at place: UInt) {
        runner.steps += 1
        total += 1
        trace.append((UInt8(runner.index), name, place))
    }
    private func transferTurn(_ runner: Runner, _ ready: UInt8, yields: Bool) {
        guard total < ControlledThreads.endlessAfter else { return giveUp(.endless(total), runner) }
        let next: Int
        if let other = runners.first(where: { $0.alone > 0 && ready & (1 << UInt8($0.index)) != 0 }) {
            next = other.index
        } else {
            next = choose(thread: runner.index, step: runner.steps, ready: ready, yields: yields)
        }
        guard next != runner.index else { return }
        runners[next].baton.signal()
        runner.baton.wait()
    }
    private func holder(of place: UInt) -> Int? { holders.last { $0.place == place }?.thread }
    private var waiting: [End.Waiting] {
        runners.compactMap { runner in
            guard case .waiting(let place) = runner.state else { return nil }
            return End.Waiting(thread: runner.index, place: place, holder: holder(of: place))
        }
    }

    // MARK: A run that is given up

    /// Lets all threads run as they can, without control: those that are not stuck come to an end.
    private func giveUp(_ end: End, _ runner: Runner) {
        self.end = end
        stillRunning = runners.count { if case .idle = $0.state { false } else { true } }
        isFree = true
        for other in runners where other !== runner {
            if case .idle = other.state { continue }
            other.baton.signal()
        }
        finished.signal()
    }
    private func freeEnded() {
        let isLast = freeLock.withLock {
            stillRunning -= 1
            return stillRunning == 0
        }
        if isLast { finished.signal() }
    }
    private func waitForTheFree() -> Bool {
        guard finished.wait(timeout: .now() + .milliseconds(200)) == .success else { return false }
        isFree = false
        return true
    }
}

// MARK: - One thread

extension ControlledThreads.Runner {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "no thread-specific key is left for the explorer")
        return key
    }()
    /// This thread, if it is one.
    static var current: ControlledThreads.Runner? {
        pthread_getspecific(key).map { Unmanaged<ControlledThreads.Runner>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Waits a little in a run that was given up; longer and longer, because a thread that is stuck waits until the process ends.
    fileprivate func waitFree() {
        freeWaits += 1
        usleep(freeWaits < 2_000 ? 50 : 100_000)
    }
    func live() -> Never {
        Processor.stayOnOne()
        pthread_setspecific(ControlledThreads.Runner.key, Unmanaged.passUnretained(self).toOpaque())
        #if SCHEDULE_FAULTS
        ScheduleFuzzing.control(thisThreadBy: self)
        #endif
        while true {
            baton.wait()
            runBody()
            threads.ended(self)
        }
    }
    /// What the body holds is let go of while it is still this thread's turn.
    @inline(never) private func runBody() { body.take()?() }
}

/// The points that a test's own code reaches.
public enum Point {
    /// A point of the code under test. Outside a scenario's threads, it does nothing.
    public static func reach(_ name: StaticString, _ effect: Effect = .none, at place: UInt = 0) {
        guard let runner = ControlledThreads.Runner.current else { return }
        runner.threads.reach(runner, name, effect, at: place)
    }
    /// The thread cannot go on until `place` is let go of; if that is 0, it would let others run first.
    public static func wait(for place: UInt = 0) {
        guard let runner = ControlledThreads.Runner.current else { return }
        runner.threads.wait(runner, for: place)
    }
    /// Runs `body` without handing on, but where it has to wait; and where it can go on after that, it does at once.
    ///
    /// For code that holds a lock of which the explorer knows nothing, such as the runtime's while a task is cancelled: a
    /// thread that handed on there would have another one wait for ever.
    public static func alone(_ body: () -> Void) {
        guard let runner = ControlledThreads.Runner.current else { return body() }
        runner.alone += 1
        defer { runner.alone -= 1 }
        body()
    }
}

#if SCHEDULE_FAULTS
extension ControlledThreads.Runner: ScheduleControl {
    func reach(_ point: SchedulePoint, at place: UInt) {
        threads.reach(self, point.name, point.effect, at: place)
    }
    func wait(for place: UInt) { threads.wait(self, for: place) }
}

/// Keeps the schedule's faults away from a thread that is under no control: the one that makes a scenario.
final class NoFaults: ScheduleControl {
    /// The lock that the thread waits for, and since when.
    private var place: UInt = 0
    private var begin = ContinuousClock.now

    func reach(_ point: SchedulePoint, at place: UInt) { self.place = 0 }
    func wait(for place: UInt) {
        if place == 0 || place != self.place {
            (self.place, begin) = (place, .now)
        } else if ContinuousClock.now - begin > .seconds(20) {
            fatalError("a thread that makes a scenario waits for a lock that nobody lets go of")
        }
        sched_yield()
    }
}

extension SchedulePoint {
    fileprivate var effect: Effect {
        switch self {
        case .lockIsTaken, .vertexIsLocked, .valueIsToBeWritten, .regionIsTaken: .taken
        case .lockIsLetGo, .vertexIsUnlocked, .valueIsWritten, .regionIsLeft, .regionsHaveMerged: .letGo
        default: .none
        }
    }
    fileprivate var name: StaticString {
        switch self {
        case .lockIsToBeTaken: "lock is to be taken"
        case .lockIsTaken: "lock is taken"
        case .lockIsToBeLetGo: "lock is to be let go"
        case .lockIsLetGo: "lock is let go"
        case .vertexIsToBeLocked: "node is to be locked"
        case .vertexIsLocked: "node is locked"
        case .vertexIsToBeUnlocked: "node is to be unlocked"
        case .vertexIsUnlocked: "node is unlocked"
        case .valueIsToBeWritten: "value is to be written"
        case .valueIsWritten: "value is written"
        case .connectionIsRead: "link is read"
        case .connectionIsChecked: "link is checked"
        case .regionIsToBeTaken: "region is to be taken"
        case .regionIsTaken: "region is taken"
        case .regionIsToBeLeft: "region is to be left"
        case .regionIsLeft: "region is left"
        case .regionsAreToMerge: "regions are to merge"
        case .regionsHaveMerged: "region has gone into another"
        }
    }
}
#endif
