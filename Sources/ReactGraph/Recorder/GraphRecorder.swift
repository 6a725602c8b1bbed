import Foundation
import ReactCore

/// Records what happens in the graphs of this process, from its making until `stop()` or its end, into rings of a fixed size.
///
///     let recorder = GraphRecorder()
///     let price = MutableNode(20).named("price")
///     let label = price.map { "\($0) €" }.named("label")
///     price.value = 30
///     print(recorder.why(label).events.count)     // 2
///
/// One ring a thread: recording takes no lock and allocates nothing once a ring is full. (A value of more than 512 bytes, or one that
/// is aligned to more than eight, is held in a box.) What is described is described when it is asked for, never when it is recorded.
/// While no recorder exists, a hop costs nothing more than without this.
///
/// Deliveries are recorded, and refusals: what an operator did not pass on, a join or zip that waits, a value that came back round
/// a ring, an edge that was cut, a value that a scheduler holds.
///
/// Safe from any thread, while others set nodes. Several recorders may record at once, each into rings of its own.
public final class GraphRecorder: Sendable {
    private let session: RecordingSession
    private let marks = Lock(MarkLabels())

    /// Begins to record.
    ///
    /// - Parameters:
    ///   - capacity: Records a thread. The oldest go first; `evicted` counts them. Where another thread's have gone that may have set a
    ///     node, what came of the older ones of this thread is told to be not known.
    ///   - values: Whether the values that were replaced are held, for `graph(of:at:)` and the page; they live as long as their records.
    ///     What was not held is told to be "not kept".
    ///   - sites: Whether nodes and edges that are made from now on remember the file and line that made them.
    ///     The program must have been built with debug information, as it is by default; known on Linux.
    /// - Precondition: `capacity > 0`.
    public convenience init(capacity: Int = 65_536, values: Bool = true, sites: Bool = true) {
        self.init(capacity: capacity, values: values, sites: sites, onThisThreadOnly: false)
    }
    /// A recorder for tests, which run beside others in one process: it records what this thread does, and nothing else.
    init(capacity: Int = 65_536, values: Bool = true, sites: Bool = true, onThisThreadOnly: Bool) {
        require(
            capacity > 0, "GraphRecorder(capacity: \(capacity)): there must be room for one record a thread, at least")
        let site: @Sendable () -> (any Sendable)? = { CallSite.current() }
        session = RecordingSession(
            capacity: capacity, keepsValues: values, onThisThreadOnly: onThisThreadOnly, site: sites ? site : nil,
            threadName: { Thread.isMainThread ? "main" : Thread.current.name ?? "" })
    }
    deinit { session.end() }

    /// Records nothing more, also of a set that is under way. Stopping again does nothing.
    ///
    /// Records stay, with the names of the nodes and edges on record, also of those that go later. The value of a node after its last
    /// record is the present one, whatever came between. Redacted values stay redacted.
    public func stop() { session.stop() }
    /// How many records are gone, of all threads.
    public var evicted: Int { session.reading.map(\.evicted).reduce(0, +) }
    /// Puts a named moment on record, for `since:` and `at:`, and for the page and `Recording.marks`.
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
        let number = marks.withLock { $0.add(caption) }
        let (time, thread, position) = session.mark(number)
        return GraphMoment(time: time, thread: thread, position: position)
    }

    /// Reads all that is on record, once, for any number of questions.
    ///
    ///     let recorder = GraphRecorder(sites: false)
    ///     let price = MutableNode(20).named("price"), label = price.map { "\($0) €" }.named("label")
    ///     price.value = 30
    ///     let reading = recorder.reading()
    ///     price.value = 40
    ///     print(reading.why(label).events.count, reading.events().last!)      // 2 Map 'label' gave 'label' "30 €" (was "20 €")
    ///
    /// Each of the recorder's own questions reads the records anew; several answers of one reading fit together.
    ///
    /// - Complexity: O(*n* log *n*) for *n* records.
    public func reading() -> Recording {
        Recording(queries(takesValues: true), onlyThread: session.onlyThread)
    }
    /// A reading for one question.
    var queries: RecordQueries { queries(takesValues: false) }
    private func queries(takesValues: Bool) -> RecordQueries {
        let (read, marks) = (session.reading, marks.withLock { $0 })
        return RecordQueries(
            EventLog(read, marks: marks, keepsValues: session.keepsValues, takesValues: takesValues))
    }
    private var oneQuestion: Recording { Recording(queries, onlyThread: session.onlyThread) }

    /// Everything that is on record, in order, joined from all threads.
    ///
    /// Values are described by their own `description`, so this may run the user's code.
    ///
    /// - Parameter moment: Where to begin; what happened at that moment itself is left out.
    /// - Returns: The events, the oldest first.
    /// - Complexity: O(*n* log *n*) for *n* records.
    public func events(since moment: GraphMoment? = nil) -> [GraphEvent] { oneQuestion.events(since: moment) }
    /// Why the node holds what it holds: the set that led to it, and the way, with values, places, times and threads.
    public func why(_ node: AnyNode) -> GraphExplanation { oneQuestion.why(node) }
    /// Why the node was not set since `moment`: each set upstream of it, and where and why that stopped; what it still waits for.
    ///
    /// - Parameters:
    ///   - node: The node that was not set.
    ///   - moment: Where to begin; if `nil`, after the node's last value that is on record, or where a later one may have gone off it.
    /// - Returns: The answer.
    public func whyNot(_ node: AnyNode, since moment: GraphMoment? = nil) -> GraphExplanation {
        oneQuestion.whyNot(node, since: moment)
    }
    /// The edges with the most calls and the most time, their own and with all downstream. Each prints as one line of a table.
    ///
    /// The time of an edge is its share of the calls that were timed: the first 512 on each thread, and then one in 61.
    public func hottest(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        oneQuestion.hottest(count, since: moment)
    }
    /// The nodes that were given a value equal to the one before, with what that set off downstream. Each prints as one line of a table.
    public func wasted(_ count: Int = 10, since moment: GraphMoment? = nil) -> [GraphCost] {
        oneQuestion.wasted(count, since: moment)
    }
    /// Nodes, edges and listeners that came since `moment` and have not gone, with where they were made and who holds them.
    public func living(since moment: GraphMoment) -> [GraphResident] {
        GraphResident.all(since: moment, until: .max, on: session.onlyThread)
    }
    /// The node's graph as it was at a moment that is still on record: draw it, search it, compare it.
    ///
    /// Names, whether a node may be set, edges of which one end is connected, and how many values wait at a `zip`, are as far as the
    /// records tell.
    public func graph(of node: AnyNode, at moment: GraphMoment) -> GraphSnapshot {
        oneQuestion.graph(of: node, at: moment)
    }

    /// The records in the Trace Event Format, for Perfetto: a slice for each set and call, an arrow from each cause.
    public func trace() -> String { oneQuestion.trace() }
}

/// The labels of marks by number: the last 10,000, at least.
struct MarkLabels: Sendable {
    private var first = 0
    private var labels: [String] = []
    private static let limit = 10_000

    /// Adds a label, and returns its number.
    mutating func add(_ label: String) -> Int {
        if labels.count == 2 * MarkLabels.limit {
            labels.removeFirst(MarkLabels.limit)
            first += MarkLabels.limit
        }
        labels.append(label)
        return first + labels.count - 1
    }
    subscript(number: UInt) -> String? {
        let place = Int(clamping: number) - first
        return labels.indices.contains(place) ? labels[place] : nil
    }
}
