import ReactCore

extension EventLog {
    /// A record of a thread, with its causes, and its nodes and edges by their places.
    struct Event {
        let kind: GraphEvent.Kind
        let record: Record
        let moment: GraphMoment
        /// The thread's position in `threads`, and the record's position there.
        let thread: Int
        let index: Int
        // Positions in the index's `nodes` and `edges`.
        var node: Int?
        var source: Int?
        var edge: Int?
        /// The empty node that the edge follows since it took the value.
        var followed: Int?
        /// Positions in `events`, the newest first.
        var causes: [Int] = []
        /// The kept values of a zip that a store used: positions in `events`. They are no causes, because the sender
        /// list of the result does not name their sources.
        var partners: [Int] = []
        /// True if the event happened no earlier than its moment.
        var isTimed = true
        /// True if the event replaced a value that the recorder did not keep.
        var hasLost = false

        var detail: Record.Detail { record.detail }
        var stores: Bool { kind.stores }
        /// True if a program set or emptied the node.
        var isSet: Bool { kind == .set || kind == .cleaned }
        /// True if the node was emptied.
        var empties: Bool { kind == .cleaned || kind == .emptied }
        /// True if a join has processed its arrivals, with or without a new value.
        var firesOrComputes: Bool { kind == .fired || kind == .computed && detail != .givenUp }
        /// The word of the value that an edge keeps until later, sends late or drops: see `BufferedValueRecord`.
        var buffered: UInt? { record.target == 0 ? nil : record.target }
        /// The number of the value that an edge keeps, sends late or drops.
        var bufferedNumber: UInt? { buffered.map(BufferedValueRecord.number) }
    }

    /// Makes the event of a record, which is at `index` among those of its thread, and notes its edge in `names`.
    static func event(
        _ kind: GraphEvent.Kind, _ record: Record, _ moment: GraphMoment, _ thread: Int, _ index: Int,
        _ names: inout ObjectIndex
    ) -> Event {
        var event = Event(kind: kind, record: record, moment: moment, thread: thread, index: index)
        switch kind {
        case .set, .cleaned,
            .queued where record.edge == 0,
            .resumed where record.edge == 0:
            event.node = names.node(record.target)
            event.edge = names.edge(record.first)
            // A join that fired has set the node.
            if event.edge == nil { event.source = names.node(record.first) }
        case .heard:
            event.node = names.node(record.first)
            event.source = event.node
            event.edge = names.edge(record.edge)
        case .mark, .batchBegan, .batchEnded: break
        case .waited:
            event.node = names.node(record.target)
            event.edge = names.edge(record.edge)
            if event.edge == nil { event.source = names.node(record.edge) }
        case .scheduled, .late, .dropped:
            event.edge = names.edge(record.edge)
            event.source = names.node(record.first)
            event.node = event.edge.flatMap { names.ends[$0].target }
        default:
            event.node = names.node(record.target)
            event.source = names.node(record.first)
            event.edge = names.edge(record.edge)
        }
        if let edge = event.edge, let source = event.source, kind != .switched {
            names.note(edge, from: source, to: event.node)
        }
        if event.edge == nil, let node = event.node, kind == .stored || kind == .arrived {
            names.noteUnknownEdge(from: event.source, to: node)
        }
        return event
    }
}
