import ReactCore
import ReactScheduling

/// Plays a diagram on a virtual clock: sets the nodes of some rows, and compares the other rows with the values of the
/// observed nodes.
///
///     try expectTimeline(
///         """
///         source    a-b----c----
///         throttle  -----b----c-
///         """
///     ) { timeline in
///         let throttled = timeline.source("source").throttle(timeline.ticks(3), on: timeline.scheduler)
///         timeline.observe("throttle", throttled)
///     }
///
/// A row is a name and, after it, one cell for each tick. All rows have as many cells.
///
/// | cell     | events in that tick                                          |
/// |----------|--------------------------------------------------------------|
/// | `-`      | nothing                                                      |
/// | `a`      | the value "a"; any character without a meaning of its own    |
/// | `'text'` | a value of more or fewer characters than one; `''` in it is a quote, and `\n` a new line |
/// | `~`      | the node is emptied                                          |
/// | `(ab~)`  | several of these, in this order                              |
///
/// Spaces between cells have no meaning. They keep rows aligned beneath a tick that needs more than one character.
///
/// The sources are set after `build` has returned, in tick 0 too. Within a tick the sources come first, top row first,
/// then the work that operators scheduled, in the order in which they scheduled it. After the last tick the clock runs
/// until no work is left, so that a value that comes too late is found. If a node never rests, as `ticks`, cut it in
/// `Timeline.atEnd`.
///
/// - Parameters:
///   - diagram: The rows.
///   - tick: The time between two cells.
///   - file: The file of the call, which the message of a trap names.
///   - line: The line of the call.
///   - build: Makes the nodes by its argument, a `Timeline`. It is called once, before anything is set.
/// - Throws: A `TimelineError` that shows the values expected and the values heard, or the place where the diagram
///   cannot be read.
/// - Precondition: `tick` is greater than zero.
public func expectTimeline(
    _ diagram: String, tick: Duration = .seconds(1), file: StaticString = #fileID, line: UInt = #line,
    _ build: (Timeline) -> Void
) throws(TimelineError) {
    require(
        tick > .zero, "expectTimeline: a tick takes some time, and \(tick) is none. Pass a time greater than zero.",
        file: file, line: line)
    let timeline = Timeline(try TimelineDiagram(diagram), tick: tick)
    build(timeline)
    try timeline.play()
}

/// The sources, the clock and the observed nodes of one diagram. See `expectTimeline`.
public final class Timeline {
    /// The clock that the diagram is played on.
    public let scheduler = VirtualScheduler()
    private let tick: Duration

    private let diagram: TimelineDiagram
    /// A node for each row. Those that are asked for are the sources.
    private var nodes: [String: MutableNode<String>] = [:]
    private var sources: Set<String> = []
    /// The events that each observed node has had so far.
    private var recorders: [String: () -> [(Duration, Event)]] = [:]
    private var problems: [String] = []
    private var endings: [() -> Void] = []
    private let lifetime = Lifetime()

    init(_ diagram: TimelineDiagram, tick: Duration) {
        (self.diagram, self.tick) = (diagram, tick)
        for row in diagram.rows { nodes[row.name] = MutableNode<String>().named(row.name) }
        scheduleSources()
    }

    /// Returns the length of `count` ticks.
    public func ticks(_ count: Int) -> Duration { tick * count }

    /// Returns the node that is set to the values of the row `name`. Returns the same node for the same name.
    public func source(_ name: String) -> MutableNode<String> {
        sources.insert(name)
        if let source = nodes[name] { return source }
        problems.append("There is no row named \(name).")
        let source = MutableNode<String>().named(name)
        nodes[name] = source
        return source
    }

    /// Compares the values of `node`, as their descriptions, and the times when it is emptied, with the row `name`.
    ///
    ///     try expectTimeline(
    ///         """
    ///         source  a--'two'-
    ///         length  1--3    -
    ///         """
    ///     ) { timeline in
    ///         timeline.observe("length", timeline.source("source").map { $0.count })
    ///     }
    public func observe<Value: CustomStringConvertible & Sendable>(_ name: String, _ node: Node<Value>) {
        if diagram[name] == nil { problems.append("There is no row named \(name).") }
        if recorders[name] != nil { problems.append("The row \(name) is observed twice.") }
        let recorder = Recorder<Value>(clock: scheduler)
        recorders[name] = { recorder.events }
        node.listened(by: lifetime).with(edge: recorder)
    }

    /// Calls `body` after the last tick, before the clock runs until no work is left. In `body`, cut a node that never
    /// rests, such as `ticks`.
    public func atEnd(_ body: @escaping () -> Void) { endings.append(body) }

    func play() throws(TimelineError) {
        for row in diagram.rows where !sources.contains(row.name) && recorders[row.name] == nil {
            problems.append("The row \(row.name) is neither a source nor observed.")
        }
        guard problems.isEmpty else { throw TimelineError(problems.joined(separator: "\n")) }

        scheduler.advance(by: ticks(diagram.tickCount - 1))
        for end in endings { end() }
        scheduler.run()
        try compare()
    }

    /// Schedules the events of every row. Operators schedule their work later, so it runs after the events of its tick.
    private func scheduleSources() {
        for tick in 0..<diagram.tickCount {
            for row in diagram.rows {
                guard let source = nodes[row.name] else { continue }
                for event in row.cells[tick] {
                    scheduler.schedule(after: ticks(tick)) {
                        switch event {
                        case .value(let value): source.value = value
                        case .emptied: source.clean()
                        }
                    }
                }
            }
        }
    }

    private func compare() throws(TimelineError) {
        var report = diagram
        report.rows = []
        for row in diagram.rows {
            report.rows.append(row)
            guard let heard = recorders[row.name]?() else { continue }
            var cells = [[Event]](repeating: [], count: row.cells.count)
            for (time, event) in heard {
                guard time < ticks(row.cells.count + 100) else {
                    problems.append("\(row.name) had \(event) more than 100 ticks after the diagram's end.")
                    continue
                }
                // The quotient of two durations is rounded.
                let tick = Int((time / self.tick + 1e-9).rounded(.down))
                if time != ticks(tick) { problems.append("\(row.name) had \(event) between ticks, at \(time).") }
                while cells.count <= tick { cells.append([]) }
                cells[tick].append(event)
            }
            let isExpected = { (tick: Int) in cells[tick] == (tick < row.cells.count ? row.cells[tick] : []) }
            guard let tick = cells.indices.first(where: { !isExpected($0) }) else { continue }
            let expected =
                tick < row.cells.count ? TimelineDiagram.text(of: row.cells[tick]) : "nothing, for the diagram ends"
            problems.append(
                "\(row.name) differs at tick \(tick): expected \(expected), heard \(TimelineDiagram.text(of: cells[tick]))."
            )
            report.rows.append(TimelineDiagram.Row(name: "heard", cells: cells))
        }
        if !problems.isEmpty { throw TimelineError((problems + [report.aligned]).joined(separator: "\n")) }
    }
}

/// Records values and emptiness, each with its time.
///
/// Unchecked, as its superclass is: its own properties are constant, or under a lock.
private final class Recorder<Value: CustomStringConvertible & Sendable>: ListenEdge<Value>, @unchecked Sendable {
    private let clock: VirtualScheduler
    private let record = Lock<[(Duration, Event)]>([])

    init(clock: VirtualScheduler) {
        self.clock = clock
        super.init()
    }

    var events: [(Duration, Event)] { record.withLock { $0 } }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        add(.value(value.description))
    }

    override func empty(from senders: SenderList, context: NodeContext?) { add(.emptied) }

    private func add(_ event: Event) {
        let time = clock.now
        record.withLock { $0.append((time, event)) }
    }
}
