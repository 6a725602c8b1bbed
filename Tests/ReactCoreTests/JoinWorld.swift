@testable import ReactCore

/// A join's state, and what stands around it in the engine, as plain values: where the engine has it, what is owed to the user. Each step
/// does what `Join` does with a transition's answer, and notes what breaks a promise.
struct JoinWorld {
    enum Step: Hashable {
        // The maker.
        case link(full: Bool)
        case fireFirst
        // What comes.
        case arrive(filling: Bool)
        case fillInPassing
        case cut(full: Bool)
        case empty
        case keep
        case request
        // Firing. `early`: other joins are left to fire.
        case fire(early: Bool)
        case end(early: Bool)
        case endWaiting
        case giveUp
    }
    /// Where the engine has the join, and how often it is in the queue.
    var listed = 0
    var isKeptWaiting = false
    var isFiring = false

    let inputs: Int
    var state: JoinState
    var linked = 0, full = 0
    var isMade: Bool
    /// Whether something has arrived, or was asked for, that no firing has taken yet; and whether anything has arrived since it fired or
    /// lost an input.
    var isOwed = false
    var hasNews = false
    var isRetained = false
    var problem: String?

    init(inputs: Int) {
        self.inputs = inputs
        state = JoinState(inputs: inputs)
        isMade = inputs == 0
    }
    var isIncomplete: Bool { !isMade || full < inputs }

    static func allSteps(inputs: Int) -> [Step] {
        let flags = [false, true]
        var steps: [Step] = [.keep, .endWaiting, .cut(full: false), .arrive(filling: false)]
        steps += flags.flatMap { [.fire(early: $0), .end(early: $0)] }
        guard inputs > 0 else { return steps + [.request, .giveUp] }
        return steps + flags.map { .link(full: $0) }
            + [.fireFirst, .arrive(filling: true), .fillInPassing, .cut(full: true), .empty, .giveUp]
    }

    /// All that tells this from other worlds, and may make a difference yet.
    var key: UInt64 {
        var key: UInt64 = 0
        func add(_ number: Int, _ bits: Int) { key = key << UInt64(bits) | UInt64(number) }
        add(Int(state.phase.rawValue), 2)
        add(Int(state.place.rawValue), 3)
        add(max(Int(state.missing), 0), 3)
        add(linked, 2)
        add(full, 2)
        add(listed, 2)
        for flag in [state.isMade, state.retainsItself, isMade, isKeptWaiting, isFiring, isOwed, hasNews, isRetained] {
            add(flag ? 1 : 0, 1)
        }
        return key
    }

    // MARK: Steps

    /// Whether the step can be taken here; if so, it was.
    mutating func take(_ step: Step) -> Bool {
        switch step {
        case .link(let isFull):
            guard linked < inputs else { return false }
            if isFull { arrive(filling: true) }
            linked += 1
        case .fireFirst:
            guard linked == inputs, !isMade else { return false }
            isMade = true
            if state.endMaking() != (full == inputs) { problem = "its first value is late, or early" }
        case .arrive(let filling):
            guard filling ? full < linked : full > 0 || inputs == 0 else { return false }
            arrive(filling: filling)
        case .fillInPassing:
            guard full < linked else { return false }
            full += 1
            state.fillInput()
        case .cut(let isFull):
            guard isFull ? full > 0 : full < inputs || inputs == 0 else { return false }
            if isFull { full -= 1 }
            state.loseInput(emptying: isFull)
            hasNews = false
        case .empty:
            guard full > 0 else { return false }
            full -= 1
            state.emptyInput()
        case .keep:
            guard isMade else { return false }
            let isSomewhere = state.place != .nowhere
            if state.retainItself() {
                if isRetained { problem = "it holds itself twice" }
                isRetained = true
            }
            if isSomewhere != isRetained { problem = "an edge went, and it holds itself for nothing, or does not" }
        case .request:
            if state.requireFiring() { listed += 1 }
            isOwed = true
        case .fire(let early):
            guard listed > 0, !isFiring else { return false }
            listed -= 1
            fire(early)
        case .end(let early):
            guard isFiring else { return false }
            isFiring = false
            finish(early)
        case .endWaiting:
            guard isKeptWaiting || state.place == .waits else { return false }
            if state.endWaiting() != isKeptWaiting { problem = "it is kept waiting, and is not listed afterwards" }
            isKeptWaiting = false
            listed += 1
        case .giveUp:
            guard isFiring else { return false }
            if state.restart() == isOwed { problem = "it forgets what it fired for, or keeps what is newer" }
            isOwed = true
            hasNews = true
        }
        check()
        return true
    }
    private mutating func arrive(filling: Bool) {
        if filling {
            full += 1
            state.fillInput()
        }
        let before = state
        switch state.arrive() {
        case .isOfFirst:
            if isMade { problem = "what arrived is lost" }
            if before != state { problem = "a part of the first value changes more than an input" }
            return
        case .isListed:
            isKeptWaiting = false
            listed += 1
        case .isNoted: break
        }
        if !isMade { problem = "a part of the first value lists it" }
        (isOwed, hasNews) = (true, true)
    }
    private mutating func fire(_ early: Bool) {
        guard state.beginFiring() else {
            if isOwed, !isIncomplete { problem = "what is owed does not fire" }
            return finish(early)
        }
        if isIncomplete { problem = "it fires, and misses a value" }
        if !isOwed { problem = "it fires for nothing" }
        (isFiring, isOwed, hasNews) = (true, false, false)
    }
    private mutating func finish(_ early: Bool) {
        switch state.endFiring(mayWait: early) {
        case .waits:
            if !early || !isIncomplete || !hasNews { problem = "it waits for nothing" }
            isKeptWaiting = true
        case .again:
            if !isOwed { problem = "it fires again for nothing" }
            listed += 1
        case .listed:
            if listed == 0 { problem = "it is said to be listed, and is not" }
        case .over(let hadRetainedItself), .forgotten(let hadRetainedItself):
            if hadRetainedItself != isRetained { problem = "it lets go of itself, or does not, against what it holds" }
            // If an input has gone, and nothing is owed any more, it is silent.
            (isOwed, hasNews, isRetained) = (false, false, false)
        }
    }

    // MARK: What always holds

    private mutating func check() {
        guard problem == nil else { return }
        problem = state.violation ?? violation
    }
    private var violation: String? {
        if Int(state.missing) != inputs - full + (isMade ? 0 : 1) {
            return "it does not know how many values it misses"
        }
        if listed > 1 { return "it is on the list twice" }
        let isSomewhere = listed > 0 || isKeptWaiting || isFiring
        if isSomewhere != (state.place != .nowhere) { return "where it is, and where it believes to be, differ" }
        if isFiring != state.isFiring { return "it does not know whether it is being fired" }
        if isOwed != state.isDirty { return "something has come, and it is clean, or the other way round" }
        if isRetained != state.retainsItself { return "it does not know whether it holds itself" }
        if isRetained, !isSomewhere { return "it holds itself for ever" }
        return nil
    }
    /// Whether it is at rest: nothing is left to be done.
    var isAtRest: Bool { listed == 0 && !isKeptWaiting && !isFiring && !isRetained && !isOwed }
    /// The steps that lead there, where nothing new comes: all of them, in any order.
    static let settling: [Step] = [.end(early: false), .fire(early: false), .endWaiting]
}
