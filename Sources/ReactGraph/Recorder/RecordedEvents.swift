import ReactCore

// The events of a recording in words, and their values.
extension Recording {
    /// The text for a value that is not known, but was there, or may have been.
    static let notKept = "not kept"
    /// Tells that an answer may lack records.
    static let olderAreGone = "(older records are gone; a greater capacity keeps more)"

    func old(_ index: Int) -> String? {
        let event = log.events[index]
        return event.stores ? shown(log.old(event), event.node) : nil
    }
    /// Describes the event's value: for a store the stored value, for other events the value that was brought.
    func new(_ index: Int) -> String? {
        let event = log.events[index]
        switch event.kind {
        case .set, .stored, .fired: return shown(log.value(of: event.node, after: index), event.node)
        case .late, .dropped:
            // The value that was held, even if the source has another by now.
            return event.causes.first.flatMap {
                log.events[$0].kind == .scheduled || event.detail == .wasBusy ? new($0) : nil
            }
        case .heard, .stopped, .arrived, .replayed, .scheduled:
            // The value that the source held when this happened.
            let source = valueNode(index)
            return shown(log.value(of: source, after: index), source)
        default: return nil
        }
    }
    /// Returns true if an edge began to follow an empty node, and its target is known to have been empty before, too.
    func followsEmpty(_ index: Int) -> Bool {
        let event = log.events[index]
        return event.kind == .emptied && event.followed != nil && !event.hasLost && oldText(index) == nil
    }
    /// The value before a store, as it is quoted in a sentence: cut, and in quotation marks if it is text.
    func oldText(_ index: Int) -> String? {
        let event = log.events[index]
        let rows = rows(
            of: event.node, { event.stores ? log.old(event) : nil }, notIn: { log.value(of: event.node, after: index) })
        return (rows ?? Self.cut { old(index) }).map { text($0, of: event.node) }
    }
    /// The event's value, as it is quoted in a sentence.
    func newText(_ index: Int) -> String? {
        let node = valueNode(index), stores = node.flatMap { self.stores[$0] } ?? []
        let store = stores[..<stores.endOfPrefix { $0 <= index }].last
        let rows = rows(
            of: node, { log.value(of: node, after: index) }, notIn: { store.flatMap { log.old(log.events[$0]) } })
        return (rows ?? Self.cut { new(index) }).map { text($0, of: node) }
    }
    /// Describes a table by the rows that another table does not have, or has otherwise. Returns `nil` for other
    /// values.
    private func rows(of node: Int?, _ value: () -> String?, notIn other: () -> String?) -> String? {
        guard !names.isSecret(node), let table = ValueText.value(describedBy: value) as? any DescribesRows,
            let other = ValueText.value(describedBy: other)
        else { return nil }
        return Self.cut { table.description(ofRowsNotIn: other) }
    }
    /// The event's value as it is quoted in a sentence, or words for a value that is not known.
    func toldText(_ index: Int) -> String {
        if let text = newText(index) { return text }
        guard let node = valueNode(index) else { return "a value" }
        if isPulse(index) { return "a pulse" }
        return isKnown(node, after: index) ? "a value" : "a value that was not kept"
    }
    /// Returns true if the event gave an empty node a pulse, which is over.
    func isPulse(_ index: Int) -> Bool {
        let event = log.events[index]
        return event.stores && !event.empties && event.node.map { wasEmpty($0, after: index) } ?? false
    }
    /// Runs `body` with descriptions limited to the characters that a sentence shows.
    static func cut<Result>(_ body: () -> Result) -> Result { ValueText.limited(to: Self.textLimit, body) }
    /// Returns a node's value as it is quoted in a sentence.
    func text(_ value: String, of node: Int?) -> String {
        let caption = value.caption(limit: Self.textLimit)
        return names.isText(node) && !names.isSecret(node) ? "\"\(caption)\"" : caption
    }
    /// The largest number of characters of a value in a sentence.
    static let textLimit = 80
    /// Returns the node that held the event's value.
    private func valueNode(_ index: Int) -> Int? {
        let event = log.events[index]
        switch event.kind {
        case .set, .stored, .fired: return event.node
        case .late, .dropped: return event.causes.first.flatMap { valueNode($0) }
        default: return event.source ?? event.edge.flatMap { names.ends[$0].source }
        }
    }
    /// Returns true if the event gave its node a value equal to the one before. Only values that are not `Equatable`
    /// are compared by their descriptions. Returns false for secrets.
    func isRedundant(_ index: Int) -> Bool {
        guard let node = log.events[index].node, !names.isSecret(node) else { return false }
        if let old = ValueText.value(describedBy: { old(index) }) as? any Equatable,
            let new = ValueText.value(describedBy: { new(index) })
        {
            return old.isEqual(to: new)
        }
        // Compares the full descriptions.
        return ValueText.limited(to: nil) {
            guard let old = old(index), let new = new(index) else { return false }
            return old == new
        }
    }
    /// Returns the value, or "redacted" if it is, or may be, a secret. A value of an unknown node may be one.
    private func shown(_ value: String?, _ node: Int?) -> String? {
        value.map { names.isSecret(node) ? "redacted" : $0 }
    }

    /// Describes the value that a node holds when the records are read, as far as it may be shown. `secrets` are those
    /// among the nodes of the question.
    func present(_ node: AnyNode, _ secrets: Set<AnyNode>) -> String? {
        guard let place = names.place(of: node) else {
            return node.valueDescription(isRedacted: secrets.contains(node))
        }
        return shown(log.present(place), place)
    }

    /// The sets by listeners, and by other code that edges and joins called: each pair of nodes once for each edge.
    /// `edge` is `nil` if a join called the code.
    var sets: [(edge: Int?, source: Int, target: Int)] {
        var seen: Set<[Int?]> = []
        return log.events.compactMap { event in
            guard event.isSet, let target = event.node,
                let source = event.edge.map({ names.ends[$0].source }) ?? event.source,
                seen.insert([event.edge, source, target]).inserted
            else { return nil }
            return (event.edge, source, target)
        }
    }

    // MARK: As plain data

    func event(at index: Int) -> GraphEvent {
        let event = log.events[index]
        return GraphEvent(
            kind: event.kind, moment: event.moment, thread: thread(of: event), node: names.reference(to: event.node),
            source: names.reference(to: event.source), edge: names.reference(toEdge: event.edge),
            old: data { old(index) }, new: data { new(index) }, reason: reason(index),
            causes: event.causes.map { log.events[$0].moment }, oldText: oldText(index), newText: toldText(index))
    }
    /// Returns a value of an event as data, cut.
    private func data(_ value: () -> String?) -> String? {
        ValueText.limited(to: GraphEvent.valueLimit, value).map { text in
            let end = text.index(text.startIndex, offsetBy: GraphEvent.valueLimit, limitedBy: text.endIndex)
            return end.map { $0 < text.endIndex ? "\(text[..<$0])…" : text } ?? text
        }
    }
    func thread(of event: EventLog.Event) -> String { log.threads[event.thread].name(at: event.index) }
    /// Returns the reason of an event in a sentence: why nothing was passed on, for instance. For a mark, returns its
    /// label.
    func reason(_ index: Int) -> String? {
        let event = log.events[index]
        let value = toldText(index)
        let edge = names.label(ofEdge: event.edge)
        switch event.kind {
        case .stopped:
            switch event.detail {
            case .cameRound:
                let node = names.label(of: event.node)
                return
                    "\(edge) did not pass on \(value), which had passed \(node), and came back to \(node) round a ring"
            case .wasCut: return "\(edge) was cut while \(value) was on its way"
            case .waitsForOthers: return "\(edge) kept \(value), to pair it with a later value of \(others(event))"
            case .kept: return "\(edge) kept \(value), to pair it with later values of \(others(event))"
            case .ended: return "\(edge) ended, because \(names.label(of: event.source)) was set"
            default:
                if event.followed != nil { return follows(event) }
                let wanted = names.isSecret(event.source) ? nil : event.edge.flatMap { names.edges[$0].edge?.wanted }
                // A case that follows its branch already.
                if value == wanted { return "\(edge) follows \(value) already" }
                let why = wanted.map { ": it passes on \($0.caption(limit: Self.textLimit))" } ?? ""
                return "\(edge) did not pass on \(value)\(why)"
            }
        case .emptied:
            guard event.followed != nil else { return nil }
            let became = followsEmpty(index) ? "stayed" : "became"
            return "\(follows(event)), so \(names.label(of: event.node)) \(became) empty"
        case .fired:
            // The newest cause is the step before this one. A node may lead here by several edges.
            var told = Set(event.causes.prefix(1).map { log.events[$0].source })
            let others = event.causes.dropFirst().map { log.events[$0].source }.filter { told.insert($0).inserted }
            guard !others.isEmpty else { return nil }
            let sources = others.prefix(3).reversed().map(names.label)
            let values = others.count == 1 ? "the value" : "the values"
            return "with \(values) that \(sources.list)\(others.count > 3 ? " and others" : "") had brought before"
        case .arrived:
            if let cause = event.causes.first, [.cleaned, .emptied].contains(log.events[cause].kind) {
                return "\(edge) was told that \(names.label(of: event.source)) is empty"
            }
            let count = Int(event.record.aux)
            guard count > 0 else { return "\(edge) took \(value); it computes when all values of this set have come" }
            let missing = emptyInputs(index, count) { (stores[$0]?.first ?? .max) > index }
            return
                "\(edge) kept \(value): \(missing ?? (count == 1 ? "another input" : "\(count) other inputs")) had no value"
        case .scheduled:
            switch event.buffered.map(BufferedValueRecord.wait) {
            case .result: return "\(edge) began its work on \(value)"
            case .earlierWork: return "\(edge) kept \(value), until its work on the values before it is over"
            case .nextArray: return "\(edge) took \(value), to send it with the next array"
            case .time, nil:
                let interval = event.buffered.flatMap(BufferedValueRecord.interval).map {
                    "\($0.inSeconds(decimals: 3)) later"
                }
                let purpose = names.isListening(event.edge) ? "call its listener" : "send it"
                return "\(edge) took \(value), to \(purpose) \(interval ?? "on its scheduler")"
            }
        case .late:
            guard let cause = event.causes.first.map({ log.events[$0] }), cause.kind == .scheduled else {
                let origin = event.causes.isEmpty ? "sent a value whose origin is not on record" : "sent a value"
                let own = event.edge.flatMap { names.edges[$0].edge as? any BufferingEdge }?.ownValue
                return "\(edge) \(own ?? origin)"
            }
            let isOfWork = cause.buffered.map(BufferedValueRecord.wait) == .result
            return isOfWork ? "\(edge) finished its work on \(value)" : nil
        case .dropped:
            let why =
                switch event.detail {
                case .superseded: " when a newer value came"
                case .wasBusy: ", because it was still at work on an earlier value"
                default: ", as it was cut"
                }
            return "\(edge) dropped \(value)\(why)"
        case .computed:
            switch event.detail {
            case .waits:
                let join = event.edge.flatMap { names.edges[$0].edge as? AnyTransform }
                return "\(edge) \(join?.isOfBody ?? false ? "could not finish" : "passed nothing on"): "
                    + "\(emptyInputs(index, 1) { _ in true } ?? "an input") had no value"
            case .givenUp: return "\(edge) runs again later: it read a node that had still to change"
            case .unchanged: return "\(edge) did not run again: nothing that it read has changed"
            default: return "\(edge) ran, and its value is the same as before"
            }
        case .waited: return "a change of \(names.label(of: event.node)) \(wait(index))"
        case .mark: return log.marks[event.record.target]
        default: return nil
        }
    }
    /// Describes a wait for a graph, and the thread and closure that kept the graph busy.
    private func wait(_ index: Int) -> String {
        let event = log.events[index]
        let wait = RecordedWait(word: event.record.first), time = wait.duration.inSeconds(decimals: 3)
        let closure =
            event.edge != nil
            ? " in \(names.label(ofEdge: event.edge))"
            : event.source.map { " in the closure of \(names.label(of: $0))" } ?? ""
        let owner = log.ownerOfWait[index].map { "\(thread(of: log.events[$0])) was at work\(closure)" }
        let words = owner ?? "another thread was at work"
        return (event.detail == .late ? "was late, after \(time)" : "waited for \(time)") + ": \(words)"
    }
    /// Describes the wait of the set at `index`, if that had to wait for its graph.
    func wait(ofSetAt index: Int) -> String? { log.waitOfSet[index].map(wait) }
    private func follows(_ event: EventLog.Event) -> String {
        "\(names.label(ofEdge: event.edge)) began to follow \(names.label(of: event.followed)), which was empty"
    }
    /// The largest number of inputs of a combination that are looked at for one sentence.
    private static let inputLimit = 8
    /// Returns the sources of the edges to the node, if they are few: those that carry the name of the event's edge.
    private func inputs(_ event: EventLog.Event) -> [Int?] {
        guard let edge = event.edge, let edges = event.node.flatMap({ names.upstream[$0] }),
            edges.count <= Self.inputLimit
        else { return [] }
        let sources = edges.filter { names.edges[$0].name == names.edges[edge].name }.map { names.ends[$0].source }
        return Set(sources).sorted { $0 ?? -1 < $1 ?? -1 }
    }
    /// Names the other inputs of the operator.
    private func others(_ event: EventLog.Event) -> String {
        let others = inputs(event).filter { $0 != event.source }
        return others.isEmpty || others.contains(nil) ? "each other input" : others.map(names.label).list
    }
    /// Looks at the inputs for which `isCandidate` returns true. If exactly `count` of them are known to have been
    /// empty at the event, names these. Otherwise returns `nil`.
    private func emptyInputs(_ index: Int, _ count: Int, where isCandidate: (Int) -> Bool) -> String? {
        let inputs = inputs(log.events[index]).compactMap(\.self)
        let empty = inputs.filter { isCandidate($0) && wasEmpty($0, after: index) }
        return empty.count == count ? empty.map(names.label).list : nil
    }
    /// Returns true if it is known that the node held no value after an event.
    private func wasEmpty(_ node: Int, after index: Int) -> Bool {
        isKnown(node, after: index) && log.value(of: node, after: index) == nil
    }
    /// Returns true if the node's value after an event is known.
    private func isKnown(_ node: Int, after index: Int) -> Bool {
        guard log.lossEnds(node, after: index) == nil else { return false }
        let stores = self.stores[node] ?? [], next = stores.endOfPrefix { $0 <= index }
        return next < stores.count ? !log.events[stores[next]].hasLost : names.nodes[node].node != nil
    }
}
