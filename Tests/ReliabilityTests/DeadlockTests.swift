import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

#if os(macOS) || os(Linux)
/// Each test runs in a process of its own, under a watchdog.
@Suite("No deadlock", .serialized) struct DeadlockTests {
    @Test("nodes whose listeners set one another from several threads deadlock nowhere and lose nothing")
    func settingRings() async {
        await #expect(processExitsWith: .success) {
            for count in 2...10 {
                Watchdog.watch("a ring of \(count) nodes whose listeners set one another") {
                    setRound(count, sets: Scale.heavy(5000))
                }
            }
        }
    }

    @Test("nodes that follow one another, in rings of 2 to 10, each set from a thread, hear every value once")
    func linkedRings() async {
        await #expect(processExitsWith: .success) {
            for count in 2...10 {
                Watchdog.watch("a ring of \(count) nodes that follow one another") {
                    for round in 0..<Scale.heavy(300) { follow(count, round) }
                }
            }
        }
    }

    @Test("listeners that link, cut, listen and batch on each other's nodes from four threads hang nowhere")
    func changingRings() async {
        await #expect(processExitsWith: .success) {
            for count in 2...10 {
                Watchdog.watch("a ring of \(count) nodes whose listeners change the graph") {
                    changeRound(count, sets: Scale.heavy(2000))
                }
            }
        }
    }

    @Test(
        "a hang is a failure, with the backtraces of all threads where those are turned on",
        .enabled(if: Scale.runsTraps))
    func hang() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let locks = [NSLock(), NSLock()]
            let bothHeld = Latch(2)
            let worker = Worker {
                concurrently(2) { thread in
                    locks[thread].lock()
                    bothHeld.arriveAndWait()
                    locks[1 - thread].lock()
                }
            }
            bothHeld.wait()
            Watchdog.watch("what hangs on purpose", limit: 1) { worker.join() }
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("what hangs on purpose has not come back"))
        if Watchdog.showsAllThreads {
            // The two that wait for each other, beside the one that crashed.
            #expect(message.components(separatedBy: "in concurrently(_:_:)").count > 2)
        } else {
            #expect(message.contains("SWIFT_BACKTRACE=enable=yes,preset=full in the environment"))
        }
    }
}

/// Each listener sets the next node, 20 times round for each set.
private func setRound(_ count: Int, sets: Int) {
    let listener = Lifetime()
    let nodes = (0..<count).map { _ in MutableNode<Int>() }
    let delivered = Locked(0)
    for index in nodes.indices {
        let next = nodes[(index + 1) % count]
        nodes[index].listened(by: listener).with { value in
            delivered.increment()
            if value > 0 { next.value = value - 1 }
        }
    }
    concurrently(4) { thread in
        for turn in 0..<sets { nodes[(thread + turn) % count].value = 20 }
    }
    waitForLate(at: nodes)
    // Every set of 20 leads to 20 more: none is lost, none is delivered twice.
    #expect(delivered.value == 4 * sets * 21, "a ring of \(count)")
    withExtendedLifetime(listener) {}
}

private func follow(_ count: Int, _ round: Int) {
    let listener = Lifetime()
    let nodes = (0..<count).map { _ in MutableNode<Int>() }
    for (index, node) in nodes.enumerated() { node.link(to: nodes[(index + 1) % count]) }
    let heard = nodes.map { node in
        let recorder = Recorder<Int>()
        node.listened(by: listener).with { recorder.record($0) }
        return recorder
    }
    concurrently(count) { thread in
        for turn in 0..<10 { nodes[thread].value = thread * 100 + turn }
    }
    waitForLate(at: nodes)
    let everything = (0..<count).flatMap { thread in (0..<10).map { thread * 100 + $0 } }
    for (node, recorder) in zip(nodes, heard) {
        #expect(recorder.events.sorted() == everything, "round \(round) of \(count) nodes")
        #expect(recorder.last == node.value, "round \(round) of \(count) nodes")
        node.removeUpstreamNodes()
    }
    withExtendedLifetime(listener) {}
}

private func changeRound(_ count: Int, sets: Int) {
    let listener = Lifetime()
    let nodes = (0..<count).map { _ in MutableNode(0) }
    for index in nodes.indices {
        let next = nodes[(index + 1) % count]
        let one = nodes[index]
        one.listened(by: listener).with { [weak next, weak one] value in
            guard let next, let one, value > 0 else { return }
            switch value % 5 {
            case 0: next.link(to: one.filter { _ in false }).cancel()
            case 1: next.listened(by: Lifetime()).with { _ in }
            case 2: batch { next.value = value - 1 }
            case 3: _ = combine(one, next).value
            default: next.update { $0 = value - 1 }
            }
        }
    }
    concurrently(4) { thread in
        for turn in 0..<sets { nodes[(thread + turn) % count].value = turn % 20 }
    }
    waitForLate(at: nodes)
    #expect(nodes.allSatisfy { $0.downstreamTransforms.isEmpty && $0.listenEdges.count == 1 })
    withExtendedLifetime(listener) {}
}
#endif
