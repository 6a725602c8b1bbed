import ReactCore

extension Recording {
    /// Explains why the node was not set since `moment`. See `GraphRecorder.whyNot(_:since:)`. Safe from any thread.
    ///
    /// - Complexity: O(*n* log *n*) for *n* records, plus the nodes and edges upstream.
    public func whyNot(_ node: AnyNode, since moment: GraphMoment? = nil) -> GraphExplanation {
        let answer = whyNotAnswer(node, since: moment)
        return GraphExplanation(
            description: "\(names.label(of: node)) " + answer.lines.map(\.text).joined(separator: "\n"),
            events: answer.lines.compactMap(\.event).sorted().map { event(at: $0) })
    }

    /// Returns the lines of the answer, without the node's name in front, and the number of nodes, edges and events
    /// that were looked at. A line may tell of an event.
    func whyNotAnswer(
        _ node: AnyNode, since moment: GraphMoment? = nil
    ) -> (lines: [(text: String, event: Int?)], cost: Int) {
        let upstream = Upstream(of: node, in: names)
        let place = names.place(of: node)
        var last = moment == nil ? place.flatMap { stores[$0]?.last } : nil
        var first = moment.map(log.position(after:)) ?? last.map { $0 + 1 } ?? 0
        let until = last.flatMap { log.lossEnds(of: node, after: $0) }
        if let until {
            // Evicted records may hide a set before `until`. After it, the records are whole, so the answer begins
            // there.
            last = nil
            first = max(first, log.events.firstIndex { $0.moment.time >= until } ?? log.events.count)
        }
        let isLost = first == 0 ? log.hasLost : log.lossEnds(of: node, after: first - 1) != nil
        let reached = place.map { place in (stores[place] ?? []).filter { $0 >= first && !followsEmpty($0) } } ?? []

        let (wayCount, ways, seen) = ways(from: first, arriving: reached, towards: upstream)
        let returns = returns(from: first, to: upstream).filter { way in !ways.contains { $0.set == way.set } }
        var lines: [(text: String, event: Int?)] = []
        if wayCount > 4 { lines.append(("  (\((wayCount - 4).grouped) earlier sets stopped, too)", nil)) }
        for way in ways + returns {
            lines.append(("  \(line(way.set)):", way.set))
            lines += way.stops.prefix(6).map { ("    \($0.text)", $0.event) }
            if way.stops.count > 6 { lines.append(("    … and \(way.stops.count - 6) more", nil)) }
        }
        let late = log.openWaits.filter { log.events[$0.value].detail == .late && upstream.contains($0.key) }
        for wait in late.values.sorted().prefix(4) { lines.append(("  \(reason(wait) ?? "")", wait)) }
        var (waits, hasValuesToSend) = upstream.waits(self)
        if waits.count > 12 { waits = waits.prefix(12) + ["… and \((waits.count - 12).grouped) more"] }
        if isLost || until != nil { waits.append(Self.olderAreGone) }
        let wasNotSet =
            last.map { "has not \(runs($0) ? "run again" : "been set since it \(became($0))")" }
            ?? "\(isEffect(node) ? "did not run to its end" : "was not set")\(until == nil ? "" : ", as far back as its records go")"
        let head: String
        if !reached.isEmpty {
            let exceptions = !ways.isEmpty ? ", but not when" : returns.isEmpty ? "" : ". A value came back to it when"
            head = "\(stored(reached)) since \(told(moment))\(exceptions)"
        } else if !ways.isEmpty || !returns.isEmpty || !late.isEmpty {
            head = "\(wasNotSet):"
        } else if hasValuesToSend {
            head = wasNotSet
        } else if upstream.isEmpty {
            head = "\(wasNotSet): nothing leads to it"
        } else {
            let sources = upstream.sources.prefix(6).joined(separator: ", ") + (upstream.sources.count > 6 ? ", …" : "")
            head = "\(wasNotSet): nothing upstream of it\(sources.isEmpty ? "" : " (\(sources))") was set"
        }
        return ([(head, nil)] + lines + waits.map { ($0, nil) }, upstream.size + seen)
    }

    /// Counts stores: `was set twice`, `was set 3 times and emptied once`, or `ran once`.
    private func stored(_ events: [Int]) -> String {
        func times(_ count: Int) -> String { count == 1 ? "once" : count == 2 ? "twice" : "\(count.grouped) times" }
        let emptied = events.count { log.events[$0].empties }, set = events.count - emptied
        if set == 0 { return "was not set, only emptied \(times(emptied))," }
        let verb = events.last.map(runs) ?? false ? "ran" : "was set"
        return "\(verb) \(times(set))\(emptied == 0 ? "" : " and emptied \(times(emptied))")"
    }
    /// Names the moment by its mark.
    private func told(_ moment: GraphMoment?) -> String {
        guard let moment else { return "then" }
        let mark = log.events.firstIndex { $0.kind == .mark && $0.moment == moment }
        return mark.flatMap(reason).map { "'\($0.caption(limit: 60))'" } ?? "then"
    }
    /// Describes the change of the event's node.
    private func became(_ event: Int) -> String {
        guard let value = newText(event) else { return isPulse(event) ? "was given a pulse" : "was emptied" }
        return "became \(value.isEmpty ? "\"\"" : value)"
    }
    /// A set, and the places where its effects stopped on the way to the node.
    private struct Way {
        let set: Int
        var stops: [(event: Int, text: String)] = []
    }
    /// Looks at the sets from the event at `first` on. Returns the number of those upstream that led to none of the
    /// `stores` at the node; the last four of them with the places where they stopped; and the number of
    /// events that were looked at.
    private func ways(
        from first: Int, arriving stores: [Int], towards upstream: Upstream
    ) -> (count: Int, last: [Way], seen: Int) {
        let events = log.events
        let arrives = Set(
            reached(from: stores) { index in
                events[index].isSet ? [] : (events[index].causes + events[index].partners).filter { $0 >= first }
            })
        let sets = log.sets[log.sets.endOfPrefix { $0 < first }...]
        let stopped = sets.filter {
            !upstream.isNode(events[$0].node) && upstream.contains(events[$0].node) && !arrives.contains($0)
        }
        var seen = sets.count + arrives.count
        let last = stopped.suffix(4).map { way(of: $0, upstream, &seen) }
        Steps.count(seen)
        return (stopped.count, last, seen)
    }
    /// Returns the last four sets, from the event at `first` on, whose value went through the node, and came back to it
    /// round a ring.
    private func returns(from first: Int, to upstream: Upstream) -> [Way] {
        var ways: [Way] = []
        let stops = upstream.place.flatMap { log.stops[$0] } ?? []
        // Only a few stops are followed back, so that the answer takes time in proportion to the records.
        for stop in stops[stops.endOfPrefix { $0 < first }...].reversed().prefix(24) {
            let way = way(to: stop), set = way[0]
            Steps.count(way.count)
            guard way.contains(where: { log.events[$0].stores && upstream.isNode(log.events[$0].node) }) else {
                continue
            }
            let known = ways.firstIndex { $0.set == set } ?? ways.count
            if known == ways.count { ways.append(Way(set: set)) }
            ways[known].stops.insert((stop, reason(stop) ?? ""), at: 0)
        }
        return ways.prefix(4).reversed()
    }
    /// Finds where the effects of a set stopped. Adds to `count` the number of events that it has looked at.
    private func way(of set: Int, _ upstream: Upstream, _ count: inout Int) -> Way {
        let events = log.events
        var way = Way(set: set)
        var waiting = [set], seen: Set<Int> = [], came: Set<Int?> = []
        var elsewhere: [(event: Int, text: String)] = []
        while let index = waiting.popLast() {
            // A join fires once for several causes. The set may have led to each of them.
            guard seen.insert(index).inserted else { continue }
            count += 1
            let event = events[index]
            if event.stores { came.insert(event.node) }
            let next = log.effects[index], leadsOn = self.leadsOn(event, upstream)
            switch event.kind {
            case .stopped where leadsOn && next.isEmpty,
                .scheduled where leadsOn && next.isEmpty,
                .arrived where leadsOn && !next.contains { events[$0].firesOrComputes },
                .computed where leadsOn, .dropped where leadsOn,
                .emptied where upstream.isNode(event.node) && followsEmpty(index):
                way.stops.append((index, reason(index) ?? ""))
            case .queued where leadsOn && !next.contains { events[$0].kind == .resumed }:
                way.stops.append((index, self.event(at: index).description))
            case .stored where wentElsewhere(event, upstream):
                let edge = names.label(ofEdge: event.edge), value = toldText(index)
                elsewhere.append((index, "\(edge) gave \(value) to another branch"))
            default: break
            }
            waiting += next.reversed().filter { !events[$0].isSet }
        }
        // The end of a cycle is named only if the set stopped nowhere else.
        let others = way.stops.filter { events[$0.event].detail != .cameRound }
        if !others.isEmpty { way.stops = others }
        if way.stops.isEmpty { way.stops = elsewhere }
        if way.stops.isEmpty { way.stops = cuts(before: set, below: came, upstream, &count) }
        return way
    }
    private func leadsOn(_ event: EventLog.Event, _ upstream: Upstream) -> Bool {
        upstream.contains(event.node ?? event.edge.flatMap { names.ends[$0].target })
    }
    /// Returns true if an edge that leads to several nodes, as a switch's does, gave its value to one that does not
    /// lead to the node.
    private func wentElsewhere(_ event: EventLog.Event, _ upstream: Upstream) -> Bool {
        !upstream.contains(event.node) && upstream.contains(event.edge.flatMap { names.ends[$0].target })
    }
    /// Returns the edges that were cut before the set and would have led on to the node.
    private func cuts(
        before set: Int, below came: Set<Int?>, _ upstream: Upstream, _ count: inout Int
    ) -> [(Int, String)] {
        struct End: Hashable { let edge: Int?, source: Int? }
        var last: [End: Int] = [:]
        // The node that each edge was linked to last.
        var linked: [Int?: Int?] = [:]
        let changes = log.changes.prefix { $0 < set }
        count += changes.count
        for index in changes {
            let event = log.events[index]
            if leadsOn(event, upstream) {
                last[End(edge: event.edge, source: event.source)] = index
                linked[event.edge] = event.kind == .linked ? .some(event.source) : .none
            }
        }
        return last.values.sorted().compactMap { index in
            let event = log.events[index]
            guard event.kind == .cut, came.contains(event.source) else { return nil }
            let edge = names.label(ofEdge: event.edge), source = names.label(of: event.source)
            let next = linked[event.edge].map { ", and linked to \(names.label(of: $0))" } ?? ""
            return (index, "\(edge) had been cut from \(source)\(next)")
        }
    }
}

/// A node, and the nodes and edges upstream of it: those of now, and those on record.
struct Upstream {
    private let names: ObjectIndex
    /// The node's place; `nil` if it is not on record.
    let place: Int?
    private var places: Set<Int> = []
    private var edges: [AnyTransform] = []
    private(set) var sources: [String] = []

    init(of node: AnyNode, in names: ObjectIndex) {
        self.names = names
        place = names.place(of: node)
        let live = reached(from: [node]) { next in
            let transforms = next.upstreamTransforms
            edges += transforms
            if transforms.isEmpty, next != node { sources.append(names.label(of: next)) }
            return transforms.compactMap(\.source)
        }
        // Adds the nodes on record that were upstream and have been cut since.
        let onRecord = reached(from: live.compactMap { names.place(of: $0) }) { place in
            (names.upstream[place] ?? []).compactMap { names.ends[$0].source } + (names.pastSources[place] ?? [])
        }
        places = Set(onRecord)
    }
    func contains(_ node: Int?) -> Bool { node.map(places.contains) ?? false }
    /// Returns true if the node at a place is the one that was asked about.
    func isNode(_ node: Int?) -> Bool { node != nil && node == place }
    /// True if nothing leads to the node.
    var isEmpty: Bool { edges.isEmpty }
    var size: Int { edges.count + places.count }

    /// Describes values that wait: `7, in 0.3 s`; `7, then 2 more values`.
    private func text(_ waiting: BufferedValues, of source: AnyNode, isRedacted: Bool) -> String {
        let caption = waiting.first.caption(limit: Recording.textLimit)
        let first = isRedacted ? "a redacted value" : ObjectIndex.isText(source.valueType) ? "\"\(caption)\"" : caption
        let time = waiting.rest.map { ", in \($0.inSeconds(decimals: 3))" } ?? ""
        let more = waiting.count == 2 ? ", then one more value" : ", then \((waiting.count - 1).grouped) more values"
        return first + time + (waiting.count == 1 ? "" : more)
    }
    /// Lists the values that the node and the nodes upstream of it wait for now, and tells if an edge has any to send.
    func waits(_ recording: Recording) -> (lines: [String], hasValuesToSend: Bool) {
        var lines: [String] = [], hasValuesToSend = false
        let links = edges.compactMap { edge in
            edge.source.flatMap { source in (edge.destination as? AnyNode).map { (edge, source, target: $0) } }
        }
        // The input of each zip with the largest number of values that wait.
        var mostWaiting: [AnyNode: (count: Int, source: AnyNode)] = [:]
        for (edge, source, target) in links {
            guard let count = edge.waitingCount, count > mostWaiting[target]?.count ?? 0 else { continue }
            mostWaiting[target] = (count, source)
        }
        // Secrets are decided by the records, too: the edge that made a source secret may have been cut since its value
        // came.
        let secrets = names.secrets(among: links.filter { $0.0 is any BufferingEdge }.map(\.1).uniqued)
        for (edge, source, target) in links {
            // Made only for a line, because a place in the program takes time to find.
            var label: String { names.label(of: edge) }
            var origin: String { names.label(of: source) }
            if edge.missesValue {
                let had = names.place(of: source).flatMap { recording.stores[$0] } != nil
                let emptiness = !source.isEmpty ? "" : had ? ", which is empty" : ", which has never had a value"
                // A body may do without the value of a node that it read, so it does not wait for it.
                lines.append("\(label) \(edge.isOfBody ? "read" : "waits for") \(origin)\(emptiness)")
            }
            if edge.waitingCount == 0, let (most, other) = mostWaiting[target] {
                let values = most == 1 ? "one value" : "\(most.grouped) values"
                lines.append("\(label) waits for \(origin), and keeps \(values) of \(names.label(of: other))")
            }
            if let waiting = (edge as? any BufferingEdge)?.valuesToSend {
                hasValuesToSend = true
                let values = text(waiting, of: source, isRedacted: secrets.contains(source))
                lines.append("\(label) still has to send \(values)")
            }
        }
        var targets: Set<AnyNode> = []
        for edge in edges where edge.isJoining && !edge.isOfBody {
            guard let target = edge.destination as? AnyNode, targets.insert(target).inserted else { continue }
            let empty = target.upstreamTransforms.filter { $0.isJoining && $0.source != nil && $0.missesValue }.count
            if let missing = edge.missingInputCount, missing > empty {
                let lost = GraphTopology.lost(missing - empty, of: edge.inputCount ?? missing)
                lines.append("\(names.label(of: edge)) \(lost): make it anew of the inputs that are left")
            }
        }
        return (lines, hasValuesToSend)
    }
}
