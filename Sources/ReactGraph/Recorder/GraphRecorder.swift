import ReactCore

/// Records the events in the graphs of this process, from its creation until `stop()` or its end, into buffers of a
/// fixed size.
///
///     let recorder = GraphRecorder()
///     let price = MutableNode(20).named("price")
///     let label = price.map { "\($0) €" }.named("label")
///     price.value = 30
///     print(recorder.why(label).events.count)     // 2
///
/// Each thread writes to a ring buffer of its own. A thread that begins after another has ended takes over the ended
/// one's buffer, with its records. Recording a set or a call takes no lock, and allocates nothing once the buffer is
/// full, unless a value needs a box. A node or an edge that is made, or recorded first, is entered in a registry, under
/// a lock. A value of more than 512 bytes may need a box; a value aligned to more than eight bytes does.
/// Values are described when you ask, never when they are recorded. While no recorder exists, a hop costs no more than
/// without this class.
///
/// Both deliveries and refusals are recorded: a value that an operator did not pass on, a join or zip that waits, a
/// value that came back round a cycle, an edge that was cut, a value that a scheduler holds.
///
/// Safe from any thread, while others set nodes. Several recorders may record at once, each into buffers of its own.
public final class GraphRecorder: Sendable {
    private let session: RecordingSession
    private let marks = Lock(MarkLabels())

    /// Creates a recorder, which begins to record. Safe from any thread.
    ///
    /// - Parameters:
    ///   - capacity: The number of records for each buffer. A set takes two, and each edge that is called one. The
    ///     oldest are evicted first; `evicted` counts them. Evicted records of another thread may have set a node.
    ///     Answers then say that it is not known what became of older values.
    ///   - values: If true, replaced values are kept for `graph(of:at:)` and the page. They live as long as their
    ///     records. Graphs call a value that was not kept "not kept", sentences "a value
    ///     that was not kept".
    ///   - sites: If true, nodes and edges that are made from now on remember the file and line that made them. The
    ///     program must have been built with debug information, as it is by default. Places are known on Linux. The
    ///     line of a place that an answer has named stays in memory until the process ends: one for each such place in
    ///     the program, however many nodes it makes.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Precondition: `capacity > 0`.
    public convenience init(
        capacity: Int = 65_536, values: Bool = true, sites: Bool = true,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(capacity: capacity, values: values, sites: sites, onThisThreadOnly: false, file: file, line: line)
    }
    /// Creates a recorder that records this thread alone, for tests, which run beside others in one process.
    init(
        capacity: Int = 65_536, values: Bool = true, sites: Bool = true, onThisThreadOnly: Bool,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        require(
            capacity > 0, "GraphRecorder(capacity: \(capacity)): there must be room for one record a thread, at least",
            file: file, line: line)
        session = RecordingSession(
            capacity: capacity, keepsValues: values, showsSites: sites, onThisThreadOnly: onThisThreadOnly)
    }
    deinit { session.end() }

    /// Stops recording, even of a set that is under way. A second call does nothing. Safe from any thread.
    ///
    /// The records stay, with the names of the nodes and edges on record, even of those that go later. After a node's
    /// last record, its value is the present one, so later sets show. Redacted values stay redacted.
    public func stop() { session.stop() }
    /// The number of evicted records, of all threads. Copies the records to count them, as `reading()` does. Safe from
    /// any thread.
    public var evicted: Int { session.reading.map(\.evicted).reduce(0, +) }
    /// Puts a named moment on record, for `since:` and `at:`, and for the page and `Recording.marks`. Safe from any
    /// thread.
    ///
    ///     let recorder = GraphRecorder()
    ///     let price = MutableNode(20).named("price")
    ///     let before = recorder.mark("before the sale")
    ///     price.value = 15
    ///     print(recorder.events(since: before).last!)      // 'price' was set to 15 (was 20)
    ///
    /// - Parameter label: The name. It is cut after 200 characters. The last 10,000 marks keep their labels.
    /// - Returns: The moment.
    @discardableResult public func mark(_ label: String) -> GraphMoment {
        let caption = label.caption(limit: 200)
        return session.mark(marks.withLock { $0.add(caption) })
    }

    /// Reads all records once, for any number of questions. Safe from any thread.
    ///
    ///     let recorder = GraphRecorder(sites: false)
    ///     let price = MutableNode(20).named("price"), label = price.map { "\($0) €" }.named("label")
    ///     price.value = 30
    ///     let reading = recorder.reading()
    ///     price.value = 40
    ///     print(reading.why(label).events.count, reading.events().last!)      // 2 Map gave 'label' "30 €" (was "20 €")
    ///
    /// Each of the recorder's own questions reads the records anew. The answers of one reading agree with one another.
    ///
    /// - Complexity: O(*n* log *n*) for *n* records.
    public func reading() -> Recording { recording(takesValues: true) }
    /// Reads the records for one question.
    var queries: Recording { recording(takesValues: false) }
    private func recording(takesValues: Bool) -> Recording {
        let log = EventLog(
            session.reading, marks: marks.withLock { $0 }, keepsValues: session.keepsValues,
            showsSites: session.showsSites, takesValues: takesValues)
        return Recording(log, onlyThread: session.onlyThread)
    }

    /// Returns all events on record, in order, joined from all threads. Safe from any thread.
    ///
    /// Events of one thread are in order, and so are the sets, arrivals and firings of all threads. The other
    /// deliveries take their time from the timed event before them on their thread. So an event of another thread that
    /// came just before such a delivery may be told after it.
    ///
    /// Values are described by their own `description`, so user code may run.
    ///
    /// - Parameter moment: The moment to begin after. The event at that moment itself is left out.
    /// - Returns: The events, the oldest first.
    /// - Complexity: O(*n* log *n*) for *n* records.
    public func events(since moment: GraphMoment? = nil) -> [GraphEvent] { queries.events(since: moment) }
    /// Explains why the node holds its value: the set that led to it, and the way, with values, places, times and
    /// threads. Safe from any thread.
    public func why(_ node: AnyNode) -> GraphExplanation { queries.why(node) }
    /// Explains why the node was not set since `moment`: each set upstream of it, where and why that stopped, and the
    /// values that the node still waits for. Safe from any thread.
    ///
    /// - Parameters:
    ///   - node: The node that was not set.
    ///   - moment: The moment to begin after. If `nil`, the answer begins after the node's last value on record, or
    ///     after the time of evicted records that may have set it later.
    /// - Returns: The answer.
    public func whyNot(_ node: AnyNode, since moment: GraphMoment? = nil) -> GraphExplanation {
        queries.whyNot(node, since: moment)
    }
    /// Returns the edges with the most time, calls downstream included, and then with the most calls. Each prints as
    /// one line of a table. Safe from any thread.
    ///
    /// The time of an edge is estimated from the calls that were timed: the first 512 on each thread, and then one in
    /// 61.
    public func costliest(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        queries.costliest(count, since: moment)
    }
    /// Returns the nodes that were given a value equal to the one before, with the calls that this set off downstream.
    /// Values are compared by `==`, or else by their descriptions. Each prints as one line of a table. Safe from any
    /// thread.
    public func redundantUpdates(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        queries.redundantUpdates(count, since: moment)
    }
    /// Returns the nodes, edges and listeners that came since `moment` and have not gone, with the places that made
    /// them and their holders. Safe from any thread.
    public func liveObjects(since moment: GraphMoment) -> [GraphResident] {
        GraphResident.all(since: moment, until: .max, on: session.onlyThread, showsSites: session.showsSites)
    }
    /// Returns the node's graph as it was at a moment that is still on record. You can draw it, search it and compare
    /// it. Safe from any thread.
    ///
    /// Five things are known only as far as the records go: names, mutability, edges with one connected end, the number
    /// of values that wait at a `zip`, and the values of nodes that have gone since.
    public func graph(of node: AnyNode, at moment: GraphMoment) -> GraphSnapshot { queries.graph(of: node, at: moment) }

    /// Returns the records in the Trace Event Format, for Perfetto: a slice for each set and call, an arrow from each
    /// cause. Safe from any thread.
    public func trace() -> String { queries.trace() }
}

/// Stores the labels of the last 10,000 marks by number.
struct MarkLabels: Sendable {
    private var count = 0
    private var labels: [Int: String] = [:]
    private static let limit = 10_000

    /// Adds a label, and returns its number.
    mutating func add(_ label: String) -> Int {
        defer { count += 1 }
        labels[count] = label
        labels[count - MarkLabels.limit] = nil
        return count
    }
    subscript(number: UInt) -> String? { labels[Int(clamping: number)] }
}
