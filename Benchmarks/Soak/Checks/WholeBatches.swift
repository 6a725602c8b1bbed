import ReactCore
import ReactOperators

/// A batch over nodes that only one thread sets is never seen half by a combine. The other threads set a third input of
/// the same combine, attach to its inputs, and link and cut around it.
let wholeBatches = Check(name: "whole batches") { round in
    let batches = 3_000
    let (left, right) = (MutableNode(0), MutableNode(0))
    let strangers = (0..<3).map { MutableNode($0) }
    let lifetime = Lifetime()
    let failure = FirstFailure()
    let sums = Latest(0)

    combine(left, right).listened(by: lifetime).with { left, right in
        if left != right { failure.record(Violation("a combine of the batch's nodes saw \(left) and \(right)")) }
        sums.exchange(left)
    }
    for stranger in strangers {
        combine(left.map { $0 + 1 }, stranger, right.map { $0 + 1 }).listened(by: lifetime).with { left, _, right in
            if left != right {
                failure.record(Violation("a combine with a node of another thread saw \(left) and \(right)"))
            }
        }
    }

    try onThreads(1 + strangers.count) { thread in
        if thread == 0 {
            for value in 1...batches {
                batch {
                    left.value = value
                    right.value = value
                }
            }
        } else {
            var random = round.random(thread: thread)
            let stranger = strangers[thread - 1]
            for value in 0..<batches {
                switch random.below(4) {
                case 0: withExtendedLifetime(left.combine(stranger)) {}
                case 1: stranger.link(to: strangers[thread % strangers.count]).cancel()
                default: stranger.value = value
                }
            }
        }
    }

    try failure.rethrow()
    try expect(sums.value == batches, "the last batch seen is number \(sums.value) of \(batches)")
    withExtendedLifetime(lifetime) {}
    round.tally.add(batches, "batches")
}
