import ReactCore

extension EventLog {
    /// A record of a thread, with its causes, and its nodes and edges by their places.
    struct Event {
        let kind: GraphEvent.Kind
        let detail: Detail
        let moment: GraphMoment
        /// The thread's position in `threads`, and the record's position there.
        let thread: Int
        let index: Int
        // Positions in the index's `nodes` and `edges`.
        var node: Int?
        var source: Int?
        var edge: Int?
        /// The word of the value that an edge buffers, sends late or drops: see `BufferedValueRecord`.
        var buffered: UInt?
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

        var stores: Bool { kind.stores }
        /// True if a program set or emptied the node.
        var isSet: Bool { kind == .set || kind == .cleaned }
        /// True if the node was emptied.
        var empties: Bool { kind == .cleaned || kind == .emptied }
        /// True if a join has processed its arrivals, with or without a new value.
        var firesOrComputes: Bool {
            kind == .fired || kind == .computed && detail != .end(.givenUp)
        }

        /// The detail of a record, by its kind.
        enum Detail: Equatable {
            case nothing
            /// Why an edge passed nothing on.
            case refusal(Record.Refusal)
            /// Why a body made no new value.
            case end(Record.ComputedEnd)
            case drop(BufferedValueRecord.Drop)
            /// The number of inputs of a join that still miss a value.
            case missing(Int)
            /// The serial number of the edge that brings a queued value; `nil` if the value was set.
            case bringer(UInt?)
            /// The value came while its edge was being linked.
            case cameMeanwhile
            /// The value leaves as a part of the next one.
            case joined
        }
    }

    /// Makes the event of a record, which is at `index` among those of its thread, and notes its edge in `names`.
    static func event(
        _ kind: GraphEvent.Kind, _ record: Record, _ moment: GraphMoment, _ thread: Int, _ index: Int,
        _ names: inout ObjectIndex
    ) -> Event {
        var event = Event(
            kind: kind, detail: detail(kind, record), moment: moment, thread: thread, index: index)
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
        case .scheduled, .late, .dropped:
            event.edge = names.edge(record.edge)
            event.source = names.node(record.first)
            event.buffered = record.target == 0 ? nil : record.target
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
    private static func detail(_ kind: GraphEvent.Kind, _ record: Record) -> Event.Detail {
        switch kind {
        case .stopped: Record.Refusal(rawValue: record.detail).map { .refusal($0) } ?? .nothing
        case .computed: Record.ComputedEnd(rawValue: record.detail).map { .end($0) } ?? .nothing
        case .dropped: BufferedValueRecord.Drop(rawValue: record.detail).map { .drop($0) } ?? .nothing
        case .arrived: .missing(Int(record.aux))
        case .queued, .resumed: .bringer(record.edge == 0 ? nil : record.edge)
        case .replayed: record.detail == Record.cameMeanwhile ? .cameMeanwhile : .nothing
        case .late: record.detail == Record.joined ? .joined : .nothing
        default: .nothing
        }
    }
}
