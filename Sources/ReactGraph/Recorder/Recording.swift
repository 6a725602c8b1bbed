import ReactCore

/// All records at one moment, read and joined once, for any number of questions.
///
///     let recorder = GraphRecorder()
///     let price = MutableNode(20).named("price"), label = price.map { "\($0) €" }.named("label")
///     recorder.mark("sale")
///     price.value = 15
///     let reading = recorder.reading()
///     print(reading.marks[0].label, reading.events(since: reading.marks[0].moment).count)     // sale 2
///     print(reading.why(label).events.count)                                                  // 2
///
/// The answers are those of `GraphRecorder`, and agree with one another. Ages such as "37 ms ago" count from the
/// reading, and a later set changes no value. Two answers describe the moment at which you ask: `liveObjects(since:)`,
/// and in `whyNot(_:since:)` the values that a node still waits for.
///
/// **Secrets.** The reading decides once which values must not be shown. It does not know that a node is `redacted()`
/// later.
///
/// **Lifetime.** A reading retains the nodes and edges on record that still exist, their values, and the values of the
/// records.
///
/// Safe from any thread.
public struct Recording: Sendable {
    let log: EventLog
    let names: ObjectIndex
    /// The events that gave each node a value, or emptied it, in order.
    let stores: [Int: [Int]]
    private let onlyThread: UInt64?

    init(_ log: EventLog, onlyThread: UInt64?) {
        (self.log, names, stores, self.onlyThread) = (log, log.names, log.stores, onlyThread)
    }

    /// The number of evicted records, of all threads. Safe from any thread.
    public var evicted: Int { log.threads.map(\.evicted).reduce(0, +) }
    /// The marks that are still on record, the oldest first. Safe from any thread.
    ///
    /// - Complexity: O(*n*) for *n* records.
    public var marks: [GraphMark] {
        log.events.indices.filter { log.events[$0].kind == .mark }.map {
            GraphMark(label: reason($0) ?? "", moment: log.events[$0].moment)
        }
    }
    /// Returns all events on record, in order, joined from all threads. See `GraphRecorder.events(since:)`.
    /// Safe from any thread.
    ///
    /// - Complexity: O(*n* log *n*) for *n* records.
    public func events(since moment: GraphMoment? = nil) -> [GraphEvent] {
        let first = moment.map(log.position(after:)) ?? 0
        return log.events.indices[first...].map { event(at: $0) }
    }
    /// Returns the edges with the most time and calls. See `GraphRecorder.costliest(_:since:)`. Safe from any thread.
    public func costliest(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        Profile(self, since: moment).costliest(count)
    }
    /// Returns the nodes that were given a value equal to the one before. See
    /// `GraphRecorder.redundantUpdates(_:since:)`. Safe from any thread.
    public func redundantUpdates(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        Profile(self, since: moment).redundantUpdates(count)
    }
    /// Returns the nodes, edges and listeners that came after `moment` and before the reading, and exist when you ask.
    /// Safe from any thread.
    public func liveObjects(since moment: GraphMoment) -> [GraphResident] {
        GraphResident.all(since: moment, until: log.readAt, on: onlyThread, showsSites: names.showsSites)
    }
    /// Returns the node's graph as it was at a moment that is on record. See `GraphRecorder.graph(of:at:)`.
    /// Safe from any thread.
    ///
    /// - Complexity: O(*n* log *n*) for *n* records, nodes, edges and listeners together.
    public func graph(of node: AnyNode, at moment: GraphMoment) -> GraphSnapshot {
        GraphReconstruction(self, of: node, at: moment).snapshot(from: node)
    }
    /// Returns the records in the Trace Event Format, for Perfetto. See `GraphRecorder.trace()`. Safe from any thread.
    public func trace() -> String { Trace(recording: self).json }
}

/// A named moment on record.
public struct GraphMark: Sendable, Hashable {
    /// The name that `GraphRecorder.mark(_:)` was given.
    public let label: String
    /// The moment of the mark.
    public let moment: GraphMoment
}
