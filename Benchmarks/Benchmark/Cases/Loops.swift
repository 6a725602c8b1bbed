// `for await` over a node's values: the cost of a value that resumes a loop, and of one that nobody awaits, beside
// AsyncStream and Observations. The loops run on the setting thread, so that the work is measured, and not the time in
// which the system wakes a thread.

import Observation
import ReactCore
import ReactScheduling
import Synchronization

let loopCases = awaitedCases + unawaitedCases + manyCases + observationCases

// MARK: - A value that a loop waits for

private let awaitedCases = [
    awaitedCase("values", values),
    awaitedCase("AsyncStream", streams),
]

/// Sets the node, and then runs the one loop that this resumes.
private func awaitedCase(_ name: String, _ source: @escaping @Sendable (Int, LoopExecutor, Sum) -> LoopSource) -> Case {
    Case(
        name: name,
        size: "awaited",
        metric: .nanoseconds(per: "value"),
        baseline: Baseline(name: "continuation") { resuming(1, continuations) }
    ) { resuming(1, source) }
}

// MARK: - One value for ten thousand loops

private let manyCases = [
    manyCase("values", values),
    manyCase("AsyncStream", streams),
]

private func manyCase(
    _ name: String, _ source: @escaping @Sendable (Int, LoopExecutor, Sum) -> LoopSource, samples: Int? = nil
) -> Case {
    Case(
        name: name,
        size: "10000",
        metric: .nanoseconds(per: "loop"),
        baseline: Baseline(name: "continuation") { resuming(10_000, continuations) },
        samples: samples
    ) { resuming(10_000, source) }
}

private func resuming(
    _ loops: Int, _ source: @Sendable (Int, LoopExecutor, Sum) -> LoopSource
) -> Sample {
    let executor = LoopExecutor(), sum = Sum()
    let source = source(loops, executor, sum)
    executor.run()
    let sets = repetitions(of: loops * 10)
    return timed(per: loops * sets, sum, expecting: loops * sets * (sets + 1) / 2) {
        for value in 1...sets {
            source.set(value)
            executor.run()
        }
    }
}

// MARK: - A value that nobody awaits

private let unawaitedCases = [
    Case(
        name: "values",
        size: "unawaited",
        metric: .nanoseconds(per: "value"),
        baseline: Baseline(name: "listener") {
            let probe = Probe(), node = MutableNode(0), sets = repetitions(of: 1)
            probe.hear(node)
            return probe.timed(per: sets, expecting: sets * (sets + 1) / 2) {
                for value in 1...sets { node.value = value }
            }
        }
    ) {
        let node = MutableNode(0), iterator = node.values.makeAsyncIterator(), sets = repetitions(of: 1)
        return Sample(of: sets) {
            // The loop of the listener case.
            let elapsed = time { for value in 1...sets { node.value = value } }
            withExtendedLifetime(iterator) {}
            return elapsed
        }
    },
    // The cheapest way to keep a value for another thread.
    Case(name: "Mutex", size: "unawaited", metric: .nanoseconds(per: "value")) {
        let kept = Kept(), node = MutableNode(0), lifetime = Lifetime(), sets = repetitions(of: 1)
        node.listened(by: lifetime).with { value in kept.value.withLock { $0 = value } }
        return Sample(of: sets) {
            let elapsed = time { for value in 1...sets { node.value = value } }
            withExtendedLifetime(lifetime) {}
            try WrongResult.expect("what was kept", kept.value.withLock { $0 }, toBe: sets)
            return elapsed
        }
    },
    Case(name: "AsyncStream", size: "unawaited", metric: .nanoseconds(per: "value")) {
        let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
        return unawaited {
            continuation.yield($0)
        } keeping: {
            withExtendedLifetime(stream) {}
        }
    },
]

private func unawaited(_ set: @escaping (Int) -> Void, keeping keep: @escaping () -> Void) -> Sample {
    let sets = repetitions(of: 1)
    return Sample(of: sets) {
        let elapsed = time { for value in 1...sets { set(value) } }
        keep()
        return elapsed
    }
}

// MARK: - Observations

/// Empty where `Observations` is missing: Apple's platforms have it since the releases of 2025.
private let observationCases: [Case] = {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return [] }
    return [
        awaitedCase("Observations", observations),
        Case(name: "Observations", size: "unawaited", metric: .nanoseconds(per: "value")) {
            let executor = LoopExecutor(), model = Model(), seat = Seat()
            let values = Observations { model.value }
            Task(executorPreference: executor) {
                for await _ in values { _ = await withUnsafeContinuation { seat.continuation = $0 } }
            }
            executor.run()
            return unawaited {
                model.value = $0
            } keeping: {
                withExtendedLifetime(seat) {}
            }
        },
        // A sample of these takes a second.
        manyCase("Observations", observations, samples: Options.fewestSamples),
    ]
}()

// MARK: - Sources of values

/// Resumes suspended loops, which add up their values.
private struct LoopSource {
    let set: (Int) -> Void
}

@Sendable private func values(_ loops: Int, _ executor: LoopExecutor, _ sum: Sum) -> LoopSource {
    let node = MutableNode<Int>()
    for _ in 0..<loops {
        let values = node.values
        Task(executorPreference: executor) {
            for await value in values { sum.add(value) }
        }
    }
    return LoopSource { node.value = $0 }
}
@Sendable private func streams(_ loops: Int, _ executor: LoopExecutor, _ sum: Sum) -> LoopSource {
    let streams = (0..<loops).map { _ in AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    for (stream, _) in streams {
        Task(executorPreference: executor) {
            for await value in stream { sum.add(value) }
        }
    }
    return LoopSource { value in for (_, continuation) in streams { continuation.yield(value) } }
}
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
@Sendable private func observations(_ loops: Int, _ executor: LoopExecutor, _ sum: Sum) -> LoopSource {
    let model = Model()
    for _ in 0..<loops {
        let values = Observations { model.value }
        Task(executorPreference: executor) {
            for await value in values { sum.add(value) }
        }
    }
    return LoopSource { model.value = $0 }
}
/// A continuation for each loop: the lower bound for all others.
@Sendable private func continuations(_ loops: Int, _ executor: LoopExecutor, _ sum: Sum) -> LoopSource {
    let seats = (0..<loops).map { _ in Seat() }
    for seat in seats {
        Task(executorPreference: executor) {
            while true { sum.add(await withUnsafeContinuation { seat.continuation = $0 }) }
        }
    }
    return LoopSource { value in for seat in seats { seat.continuation?.resume(returning: value) } }
}

private final class Kept: Sendable {
    let value = Mutex(0)
}
/// Unchecked, like the two below, because all work is done on the measuring thread.
private final class Seat: @unchecked Sendable {
    @exclusivity(unchecked) var continuation: UnsafeContinuation<Int, Never>?
}
@Observable private final class Model: @unchecked Sendable {
    var value = 0
}
/// Runs tasks when told to, on the calling thread.
private final class LoopExecutor: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }
    func run() {
        var next = 0
        while next < jobs.count {
            jobs[next].runSynchronously(on: asUnownedTaskExecutor())
            next += 1
        }
        jobs.removeAll(keepingCapacity: true)
    }
}
