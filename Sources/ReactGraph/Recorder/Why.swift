import ReactCore

extension RecordQueries {
    /// Explains why the node holds its value.
    func why(_ node: AnyNode) -> GraphExplanation {
        guard let place = names.place(of: node), let last = stores[place]?.last,
            log.lossEnds(place, after: last) == nil
        else {
            let name = node.name.map { "'\($0.caption(limit: 60))'" } ?? "The node"
            let value = RecordQueries.cut { present(node, names.secrets(among: [node])) }
            if value == nil, isEffect(node) {
                return GraphExplanation(description: "\(name) has not run to its end", events: [])
            }
            let holds = value.map { "holds \(text($0, of: names.place(of: node)))" } ?? "is empty"
            let isLost = names.place(of: node).flatMap { stores[$0] } != nil
            let why = isLost ? "the record of its last set may be gone" : "nothing on record has set it"
            return GraphExplanation(description: "\(name) \(holds): \(why)", events: [])
        }
        return why(last)
    }
    /// Explains the event at `index` by its causes.
    func why(_ index: Int) -> GraphExplanation {
        let way = way(to: index)
        let last = log.events[index]
        let node = names.label(of: last.node)
        let value = newText(index).map { runs(index) ? "ran" : "holds \($0)" }
        let pulse = value == nil && isPulse(index) ? " its last value was a pulse, which is over:" : ""
        var lines = ["\(node) \(value ?? "is empty"), because\(pulse)"]
        // Leaves arrivals out, because the line of the firing names them.
        let told = way.filter { log.events[$0].kind != .arrived }
        for (step, index) in told.enumerated() { lines.append("  \(step == 0 ? "" : "→ ")\(line(index))") }
        if let first = way.first, log.events[first].causes.isEmpty, log.events[first].kind != .set,
            log.events[first].kind != .cleaned, log.hasLost
        {
            lines.append("  \(RecordQueries.olderAreGone)")
        }
        return GraphExplanation(description: lines.joined(separator: "\n"), events: way.map { event(at: $0) })
    }
    /// Returns true if the node is an effect, whose value is not worth telling.
    func isEffect(_ node: AnyNode) -> Bool { node is Node<Void> && node.upstreamTransforms.contains { $0.isOfBody } }
    /// Returns true if an effect ran, and nothing is worth telling of its value.
    func runs(_ index: Int) -> Bool { log.events[index].kind == .fired && newText(index) == GraphEvent.nothing }
    /// Returns the chain of newest causes that ends with an event, causes first.
    func way(to index: Int) -> [Int] {
        var way = [index]
        while let cause = log.events[way[way.count - 1]].causes.first { way.append(cause) }
        return way.reversed()
    }
    /// Describes one step in words.
    func line(_ index: Int) -> String {
        let event = log.events[index]
        let node = names.label(of: event.node)
        let edge = names.label(ofEdge: event.edge)
        let value = toldText(index)
        let was = oldText(index).map { " (was \($0))" } ?? ""
        switch event.kind {
        case .set, .cleaned:
            let change = event.kind == .set ? "set to \(value)" : "emptied"
            let setter = event.edge != nil ? " by \(edge)" : ""
            return "\(node) was \(change)\(was)\(setter), on \(thread(of: event)), \(age(event))"
        default: return self.event(at: index).description
        }
    }
    /// Returns the age of the event at the reading.
    private func age(_ event: EventLog.Event) -> String {
        let past = log.readAt > event.moment.time ? log.readAt - event.moment.time : 0
        switch past {
        case ..<1_000_000_000: return "\(past / 1_000_000) ms ago"
        case ..<60_000_000_000: return "\(past / 1_000_000_000) s ago"
        default: return "\(past / 60_000_000_000) min ago"
        }
    }
}
