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
        let isTimed: Bool
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

        /// Makes the event of a record, which is at `index` among those of its thread, without its causes.
        init(
            _ kind: GraphEvent.Kind, _ record: Record, _ moment: GraphMoment, _ thread: Int, _ index: Int,
            isTimed: Bool, _ names: ObjectIndex
        ) {
            (self.kind, self.record, self.moment) = (kind, record, moment)
            (self.thread, self.index, self.isTimed) = (thread, index, isTimed)
            let objects = record.objects, edge = names.edge(objects.edge)
            (node, source, self.edge) = (names.node(objects.node), names.node(objects.source), edge)
            if kind == .scheduled || kind == .late || kind == .dropped { node = edge.flatMap { names.ends[$0].target } }
        }
    }
}
