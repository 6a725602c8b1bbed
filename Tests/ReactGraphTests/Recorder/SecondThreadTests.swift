import ReactCore
import ReactGraph
import ReactOperators
import TestSupport
import Testing

#if os(macOS) || os(Linux)
/// A thread that alone has recorded so far, and another that begins. Each test has a process of its own for that.
@Suite("A second thread that begins to record") struct SecondThreadTests {
    @Test("a value that arrives at a combination is told after the sets that a second thread made before, in one batch")
    func arrivals() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder(sites: false)
            let warmUp = MutableNode(0), lifetime = Lifetime()
            warmUp.listened(by: lifetime).with { _ in }
            // The first 512 calls of a thread are timed, and then few are. So no time is recorded by chance.
            for value in 1...600 { warmUp.value = value }
            let first = MutableNode(0).named("first"), second = MutableNode(0).named("second")
            let way = first.map { value in
                if value == 1 { Worker { second.value = 10 }.join() }
                return value
            }.named("way")
            let sum = combine(way, second) { $0 + $1 }.named("sum")
            let start = recorder.mark("start")
            batch { first.value = 1 }
            precondition(sum.value == 11)

            let events = recorder.events(since: start).filter { [.set, .arrived, .fired].contains($0.kind) }
            let told = events.map { "\($0.kind) \($0.source?.name ?? $0.node?.name ?? "")" }
            precondition(
                told == ["set first", "set second", "arrived second", "fired sum", "arrived way", "fired sum"],
                "\(told)")
            // Each firing has the arrival before it as its cause.
            precondition(events[3].causes == [events[2].moment] && events[5].causes == [events[4].moment])
        }
    }
}
#endif
