import Foundation
import ReactCore
import ReactGraph
import ReactOperators
import TestSupport
import Testing

/// In processes of their own, since all threads are recorded.
@Suite("Waits for a busy graph, on record") struct RecordedWaitsTests {
    @Test("of a late set, the answers name the closure and the thread that kept the graph busy, and the time")
    func late() async {
        await #expect(processExitsWith: .success) {
            SilentMistake.report = { _ in }
            let price = MutableNode(0).named("price"), lifetime = Lifetime()
            let recorder = GraphRecorder(sites: false)
            let total = price.map { $0 * 2 }.named("total")
            let isIn = Latch(), mayGo = Latch()
            total.listened(by: lifetime).with { value in
                guard value == 2 else { return }
                isIn.arrive()
                mayGo.wait()
            }
            let worker = Worker { [price] in
                nameThread("worker")
                price.value = 1
            }
            isIn.wait()
            price.value = 3
            let whyNot = timeless(recorder.whyNot(total).description)
            precondition(
                whyNot == """
                    'total' has not been set since it became 2:
                      a change of 'price' was late, after … s: worker was at work in Listen of Lifetime
                    """, whyNot)
            precondition(recorder.events().contains { $0.kind == .waited && $0.node?.name == "price" })
            mayGo.arrive()
            worker.join()
            waitForLate(at: price)
            let lines = timeless(recorder.why(total).description).split(separator: "\n")
            precondition(lines[1].hasPrefix("  'price' was set to 3 (was 1), on "), String(lines[1]))
            precondition(
                lines[1].hasSuffix("ago. It was late, after … s: worker was at work in Listen of Lifetime"),
                String(lines[1]))
            precondition(!recorder.whyNot(total).description.contains("late"))
        }
    }
    @Test("a set that waited for a millisecond says so, and for a closure of a combination it names the node")
    func waited() async {
        await #expect(processExitsWith: .success) {
            let price = MutableNode(0).named("price")
            let recorder = GraphRecorder(sites: false)
            let isIn = Latch()
            let sum = combine(price, price) { [price] in
                if $0 == 1 {
                    isIn.arrive()
                    // Until the other thread waits, and a little longer.
                    _ = eventually { price.vertex.hasBeenWaitedFor }
                    let begin = ContinuousClock.now
                    while ContinuousClock.now - begin < .milliseconds(3) { sched_yield() }
                }
                return $0 + $1
            }.named("sum")
            let worker = Worker { [price] in
                nameThread("worker")
                price.value = 1
            }
            isIn.wait()
            price.value = 2
            worker.join()
            waitForLate(at: price)
            let line = timeless(recorder.why(sum).description).split(separator: "\n")[1]
            precondition(line.contains("ago. It w"), String(line))
            precondition(line.hasSuffix("s: worker was at work in the closure of 'sum'"), String(line))
        }
    }
}

/// Returns the text without the durations: "0.1 s" becomes "… s".
private func timeless(_ text: String) -> String {
    text.replacing(/[0-9.]+ (s|ms|min)\b/) { "… \($0.output.1)" }
}
