import ReactCore
import ReactOperators

/// `update` is one step: increments from four threads add up, and listeners see every number once.
let exactUpdates = Check(name: "exact updates") { round in
    let threads = 4
    let updatesPerThread = 10_000
    let counter = MutableNode(0)
    let lifetime = Lifetime()
    let failure = FirstFailure()
    let last = Latest(-1)
    counter.listened(by: lifetime).with { value in
        let before = last.exchange(value)
        if value != before + 1 { failure.record(Violation("\(value) was heard after \(before)")) }
    }

    try onThreads(threads) { _ in
        for _ in 0..<updatesPerThread { counter.update { $0 += 1 } }
    }

    try failure.rethrow()
    let total = threads * updatesPerThread
    try expect(
        counter.value == total,
        "the counter is \(counter.value as Int?, default: "empty") after \(total) updates"
    )
    withExtendedLifetime(lifetime) {}
    round.tally.add(total, "updates")
}
