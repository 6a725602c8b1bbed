import ReactCore

/// The observations of a `JournalRecorder`. The marks of the sources and of the watched nodes report to it, on any
/// thread.
///
/// A *check* reads the texts of watched nodes that were set since the last one. It is due when no thread is in a
/// transaction that has reached a source or a watched node. Such a transaction is *open* until its end.
///
/// No user code runs under the lock: values are encoded, texts made and the clock read before it is taken.
final class JournalLog: Sendable {
    private struct Place: Sendable {
        weak let node: AnyNode?
        let name: String
    }
    private struct State {
        /// The largest number of entries without the waits.
        let limit: Int
        /// The shortest wait; zero if each is written.
        let unit: Duration
        var initial: [String: JournalValue] = [:]
        /// The names of the sources that were empty at the beginning.
        var empty: [String] = []
        var entries: [JournalEntry] = []
        var errors: [String] = []
        var isComplete = true
        var isOver = false
        /// The entries without the waits, and the end of the last wait.
        var count = 0
        var time: Duration
        /// The sources of which an error tells that a node that is no source has changed them.
        var foreign: Set<Int> = []
        /// The nodes upstream of sources that are no sources, and were set from outside.
        var foreignSets: Set<ObjectIdentifier> = []
        /// The names of the sources, and of the watched nodes, that were redacted when they were set, or at the
        /// beginning. They stay secret when the node that they had the value from is no longer linked to them.
        var redacted: Set<String> = []
        var redactedWatched: Set<String> = []

        var open: [Transaction] = []
        /// Counts the steps and the transactions, so that a check finds out if one has begun meanwhile.
        var version = 0
        var isChecking = false
        /// The watched nodes that may have another text than the last one.
        var changed: Set<Int> = []
        var texts: [String?]
        /// True if a step was written since the last check, so that no time lies between the two.
        var hasStep = false

        /// Notes that something is not in the journal.
        mutating func fail(_ error: String) {
            if isOver { return }
            isComplete = false
            if errors.count < limit { errors.append(error) }
        }
        mutating func append(_ step: Journal.Step, _ transaction: UInt64 = 0, at time: Duration?) {
            guard !isOver, count < limit else {
                isComplete = isOver && isComplete
                return
            }
            if let time { addWait(until: time) }
            if let place = placeOfSameCheck(as: step) {
                entries[place] = JournalEntry(step: step, transaction: 0)
                return
            }
            entries.append(JournalEntry(step: step, transaction: transaction))
            count += 1
        }
        /// The place of a check of the same node, with no step or wait since. A replay cannot stop between the two.
        private func placeOfSameCheck(as step: Journal.Step) -> Int? {
            guard let node = step.checkedNode else { return nil }
            let first = (entries.lastIndex { $0.step.checkedNode == nil } ?? -1) + 1
            return entries[first...].firstIndex { $0.step.checkedNode == node }
        }
        /// Writes a wait before a check without a step: work that was put off has run, even if no time has passed.
        mutating func addWaitForLateWork(until now: Duration) {
            guard !isOver, count < limit else { return }
            addWait(until: now)
            if !(entries.last { $0.step.checkedNode == nil }?.isWait ?? false) {
                entries.append(JournalEntry(step: .wait(.zero), transaction: 0))
            }
        }
        mutating func addWait(until now: Duration) {
            let passed = now - time
            guard passed >= unit, passed > .zero else { return }
            // Whole units; the rest belongs to the next wait.
            let wait = unit == .zero ? passed : unit * Int((passed / unit).rounded(.down))
            time += wait
            entries.append(JournalEntry(step: .wait(wait), transaction: 0))
        }
    }
    private let state: Lock<State>
    private let sources: [Place]
    private let watched: [Place]
    private let sourceVertices: Set<ObjectIdentifier>
    private let coded: [String]
    private let now: @Sendable () -> Duration

    init(of sources: [any JournalSource], watching nodes: [AnyNode], limit: Int, now: (@Sendable () -> Duration)?) {
        self.sources = sources.map { Place(node: $0.anyNode, name: $0.name) }
        watched = nodes.enumerated().map { Place(node: $0.element, name: $0.element.watchedName(at: $0.offset)) }
        sourceVertices = Set(sources.map { ObjectIdentifier($0.anyNode.vertex) })
        coded = sources.filter { !$0.isLiteral }.map(\.name)
        let start = ContinuousClock.now
        self.now = now ?? { ContinuousClock.now - start }
        let unit: Duration = now == nil ? .milliseconds(1) : .zero
        state = Lock(State(limit: limit, unit: unit, time: self.now(), texts: nodes.map(\.journalText)))
        for place in watched.indices { noteIfRedacted(watched: place) }
    }

    var errors: [String] { state.withLock { $0.errors } }
    var journal: Journal {
        let state = state.withLock { $0 }
        // A source that is redacted by now shows no earlier value either.
        func names(of places: [Place]) -> [String] { places.filter { $0.node?.isRedacted ?? false }.map(\.name) }
        let secret = state.redacted.union(names(of: sources))
        let secretWatched = state.redactedWatched.union(names(of: watched))
        let entries = state.entries.map { $0.hiding(secret, checksOf: secretWatched) }
        let (steps, parts) = JournalEntry.grouped(entries)
        var journal = Journal(initial: state.initial, steps: steps, isComplete: state.isComplete)
        for name in secret where state.initial[name] != nil { journal.initial[name] = .redacted }
        if !parts.isEmpty { journal.parts = parts }
        if !coded.isEmpty { journal.coded = coded }
        if !state.empty.isEmpty { journal.empty = state.empty }
        return journal
    }

    // MARK: Sources

    func noteInitial(at index: Int, _ value: () throws -> JournalValue?) {
        do {
            let value = try value(), name = sources[index].name
            let isRedacted = sources[index].node?.isRedacted ?? false
            state.withLock {
                $0.initial[name] = value
                if value == nil { $0.empty.append(name) }
                if isRedacted { $0.redacted.insert(name) }
            }
        } catch { lose("the first value", of: index, error) }
    }
    /// Notes a value that a source has stored, or an emptying.
    func note(_ store: MarkedStore, at index: Int, _ value: () throws -> JournalValue) {
        let origin = store.origin
        let name = sources[index].name
        let isRedacted = sources[index].node?.isRedacted ?? false
        if isRedacted { state.withLock { _ = $0.redacted.insert(name) } }
        guard origin != .inside else { return noteDerived(store, at: index) }
        if !watched.isEmpty { follow(store.transaction) }
        let step: Journal.Step
        do {
            if store.isEmptying {
                step = .clean(source: name)
            } else {
                let value = isRedacted ? JournalValue.redacted : try value()
                step = store.isPulse ? .pulse(source: name, value: value) : .set(source: name, value: value)
            }
        } catch { return lose("a value", of: index, error) }
        let time = now()
        state.withLock {
            $0.version += 1
            $0.hasStep = true
            $0.append(step, origin.transaction, at: time)
        }
    }
    /// Notes a set of a node upstream of sources that is no source, if it comes from outside.
    func noteForeign(_ store: MarkedStore, _ vertex: ObjectIdentifier) {
        guard store.origin != .inside else { return }
        state.withLock { _ = $0.foreignSets.insert(vertex) }
    }
    /// Tells that a source has changed by a set of a node that is no source, if it has. Where a value began is not
    /// known after a combination or a wait; then it may be any node upstream that was set.
    private func noteDerived(_ store: MarkedStore, at index: Int) {
        // Each source is told once, and only until then is the graph upstream of it walked.
        let known = state.withLock { $0.isOver || $0.foreign.contains(index) ? nil : $0.foreignSets }
        guard let foreignSets = known else { return }
        let other =
            if let beginning = store.beginning {
                isForeign(beginning) ? beginning : nil
            } else if let node = foreignSets.isEmpty ? nil : sources[index].node {
                Vertex.allUpstream(of: [node.vertex]).found.first { foreignSets.contains(ObjectIdentifier($0)) }
            } else {
                nil as Vertex?
            }
        guard let other else { return }
        let text =
            "“\(sources[index].name)” was changed by a set of \(other.nameInMessages), which is no source; add that node to the sources"
        state.withLock {
            if $0.foreign.insert(index).inserted { $0.fail(text) }
        }
    }
    /// Returns true for a vertex that can be set and is no source.
    func isForeign(_ vertex: Vertex) -> Bool {
        !sourceVertices.contains(ObjectIdentifier(vertex)) && vertex.handle?.isMutable ?? false
    }
    private func lose(_ value: String, of index: Int, _ error: any Error) {
        // The error may show the value.
        let reason = sources[index].node?.isRedacted ?? true ? "" : ": \(error)"
        let text = "\(value) of “\(sources[index].name)” was left out, because its encoding failed\(reason)"
        state.withLock { $0.fail(text) }
    }

    // MARK: Watched nodes

    func noteWatched(at index: Int, in transaction: Transaction) {
        noteIfRedacted(watched: index)
        state.withLock { _ = $0.changed.insert(index) }
        follow(transaction)
    }
    private func noteIfRedacted(watched index: Int) {
        guard watched[index].node?.isRedacted ?? false else { return }
        state.withLock { _ = $0.redactedWatched.insert(watched[index].name) }
    }
    /// Keeps the transaction open until it is over.
    private func follow(_ transaction: Transaction) {
        let isNew = state.withLock { state in
            state.version += 1
            guard !state.isOver, !state.open.contains(transaction) else { return false }
            state.open.append(transaction)
            return true
        }
        guard isNew else { return }
        transaction.whenOver { [self] in
            state.withLock { $0.open.removeAll { $0 == transaction } }
            check()
        }
    }
    /// Checks the watched nodes that were set, if a check is due. Only one thread does.
    private func check() {
        while true {
            let due = state.withLock { state -> (version: Int, places: [Int], secret: Set<String>)? in
                guard !state.isOver, !state.isChecking, state.open.isEmpty else { return nil }
                // Later changes do not follow from the last step at once.
                if state.changed.isEmpty { state.hasStep = false }
                guard !state.changed.isEmpty else { return nil }
                state.isChecking = true
                return (state.version, state.changed.sorted(), state.redactedWatched)
            }
            guard let due else { return }
            let time = now()
            let texts = due.places.map { place in
                let (node, name) = (watched[place].node, watched[place].name)
                let isSecret = due.secret.contains(name) || node?.isRedacted ?? false
                return (place: place, isSecret: isSecret, text: node.map { $0.journalText(isRedacted: isSecret) })
            }
            let isDone = state.withLock { state in
                state.isChecking = false
                // A step has begun: its transaction checks later, or has left that to this one.
                guard state.version == due.version else { return false }
                for case (let place, let isSecret, let text?) in texts where state.texts[place] != text {
                    let name = watched[place].name
                    state.texts[place] = text
                    if !state.hasStep { state.addWaitForLateWork(until: time) }
                    state.append(.check(node: name, text: text.map { isSecret ? $0 : CheckText.of($0) }), at: nil)
                }
                (state.changed, state.hasStep) = ([], false)
                return true
            }
            if isDone { return }
        }
    }
    /// Writes the last wait and the last check.
    func finish() {
        let time = now()
        state.withLock { state in
            guard !state.isOver else { return }
            if state.count < state.limit { state.addWait(until: time) }
            state.hasStep = true
            state.changed = Set(watched.indices)
        }
        check()
        state.withLock { $0.isOver = true }
    }
}
