/// The rules of delivery once more, as plainly as they can be written: one thread, recursion, and lists that are searched
/// from end to end. The library is held against it on random graphs.
///
/// A value is a list of numbers: one for a plain node, several for a combination.
final class ReferenceModel {
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
    /// Joins that a value has reached, and that miss another.
    private var incomplete: [Node] = []
    /// How many deliveries have begun, and when what is under way was set.
    private var clock = 1
    private var begun: [Int] = []

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
        if depth == 1 {
            for node in incomplete { node.join?.forget() }
            incomplete = []
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
        together { attachment.takeOver(Arrival(value: value, senders: [node]), letting: during) }
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
            edge.target.join?.forget()
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
    private func enter(
        _ node: Node, _ arrival: Arrival, by edge: Edge? = nil, since: Begin = .under,
        when makeValue: (() -> [Int]??)? = nil
    ) {
        if arrival.senders.contains(where: { $0 === node }) { return }
        let link = edge?.link
        var begin = since
        if case .under = since { begin = arrival.senders.isEmpty ? .now : node.isDelivering ? .at(begun.last) : .under }
        node.queue.append(
            (
                begin,
                {
                    guard edge?.link === link else { return nil }
                    let change: [Int]?? = if let makeValue { makeValue() } else { .some(arrival.value) }
                    guard let made = change else { return nil }
                    if let edge { self.trace.passed[Trace.Pass(edge, node), default: 0] += 1 }
                    return Arrival(value: made, senders: arrival.senders, context: arrival.context)
                }
            ))
        if !node.isDelivering { deliverQueue(of: node) }
    }

    private func deliverQueue(of node: Node) {
        node.isDelivering = true
        while !node.queue.isEmpty {
            let (begin, make) = node.queue.removeFirst()
            during(begin) { if let arrival = make() { deliver(arrival, at: node) } }
        }
        node.isDelivering = false
    }
    private func during(_ begin: Begin, _ body: () -> Void) {
        let outer = begun
        switch begin {
        case .now: begun.append(clock)
        case .at(let time?): begun.append(time)
        case .under, .at(nil): break
        }
        clock += 1
        body()
        begun = outer
    }

    private func deliver(_ arrival: Arrival, at node: Node) {
        node.value = arrival.value
        node.time = clock
        trace.given[ObjectIdentifier(node), default: 0] += 1
        let onward = Arrival(value: arrival.value, senders: [node] + arrival.senders, context: arrival.context)
        let links = node.links
        if onward.value != nil {
            for listener in node.listeners { listener.give(onward, setAt: begun.last) }
        }
        for link in links { link.give(onward, setAt: begun.last) }
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
            edge.target.join?.note(arrival, since: begun.last)
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
            // A node that is followed already brings its value itself, if that came meanwhile, or is under way.
            let isBrought =
                inner.newest.link?.source === source
                && (source.isDelivering || hasCome(to: source))
            let cameThrough = arrival.senders.contains { $0 === edge.target }
            if cameThrough {
                inner.overtakings += 1
                leave(inner, before: inner.newest)
                return _ = follow(by: inner.newest)
            }
            if isBrought { return }
            // An equal value of the node before, which came meanwhile, is not passed on again.
            let before = inner.newest.link?.source
            let brought = before.flatMap { before in
                before !== source && !before.isDelivering && hasCome(to: before) ? before.value : nil
            }
            func change(finding found: [Int]?) -> [Int]?? {
                brought != nil && brought == found ? nil : .some(found)
            }
            let isNew = !arrival.senders.contains { $0 === source }
            let senders = (isNew ? [source] : []) + arrival.senders
            let through = Arrival(value: value, senders: senders, context: arrival.context)
            guard edge.target.isDelivering else {
                let isReached = hasCome(to: edge.target)
                return enter(edge.target, through, by: edge) {
                    let found = follow(by: inner.newest)
                    return isReached ? change(finding: found) : .some(found)
                }
            }
            // It waits, and what comes to the node from now on waits behind it.
            let known = inner.overtakings
            let next = Edge(to: edge.target, .follow)
            inner.edges.append(next)
            let found = follow(by: next)
            enter(edge.target, through, by: edge) {
                guard inner.overtakings == known else { return nil }
                self.leave(inner, before: next)
                return change(finding: found)
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

    /// Whether a value has come to the node since the one under way was set.
    private func hasCome(to node: Node) -> Bool { begun.last.map { node.time > $0 } ?? false }

    private func leave(_ inner: Inner, before edge: Edge) {
        guard let place = inner.edges.firstIndex(where: { $0 === edge }) else { return }
        for edge in inner.edges.prefix(place) { cut(edge) }
        inner.edges.removeFirst(place)
    }

    /// A value goes into a branch by way of the switch's node, in a turn of that.
    private func pass(_ arrival: Arrival, through edge: Edge, into branch: Node) {
        if arrival.senders.contains(where: { $0 === edge.target }) { return }
        let link = edge.link
        edge.target.queue.append(
            (
                edge.target.isDelivering ? .at(begun.last) : .under,
                { [self] in
                    guard edge.link === link else { return nil }
                    let senders = [edge.target] + arrival.senders
                    enter(branch, Arrival(value: arrival.value, senders: senders, context: arrival.context), by: edge)
                    return nil
                }
            ))
        if !edge.target.isDelivering { deliverQueue(of: edge.target) }
    }

    /// Emptiness ends here, save where a `flatten` loses the node that it followed, or that node its value. A join misses
    /// the value from then on.
    private func receiveEmpty(_ edge: Edge, _ arrival: Arrival) {
        switch edge.rule {
        case .each, .zip, .route, .sync: break
        case .join(let place): edge.target.join?.inputs[place] = nil
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
        let inputs = join.inputs.compactMap(\.self)
        guard inputs.count == join.inputs.count else { return incomplete.append(node) }
        let since = join.since == 0 ? nil : join.since
        join.forget()
        let arrival = Arrival(value: inputs.flatMap(\.self), senders: newest.senders, context: newest.context)
        enter(node, arrival, since: .at(since))
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
