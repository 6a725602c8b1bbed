// What the graphs of the reference model are made of.

extension ReferenceModel {
    final class Node {
        /// What sender lists call it; what operators put between two visible nodes is called "-".
        let name: String
        var value: [Int]?
        var links: [Link] = []
        var listeners: [Attachment] = []
        var isDelivering = false
        /// When the last value came.
        var time = 0
        /// What comes when its turn does; `nil` for nothing. And when what set it off was set, if that is not what is under way.
        var queue: [(begin: Begin, make: () -> Arrival?)] = []
        /// Set for the node of a `combine`.
        var join: Join?
        /// How many joins lie upstream, one behind the other, this one included. A join's falls when it fires.
        var rank = 0
        /// Whether an edge has gone, or a node upstream has fallen, that kept the rank as high as it is.
        var mayFall = false
        /// The edges that lead here.
        var incoming: [Edge] = []

        init(name: String) { self.name = name }
    }

    /// A value, or the loss of one, on its way to a node or an edge. `senders` are the nodes behind it, newest first.
    struct Arrival {
        let value: [Int]?
        var senders: [Node] = []
        var context: Int?
    }

    /// When what a value was made of was set.
    enum Begin {
        /// With what is under way.
        case under
        case now
        case at(Int?)
    }

    /// An edge keeps its place and its state here; `Link` is its being attached to one source.
    final class Edge {
        let target: Node
        let rule: Rule
        var link: Link?
        /// All values that came since it was last attached.
        var history: [[Int]] = []

        init(to target: Node, _ rule: Rule) {
            self.target = target
            self.rule = rule
        }
        /// All that a value may be sent to.
        var targets: [Node] {
            if case .route(let routes) = rule { return routes.branches + [target] }
            return [target]
        }
    }

    /// Something that hears a node, from when it was attached until it is cut off.
    class Attachment {
        var isCut = false
        private let receive: (Arrival) -> Void
        /// What comes while the node's present value is being taken over.
        private var waiting: [(arrival: Arrival, begin: Int?)]?

        init(_ receive: @escaping (Arrival) -> Void) { self.receive = receive }

        func give(_ arrival: Arrival, setAt begin: Int?) {
            if isCut { return }
            if waiting == nil { receive(arrival) } else { waiting?.append((arrival, begin)) }
        }

        /// `letting` calls what it is given, as a part of what began then.
        func takeOver(_ present: Arrival, letting: (Begin, () -> Void) -> Void) {
            waiting = []
            letting(.now) { receive(present) }
            while !isCut, waiting?.isEmpty == false {
                let (arrival, begin) = waiting!.removeFirst()
                letting(.at(begin)) { receive(arrival) }
            }
            waiting = nil
        }
    }

    final class Link: Attachment {
        let edge: Edge
        let source: Node

        init(_ edge: Edge, from source: Node, _ receive: @escaping (Arrival) -> Void) {
            self.edge = edge
            self.source = source
            super.init(receive)
        }
    }

    enum Rule {
        /// Sends what the function makes of all values up to now, the newest last.
        case each(([[Int]]) -> [Int]?)
        /// The input at this place of the target's join.
        case join(Int)
        /// The input at this place of a `zip`.
        case zip(Zip, Int)
        /// The newest value picks one of these nodes, which the newest of the `inner` edges then follows.
        case flatten([Node], inner: Inner)
        /// The newest value picks the branch that it takes; the edge's own target is passed through, and keeps no value.
        case route(Switch)
        /// What is inside a `flatten`: emptiness travels as well.
        case follow
        /// One of the two ways of a sync, 1 or -1. Sends what the function makes of the newest value, unless what was sent the
        /// other way waits for its turn.
        case sync(Sync, way: Int, ([Int]) -> [Int])
    }

    final class Join {
        var inputs: [[Int]?]
        var newest: Arrival?
        /// When the first of the arrivals was set; 0 if that is not known.
        var since = Int.max
        var isComplete: Bool { !inputs.contains(nil) }
        init(count: Int) { inputs = Array(repeating: nil, count: count) }

        func forget() { (newest, since) = (nil, .max) }
        /// What is made of several arrivals has come through all that they came through, the newest first.
        func note(_ arrival: Arrival, since: Int?) {
            self.since = min(self.since, since ?? 0)
            let older = newest?.senders ?? []
            let newer = arrival.senders.filter { sender in !older.contains { $0 === sender } }
            newest = Arrival(value: arrival.value, senders: newer + older, context: arrival.context)
        }
    }

    final class Zip {
        var waiting: [[[Int]]]
        var isComplete: Bool { waiting.allSatisfy { !$0.isEmpty } }
        init(count: Int) { waiting = Array(repeating: [], count: count) }
    }

    final class Switch {
        let branches: [Node]
        var lastTaken: Node?
        init(branchCount: Int) { branches = (0..<branchCount).map { _ in Node(name: "-") } }
    }

    /// The inner edges of a `flatten`: the one of the newest choice last, and before it those which are left when the choices after
    /// them have their turn.
    final class Inner {
        var edges: [Edge]
        /// How many choices did not wait for their turn.
        var overtakings = 0
        var newest: Edge { edges.last! }

        init(to target: Node) { edges = [Edge(to: target, .follow)] }
    }

    final class Sync {
        /// How many values wait for their turn; below zero for those on the second way.
        var waiting = 0
        /// Whether neither way was ever cut.
        var isWhole = true
    }
}
