import ReactCore

extension Chronicle {
    /// Why the node holds what it holds.
    func why(_ node: AnyNode) -> GraphExplanation {
        guard let place = names.place(of: node), let last = stores[place]?.last,
            history.lossEnds(place, after: last) == nil
        else {
            let name = node.name.map { "'\($0.caption(limit: 60))'" } ?? "The node"
            let holds = present(node).map { "holds \($0.caption(limit: 80))" } ?? "is empty"
            let isLost = names.place(of: node).flatMap { stores[$0] } != nil
            let why = isLost ? "what set it last may be no longer on record" : "nothing on record has set it"
            return GraphExplanation(description: "\(name) \(holds): \(why)", events: [])
        }
        return why(last)
    }
    /// What led to the event at `index`.
    func why(_ index: Int) -> GraphExplanation {
        let way = way(to: index)
        let last = history.events[index]
        let node = names.label(of: last.node)
        let value = new(index).map { "holds \($0.caption(limit: 80))" } ?? "is empty"
        var lines = ["\(node) \(value), because"]
        // That a combination took a value is said where it fired.
        let told = way.filter { history.events[$0].kind != .arrived }
        for (step, index) in told.enumerated() { lines.append("  \(step == 0 ? "" : "→ ")\(line(index))") }
        if let first = way.first, history.events[first].causes.isEmpty, history.events[first].kind != .set,
            history.events[first].kind != .cleaned, history.hasLost
        {
            lines.append("  (what led to the first of these is no longer on record)")
        }
        return GraphExplanation(description: lines.joined(separator: "\n"), events: way.map { event(at: $0) })
    }
    /// The chain of newest causes that ends with an event, causes first.
    func way(to index: Int) -> [Int] {
        var way = [index]
        while let cause = history.events[way[way.count - 1]].causes.first { way.append(cause) }
        return way.reversed()
    }
    /// One step in words.
    func line(_ index: Int) -> String {
        let event = history.events[index]
        let node = names.label(of: event.node)
        let edge = names.label(ofEdge: event.edge)
        let value = new(index)?.caption(limit: 80) ?? "a value"
        let was = old(index).map { " (was \($0.caption(limit: 80)))" } ?? ""
        switch event.kind {
        case .set, .cleaned:
            let what = event.kind == .set ? "set to \(value)" : "emptied"
            let who = event.edge >= 0 ? " by \(edge)" : ""
            return "\(node) was \(what)\(was)\(who), on \(thread(of: event)), \(age(event))"
        case .stored: return "\(edge) gave \(node) \(value)\(was)"
        case .emptied: return "\(edge) emptied \(node)\(was)"
        case .fired:
            let count = event.causes.count
            let edges = event.causes.prefix(4).reversed().map { names.label(of: history.events[$0].source) }
            let more = count > 4 ? ", …" : ""
            return "\(node) fired for \(count == 1 ? "one arrival" : "\(count) arrivals")"
                + (count == 0 ? "" : " (\(edges.joined(separator: ", "))\(more))") + ": \(value)\(was)"
        case .heard: return "\(edge) heard \(value) of \(node)"
        default: return self.event(at: index).description
        }
    }
    /// How long ago the event was, as of the newest record.
    private func age(_ event: History.Event) -> String {
        let now = Recording.now
        let past = now > event.moment.time ? now - event.moment.time : 0
        switch past {
        case ..<1_000_000_000: return "\(past / 1_000_000) ms ago"
        case ..<60_000_000_000: return "\(past / 1_000_000_000) s ago"
        default: return "\(past / 60_000_000_000) min ago"
        }
    }
}
