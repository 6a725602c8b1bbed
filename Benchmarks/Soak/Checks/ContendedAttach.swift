import ReactCore
import ReactOperators
import Synchronization

/// An operator called while another thread delivers never returns an empty node when the source holds a value, and ends
/// with the source's last value. A listener hears the values in order, from the first one that it heard to the last.
let contendedAttach = Check(name: "contended attach") { round in
    #if SCHEDULE_FAULTS
    // On a busy machine, each pause may last as long as another process's time slice.
    let sets = 2_000
    #else
    let sets = 20_000
    #endif
    let source = MutableNode(0)
    let constant = Node(7)
    let lifetime = Lifetime()
    let failure = FirstFailure()
    let isDone = Atomic(false)
    let attached = Lock<[(name: String, node: Node<Int>, heard: Latest<Int>)]>([])

    try onThreads(3) { thread in
        if thread == 0 {
            for value in 1...sets { source.value = value }
            isDone.store(true, ordering: .releasing)
            return
        }
        var random = round.random(thread: thread)
        // Enough for the delivering thread to notice, and few enough for it to continue.
        for _ in 0..<100 where !isDone.load(ordering: .acquiring) {
            let (name, node) =
                switch random.below(7) {
                case 0: ("map", source.map { $0 })
                case 1: ("fork", source.fork())
                case 2: ("filter", source.filter { _ in true })
                case 3: ("combine", source.combine(constant).map { $0.0 })
                case 4: ("merge", source.merge())
                case 5: ("flattenMap", constant.flattenMap { _ in source })
                default: ("distinctUntilChanged", source.distinctUntilChanged())
                }
            try expect(!node.isEmpty, "\(name) returned an empty node")
            let latest = Latest(-1)
            node.listened(by: lifetime).with { value in
                let before = latest.exchange(value)
                if value <= before { failure.record(Violation("behind \(name), \(value) was heard after \(before)")) }
            }
            try expect(latest.value >= 0, "a listener behind \(name) did not hear the present value")
            attached.withLock { $0.append((name, node, latest)) }
        }
    }

    try failure.rethrow()
    let all = attached.withLock { $0 }
    for (name, node, heard) in all {
        try expect(node.value == sets, "\(name) ended with \(node.value ?? -1), not with the source's last value")
        try expect(heard.value == sets, "the listener behind \(name) heard \(heard.value) last")
    }
    withExtendedLifetime(lifetime) {}
    round.tally.add(all.count, "operators attached")
    round.tally.add(sets, "sets")
}
