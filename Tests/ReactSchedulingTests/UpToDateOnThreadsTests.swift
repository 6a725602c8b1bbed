import Dispatch
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

/// Questions about a graph in which other threads work at the same time.
@Suite("Up to date, on several threads") struct UpToDateOnThreadsTests {
    @Test("a node is never up to date while a value crosses from one graph to the next")
    func crossing() {
        let source = MutableNode(0), queue = DispatchQueue(label: "crossing")
        let result = source.deliver(on: queue).map { number in
            // The value is on its way for longer than a question takes.
            (0..<2_000).reduce(number) { sum, _ in sum }
        }
        var wrong = 0
        for value in 1...Scale.scaled(2_000) {
            source.value = value
            while !result.isUpToDate {}
            if result.value != value { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test("many tasks that wait for one busy graph all go on when it is over", .timeLimit(.minutes(10)))
    func manyTasks() async throws {
        let a = MutableNode(0), b = MutableNode(0), sum = combine(a, b) { $0 + $1 }
        let busy = BusyGraph(of: a, setting: 1), begun = Locked(0)
        let tasks = (0..<200).map { _ in
            Task {
                begun.increment()
                return try await sum.whenUpToDate()
            }
        }
        while begun.value < tasks.count { await Task.yield() }
        await Task.detached { busy.end() }.value
        for task in tasks { #expect(try await task.value == 1) }
    }
}
