/// One thing that happened in a graph, as plain data. A `GraphRecorder` returns events from its records.
///
///     let recorder = GraphRecorder()
///     let price = MutableNode(20).named("price")
///     price.value = 30
///     print(recorder.events().last!)      // 'price' was set to 30 (was 20)
public struct GraphEvent: Sendable, CustomStringConvertible {
    /// The kind of an event.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A program set a node, or emptied it.
        case set, cleaned
        /// An edge gave a node a value, or emptied it.
        case stored, emptied
        /// An edge called its listener.
        case heard
        /// An edge passed nothing on: `reason` says why.
        case stopped
        /// A value arrived at a combination. The combination fires when nothing else is left to deliver, or waits, as
        /// `reason` says.
        case arrived
        /// A combination fired.
        case fired
        /// A value was queued because its node was delivering; the node took a queued value.
        case queued, resumed
        /// A newly linked edge was given its source's value.
        case replayed
        /// An edge was linked; an edge was cut.
        case linked, cut
        /// An edge follows `node` from then on, as the edge of `flattenMap` does, and passes its value on.
        case switched
        /// An edge keeps a value until later; an edge sends such a value, or its listener hears it; an edge dropped
        /// one.
        case scheduled, late, dropped
        /// A batch began; a batch ended.
        case batchBegan, batchEnded
        /// A node was computed anew and made no new value: `reason` says why. (A node that made a new value `fired`.)
        case computed
        /// A named moment.
        case mark
        /// A set, or another change, waited for its graph for at least a millisecond, or was late. `reason` says for
        /// how long, and which thread and closure kept the graph busy when the wait began.
        case waited
    }
    /// A node, by its name.
    public struct Node: Sendable, Hashable {
        /// Identifies the node: equal in all events of the node, and of no other node of this process.
        public let id: Int
        /// The node's name, if it has one.
        public let name: String?
        /// The node's name in texts: `'price'`, or a description if it has no name.
        public let label: String
    }
    /// An edge, by its name.
    public struct Edge: Sendable, Hashable {
        /// Identifies the edge: equal in all events of the edge, and of no other edge of this process.
        public let id: Int
        /// The operator's name, such as "Filter".
        public let name: String
        /// The file and line that made the edge, such as `Shop.swift:31`; `nil` if they are not known.
        public let place: String?
        /// The edge's name in texts: `Filter 'cheap' (Shop.swift:31)`.
        public let label: String
        /// The name for a sentence that names the edge's target as well.
        var nameAndPlace: String { name + (place.map { " (\($0))" } ?? "") }
    }

    /// The kind of the event.
    public let kind: Kind
    /// The moment of the event. No two events have the same.
    public let moment: GraphMoment
    /// The name of the thread on which it happened, or else the thread's number.
    public let thread: String
    /// The node of the event, if it has one: for `heard` the node that was heard, for `stopped` the node that was not
    /// reached.
    public let node: Node?
    /// The node that the value came from, if an edge brought it.
    public let source: Node?
    /// The edge that brought the value.
    public let edge: Edge?
    /// The value before, as text of at most 1,000 characters; `nil` if there was none, or it was not kept.
    public let old: String?
    /// The value since then, as text of at most 1,000 characters; `nil` if there was none, or it is not known.
    public let new: String?
    /// A detail, depending on `kind`: why nothing was passed on, which inputs are waited for, how long a value waits,
    /// or the label of the mark.
    public let reason: String?
    /// The moments of the events that led to this one, newest first.
    public let causes: [GraphMoment]

    /// The value of an effect.
    static let nothing = "()"
    /// The largest number of characters of `old` and `new`.
    static let valueLimit = 1_000
    // The values as they are quoted in a sentence.
    let oldText: String?
    let newText: String

    /// One line of text. Values are cut after 80 characters; values that are text are quoted. Safe from any thread.
    public var description: String {
        let node = node?.label ?? "a node", edge = edge?.label ?? "an edge"
        // `Map gave 'label' 3`, or `Map of 'price' made 3` if the node has no name.
        let gave = self.node?.name == nil ? "\(edge) made" : "\(self.edge?.nameAndPlace ?? edge) gave \(node)"
        let told = GraphEvent.sentence(
            kind, node: node, edge: edge, gave: gave, source: source?.label ?? "a node", value: newText)
        let was = oldText.map { " (was \($0))" } ?? ""
        switch kind {
        case .fired:
            return (newText == GraphEvent.nothing ? "\(edge) ran" : told + was) + (reason.map { ", \($0)" } ?? "")
        case .mark: return "\(told): \(reason ?? "")"
        default: return (reason ?? told) + was
        }
    }
    /// Returns the sentence that tells of an event without a reason. The recorder's page calls this with the names of
    /// the parts, and puts the parts of each event in their place.
    static func sentence(
        _ kind: Kind, node: String = "{node}", edge: String = "{edge}", gave: String = "{gave}",
        source: String = "{source}", value: String = "{value}"
    ) -> String {
        switch kind {
        case .set: "\(node) was set to \(value)"
        case .cleaned: "\(node) was emptied"
        case .stored, .fired: "\(gave) \(value)"
        case .emptied: "\(edge) emptied \(node)"
        case .heard: "\(edge) called its listener with \(value) of \(node)"
        case .queued: "a new value for \(node) had to wait, because \(node) was still passing on the value before"
        case .resumed: "\(node) took the value that had waited"
        case .replayed: "\(edge) was given the value of \(source), as it was linked"
        case .linked: "\(edge) was linked to \(source)"
        case .cut: "\(edge) was cut from \(source)"
        case .switched: "\(edge) began to follow \(node)"
        case .late: "\(edge) sent \(value)"
        case .batchBegan: "a batch began"
        case .batchEnded: "a batch ended"
        case .mark: "mark"
        // The reason tells of these.
        case .stopped, .arrived, .scheduled, .dropped, .computed, .waited: edge
        }
    }
}
