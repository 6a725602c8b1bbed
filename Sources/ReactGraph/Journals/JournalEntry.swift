/// A step as it was recorded, with the transaction that it belongs to. Steps of one transaction become a batch.
struct JournalEntry: Sendable {
    let step: Journal.Step
    /// See `SetOrigin.transaction`; 0 for a wait or a check.
    let transaction: UInt64

    var isWait: Bool { if case .wait = step { true } else { false } }

    /// Returns the entry without its value if its source is among `secret`, and without its text if it checks one of
    /// `nodes`.
    func hiding(_ secret: Set<String>, checksOf nodes: Set<String>) -> JournalEntry {
        switch step {
        case .check(let node, .some) where nodes.contains(node):
            return JournalEntry(step: .check(node: node, text: CheckText.redacted), transaction: transaction)
        default:
            guard let source = step.source, secret.contains(source) else { return self }
            return JournalEntry(step: step.with(.redacted), transaction: transaction)
        }
    }

    /// The entries of one transaction.
    private struct Batch {
        var sources: Set<String> = []
        var places: [Int] = []
        /// The indices into `places` where a new part begins, because another thread's value of a source came before.
        var cuts: [Int] = []
    }

    /// Makes batches of the entries of each transaction. Returns the steps, and the indices of those that are parts of
    /// divided batches. O(n · threads).
    ///
    /// A batch stands at the place of its last entry. Where another transaction's value of one of its sources falls
    /// inside it, it is divided. So the values of each source keep their order.
    static func grouped(_ entries: [JournalEntry]) -> (steps: [Journal.Step], parts: [Int]) {
        var batches: [UInt64: Batch] = [:]
        for (place, entry) in entries.enumerated() where entry.transaction > 1 {
            batches[entry.transaction, default: Batch()].places.append(place)
            if let source = entry.step.source { batches[entry.transaction]?.sources.insert(source) }
        }
        batches = batches.filter { $0.value.places.count > 1 }
        divide(&batches, entries)

        // The parts by their last places, and all places of parts and of waits inside of them.
        var parts: [Int: (places: [Int], isDivided: Bool)] = [:]
        var isTaken = Set<Int>()
        for batch in batches.values {
            let bounds = [0] + batch.cuts + [batch.places.count]
            for (begin, end) in zip(bounds, bounds.dropFirst()) where begin < end {
                var places = Array(batch.places[begin..<end])
                let own = Set(places)
                let all = places[0]...places[places.count - 1]
                if all.allSatisfy({ own.contains($0) || entries[$0].isWait }) { places = Array(all) }
                isTaken.formUnion(places)
                parts[all.upperBound] = (places, !batch.cuts.isEmpty)
            }
        }
        var steps: [Journal.Step] = []
        var divided: [Int] = []
        for place in entries.indices {
            if let part = parts[place] {
                if part.isDivided { divided.append(steps.count) }
                steps.append(.batch(part.places.map { entries[$0].step }))
            } else if !isTaken.contains(place) {
                steps.append(entries[place].step)
            }
        }
        return (steps, divided)
    }
    private static func divide(_ batches: inout [UInt64: Batch], _ entries: [JournalEntry]) {
        var open: [UInt64: Int] = [:]
        for (place, entry) in entries.enumerated() {
            guard let source = entry.step.source else { continue }
            for (transaction, done) in open where transaction != entry.transaction {
                guard let batch = batches[transaction], batch.sources.contains(source), batch.cuts.last != done else {
                    continue
                }
                batches[transaction]?.cuts.append(done)
            }
            guard let batch = batches[entry.transaction] else { continue }
            let done = (open[entry.transaction] ?? 0) + 1
            open[entry.transaction] = batch.places[batch.places.count - 1] == place ? nil : done
        }
    }
}
