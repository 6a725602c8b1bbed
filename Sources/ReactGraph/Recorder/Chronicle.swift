import ReactCore

/// A history, with what is asked of it more than once: who caused what, and what was stored when.
struct Chronicle {
    let history: History
    let names: Names
    let stores: [Int: [Int]]
    /// The nodes whose values must not be shown.
    private let redacted: Set<Int>

    init(_ history: History) {
        redacted = history.names.redacted
        self.history = history
        names = history.names
        stores = history.stores
    }

    func old(_ index: Int) -> String? {
        let event = history.events[index]
        return event.stores ? shown(history.old(event), event.node) : nil
    }
    /// What the event's value is: for a store what it stored, otherwise what was brought.
    func new(_ index: Int) -> String? {
        let event = history.events[index]
        switch event.kind {
        case .set, .stored, .fired: return shown(history.value(of: event.node, after: index, stores), event.node)
        case .heard, .stopped, .arrived, .replayed, .late, .scheduled:
            let source = event.source >= 0 ? event.source : event.edge >= 0 ? names.ends[event.edge].source : -1
            guard source >= 0 else { return nil }
            // What the source held when this happened.
            return shown(history.value(of: source, after: index, stores), source)
        default: return nil
        }
    }
    private func shown(_ value: String?, _ node: Int) -> String? {
        value.map { redacted.contains(node) ? "redacted" : $0 }
    }

    // MARK: As plain data

    func events(since moment: GraphMoment?) -> [GraphEvent] {
        history.events.indices
            .filter { index in moment.map { history.events[index].moment > $0 } ?? true }
            .map { event(at: $0) }
    }
    func event(at index: Int) -> GraphEvent {
        let event = history.events[index]
        return GraphEvent(
            kind: GraphEvent.Kind(event.kind), moment: event.moment, thread: thread(of: event),
            node: names.reference(to: event.node),
            source: names.reference(to: event.source), edge: names.reference(toEdge: event.edge),
            old: old(index), new: new(index), reason: reason(index),
            causes: event.causes.map { history.events[$0].moment })
    }
    func thread(of event: History.Event) -> String {
        let thread = history.threads[event.thread]
        return thread.name.isEmpty ? "thread \(thread.number)" : thread.name
    }
    /// Why nothing was passed on, in a sentence; the label of a mark.
    func reason(_ index: Int) -> String? {
        let event = history.events[index]
        let value = new(index)?.caption(limit: 80) ?? "a value"
        let edge = names.label(ofEdge: event.edge)
        switch event.kind {
        case .stopped:
            switch Record.Refusal(rawValue: event.detail) {
            case .cameRound: return "\(edge): \(value) came back to \(names.label(of: event.node)) round a ring"
            case .wasCut: return "\(edge) was cut while \(value) was on its way"
            case .waitsForOthers: return "\(edge) keeps \(value), until each of the others has one"
            case .left: return "\(edge) was left to another thread"
            case .notPassedOn, nil:
                if let reason = operatorReason(event.edge, value) { return reason }
                return "\(edge) did not pass on \(value)"
            }
        case .arrived:
            return event.aux == 0
                ? "\(edge) took \(value), and fires when all else is delivered"
                : "\(edge) took \(value), and waits for \(event.aux == 1 ? "another" : "\(event.aux) others")"
        case .queued:
            return "\(names.label(of: event.node)) was delivering: the value waits until that is over"
        case .mark:
            return history.marks.indices.contains(Int(bitPattern: markNumber(event)))
                ? history.marks[Int(bitPattern: markNumber(event))] : nil
        default: return nil
        }
    }
    private func markNumber(_ event: History.Event) -> UInt {
        history.threads[event.thread].records[event.index].target
    }
    /// What a scheduler's edge says of what it holds.
    private func operatorReason(_ edge: Int, _ value: String) -> String? {
        guard edge >= 0, let transform = names.edges[edge].edge as? AnyTransform,
            ["Throttle", "Debounce", "Delay", "Deliver", "Sample"].contains(transform.name)
        else { return nil }
        return "\(names.label(ofEdge: edge)) took \(value), to send it later"
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
            case .scheduled: .scheduled
            case .late: .late
            case .dropped: .dropped
            case .batchBegan: .batchBegan
            case .batchEnded: .batchEnded
            case .computed: .computed
            case .mark, .ended, .timed: .mark
            }
    }
}

/// Text for people, and the same as data.
///
///     let recorder = GraphRecorder()
///     let node = MutableNode(1).named("node")
///     print(recorder.why(node))       // 'node' holds 1: nothing on record has set it
public struct GraphExplanation: Sendable, CustomStringConvertible {
    /// The text: a line for each step.
    public let description: String
    /// The events that it names, causes first.
    public let events: [GraphEvent]
}
