/// One thing that happened in a graph, as plain data: what a `GraphRecorder` has on record.
///
///     let recorder = GraphRecorder()
///     let price = MutableNode(20).named("price")
///     price.value = 30
///     print(recorder.events().last!)      // 'price' was set to 30 (was 20)
public struct GraphEvent: Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A program set a node, or emptied it.
        case set, cleaned
        /// An edge gave a node a value, or emptied it.
        case stored, emptied
        /// An edge called its listener.
        case heard
        /// An edge passed nothing on: `reason` says why.
        case stopped
        /// A value arrived at a combination, which fires when nothing else is left to deliver; or which waits, as `reason` says.
        case arrived
        /// A combination fired.
        case fired
        /// A combination was left to another thread.
        case left
        /// A value waits until its node has been served; it has its turn.
        case queued, resumed
        /// An edge that was linked was given its source's value.
        case replayed
        /// An edge was linked, was cut.
        case linked, cut
        /// An edge follows `node` from then on, as `flattenMap`'s does, and passes its value on.
        case switched
        /// An edge holds a value until later; sends it on, or has it heard; dropped it.
        case scheduled, late, dropped
        /// A batch began, ended.
        case batchBegan, batchEnded
        /// A node was computed anew, which made no new value: `reason` says why. (One that made a new value `fired`.)
        case computed
        /// A named moment.
        case mark
    }
    /// A node, as it is called.
    public struct Node: Sendable, Hashable {
        /// The same for all events of one node, and for no other node of this process.
        public let id: Int
        /// The node's name, if it has one.
        public let name: String?
        /// What it is called in texts: `'price'`, or what is known of it otherwise.
        public let label: String
    }
    /// An edge, as it is called.
    public struct Edge: Sendable, Hashable {
        /// The same for all events of one edge, and for no other edge of this process.
        public let id: Int
        /// The operator's name, such as "Filter".
        public let name: String
        /// The file and line that made it, such as `Shop.swift:31`, where that is known.
        public let place: String?
        /// What it is called in texts: `Filter 'cheap' (Shop.swift:31)`.
        public let label: String
    }

    /// What happened.
    public let kind: Kind
    /// When: no two events have the same.
    public let moment: GraphMoment
    /// The thread on which it happened: its name, or its number.
    public let thread: String
    /// The node that it happened to, if it did to one: for `heard` the one that was heard, for `stopped` the one that was not reached.
    public let node: Node?
    /// Where the value came from, if an edge brought it.
    public let source: Node?
    /// The edge that it came by.
    public let edge: Edge?
    /// The value before, as text of at most 1,000 characters; `nil` where there was none, or it was not kept.
    public let old: String?
    /// The value since then, as text of at most 1,000 characters; `nil` where there was none, or it is not known.
    public let new: String?
    /// Why nothing was passed on, what is waited for, for how long a value is held, which mark it is.
    public let reason: String?
    /// What led to it: the newest first.
    public let causes: [GraphMoment]

    /// The most characters of `old` and `new`.
    static let valueLimit = 1_000
    // The values as they stand in a sentence.
    let oldText: String?
    let newText: String?

    /// One line of text. Values are cut after 80 characters, and quoted if they are text.
    public var description: String {
        let node = node?.label ?? "a node"
        let edge = edge?.label ?? "an edge"
        let was = oldText.map { " (was \($0))" } ?? ""
        let value = newText ?? "a value"
        switch kind {
        case .set: return "\(node) was set to \(value)\(was)"
        case .cleaned: return "\(node) was emptied\(was)"
        case .stored: return "\(edge) gave \(node) \(value)\(was)"
        case .emptied: return "\(edge) emptied \(node)\(was)"
        case .heard: return "\(edge) heard \(value) of \(node)"
        case .stopped: return reason ?? "\(edge) passed nothing on"
        case .arrived: return reason ?? "\(edge) took \(value)"
        case .fired: return "\(node) fired: \(value)\(was)"
        case .left: return "\(node) was left to another thread"
        case .queued: return "a value waits until \(node) has been served"
        case .resumed: return "a value that waited for \(node) has its turn"
        case .replayed: return "\(edge) was given the value of \(source?.label ?? "its source"), as it was linked"
        case .linked: return "\(edge) was linked to \(source?.label ?? "a node")"
        case .cut: return "\(edge) was cut from \(source?.label ?? "a node")"
        case .switched: return "\(edge) switched to \(node)"
        case .scheduled: return reason ?? "\(edge) holds a value"
        case .late:
            return causes.isEmpty ? "\(edge) sent a value by itself" : "\(edge) let \(value) go, which it had held"
        case .dropped: return reason ?? "\(edge) dropped a value that it held"
        case .batchBegan: return "a batch began"
        case .batchEnded: return "a batch ended"
        case .computed: return reason ?? "\(node) was computed anew"
        case .mark: return "mark: \(reason ?? "")"
        }
    }
}
