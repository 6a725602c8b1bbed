/// One moment of a run: who is running, and who could.
struct Moment {
    /// The thread that has reached a point. At the very beginning, as many as there are threads.
    let thread: Int
    /// How many steps it has made.
    let step: Int
    /// How many steps all threads have made.
    let total: Int
    /// A bit for each thread that can go on.
    let ready: UInt8
    /// Whether `thread` would let others run first.
    let yields: Bool

    var canGoOn: Bool { isReady(thread) }
    func isReady(_ thread: Int) -> Bool { ready & (1 << UInt8(thread)) != 0 }
    /// Who goes on where nothing else is said.
    var rule: Int { canGoOn ? thread : ready.trailingZeroBitCount }
}

/// What chooses the thread that goes on. It is asked by one thread at a time.
protocol Strategy: AnyObject {
    /// Begins the next run.
    func begin(threads: Int)
    /// One of the threads that can go on.
    func choose(at moment: Moment) -> Int
}

/// The rule, but for the switches of a schedule.
final class InitialDelivery: Strategy {
    private let schedule: Schedule
    private var switches: [Place: Int] = [:]
    /// How many of the schedule's switches came.
    private(set) var made = 0

    private struct Place: Hashable {
        let thread: Int
        let step: Int
    }

    init(_ schedule: Schedule) { self.schedule = schedule }

    func begin(threads: Int) {
        made = 0
        switches = [:]
        for change in schedule.switches { switches[Place(thread: change.thread, step: change.step)] = change.next }
    }
    func choose(at moment: Moment) -> Int {
        guard let next = switches[Place(thread: moment.thread, step: moment.step)], moment.isReady(next) else {
            return moment.rule
        }
        made += 1
        return next
    }
}

/// All schedules with at most `limit` pre-emptions, one a run: depth first, by the last choice that has something left.
/// (Musuvathi and Qadeer, "Iterative context bounding", PLDI 2007.)
final class BoundedPreemptions: Strategy {
    private struct Choice {
        let taken: UInt8
        /// What is still to be tried here.
        var left: UInt8
        let ready: UInt8
    }
    private let limit: Int
    private var path: [Choice] = []
    private var place = 0
    private var preemptions = 0
    /// Whether a run did not repeat what led to its choice: so the scenario, or the engine, does not follow from the schedule.
    private(set) var hasDiverged = false

    init(limit: Int) { self.limit = limit }

    func begin(threads: Int) {
        place = 0
        preemptions = 0
    }
    func choose(at moment: Moment) -> Int {
        let rule = UInt8(moment.rule)
        let others = moment.ready & ~(1 << rule)
        guard others != 0, !moment.canGoOn || moment.yields || preemptions < limit else { return Int(rule) }
        if place == path.count { path.append(Choice(taken: rule, left: others, ready: moment.ready)) }
        let choice = path[place]
        place += 1
        guard choice.ready == moment.ready else {
            hasDiverged = true
            return Int(rule)
        }
        if moment.canGoOn, !moment.yields, choice.taken != rule { preemptions += 1 }
        return Int(choice.taken)
    }
    /// Goes on to the next schedule; `false` if that was the last.
    func advance() -> Bool {
        while let choice = path.popLast() {
            guard choice.left != 0 else { continue }
            let next = UInt8(choice.left.trailingZeroBitCount)
            path.append(Choice(taken: next, left: choice.left & ~(1 << next), ready: choice.ready))
            return true
        }
        return false
    }
}

/// Each thread has a priority by chance, and the highest one runs; at so many steps, by chance as well, the thread that
/// runs becomes the lowest. (Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010.)
final class RandomPriorities: Strategy {
    private let seed: UInt64
    private let mostChanges: Int
    private let length: () -> Int
    private var run: UInt64 = 0
    private var priorities: [Int] = []
    private var lowest = 0
    private var changes: Set<Int> = []

    /// `length` says how many steps a run may have.
    init(seed: UInt64, mostChanges: Int = 5, length: @escaping () -> Int) {
        self.seed = seed
        self.mostChanges = mostChanges
        self.length = length
    }

    func begin(threads: Int) {
        var random = Random(seed: seed &+ run &* 0xD134_2543_DE82_EF95)
        run += 1
        priorities = Array(1...threads).shuffled(using: &random)
        lowest = 0
        changes = []
        let steps = 1...max(1, length())
        for _ in 0..<Int.random(in: 0...mostChanges, using: &random) {
            changes.insert(.random(in: steps, using: &random))
        }
    }
    func choose(at moment: Moment) -> Int {
        if moment.thread < priorities.count, moment.yields || changes.contains(moment.total) {
            lowest -= 1
            priorities[moment.thread] = lowest
        }
        var best = moment.rule
        for thread in priorities.indices where moment.isReady(thread) && priorities[thread] > priorities[best] {
            best = thread
        }
        return best
    }
}

/// SplitMix64.
private struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
