/// The rules of delivery once more, as plainly as they can be written: one thread, recursion, and lists that are searched
/// from end to end. The library is held against it on random graphs.
///
/// A value is a list of numbers: one for a plain node, several for a combination.
final class ReferenceModel {
    final class Node {
        /// What sender lists call it; what operators put between two visible nodes is called "-".
        let name: String
        var value: [Int]?
        var links: [Link] = []
        var listeners: [Attachment] = []
        var isDelivering = false
        /// What comes when its turn does; `nil` for nothing.
        var queue: [() -> Arrival?] = []
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
        private var waiting: [Arrival]?

        init(_ receive: @escaping (Arrival) -> Void) { self.receive = receive }

        func give(_ arrival: Arrival) {
            if isCut { return }
            if waiting == nil { receive(arrival) } else { waiting?.append(arrival) }
        }

        func takeOver(_ present: Arrival) {
            waiting = []
            receive(present)
            while !isCut, waiting?.isEmpty == false { receive(waiting!.removeFirst()) }
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
        var isComplete: Bool { !inputs.contains(nil) }
        init(count: Int) { inputs = Array(repeating: nil, count: count) }

        /// What is made of several arrivals has come through all that they came through, the newest first.
        func note(_ arrival: Arrival) {
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

    /// What has happened lately: for those who ask where a value stopped.
    struct Trace {
        struct Pass: Hashable {
            let edge: ObjectIdentifier, target: ObjectIdentifier
            init(_ edge: Edge, _ target: Node) {
                self.edge = ObjectIdentifier(edge)
                self.target = ObjectIdentifier(target)
            }
        }
        var sets: [Node] = []
        /// How often each node was given a value, or emptied.
        var given: [ObjectIdentifier: Int] = [:]
        /// How often something came to each edge; and how often it gave that, or what it made of that, to a target.
        var came: [ObjectIdentifier: Int] = [:]
        var passed: [Pass: Int] = [:]
        var cut: Set<ObjectIdentifier> = []
    }
    var trace = Trace()

    private var depth = 0
    /// Joins that have an input to pass on, in the order in which they came to it.
    private var joinsReached: [Node] = []

    // MARK: - What can be done to a graph

    func set(_ node: Node, to value: [Int]?, context: Int? = nil) {
        trace.sets.append(node)
        together { enter(node, Arrival(value: value, context: context)) }
    }

    /// Joins wait until all that is done in `body` is done.
    func together(_ body: () -> Void) {
        depth += 1
        body()
        while depth == 1, let next = joinsReached.min(by: { $0.rank < $1.rank }) {
            joinsReached.removeAll { $0 === next }
            fire(next)
        }
        depth -= 1
    }

    func listen(to node: Node, _ hear: @escaping (Arrival) -> Void) -> Attachment {
        let listener = Attachment(hear)
        node.listeners.append(listener)
        takeOver(listener, from: node)
        return listener
    }

    /// A branch that was not the last one taken is attached to without its value.
    func attach(_ edge: Edge, to source: Node, takingOver: Bool = true) {
        if edge.link?.source === source { return }
        detach(edge)
        let link = place(edge, at: source)
        if edge.target.join == nil, edge.target.mayFall { lower(edge.target) }
        if takingOver { takeOver(link, from: source) }
    }

    private func takeOver(_ attachment: Attachment, from node: Node) {
        guard let value = node.value else { return }
        together { attachment.takeOver(Arrival(value: value, senders: [node])) }
    }

    @discardableResult
    private func place(_ edge: Edge, at source: Node) -> Link {
        let link = Link(edge, from: source) { [unowned self, unowned edge] in receive(edge, $0) }
        edge.link = link
        source.links.append(link)
        edge.target.incoming.append(edge)
        for target in edge.targets { raise(target, above: source) }
        return link
    }

    func cut(_ edge: Edge) {
        detach(edge)
        if edge.target.join == nil, edge.target.mayFall { lower(edge.target) }
    }
    private func detach(_ edge: Edge) {
        let wasLinked = edge.link != nil
        if wasLinked { trace.cut.insert(ObjectIdentifier(edge)) }
        if let link = edge.link {
            link.isCut = true
            link.source.links.removeAll { $0 === link }
            edge.target.incoming.removeAll { $0 === edge }
            if edge.target.isKept(above: link.source.rank) { edge.target.mayFall = true }
        }
        edge.link = nil
        edge.history = []
        switch edge.rule {
        case .join(let place):
            edge.target.join?.inputs[place] = nil
            edge.target.join?.newest = nil
        case .zip(let zip, let place): zip.waiting[place] = []
        case .flatten(_, let inner):
            leave(inner, before: inner.newest)
            cut(inner.newest)
        case .sync(let sync, _, _) where wasLinked: (sync.isWhole, sync.waiting) = (false, 0)
        case .each, .route, .follow, .sync: break
        }
    }

    // MARK: - Delivery

    /// What waits for its turn is dropped where the edge that it came by is cut or attached elsewhere meanwhile.
    private func enter(_ node: Node, _ arrival: Arrival, by edge: Edge? = nil, when makeValue: (() -> [Int]??)? = nil) {
        if arrival.senders.contains(where: { $0 === node }) { return }
        let link = edge?.link
        node.queue.append {
            guard edge?.link === link else { return nil }
            let change: [Int]?? = if let makeValue { makeValue() } else { .some(arrival.value) }
            guard let made = change else { return nil }
            if let edge { self.trace.passed[Trace.Pass(edge, node), default: 0] += 1 }
            return Arrival(value: made, senders: arrival.senders, context: arrival.context)
        }
        if !node.isDelivering { deliverQueue(of: node) }
    }

    private func deliverQueue(of node: Node) {
        node.isDelivering = true
        while !node.queue.isEmpty {
            if let arrival = node.queue.removeFirst()() { deliver(arrival, at: node) }
        }
        node.isDelivering = false
    }

    private func deliver(_ arrival: Arrival, at node: Node) {
        node.value = arrival.value
        trace.given[ObjectIdentifier(node), default: 0] += 1
        let onward = Arrival(value: arrival.value, senders: [node] + arrival.senders, context: arrival.context)
        let links = node.links
        if onward.value != nil {
            for listener in node.listeners { listener.give(onward) }
        }
        for link in links { link.give(onward) }
    }

    private func receive(_ edge: Edge, _ arrival: Arrival) {
        trace.came[ObjectIdentifier(edge), default: 0] += 1
        guard let value = arrival.value else { return receiveEmpty(edge, arrival) }
        func send(_ value: [Int]?) {
            if let value {
                enter(edge.target, Arrival(value: value, senders: arrival.senders, context: arrival.context), by: edge)
            }
        }
        switch edge.rule {
        case .each(let result):
            edge.history.append(value)
            send(result(edge.history))
        case .join(let place):
            edge.target.join?.note(arrival)
            edge.target.join?.inputs[place] = value
            if !joinsReached.contains(where: { $0 === edge.target }) { joinsReached.append(edge.target) }
        case .zip(let zip, let place):
            zip.waiting[place].append(value)
            guard zip.isComplete else { return }
            enter(edge.target, arrival, by: edge) {
                zip.isComplete ? zip.waiting.indices.flatMap { zip.waiting[$0].removeFirst() } : nil
            }
        case .flatten(let nodes, let inner):
            let source = nodes[value[0] % nodes.count]
            func follow(by edge: Edge) -> [Int]? {
                if edge.link?.source !== source {
                    cut(edge)
                    place(edge, at: source)
                }
                return source.value
            }
            let cameThrough = arrival.senders.contains { $0 === edge.target }
            if cameThrough {
                inner.overtakings += 1
                leave(inner, before: inner.newest)
                return _ = follow(by: inner.newest)
            }
            let isNew = !arrival.senders.contains { $0 === source }
            let senders = (isNew ? [source] : []) + arrival.senders
            let through = Arrival(value: value, senders: senders, context: arrival.context)
            guard edge.target.isDelivering else {
                return enter(edge.target, through, by: edge) { .some(follow(by: inner.newest)) }
            }
            // It waits, and what comes to the node from now on waits behind it.
            let known = inner.overtakings
            let next = Edge(to: edge.target, .follow)
            inner.edges.append(next)
            let found = follow(by: next)
            enter(edge.target, through, by: edge) {
                guard inner.overtakings == known else { return nil }
                self.leave(inner, before: next)
                return .some(found)
            }
        case .route(let routes):
            let branch = routes.branches[value[0] % routes.branches.count]
            routes.lastTaken = branch
            pass(arrival, through: edge, into: branch)
        case .follow:
            send(value)
        case .sync(let sync, let way, let make):
            let output = make(value)
            guard !arrival.senders.contains(where: { $0 === edge.target }), sync.waiting * way >= 0 else { return }
            let waits = edge.target.isDelivering && sync.isWhole
            if waits { sync.waiting += way }
            enter(edge.target, arrival, by: edge) {
                if waits, sync.isWhole { sync.waiting -= way }
                return .some(output)
            }
        }
    }

    private func leave(_ inner: Inner, before edge: Edge) {
        guard let place = inner.edges.firstIndex(where: { $0 === edge }) else { return }
        for edge in inner.edges.prefix(place) { cut(edge) }
        inner.edges.removeFirst(place)
    }

    /// A value goes into a branch by way of the switch's node, in a turn of that.
    private func pass(_ arrival: Arrival, through edge: Edge, into branch: Node) {
        if arrival.senders.contains(where: { $0 === edge.target }) { return }
        let link = edge.link
        edge.target.queue.append { [self] in
            guard edge.link === link else { return nil }
            let senders = [edge.target] + arrival.senders
            enter(branch, Arrival(value: arrival.value, senders: senders, context: arrival.context), by: edge)
            return nil
        }
        if !edge.target.isDelivering { deliverQueue(of: edge.target) }
    }

    /// Emptiness ends here, save where a `flatten` loses the node that it followed, or that node its value.
    private func receiveEmpty(_ edge: Edge, _ arrival: Arrival) {
        switch edge.rule {
        case .each, .join, .zip, .route, .sync: break
        case .flatten(_, let inner):
            let known = inner.overtakings, newest = inner.newest
            enter(edge.target, arrival, by: edge) {
                guard inner.overtakings == known else { return nil }
                self.leave(inner, before: newest)
                self.cut(newest)
                return .some(nil)
            }
        case .follow: enter(edge.target, arrival, by: edge)
        }
    }

    private func fire(_ node: Node) {
        if node.mayFall { lower(node) }
        guard let join = node.join, let newest = join.newest else { return }
        join.newest = nil
        let inputs = join.inputs.compactMap(\.self)
        guard inputs.count == join.inputs.count else { return }
        enter(node, Arrival(value: inputs.flatMap(\.self), senders: newest.senders, context: newest.context))
    }

    /// Lowers a node to what leads to it, and so those that it kept up. Joins among them fall when they fire.
    private func lower(_ node: Node) {
        node.mayFall = false
        let old = node.rank
        node.rank =
            node.incoming.compactMap { $0.link.map { node.rank(above: $0.source.rank) } }.max() ?? node.leastRank
        if node.rank == old { return }
        for target in node.links.map(\.edge.target) where target.isKept(above: old) {
            if target.join == nil { lower(target) } else { target.mayFall = true }
        }
    }
    private func raise(_ node: Node, above source: Node) {
        let rank = node.rank(above: source.rank)
        guard rank > node.rank else { return }
        node.rank = rank
        for link in node.links { for target in link.edge.targets { raise(target, above: node) } }
    }
}

extension ReferenceModel.Node {
    fileprivate var leastRank: Int { join == nil ? 0 : 1 }
    fileprivate func rank(above rank: Int) -> Int { rank + leastRank }
    /// Whether the node may fall when a source of this rank goes or falls.
    fileprivate func isKept(above rank: Int) -> Bool { self.rank > leastRank && self.rank == self.rank(above: rank) }
}
