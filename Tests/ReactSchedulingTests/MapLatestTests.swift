import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

/// Work that ends when the test says so, whether it is cancelled or not.
final class HandWork: Sendable {
    struct Failure: Error, Equatable {}
    private enum Place {
        case waiting(CheckedContinuation<Int, any Error>)
        case ended(Result<Int, any Error>)
    }
    private let places = Locked<[Int: Place]>([:])
    private let cancelled = Recorder<Int>()

    /// The work for `value`: ends as `end(_:with:)` says.
    func run(_ value: Int) async throws -> Int {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = places.withLock { places -> Result<Int, any Error>? in
                    if case .ended(let result) = places[value] { return result }
                    places[value] = .waiting(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancelled.record(value)
        }
    }
    func end(_ value: Int, with result: Result<Int, any Error>) {
        let continuation = places.withLock { places -> CheckedContinuation<Int, any Error>? in
            let place = places[value]
            places[value] = .ended(result)
            if case .waiting(let continuation) = place { return continuation }
            return nil
        }
        continuation?.resume(with: result)
    }
    var cancelledOnes: [Int] { cancelled.events }
}

extension TaskPhase {
    /// The phase as text, for comparing.
    var text: String {
        switch self {
        case .running(let last): "running \(last.map { "\($0)" } ?? "-")"
        case .finished(let output): "finished \(output)"
        case .failed(is CancellationError, let last): "cancelled \(last.map { "\($0)" } ?? "-")"
        case .failed(_, let last): "failed \(last.map { "\($0)" } ?? "-")"
        }
    }
}

@Suite("MapLatest")
struct MapLatestTests {
    let source = MutableNode(1), work = HandWork(), lifetime = Lifetime()

    @Test("each value is running first, and finished when its work is")
    func finishes() async throws {
        let node = source.mapLatest { [work] in try await work.run($0) }
        var phases = node.values(buffering: .all).makeAsyncIterator()
        work.end(1, with: .success(10))
        var seen = [await phases.next()?.text, await phases.next()?.text]
        source.value = 2
        work.end(2, with: .success(20))
        seen += [await phases.next()?.text, await phases.next()?.text]
        #expect(seen == ["running -", "finished 10", "running 10", "finished 20"])
    }

    @Test("an equal input is worked on again if the attempts are counted beside it")
    func countedAttempts() {
        let name = MutableNode("milk"), attempt = MutableNode(0)
        let asked = combine(name.distinctUntilChanged(), attempt) { name, _ in name }
        let heard = asked.mapLatest { name in "no \(name)" }.successes().recorded()
        name.value = "milk"
        #expect(heard.events == ["no milk"])
        attempt.update { $0 += 1 }
        #expect(heard.events == ["no milk", "no milk"])
    }

    @Test("a newer value cancels the work for the one before, whose result is never seen")
    func supersedes() async throws {
        let node = source.mapLatest { [work] in try await work.run($0) }
        var phases = node.values(buffering: .all).makeAsyncIterator()
        source.value = 2
        source.value = 3
        #expect(await eventuallyAsync { work.cancelledOnes.sorted() == [1, 2] })
        work.end(2, with: .success(20))
        work.end(1, with: .failure(HandWork.Failure()))
        work.end(3, with: .success(30))
        var seen: [String] = []
        for _ in 0..<4 { seen.append(await phases.next()!.text) }
        #expect(seen == ["running -", "running -", "running -", "finished 30"])
        #expect(node.value?.output == 30)
    }

    @Test("a failure is a phase, keeps the last output, and ends nothing")
    func fails() async {
        let node = source.mapLatest { [work] in try await work.run($0) }
        var phases = node.values(buffering: .all).makeAsyncIterator()
        var seen: [String] = []
        work.end(1, with: .success(10))
        for _ in 0..<2 { seen.append(await phases.next()!.text) }
        source.value = 2
        work.end(2, with: .failure(HandWork.Failure()))
        for _ in 0..<2 { seen.append(await phases.next()!.text) }
        source.value = 3
        work.end(3, with: .failure(CancellationError()))
        for _ in 0..<2 { seen.append(await phases.next()!.text) }
        #expect(
            seen == ["running -", "finished 10", "running 10", "failed 10", "running 10", "cancelled 10"])
    }

    @Test("context and senders are those of the value that the work is for")
    func company() async throws {
        let node = source.mapLatest { [work] in try await work.run($0) }
        let heard = Recorder<String>()
        node.listened(by: lifetime).withSenderListAndContext { [source] phase, senders, context in
            let came = senders.contains(source) ? "from source" : "from nowhere"
            heard.record("\(phase.text), \(came), \(context as? String ?? "-")")
        }
        source.setValue(2, context: "typed")
        // Work that nobody ends waits for ever.
        work.end(1, with: .success(10))
        work.end(2, with: .success(20))
        _ = try await node.first { $0.output == 20 }
        #expect(
            heard.events == [
                "running -, from nowhere, -", "running -, from source, typed", "finished 20, from source, typed",
            ])
    }

    @Test("the task is cancelled when the result goes, and keeps nothing alive")
    func released() async {
        weak var goneSource: MutableNode<Int>?
        weak var goneNode: Node<TaskPhase<Int>>?
        do {
            let source = MutableNode(7)
            let node = source.mapLatest { [work] in try await work.run($0) }
            goneSource = source
            goneNode = node
            #expect(work.cancelledOnes == [])
            withExtendedLifetime((source, node)) {}
        }
        #expect(goneSource == nil)
        #expect(goneNode == nil)
        #expect(await eventuallyAsync { work.cancelledOnes == [7] })
        work.end(7, with: .success(70))
    }

    @Test("cutting the transform cancels the task, whose end is not seen, and ends the phase")
    func cut() async {
        let node = source.mapLatest { [work] in try await work.run($0) }
        node.removeUpstreamNodes()
        #expect(await eventuallyAsync { work.cancelledOnes == [1] })
        work.end(1, with: .success(10))
        #expect(node.value?.text == "cancelled -")
    }

    @Test("pointed at another node, it begins anew with that one's value, and without a last output")
    func pointedElsewhere() async throws {
        let node = source.mapLatest { [work] in try await work.run($0) }
        work.end(1, with: .success(10))
        _ = try await node.first { $0.output == 10 }
        let other = MutableNode(2)
        let transform = try #require(node.upstreamTransforms.first as? Transform<Int, TaskPhase<Int>>)
        transform.from = other
        #expect(node.value?.text == "running -")
        source.value = 3
        work.end(3, with: .success(30))
        work.end(2, with: .success(20))
        let phase = try await node.first { $0.output != nil }
        #expect(phase.text == "finished 20")
    }

    @Test("emptying the source cancels nothing")
    func emptied() async throws {
        let node = source.mapLatest { [work] in try await work.run($0) }
        source.clean()
        work.end(1, with: .success(10))
        let phase = try await node.first { $0.output != nil }
        #expect(phase.output == 10)
        #expect(work.cancelledOnes == [])
    }

    @Test("a listener that sets the source in mid-delivery sees each phase once, in order")
    func reentrant() async throws {
        let node = source.mapLatest { [work] in try await work.run($0) }
        let heard = Recorder<String>()
        node.listened(by: lifetime).with { [source] phase in
            heard.record(phase.text)
            if phase.text == "finished 10" { source.value = 2 }
        }
        work.end(2, with: .success(20))
        work.end(1, with: .success(10))
        _ = try await node.first { $0.text == "finished 20" }
        // The work for 2 ends without suspending.
        #expect(heard.events == ["running -", "finished 10", "finished 20"])
    }
}

/// Waits until `condition` holds, and lets other tasks run meanwhile. A quarter of an hour is a failure, unless this task was hardly
/// ever called in that time.
func eventuallyAsync(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(900)
    var yields = 0
    while !condition() {
        guard ContinuousClock.now < end || yields < 1_000 else { return false }
        await Task.yield()
        yields += 1
    }
    return true
}
