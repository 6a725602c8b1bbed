import ReactCore

extension TransactionID {
    /// A holder that is nothing but a number.
    static func number(_ number: Int) -> TransactionID {
        TransactionID(UnsafeRawPointer(bitPattern: (number + 1) << 4)!)
    }
    static func name(_ id: TransactionID) -> String {
        (0..<5).first { TransactionID.number($0) == id }.map { ["P", "Q", "R", "S", "T"][$0] } ?? "?"
    }
}

/// A join's state, and what stands around it in the engine, as plain values: who has it on a list, which thread fires it, where what
/// arrived is on record, what is owed to the user. Each step does what `Join` does with a transition's answer, and notes
/// what breaks a promise.
struct JoinWorld {
    enum Step: Hashable {
        // The maker, who is thread 0.
        case link(full: Bool)
        case fireFirst
        // What comes.
        case arrive(Int, filling: Bool, context: Bool)
        case fillInPassing
        case cut(full: Bool)
        case keep
        case request(Int)
        // Firing. `early`: other joins are left to fire.
        case fire(Int, early: Bool)
        case end(early: Bool)
        case endWaiting(Int)
        case giveUp(context: Bool)
        // Hand-overs.
        case leave(Int)
        case handOver(Int, to: Int)
        case wait(for: Int)
        case withdraw(Int)
        case take(Int)
        // Another delivery has the vertex's turn.
        case turnBegins
        case turnEnds
    }

    let inputs: Int
    /// The threads; one holder more is a firing that waits for a turn.
    let threads: Int
    var state: JoinState
    var full = 0
    var isMade: Bool
    /// Who has the join on a list, who has found that others hold it and is about to leave it, and who was asked to wait for.
    var listed: UInt8 = 0
    var leaving: UInt8 = 0
    var waitedFor: UInt8 = 0
    /// Who keeps the join, because a value that it misses may come yet.
    var keeper: Int?
    var firing: Int?
    var isTurnTaken = false
    /// Whether the maker is giving the first value.
    var isMaking = false
    /// Whether something has arrived, or was asked for, that no firing has taken yet; and whether anything has arrived since it fired or
    /// lost an input.
    var isOwed = false
    var hasNews = false
    /// On whose trail what arrived is, unless there is nothing there, and what else there is.
    var trail: Int?
    var hasList = false
    var hasContext = false
    var isRetained = false
    var problem: String?

    init(inputs: Int, threads: Int) {
        self.inputs = inputs
        self.threads = threads
        state = JoinState(inputs: inputs, maker: .number(0))
        isMade = inputs == 0
    }
    var waiting: Int { threads }
    var linked: Int { inputs - Int(state.unlinked) }
    var isBusy: Bool { firing != nil || isMaking || isTurnTaken }
    var isIncomplete: Bool { !isMade || full < inputs }

    static func allSteps(inputs: Int, threads: Int) -> [Step] {
        let flags = [false, true]
        let all = 0..<threads
        var steps: [Step] = all.flatMap { [.leave($0), .wait(for: $0), .withdraw($0), .take($0), .endWaiting($0)] }
        steps += all.flatMap { thread in flags.map { .fire(thread, early: $0) } }
        steps += flags.map { .end(early: $0) }
        steps += [.keep, .turnBegins, .turnEnds, .cut(full: false)]
        steps += all.flatMap { from in (0...threads).filter { $0 != from }.map { .handOver(from, to: $0) } }
        steps += all.flatMap { thread in flags.map { .arrive(thread, filling: false, context: $0) } }
        guard inputs > 0 else { return steps + all.map { .request($0) } + flags.map { .giveUp(context: $0) } }
        steps += all.flatMap { thread in flags.map { .arrive(thread, filling: true, context: $0) } }
        return steps + flags.map { .link(full: $0) } + [.fireFirst, .fillInPassing, .cut(full: true)]
    }

    /// All that tells this from other worlds, and may make a difference yet.
    var key: UInt64 {
        var key: UInt64 = 0
        func add(_ number: Int, _ bits: Int) { key = key << UInt64(bits) | UInt64(number) }
        add(Int(state.phase.rawValue), 2)
        let holders = (state.holder.map { [$0] } ?? []) + state.moreHolders
        add(holders.reduce(0) { $0 * 5 + Int(bitPattern: $1.address) >> 4 }, 10)
        add(max(state.missing, 0), 3)
        add(Int(state.unlinked), 2)
        add(full, 2)
        add(Int(listed), 4)
        add(Int(leaving), 4)
        add(Int(waitedFor), 4)
        add(firing.map { $0 + 1 } ?? 0, 3)
        add(trail.map { $0 + 1 } ?? 0, 3)
        add(keeper.map { $0 + 1 } ?? 0, 3)
        add(Int(state.wait.rawValue), 2)
        for flag in [
            state.hasList, state.hasContext, state.isKept, state.isListedAgain, isMade, isMaking, isTurnTaken, isOwed,
            hasNews, hasList,
            hasContext, isRetained,
        ] { add(flag ? 1 : 0, 1) }
        return key
    }

    // MARK: Steps

    /// Whether the step can be taken here; if so, it was.
    mutating func take(_ step: Step) -> Bool {
        switch step {
        case .link(let isFull):
            guard state.unlinked > 0 else { return false }
            if isFull { arrive(0, filling: true, context: false) }
            if state.link() != (state.unlinked == 0) { problem = "the last link is not told" }
        case .fireFirst:
            guard state.unlinked == 0, !isMade else { return false }
            isMade = true
            isMaking = full == inputs
            if state.endMaking() != isMaking { problem = "its first value is late, or early" }
            if isMaking {
                (isOwed, hasNews, trail) = (false, false, nil)
                (hasList, hasContext) = (false, false)
            }
        case .arrive(let thread, let filling, let context):
            guard filling ? full < linked : full > 0 || inputs == 0 else { return false }
            arrive(thread, filling: filling, context: context)
        case .fillInPassing:
            guard full < linked else { return false }
            full += 1
            state.fillSlot()
        case .cut(let isFull):
            guard isFull ? full > 0 : full < inputs || inputs == 0 else { return false }
            if isFull { full -= 1 }
            state.loseInput(emptyingSlot: isFull)
            (trail, hasNews) = (nil, false)
        case .keep:
            guard isMade else { return false }
            let wasHeld = state.holder != nil
            if state.keep() {
                if isRetained { problem = "it holds itself twice" }
                isRetained = true
            }
            if wasHeld != isRetained { problem = "an edge went, and it holds itself, or does not, against its holders" }
        case .request(let thread):
            let request = state.request(by: .number(thread))
            if request.isNew { list(thread) }
            if request.needsList {
                hasList = true
                if trail == thread { problem = "an empty list takes the place of this thread's arrivals" }
            }
            isOwed = true
        case .fire(let thread, let early):
            guard listed & 1 << thread != 0, firing != thread else { return false }
            listed &= ~(1 << thread)
            fire(thread, early)
        case .end(let early):
            if isMaking {
                isMaking = false
                break
            }
            guard let thread = firing else { return false }
            end(thread, early)
        case .endWaiting(let thread):
            let isKeeper = keeper == thread
            if isKeeper { keeper = nil }
            let isListed = state.endWaiting(by: .number(thread))
            if isListed != isKeeper {
                problem = "it is kept waiting, and is not listed afterwards, or the other way round"
            }
            if isListed { list(thread) }
            if !isKeeper { return false }
        case .giveUp(let context):
            guard let thread = firing else { return false }
            let wasOwed = isOwed
            let givenUp = state.restart(withContext: context)
            if givenUp.isKept == wasOwed { problem = "what was given up is not kept, or in the place of what is newer" }
            isOwed = true
            if givenUp.isKept {
                (trail, hasContext, hasNews) = (thread, context, true)
                if givenUp.needsList { moveToList(thread) }
            }
            end(thread, false)
        case .leave(let thread):
            guard leaving & 1 << thread != 0 else { return false }
            leaving &= ~(1 << thread)
            if state.holder(otherThan: .number(thread)) != nil {
                replace(thread, by: nil, on: thread)
            } else if isBusy {
                replace(thread, by: waiting, on: thread)
            } else {
                list(thread)
            }
        case .handOver(let thread, let other):
            guard listed & 1 << thread != 0, firing != thread else { return false }
            listed &= ~(1 << thread)
            replace(thread, by: other, on: thread)
        case .wait(let other):
            guard inputs == 0, let thread = firing, other != thread else { return false }
            let wasHeld = state.isHeld(by: .number(other))
            let more = state.wait(for: .number(other))
            if more.isNew == wasHeld { problem = "who is waited for is told twice, or never" }
            if more.needsList { moveToList(thread) }
            guard more.isNew else { break }
            waitedFor |= 1 << other
            list(other)
        case .withdraw(let other):
            guard let thread = firing, waitedFor & listed & 1 << other != 0 else { return false }
            listed &= ~(1 << other)
            replace(other, by: nil, on: thread)
        case .take(let thread):
            guard listed & 1 << waiting != 0 else { return false }
            listed &= ~(1 << waiting)
            replace(waiting, by: thread, on: thread)
        case .turnBegins:
            guard !isBusy, isMade else { return false }
            isTurnTaken = true
        case .turnEnds:
            guard isTurnTaken else { return false }
            isTurnTaken = false
        }
        check()
        return true
    }
    private mutating func arrive(_ thread: Int, filling: Bool, context: Bool) {
        if filling {
            full += 1
            state.fillSlot()
        }
        let isOfMaker = !isMade && thread == 0
        let before = state
        var short = state
        let plain = short.arriveFast(from: .number(thread))
        if plain == .isMore, short != state { problem = "the short way changes what it leaves to the long one" }
        let arrival = state.arrive(from: .number(thread), withContext: context)
        if plain != .isMore, !context {
            if short != state || arrival.place != .arrivals || arrival.isListed != (plain == .isListed) {
                problem = "the short way of an arrival leads elsewhere than the long one"
            }
        }
        if isOfMaker {
            if arrival.isListed || arrival.place != .none { problem = "what the maker brings lists it" }
            if before != state { problem = "what the maker brings changes more than a slot" }
            return
        }
        if arrival.isListed {
            if keeper == thread { keeper = nil }
            list(thread)
        }
        switch arrival.place {
        case .none: problem = "what arrived is lost"
        case .arrivals: note(thread)
        case .arrivalsAndContext:
            note(thread)
            hasContext = context
        case .list(let isFirst, let arrivals):
            if isFirst == hasNews { problem = "what arrived before is forgotten, or what was fired is not" }
            (hasList, hasContext) = (true, context)
            switch arrivals {
            case .go:
                if hasNews, trail != nil { problem = "the trail of an arrival is forgotten" }
                trail = nil
            case .stay: if trail == nil || trail == thread { problem = "arrivals stay that the list could have" }
            case .join:
                if trail != thread { problem = "a thread reads what is on record with another" }
                trail = nil
            }
        }
        if hasContext != context { problem = "it has another context than what came last" }
        (isOwed, hasNews) = (true, true)
    }
    private mutating func fire(_ thread: Int, _ early: Bool) {
        let others = state.holder(otherThan: .number(thread)) != nil
        switch state.beginFiring(isBusy: isBusy) {
        case .isLeft:
            if !isBusy, !others { problem = "the last holder does not fire" }
            leaving |= 1 << thread
        case .isNothing:
            if isOwed, !isIncomplete { problem = "what is owed does not fire" }
            finish(thread, early)
        case .fires(let takesMore):
            if isBusy { problem = "it fires in another's turn" }
            if isIncomplete { problem = "it fires, and misses a value" }
            if !isOwed { problem = "it fires for nothing" }
            if others { problem = "it fires before its last holder" }
            if takesMore != (hasList || hasContext) { problem = "a list or a context is left behind" }
            if trail != nil, trail != thread { problem = "it reads what is on record with another thread" }
            (firing, isOwed, hasNews, trail) = (thread, false, false, nil)
            (hasList, hasContext) = (false, false)
        }
    }
    private mutating func end(_ thread: Int, _ early: Bool) {
        (firing, waitedFor) = (nil, 0)
        finish(thread, early)
    }
    private mutating func finish(_ thread: Int, _ early: Bool) {
        switch state.endFiring(by: .number(thread), mayWait: early) {
        case .waits:
            if !early || !isIncomplete || !hasNews { problem = "it waits for nothing" }
            if keeper != nil { problem = "it waits twice" }
            keeper = thread
        case .again:
            if !isOwed { problem = "it fires again for nothing" }
            list(thread)
        case .listed:
            if listed & 1 << thread == 0 { problem = "it is said to be listed, and is not" }
        case .left(let needsList):
            if needsList { moveToList(thread) }
        case .over(let wasKept):
            if wasKept != isRetained { problem = "it lets go of itself, or does not, against what it holds" }
            isRetained = false
        case .forgotten(let wasKept):
            if wasKept != isRetained { problem = "it lets go of itself, or does not, against what it holds" }
            // An input has gone, and nothing is owed any more: it is silent.
            (isOwed, hasNews, isRetained, hasList, hasContext, trail) = (false, false, false, false, false, nil)
        }
    }
    private mutating func replace(_ old: Int, by new: Int?, on thread: Int) {
        let replacement = state.replace(.number(old), by: new.map { .number($0) })
        if replacement.needsList { moveToList(thread) }
        if trail == old { problem = "a thread leaves arrivals behind that nobody else can read" }
        if replacement.isNew, let new { list(new) }
    }
    private mutating func list(_ holder: Int) {
        if (listed | leaving) & 1 << holder != 0 { problem = "it is on a list twice" }
        listed |= 1 << holder
    }
    private mutating func note(_ thread: Int) {
        if hasList { problem = "an arrival is noted where nobody looks" }
        if trail != nil, trail != thread { problem = "what arrived is on record with two threads" }
        trail = thread
    }
    private mutating func moveToList(_ thread: Int) {
        if hasList, trail == nil { problem = "it has two lists" }
        if trail != nil, trail != thread { problem = "a thread reads what is on record with another" }
        (trail, hasList) = (nil, true)
    }

    // MARK: What always holds

    private mutating func check() {
        guard problem == nil else { return }
        problem = state.violation ?? violation
    }
    private var violation: String? {
        if state.missing != inputs - full + (isMade ? 0 : 1) { return "it does not know how many values it misses" }
        let holders = (state.holder.map { [$0] } ?? []) + state.moreHolders
        let having = (listed | leaving | (firing.map { 1 << $0 } ?? 0) | (keeper.map { 1 << $0 } ?? 0))
        for holder in 0...threads where holders.contains(.number(holder)) != (having & 1 << holder != 0) {
            return "who holds it, and who has it on a list, is about to leave it or fires it, differ"
        }
        if isOwed, !state.isDirty { return "something has come, and it is clean" }
        if state.isDirty, !isOwed { return "it is to fire, and nothing has come" }
        if hasList != state.hasList { return "there is a list, and it does not know of it, or the other way round" }
        if (state.unlisted != nil) != (hasList && trail != nil) {
            return "it does not know whose arrivals the list lacks"
        }
        if hasContext != state.hasContext {
            return "there is a context, and it does not know of it, or the other way round"
        }
        if trail != nil, holders.isEmpty { return "something is on record, and nobody is to fire it" }
        if isRetained != state.isKept { return "it does not know whether it holds itself" }
        if isRetained, holders.isEmpty { return "it holds itself for ever" }
        return nil
    }
    /// Whether it is at rest: nothing is left to be done.
    var isAtRest: Bool {
        listed == 0 && leaving == 0 && firing == nil && keeper == nil && !isMaking && state.holder == nil
            && !isTurnTaken && !isRetained
            && !isOwed
    }
    /// The steps that lead there, where nothing new comes: all of them, in any order.
    static func settling(threads: Int) -> [Step] {
        [.end(early: false), .turnEnds]
            + (0..<threads).flatMap { [.fire($0, early: false), .leave($0), .take($0), .endWaiting($0)] }
    }
}
