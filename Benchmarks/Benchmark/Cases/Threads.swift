// Two threads at once: on one source, where nothing may be lost or reordered, and on two graphs, which must not meet.

import Foundation
import ReactCore
import ReactOperators
import ReactScheduling

let threadCases = [
    Case(
        name: "threads",
        size: "one source",
        metric: .nanoseconds(per: "set"),
        baseline: Baseline(name: "1 thread") { oneSource(threads: 1) },
        goal: .ratio(3),
        comparesPairs: true
    ) { oneSource(threads: 2) },
    Case(
        name: "threads",
        size: "two graphs",
        metric: .nanoseconds(per: "set and thread"),
        baseline: Baseline(name: "1 thread") { ownGraphs(threads: 1) },
        goal: .ratio(2 / 1.8),
        comparesPairs: true
    ) { ownGraphs(threads: 2) },
    Case(
        name: "threads",
        size: "two loops",
        metric: .nanoseconds(per: "set and thread"),
        baseline: Baseline(name: "1 thread") { ownLoops(threads: 1) },
        comparesPairs: true
    ) { ownLoops(threads: 2) },
    apart("build+drop", 1_000, expecting: { _ in 0 }) { _ in { _ = chain(of: 1_000, from: MutableNode(0)) } },
    apart("listen+cancel", 1, expecting: { $0 }) { sum in
        let source = MutableNode(1)
        let lifetime = Lifetime()
        return { source.listened(by: lifetime).with { sum.add($0) }.cancel() }
    },
    apart("flattenMap", 2, expecting: { 1 + 3 * $0 }) { sum in
        let inner = (MutableNode(1), MutableNode(2))
        let outer = MutableNode(0)
        let lifetime = Lifetime()
        outer.flattenMap { $0 == 0 ? inner.0 : inner.1 }.listened(by: lifetime).with { sum.add($0) }
        return {
            withExtendedLifetime(lifetime) {
                outer.value = 1
                outer.value = 0
            }
        }
    },
    apart("deliver", 1, expecting: { $0 }) { sum in
        let source = MutableNode(0)
        let lifetime = Lifetime()
        source.deliver(on: InlineScheduler()).listened(by: lifetime).with { sum.add($0) }
        return { withExtendedLifetime(lifetime) { source.value = 1 } }
    },
]

/// Two threads that each do the same work on a graph of their own. If they share nothing, both are as fast as one.
///
/// `make` makes a thread's graph, which may add its values to the sum, and returns the work, `operations` at a time.
private func apart(
    _ name: String, _ operations: Int, expecting expected: @escaping @Sendable (_ times: Int) -> Int,
    _ make: @escaping @Sendable (Sum) -> () -> Void
) -> Case {
    let times = 20_000 / operations
    @Sendable func measure(threads: Int) -> Sample {
        let sums = (0..<threads).map { _ in Sum() }
        return Sample(of: times * operations) {
            for sum in sums { sum.pointer.pointee = 0 }
            let elapsed = time {
                onThreads(threads) { thread in
                    let act = make(sums[thread])
                    for _ in 0..<times { act() }
                }
            }
            for sum in sums {
                try WrongResult.expect("the sum of what was heard", sum.pointer.pointee, toBe: expected(times))
            }
            return elapsed
        }
    }
    return Case(
        name: "threads", size: name, metric: .nanoseconds(per: "operation and thread"),
        baseline: Baseline(name: "1 thread") { measure(threads: 1) }, goal: .ratio(1.2),
        comparesPairs: true
    ) { measure(threads: 2) }
}

/// Runs work immediately, on the calling thread.
private struct InlineScheduler: Scheduler {
    func schedule(_ work: @escaping @Sendable () -> Void) { work() }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        work()
        return Nothing()
    }
    private final class Nothing: Cancelable {
        func cancel() {}
    }
}

/// Runs `body` on the given number of threads at once, each with its index, and returns when all are done.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let done = DispatchGroup()
    for index in 0..<count {
        done.enter()
        Thread.detachNewThread {
            body(index)
            done.leave()
        }
    }
    done.wait()
}

/// All threads set one source that has a listener: every set must arrive, those of a thread in its order.
private func oneSource(threads: Int) -> Sample {
    let setsPerThread = 100_000
    let probe = Probe()
    let source = MutableNode(0)
    // The number of arrivals, and the newest of each thread. A value is 2 × its number + its thread.
    let heard = Sum()
    let newest = [Sum(), Sum()]
    let outOfOrder = Sum()
    probe.listen(to: source).with { value in
        heard.add(1)
        let last = newest[value & 1].pointer
        if value >> 1 <= last.pointee { outOfOrder.add(1) }
        last.pointee = value >> 1
    }
    let sets = threads * setsPerThread
    return Sample(of: sets) {
        for sum in newest + [heard, outOfOrder] { sum.pointer.pointee = 0 }
        let elapsed = time {
            onThreads(threads) { thread in
                for number in 1...setsPerThread { source.value = number << 1 | thread }
            }
        }
        try WrongResult.expect("the number of sets that arrived", heard.pointer.pointee, toBe: sets)
        try WrongResult.expect("the number of sets out of order", outOfOrder.pointer.pointee, toBe: 0)
        return withExtendedLifetime(probe) { elapsed }
    }
}

/// Each thread sets a chain of 100 of its own.
private func ownGraphs(threads: Int) -> Sample {
    let sets = 300_000
    let graphs = (0..<threads).map { _ in
        let probe = Probe()
        let source = MutableNode(0)
        probe.hear(chain(of: 100, from: source))
        return (probe: probe, source: source)
    }
    let sources = graphs.map(\.source)
    return Sample(of: sets) {
        for graph in graphs { graph.probe.sum.pointer.pointee = 0 }
        let elapsed = time {
            onThreads(threads) { thread in
                let source = sources[thread]
                for value in 1...sets { source.value = value }
            }
        }
        for graph in graphs {
            try WrongResult.expect(
                "the sum of what was heard",
                graph.probe.sum.pointer.pointee,
                toBe: sets * (sets + 1) / 2 + sets * 100
            )
        }
        return elapsed
    }
}

/// The loop in the library's place, with two threads that share nothing.
private func ownLoops(threads: Int) -> Sample {
    let sets = 300_000
    let sums = (0..<threads).map { _ in Sum() }
    return Sample(of: sets) {
        for sum in sums { sum.pointer.pointee = 0 }
        let elapsed = time {
            onThreads(threads) { thread in
                let floor = LoopFloor(length: 100, addingTo: sums[thread].pointer)
                for value in 1...sets { floor.set(value) }
            }
        }
        for sum in sums {
            let expected = sets * (sets + 1) / 2 + sets * 100
            try WrongResult.expect("the sum of what came out", sum.pointer.pointee, toBe: expected)
        }
        return elapsed
    }
}
