import ReactCore

/// Answers questions about a log.
struct RecordQueries {
    let log: EventLog
    let names: ObjectIndex
    /// The events that gave each node a value, or emptied it, in order.
    let stores: [Int: [Int]]

    init(_ log: EventLog) {
        self.log = log
        names = log.names
        stores = log.stores
    }

    /// The text for a value that is not known, but was there, or may have been.
    static let notKept = "not kept"

    func old(_ index: Int) -> String? {
        let event = log.events[index]
        return event.stores ? shown(log.old(event), event.node) : nil
    }
    /// Describes the event's value: for a store the stored value, for other events the value that was brought.
    func new(_ index: Int) -> String? {
        let event = log.events[index]
        switch event.kind {
        case .set, .stored, .fired: return shown(log.value(of: event.node, after: index, stores), event.node)
        case .late, .dropped:
            // The value that was held, even if the source has another by now.
            return event.causes.first.flatMap { log.events[$0].kind == .scheduled ? new($0) : nil }
        case .heard, .stopped, .arrived, .replayed, .scheduled:
            let source = event.source >= 0 ? event.source : event.edge >= 0 ? names.ends[event.edge].source : -1
            guard source >= 0 else { return nil }
            // The value that the source held when this happened.
            return shown(log.value(of: source, after: index, stores), source)
        default: return nil
        }
    }
    /// The value before a store, as it is quoted in a sentence: cut, and in quotation marks if it is text.
    func oldText(_ index: Int) -> String? {
        RecordQueries.cut { old(index) }.map { text($0, of: log.events[index].node) }
    }
    /// The event's value, as it is quoted in a sentence.
    func newText(_ index: Int) -> String? { RecordQueries.cut { new(index) }.map { text($0, of: valueNode(index)) } }
    /// Runs `body` with descriptions limited to the characters that a sentence shows.
    static func cut<Result>(_ body: () -> Result) -> Result {
        ValueText.$limit.withValue(RecordQueries.textLimit, operation: body)
    }
    /// Returns a node's value as it is quoted in a sentence.
    func text(_ value: String, of node: Int) -> String {
        let caption = value.caption(limit: RecordQueries.textLimit)
        return names.isText(node) && !names.isSecret(node) ? "\"\(caption)\"" : caption
    }
    /// The largest number of characters of a value in a sentence.
    static let textLimit = 80
    /// Returns the node that held the event's value.
    private func valueNode(_ index: Int) -> Int {
        let event = log.events[index]
        switch event.kind {
        case .set, .stored, .fired: return event.node
        case .late, .dropped: return event.causes.first.map { valueNode($0) } ?? -1
        default: return event.source >= 0 ? event.source : event.edge >= 0 ? names.ends[event.edge].source : -1
        }
    }
    /// Returns true if the event gave its node a value that has the same description as the one before. Returns false
    /// for secrets.
    func isWasted(_ index: Int) -> Bool {
        let node = log.events[index].node
        guard node >= 0, !names.isSecret(node) else { return false }
        // Compares the full descriptions.
        return ValueText.$limit.withValue(nil) {
            guard let old = old(index), let new = new(index) else { return false }
            return old == new
        }
    }
    /// Returns the value, or "redacted" if it is, or may be, a secret. A value of an unknown node may be one.
    private func shown(_ value: String?, _ node: Int) -> String? {
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
    /// `edge` is -1 if a join called the code.
    var sets: [(edge: Int, source: Int, target: Int)] {
        var seen: Set<[Int]> = []
        return log.events.compactMap { event in
            guard event.kind == .set || event.kind == .cleaned, event.node >= 0 else { return nil }
            let source = event.edge >= 0 ? names.ends[event.edge].source : event.source
            guard source >= 0, seen.insert([event.edge, source, event.node]).inserted else { return nil }
            return (event.edge, source, event.node)
        }
    }

    // MARK: As plain data

    func events(since moment: GraphMoment?) -> [GraphEvent] {
        log.events.indices
            .filter { index in moment.map { log.events[index].moment > $0 } ?? true }
            .map { event(at: $0) }
    }
    func event(at index: Int) -> GraphEvent {
        let event = log.events[index]
        return GraphEvent(
            kind: GraphEvent.Kind(event.kind), moment: event.moment, thread: thread(of: event),
            node: names.reference(to: event.node),
            source: names.reference(to: event.source), edge: names.reference(toEdge: event.edge),
            old: data { old(index) }, new: data { new(index) }, reason: reason(index),
            causes: event.causes.map { log.events[$0].moment }, oldText: oldText(index), newText: newText(index))
    }
    /// Returns a value of an event as data, cut.
    private func data(_ value: () -> String?) -> String? {
        ValueText.$limit.withValue(GraphEvent.valueLimit, operation: value).map { text in
            let end = text.index(text.startIndex, offsetBy: GraphEvent.valueLimit, limitedBy: text.endIndex)
            return end.map { $0 < text.endIndex ? "\(text[..<$0])…" : text } ?? text
        }
    }
    func thread(of event: EventLog.Event) -> String {
        log.threads[event.thread].name(at: event.index)
    }
    /// Returns the reason of an event in a sentence: why nothing was passed on, for instance. For a mark, returns its
    /// label.
    func reason(_ index: Int) -> String? {
        let event = log.events[index]
        let value = newText(index) ?? "a value"
        let edge = names.label(ofEdge: event.edge)
        switch event.kind {
        case .stopped:
            switch Record.Refusal(rawValue: event.detail) {
            case .cameRound: return "\(edge): \(value) came back to \(names.label(of: event.node)) round a ring"
            case .wasCut: return "\(edge) was cut while \(value) was on its way"
            case .waitsForOthers: return "\(edge) keeps \(value), until each of the others has one"
            case .left: return "\(edge) was left to another thread"
            case .notPassedOn, nil: return "\(edge) did not pass on \(value)"
            }
        case .arrived:
            if let cause = event.causes.first, [.cleaned, .emptied].contains(log.events[cause].kind) {
                return "\(edge) was told that \(names.label(of: event.source)) is empty"
            }
            return event.aux == 0
                ? "\(edge) took \(value), and fires when all else is delivered"
                : "\(edge) took \(value), and waits for \(event.aux == 1 ? "another" : "\(event.aux) others")"
        case .scheduled:
            let interval = BufferedValueRecord.interval(in: event.hold).map { "\($0.inSeconds) later" } ?? "later"
            return "\(edge) took \(value), to \(names.isListening(event.edge) ? "hear" : "send") it \(interval)"
        case .dropped:
            let isSuperseded = event.detail == BufferedValueRecord.Drop.superseded.rawValue
            return "\(edge) dropped \(value)\(isSuperseded ? " for a newer value" : ", as it was cut")"
        case .computed:
            switch Record.ComputedEnd(rawValue: event.detail) {
            case .waits: return "\(names.label(of: event.node)) was computed, and waits for a value"
            case .givenUp: return "\(names.label(of: event.node)) is computed later: it read what was still to change"
            case .unchanged: return "\(names.label(of: event.node)) was not computed: all that it read equals what came"
            case .same, nil: return "\(names.label(of: event.node)) was computed, and is the same as before"
            }
        case .queued:
            return "\(names.label(of: event.node)) was delivering: the value waits until that is over"
        case .mark:
            return log.marks[log.threads[event.thread].records[event.index].target]
        default: return nil
        }
    }
}

extension Duration {
    /// The duration such as `0.3 s`, to the millisecond.
    var inSeconds: String {
        // Does not use `components`, which ends the process for a very long duration.
        let milliseconds = attoseconds / 1_000_000_000_000_000
        var decimals = "\(1000 + milliseconds % 1000)".dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(milliseconds / 1000)\(decimals.isEmpty ? "" : ".\(decimals)") s"
    }
}

extension GraphEvent.Kind {
    init(_ kind: Record.Kind) {
        self =
            switch kind {
            case .set: .set
            case .cleaned: .cleaned
            case .stored: .stored
            case .emptied: .emptied
            case .heard: .heard
            case .stopped: .stopped
            case .arrived: .arrived
            case .fired: .fired
            case .left: .left
            case .queued: .queued
            case .resumed: .resumed
            case .replayed: .replayed
            case .linked: .linked
            case .cut: .cut
            case .switched: .switched
            case .scheduled: .scheduled
            case .late: .late
            case .dropped: .dropped
            case .batchBegan: .batchBegan
            case .batchEnded: .batchEnded
            case .computed: .computed
            case .mark, .ended, .timed, .time: .mark
            }
    }
}

/// An answer as text for people, and as data.
///
///     let recorder = GraphRecorder()
///     let node = MutableNode(1).named("node")
///     print(recorder.why(node))       // 'node' holds 1: nothing on record has set it
public struct GraphExplanation: Sendable, CustomStringConvertible {
    /// The text: a line for each step.
    public let description: String
    /// The events that the text names, causes first.
    public let events: [GraphEvent]
}
