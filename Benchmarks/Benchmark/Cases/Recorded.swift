// The cost of a flight recorder: one graph with a recorder and without, in turn. The recorder's buffer is full when the
// time is taken, so it allocates nothing any more.

import ReactCore
import ReactGraph

let recordedCases = [
    recordedCase("chain 100", per: "hop") { fan(width: 1, depth: 100) },
    recordedCase("fan-out 1000", per: "delivery") { fan(width: 1_000, depth: 0) },
]

private func recordedCase(_ size: String, per what: String, _ prepare: @escaping @Sendable () -> Sample) -> Case {
    Case(
        name: "recorded",
        size: size,
        metric: .nanoseconds(per: what),
        baseline: Baseline(name: "plain", prepare: prepare),
        goal: .more(15)
    ) { recorded(prepare()) }
}

private func recorded(_ sample: Sample) -> Sample {
    Sample(of: sample.operations) {
        let recorder = GraphRecorder(sites: false)
        defer { recorder.stop() }
        repeat { _ = try sample() } while recorder.evicted == 0
        return try sample() * Double(sample.operations)
    }
}
