import ReactCore

extension Recording {
    /// Explains why the node held its value when the records were read: the set that led to it, and the way.
    /// Safe from any thread.
    public func why(_ node: AnyNode) -> GraphExplanation {
        let place = names.place(of: node)
        if let last = place.flatMap({ stores[$0]?.last }), log.lossEnds(place, after: last) == nil { return why(last) }
        let name = names.label(of: node)
        let value = Self.cut { present(node, names.secrets(among: [node])) }
        if value == nil, isEffect(node) {
            return GraphExplanation(description: "\(name) has not run to its end", events: [])
        }
        let isLost = place.flatMap { stores[$0] } != nil
        // The node may follow one that has been empty since.
        if value == nil, !isLost, let last = log.events.lastIndex(where: { $0.followed != nil && $0.node == place }) {
            return why(last)
        }
        let holds = value.map { "holds \(text($0, of: place))" } ?? "is empty"
        let why = isLost ? "the record of its last set may be gone" : "nothing on record has set it"
        return GraphExplanation(description: "\(name) \(holds): \(why)", events: [])
    }
    /// Explains the event at `index` by its causes.
    func why(_ index: Int) -> GraphExplanation {
        let way = way(to: index)
        let last = log.events[index]
        let node = names.label(of: last.node)
        let value = (last.stores ? newText(index) : nil).map { runs(index) ? "ran" : "holds \($0)" }
        let pulse = value == nil && isPulse(index) ? " its last value was a pulse, which is over:" : ""
        var lines = ["\(node) \(value ?? "is empty"), because\(pulse)"]
        // Leaves arrivals out, because the line of the firing names them.
        let told = way.filter { log.events[$0].kind != .arrived }
        for (step, index) in told.enumerated() { lines.append("  \(step == 0 ? "" : "→ ")\(line(index))") }
        if let first = way.first, log.events[first].causes.isEmpty, !log.events[first].isSet, log.hasLost {
            lines.append("  \(Self.olderAreGone)")
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
        let event = event(at: index)
        guard log.events[index].isSet else { return event.description }
        let setter = event.edge.map { " by \($0.label)" } ?? ""
        let wait = wait(ofSetAt: index).map { ". It \($0)" } ?? ""
        return "\(event)\(setter), on \(event.thread), \(age(event))\(wait)"
    }
    /// Returns the age of the event at the reading.
    private func age(_ event: GraphEvent) -> String {
        let past = log.readAt > event.moment.time ? log.readAt - event.moment.time : 0
        switch past {
        case ..<1_000_000_000: return "\(past / 1_000_000) ms ago"
        case ..<60_000_000_000: return "\(past / 1_000_000_000) s ago"
        default: return "\(past / 60_000_000_000) min ago"
        }
    }
}
