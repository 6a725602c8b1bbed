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

    /// Makes batches of the entries of each transaction. Returns the steps, and the indices of those that are parts of
    /// divided batches. O(n · threads).
    ///
    /// A batch stands at the place of its last entry. Where another transaction's value of one of its sources falls
    /// inside it, it is divided. So the values of each source keep their order.
    static func grouped(_ entries: [JournalEntry]) -> (steps: [Journal.Step], parts: [Int]) {
        let batches = Dictionary(grouping: entries.indices.filter { entries[$0].transaction > 1 }) {
            entries[$0].transaction
        }.filter { $0.value.count > 1 }
        let sources = batches.mapValues { Set($0.compactMap { entries[$0].step.source }) }
        // The places of the batches that have begun, and of their last parts, by the last place.
        var open: [UInt64: [Int]] = [:], parts: [Int: (places: [Int], transaction: UInt64)] = [:]
        var divided: Set<UInt64> = [], isTaken: Set<Int> = []
        func close(_ transaction: UInt64) {
            guard var places = open.removeValue(forKey: transaction) else { return }
            let own = Set(places), all = places[0]...places[places.count - 1]
            // Waits inside a part belong to it.
            if all.allSatisfy({ own.contains($0) || entries[$0].isWait }) { places = Array(all) }
            isTaken.formUnion(places)
            parts[all.upperBound] = (places, transaction)
        }
        for (place, entry) in entries.enumerated() {
            let transaction = entry.transaction
            if let source = entry.step.source {
                for other in open.keys where other != transaction && sources[other]?.contains(source) ?? false {
                    divided.insert(other)
                    close(other)
                }
            }
            guard let batch = batches[transaction] else { continue }
            open[transaction, default: []].append(place)
            if place == batch[batch.count - 1] { close(transaction) }
        }
        var steps: [Journal.Step] = [], stepsOfDivided: [Int] = []
        for place in entries.indices {
            if let part = parts[place] {
                if divided.contains(part.transaction) { stepsOfDivided.append(steps.count) }
                steps.append(.batch(part.places.map { entries[$0].step }))
            } else if !isTaken.contains(place) {
                steps.append(entries[place].step)
            }
        }
        return (steps, stepsOfDivided)
    }
}
