import ReactCore

/// Records a ``Journal``, from its making until `stop()` or its end.
///
///     let price = MutableNode(30)
///     let total = price.map { $0 * 2 }.named("total")
///     var sources = JournalSources()
///     sources.add(price, named: "price")
///     let recorder = JournalRecorder(of: sources, watching: [total], now: { .zero })
///     price.value = 10
///     print(recorder.stop())          // price = 10
///                                     // total was 20
///
/// Make it when the graph stands, before the first set. It holds no node: a source that goes is recorded until then.
/// A value of a node that is `redacted()` is not recorded, and its steps hold a mark instead. The text of a watched
/// node that derives from one is "redacted", also when it is no longer linked to it. What a listener or an effect
/// copies into another node is written down: redact that node, too. `lint` finds some such copies.
///
/// A value whose encoding throws is told in `errors`, and its step is left out. So is a value that is decoded as
/// another one, such as `.some(nil)` of an `Int??`, which becomes `nil`. So is a source that changes because
/// somebody has set a node that is no source, such as the other end of a `sync`. Then `isComplete` is false. If that
/// node was linked upstream of the source after the recorder was made, and its value comes through a combination or
/// waits for its turn, the change is not told. The recorder never ends the process.
///
/// **Threads.** Everything may be called from any thread. Values are encoded on the thread that sets them, with no lock
/// held. Several recorders, and a `GraphRecorder`, may record at once.
///
/// **Cost.** Nothing for nodes that are neither sources, nor watched, nor mutable and upstream of a source. A set of a
/// source also encodes the value and reads the clock. If the values are no numbers, texts, booleans, optionals or lists
/// of these, it also decodes the data. Where nodes are watched, the end of its transaction also describes those that
/// were set.
public final class JournalRecorder: Sendable {
    private let log: JournalLog
    private let marks: [NodeMark]

    /// Begins to record. Safe from any thread.
    ///
    /// - Parameters:
    ///   - sources: The nodes whose sets from outside are the steps.
    ///   - nodes: Nodes whose texts are noted after the steps, by their names. One without a name is called by its
    ///     place, as in "node 2".
    ///   - limit: The number of sets, emptyings, pulses and checks that are kept, and that of errors. Later ones are
    ///     dropped.
    ///   - now: The time since any fixed moment, called with each step, with no lock held. By default, a monotonic
    ///     clock; its waits are whole milliseconds, and shorter ones are put together.
    public init(
        of sources: JournalSources, watching nodes: [AnyNode] = [], limit: Int = 100_000,
        now: (@Sendable () -> Duration)? = nil
    ) {
        let log = JournalLog(of: sources.all, watching: nodes, limit: limit, now: now)
        var marks: [NodeMark] = []
        func begin(_ mark: NodeMark, at node: AnyNode) {
            mark.begin(at: node)
            marks.append(mark)
        }
        for (index, source) in sources.all.enumerated() { marks.append(source.begin(in: log, at: index)) }
        for vertex in Vertex.allUpstream(of: sources.all.map(\.anyNode.vertex)).found where log.isForeign(vertex) {
            guard let node = vertex.handle else { continue }
            let identity = ObjectIdentifier(vertex)
            begin(NodeMark { log.noteForeign($0, identity) }, at: node)
        }
        for (index, node) in nodes.enumerated() {
            begin(NodeMark { log.noteWatched(at: index, in: $0.transaction) }, at: node)
        }
        (self.log, self.marks) = (log, marks)
    }
    deinit { for mark in marks { mark.end() } }

    /// The journal so far. O(steps). Safe from any thread.
    public var journal: Journal { log.journal }
    /// The reasons why something was not recorded, one sentence each, in order, up to the limit. Safe from any thread.
    public var errors: [String] { log.errors }
    /// Ends the recording with a last `wait`, and returns the journal. Calling it again changes nothing. Safe from any
    /// thread.
    @discardableResult public func stop() -> Journal {
        for mark in marks { mark.end() }
        log.finish()
        return log.journal
    }
}

extension AnyNode {
    /// The name of a watched node, which is at `place` among all of them.
    func watchedName(at place: Int) -> String { name ?? "node \(place + 1)" }
}
