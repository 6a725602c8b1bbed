// The cost of a flight recorder: one graph with a recorder and without, in turn. The recorder's buffer is full when the
// time is taken, so it allocates nothing any more.

import ReactCore
import ReactGraph
import ReactOperators

let recordedCases = [
    recordedCase("chain 100", per: "hop") { fan(width: 1, depth: 100) },
    recordedCase("fan-out 1000", per: "delivery") { fan(width: 1_000, depth: 0) },
    questionCase("reading") { $0.recorder.reading().evicted },
    questionCase("events") { $0.recorder.events().count },
    questionCase("why") { $0.recorder.why($0.last).description.count },
    questionCase("whyNot") { $0.recorder.whyNot($0.cut).description.count },
    questionCase("graph(of:at:)") { $0.recorder.graph(of: $0.last, at: $0.moment).nodes.count },
    questionCase("hottest") { $0.recorder.costliest().count },
    questionCase("wasted") { $0.recorder.redundantUpdates().count },
    questionCase("page") { $0.recorder.page(of: $0.last).count },
    questionCase("trace") { $0.recorder.trace().count },
]

/// A recorder with about 30,000 records: 2,750 sets of a chain of ten maps, and of a link that was cut before.
private final class Recorded {
    let recorder = GraphRecorder(sites: false)
    let moment: GraphMoment
    let source = MutableNode(0), last: Node<Int>, cut = Node<Int>()

    init() {
        last = chain(of: 10, from: source)
        moment = recorder.mark("start")
        cut.link(to: source).cancel()
        for value in 1...2_750 { source.value = value }
        recorder.stop()
    }
}
private func questionCase(_ size: String, _ ask: @escaping @Sendable (Recorded) -> Int) -> Case {
    Case(name: "question", size: size, metric: .microseconds(per: "30,000 records"), samples: 11) {
        let recorded = Recorded()
        return Sample {
            var answer = 0
            let elapsed = time(in: .microseconds) { answer = ask(recorded) }
            try WrongResult.expect("that there is an answer", answer >= 0 ? 1 : 0, toBe: 1)
            return elapsed
        }
    }
}

private func recordedCase(_ size: String, per what: String, _ prepare: @escaping @Sendable () -> Sample) -> Case {
    Case(
        name: "recorded",
        size: size,
        metric: .nanoseconds(per: what),
        baseline: Baseline(name: "plain", prepare: prepare),
        goal: .more(20)
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
