import ReactCore
import ReactOperators

/// Nothing lost, one order: four threads set one node. All its listeners and chains see one sequence, complete, each
/// thread's sets in its order, and the last value delivered is the node's value.
let oneOrder = Check(name: "one order") { round in
    let threads = 4
    let setsPerThread = 5_000
    let source = MutableNode<Stamp>()
    let lifetime = Lifetime()
    var recorders: [Recorder] = []
    for index in 0..<10 {
        let direct = Recorder("listener \(index)")
        source.listened(by: lifetime).with { direct.hear($0) }
        let behind = Recorder("the listener behind \(index + 1) maps")
        let end = (0...index).reduce(source as Node<Stamp>) { node, _ in
            node.map { Stamp(thread: $0.thread, number: $0.number) }
        }
        end.listened(by: lifetime).with { behind.hear($0) }
        recorders += [direct, behind]
    }

    try onThreads(threads) { thread in
        for number in 1...setsPerThread { source.value = Stamp(thread: thread, number: number) }
    }

    let sequences = try recorders.map { try $0.heard() }
    for (index, sequence) in sequences.enumerated() {
        try expect(sequence.count == threads * setsPerThread, "listener \(index) heard \(sequence.count) sets")
        try expect(
            sequence.fingerprint == sequences[0].fingerprint,
            "listeners 0 and \(index) heard the same sets in different orders"
        )
        try expect(
            sequence.last == source.value,
            "the last value that listener \(index) heard is not the node's value"
        )
    }
    withExtendedLifetime(lifetime) {}
    round.tally.add(threads * setsPerThread, "sets")
    round.tally.add(threads * setsPerThread * recorders.count, "deliveries")
}
