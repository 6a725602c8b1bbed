import Foundation
import ReactCore
import TestSupport
import Testing

@testable import ReactGraph

/// What threads are called on record. A thread's number is used again when it has ended.
@Suite("Names of threads on record") struct ThreadNamesTests {
    @Test("a thread that takes over the number of one that has ended is told by its own name, and so is that one")
    func takenOver() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder(sites: false)
            let node = MutableNode(0).named("node")
            // Until two of them had the same number: a thread ends some time after its last line.
            let isTakenOver = eventually {
                let place = recorder.events().count
                for name in ["loader", "saver"] { onThread(named: name) { node.value = place } }
                let sets = recorder.events().dropFirst(place).filter { $0.kind == .set }
                precondition(sets.map(\.thread) == ["loader", "saver"], "\(sets.map(\.thread))")
                return Set(sets.map(\.moment.thread)).count == 1
            }
            precondition(isTakenOver)
            let names = recorder.events().filter { $0.kind == .set }.map(\.thread)
            precondition(names == Array(repeating: ["loader", "saver"], count: names.count / 2).flatMap(\.self))
            // Each name once, and first who had the number first, which may have been in an earlier round.
            let trace = recorder.trace()
            precondition(trace.contains("loader, then saver") || trace.contains("saver, then loader"))
        }
    }
    @Test("a small ring forgets the names of those of whom nothing is on record, and of none else")
    func forgets() async {
        await #expect(processExitsWith: .success) {
            let recorder = GraphRecorder(capacity: 40, sites: false)
            var made = 0
            let isForgotten = eventually {
                for name in 1...60 {
                    let node = MutableNode(0).named("\(name)")
                    onThread(named: "\(name)") { node.value = 1 }
                }
                let sets = recorder.events().filter { $0.kind == .set }
                for set in sets { precondition(set.thread == set.node?.name, "\(set.thread): \(set)") }
                made += 60
                return sets.count < made && Set(sets.map(\.moment.thread)).count < sets.count
            }
            precondition(isForgotten)
        }
    }
}

/// Runs `body` on a new thread of that name, and returns when it is done.
private func onThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    Worker {
        nameThread(name)
        body()
    }.join()
}
