import Foundation
import ReactCore

/// How many schedules are tried.
public struct Effort: Sendable {
    /// All schedules with at most so many pre-emptions, as far as `exhaustive` goes.
    public var preemptions: Int
    public var exhaustive: Int
    /// Schedules by chance, for each seed.
    public var random: Int
    public var seeds: [UInt64]

    public init(preemptions: Int, exhaustive: Int, random: Int, seeds: [UInt64]) {
        self.preemptions = preemptions
        self.exhaustive = exhaustive
        self.random = random
        self.seeds = seeds
    }
    /// What each scenario gets: the seed that all runs have, and a new one, which is printed.
    ///
    /// The environment's `EASYREACT_SCHEDULES` says how many schedules by chance, `EASYREACT_SCHEDULE_SEED` says by which seed alone.
    public static let usual: Effort = {
        let environment = ProcessInfo.processInfo.environment
        let random = environment["EASYREACT_SCHEDULES"].flatMap { Int($0) }
        let given = environment["EASYREACT_SCHEDULE_SEED"].flatMap { UInt64($0) }
        let fresh = UInt64.random(in: 0..<1_000_000)
        if given == nil { print("schedules: EASYREACT_SCHEDULE_SEED=\(fresh), beside seed 1") }
        return Effort(
            preemptions: 2, exhaustive: min(random ?? 1_000, 10_000), random: random ?? usualRandom,
            seeds: given.map { [$0] } ?? [1, fresh])
    }()
    #if SCHEDULE_FAULTS
    private static let usualRandom = 500
    #else
    /// Threads hand on between deeds alone: there are some ten schedules, and all are tried before any by chance.
    private static let usualRandom = 0
    #endif
}

/// What came of a scenario that keeps its promise.
public struct Explored: Sendable {
    public let name: String
    public var schedules = 0
    /// All schedules with so many pre-emptions have been tried; -1 is none.
    public var exhaustedPreemptions = -1
    /// Whether there is no schedule with more.
    public var isExhaustive = false
    public var longest = 0
    public var allowed = 0
    public var seconds = 0.0
    /// Whether all runs followed from their schedules.
    public var isRepeatable = true
}

/// Runs a scenario under many schedules, and throws a `ScheduleFailure` at the first one that ends as no order of the threads'
/// deeds does in the model, that never ends, or in which all threads wait.
///
///     try explore("two sets of one node", [0]) { scene in
///         let node = scene.named("node", MutableNode(0)), heard = Recorder<Int>(), lifetime = Lifetime()
///         node.listened(by: lifetime).with(heard.record)
///         scene.thread("sets 1") { node.value = 1 } model: { $0.append(1) }
///         scene.thread("sets 2") { node.value = 2 } model: { $0.append(2) }
///         scene.sees { heard.events }
///     }
///
/// `stage` is called for each schedule, and makes everything anew; up to four threads. Of what it makes, nothing may wait for
/// another thread by itself: it would wait for ever. Without `-DSCHEDULE_FAULTS`, threads hand on between deeds alone.
@discardableResult
public func explore<Model: Hashable & Sendable>(
    _ name: String, _ model: Model, effort: Effort = .usual, _ stage: @escaping (Scene<Model>) -> Void
) throws -> Explored {
    try shared.turn.withLock {
        try alone { try Exploration(name, model, stage).explore(effort) }
    }
}
/// Runs a scenario once, under one schedule, and returns its steps: thread, count, point and place.
public func replay<Model: Hashable & Sendable>(
    _ schedule: Schedule, of name: String, _ model: Model, _ stage: @escaping (Scene<Model>) -> Void
) throws -> [String] {
    try shared.turn.withLock {
        try alone { try Exploration(name, model, stage).steps(in: schedule) }
    }
}
/// Runs `body` on the processor of the controlled threads, and without faults of its own.
private func alone<R>(_ body: () throws -> R) rethrows -> R {
    try Processor.onOne {
        #if SCHEDULE_FAULTS
        ScheduleFuzzing.control(thisThreadBy: NoFaults())
        defer { ScheduleFuzzing.control(thisThreadBy: nil) }
        #endif
        defer { Blackbox.end() }
        return try body()
    }
}

/// One call of `explore`.
final class Exploration<Model: Hashable & Sendable> {
    private let name: String
    private let model: Model
    private let stage: (Scene<Model>) -> Void
    private let allowed: Set<AnyHashable>
    private let threadNames: [String]
    private var threads: ControlledThreads
    private var explored: Explored
    /// Of the places of the last run.
    private var names: [UInt: String] = [:]

    init(_ name: String, _ model: Model, _ stage: @escaping (Scene<Model>) -> Void) {
        self.name = name
        self.model = model
        self.stage = stage
        let scene = Scene<Model>()
        Blackbox.begin(name, schedule: 0)
        stage(scene)
        allowed = scene.outcomes(from: model)
        threadNames = scene.lines.map(\.name)
        threads = shared.threads
        explored = Explored(name: name)
        explored.allowed = allowed.count
    }

    func explore(_ effort: Effort) throws -> Explored {
        if let replay = ProcessInfo.processInfo.environment["EASYREACT_REPLAY"] {
            try self.replay(replay)
            return explored
        }
        let start = ContinuousClock.now
        warmUp()
        for limit in 0...effort.preemptions where explored.schedules < effort.exhaustive {
            let strategy = BoundedPreemptions(limit: limit)
            var isOver = false
            var most = 0
            while !isOver, explored.schedules < effort.exhaustive {
                try attempt(strategy, "all schedules with at most \(limit) pre-emptions")
                most = max(most, threads.preemptions)
                isOver = !strategy.advance()
            }
            if strategy.hasDiverged { explored.isRepeatable = false }
            guard isOver, !strategy.hasDiverged else { break }
            explored.exhaustedPreemptions = limit
            explored.isExhaustive = most < limit
            if explored.isExhaustive { break }
        }
        for seed in effort.seeds where !explored.isExhaustive {
            let strategy = RandomPriorities(seed: seed) { [self] in explored.longest }
            for _ in 0..<effort.random { try attempt(strategy, "random priorities, seed \(seed)") }
        }
        let time = ContinuousClock.now - start
        explored.seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
        Figures.add(explored)
        return explored
    }
    /// Has what is made once in a process made now.
    private func warmUp() {
        for _ in 0..<2 { _ = run(InitialDelivery(Schedule(threads: threadNames.count))) }
    }
    private func attempt(_ strategy: any Strategy, _ found: String) throws {
        explored.schedules += 1
        let outcome = run(strategy)
        explored.longest = max(explored.longest, threads.stepCount)
        guard let outcome else { return }
        throw ScheduleFailure(
            scenario: name, problem: outcome.problem, found: "\(found), schedule \(explored.schedules)",
            first: outcome.record, shortened: shorten(outcome))
    }
    private func replay(_ line: String) throws {
        guard let colon = line.lastIndex(of: ":"), line[..<colon] == name else { return }
        guard let schedule = Schedule(line[line.index(after: colon)...]), schedule.threads == threadNames.count else {
            throw ScheduleFailure(
                scenario: name, problem: "EASYREACT_REPLAY names no schedule of this scenario", found: "")
        }
        print("“\(name)” holds in the schedule that is replayed:\n" + (try steps(in: schedule)).joined(separator: "\n"))
    }
    func steps(in schedule: Schedule) throws -> [String] {
        warmUp()
        if let outcome = run(InitialDelivery(schedule)) {
            throw ScheduleFailure(scenario: name, problem: outcome.problem, found: "a replay", first: outcome.record)
        }
        return record(names).steps
    }

    // MARK: One run

    struct Outcome {
        let problem: String
        let record: ScheduleFailure.Record
    }
    /// Runs the scenario once; returns what was wrong.
    private func run(_ strategy: any Strategy) -> Outcome? {
        if threads.isSpoilt { threads = shared.threads }
        let scene = Scene<Model>()
        Blackbox.begin(name, schedule: explored.schedules)
        stage(scene)
        names = scene.names
        Blackbox.beginThreads(scene.lines.count)
        let end = threads.run(
            scene.lines.map { line in
                {
                    for (index, deed) in line.deeds.enumerated() {
                        if index > 0 { Point.reach("the next deed") }
                        deed.act()
                    }
                }
            }, by: strategy)
        switch end {
        case .allDone: break
        case .deadlock(let waiting):
            let lines = waiting.map { wait in
                let holder = wait.holder.map { "which \(threadNames[$0]) has" } ?? "which none of them has"
                return "\(threadNames[wait.thread]) waits for \(scene.names[wait.place] ?? "a lock"), \(holder)"
            }
            return Outcome(problem: "a deadlock: " + lines.joined(separator: "; "), record: record(scene.names))
        case .endless(let steps):
            return Outcome(problem: "no end after \(steps) steps", record: record(scene.names))
        }
        // Where the threads hand on at points of the test alone, they may meet in real time, and a set may be late.
        for node in scene.nodes { while !LateWork.isDone(at: node) { sched_yield() } }
        for node in scene.nodes { node.vertex.checkInvariants() }
        guard let seen = scene.look?(), !allowed.contains(seen) else { return nil }
        let list = allowed.map { "\($0)" }.sorted()
        let expected =
            list.prefix(12).joined(separator: "\n            ")
            + (list.count > 12 ? "\n            … (\(list.count))" : "")
        return Outcome(problem: "seen:     \(seen)\n  expected: \(expected)", record: record(scene.names))
    }
    private func record(_ names: [UInt: String]) -> ScheduleFailure.Record {
        ScheduleFailure.Record(
            line: "\(name): \(threads.schedule)", preemptions: threads.preemptions, schedule: threads.schedule,
            steps: ScheduleFailure.describe(threads.steps, names, threadNames))
    }

    // MARK: Shortening

    /// Fewer switches, then fewer pre-emptions: by leaving switches out, then by trying all schedules with fewer.
    private func shorten(_ outcome: Outcome) -> ScheduleFailure.Shortened? {
        var best = outcome.record
        var runs = 0
        func fails(_ strategy: any Strategy) -> ScheduleFailure.Record? {
            guard shared.spoilt < 100 else { return nil }
            runs += 1
            return run(strategy)?.record
        }
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for index in best.schedule.switches.indices.reversed() {
                guard index < best.schedule.switches.count else { continue }
                var shorter = best.schedule
                shorter.switches.remove(at: index)
                guard let record = fails(InitialDelivery(shorter)) else { continue }
                if record.preemptions < best.preemptions
                    || record.preemptions == best.preemptions
                        && record.schedule.switches.count < best.schedule.switches.count
                {
                    best = record
                    isSmaller = true
                }
            }
        }
        var isFewest = best.preemptions == 0
        search: for limit in 0..<max(best.preemptions, 0) {
            let strategy = BoundedPreemptions(limit: limit)
            repeat {
                if let record = fails(strategy) {
                    best = record
                    isFewest = !strategy.hasDiverged
                    break search
                }
                if runs > 20_000 { break search }
            } while strategy.advance()
            isFewest = limit == best.preemptions - 1 && !strategy.hasDiverged
        }
        return ScheduleFailure.Shortened(record: best, isFewest: isFewest)
    }
}

/// What all explorations of the process share: one at a time has it.
private let shared = Shared()
/// Unchecked, because what is mutable is reached by whose turn it is.
private final class Shared: @unchecked Sendable {
    let turn = NSRecursiveLock()
    private var made: ControlledThreads?
    /// How many times threads were given up.
    private(set) var spoilt = 0

    /// Threads of which none is stuck.
    var threads: ControlledThreads {
        if let made, !made.isSpoilt { return made }
        if made != nil { spoilt += 1 }
        // A thread that is stuck may keep a lock that all scenarios need. Then each of them fails, and does so soon.
        let new = ControlledThreads(patience: made == nil ? 10_000 : 600)
        made = new
        return new
    }
}
