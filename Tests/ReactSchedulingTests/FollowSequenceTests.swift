import Dispatch
import ReactCore
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@Suite("Following a sequence")
struct FollowSequenceTests {
    private struct Failure: Error, Equatable {}
    let lifetime = Lifetime()

    @Test("a node is set to each element, in order, and keeps the last")
    func inOrder() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let node = MutableNode<Int>()
        let heard = Recorder<Int>()
        node.listened(by: lifetime).with { heard.record($0) }
        node.follow(stream, in: lifetime)
        for value in 1...100 { continuation.yield(value) }
        continuation.finish()
        #expect(try await node.first { $0 == 100 } == 100)
        #expect(heard.events == Array(1...100))
        #expect(await eventuallyAsync { node.upstreamTransforms.isEmpty })
        #expect(node.value == 100)
    }

    @Test("a cancel in the middle of another returns when nothing is set any more")
    func cancelledTwice() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let node = MutableNode<Int>(), following = Locked<(any Cancelable)?>(nil), isCut = Locked<Bool?>(nil)
        // The sequence is told by the first one, before that has cut anything.
        continuation.onTermination = { _ in
            following.value?.cancel()
            isCut.value = node.upstreamTransforms.isEmpty
        }
        following.value = node.follow(stream, in: lifetime)
        continuation.yield(1)
        _ = try await node.first { $0 == 1 }
        following.value?.cancel()
        #expect(await eventuallyAsync { isCut.value != nil })
        #expect(isCut.value == true)
    }

    @Test("a sequence that fails ends with the failure as the last value")
    func failure() async throws {
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        let node = MutableNode<Result<Int, any Error>>()
        let heard = Recorder<String>()
        node.listened(by: lifetime).with { result in
            switch result {
            case .success(let value): heard.record("\(value)")
            case .failure(let error): heard.record(error is Failure ? "failure" : "\(error)")
            }
        }
        node.follow(stream, in: lifetime)
        continuation.yield(1)
        continuation.finish(throwing: Failure())
        _ = try await node.first { if case .failure = $0 { true } else { false } }
        #expect(heard.events == ["1", "failure"])
    }

    @Test("a sequence that is followed on a virtual scheduler runs in virtual time, and leaves nothing behind")
    func inVirtualTime() throws {
        let heard = Recorder<Int>()
        try expectNothingLeft {
            let scheduler = VirtualScheduler(), clock = scheduler.clock, lifetime = Lifetime()
            let node = MutableNode<Result<Int, any Error>>()
            let start = clock.now
            let seconds = AsyncThrowingStream<Int, any Error>(unfolding: {
                try await Task.sleep(for: .seconds(1), clock: clock)
                return Int(start.duration(to: clock.now).components.seconds)
            })
            node.follow(seconds, in: lifetime, executorPreference: scheduler)
            node.listened(by: lifetime).with { heard.record((try? $0.get()) ?? 0) }
            scheduler.advance(by: .seconds(3))
            lifetime.cancel()
            scheduler.run()
        }
        #expect(heard.events == [1, 2, 3])
    }

    @Test("cancelled, it ends the sequence, and sets nothing more")
    func cancelled() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let isOver = terminations(of: continuation)
        let node = MutableNode<Int>()
        let following = node.follow(stream, in: lifetime)
        continuation.yield(1)
        _ = try await node.first { $0 == 1 }
        following.cancel()
        following.cancel()
        #expect(node.upstreamTransforms.isEmpty)
        for await _ in isOver { break }
        continuation.yield(2)
        #expect(node.value == 1)
    }

    @Test("elements whose turn at the node has not come when the sequence ends are set all the same")
    func endsInMidDelivery() {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let node = MutableNode<Int>()
        let executor = HandExecutor(), heard = Recorder<Int>(), hasRun = DispatchSemaphore(value: 0)
        node.follow(stream, in: lifetime, executorPreference: executor)
        executor.run()
        node.listened(by: lifetime).with { value in
            heard.record(value)
            guard value == 1 else { return }
            continuation.yield(2)
            continuation.yield(3)
            continuation.finish()
            DispatchQueue(label: "follows").async {
                executor.run()
                hasRun.signal()
            }
            #expect(hasRun.waitForSignals())
        }
        node.value = 1
        waitForLate(at: node)
        #expect(heard.events == [1, 2, 3])
        #expect(node.upstreamTransforms.isEmpty)
    }

    @Test(
        "following ends when the node is released, or is cut off, though its transform is held",
        arguments: [false, true])
    func transformIsHeld(isCutOff: Bool) async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let isOver = terminations(of: continuation)
        var node: MutableNode<Int>? = MutableNode()
        node?.follow(stream, in: lifetime)
        let transform = node?.upstreamTransforms.first
        if isCutOff { node?.removeUpstreamNodes() } else { node = nil }
        for await _ in isOver { break }
        withExtendedLifetime((transform, node)) {}
    }

    @Test("an element whose turn at the node has not come when it is cancelled is not set")
    func cancelledInMidDelivery() {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let node = MutableNode<Int>()
        let executor = HandExecutor(), heard = Recorder<Int>(), hasRun = DispatchSemaphore(value: 0)
        let following = node.follow(stream, in: lifetime, executorPreference: executor)
        executor.run()
        node.listened(by: lifetime).with { value in
            heard.record(value)
            continuation.yield(2)
            DispatchQueue(label: "follows").async {
                executor.run()
                hasRun.signal()
            }
            #expect(hasRun.waitForSignals())
            following.cancel()
        }
        node.value = 1
        #expect(heard.events == [1])
        #expect(node.value == 1)
        // The task, which has been cancelled, ends.
        executor.run()
    }

    @Test("elements that come while the node's graph is busy are set when it is free, also if the sequence has ended")
    func busyGraph() {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let node = MutableNode(0), executor = HandExecutor(), heard = node.heard(by: lifetime)
        let busy = BusyGraph(of: node, setting: 1)
        node.follow(stream, in: lifetime, executorPreference: executor)
        for value in 10...12 { continuation.yield(value) }
        continuation.finish()
        executor.run()
        busy.end()
        #expect(
            eventually {
                executor.run()
                return node.upstreamTransforms.isEmpty
            })
        #expect(heard.events == [0, 1, 10, 11, 12])
    }

    @Test("a following whose transform is led to a node of a busy graph goes on there when that is free")
    func busyTarget() throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let node = MutableNode<Int>(), other = MutableNode(0), executor = HandExecutor()
        node.follow(stream, in: lifetime, executorPreference: executor)
        executor.run()
        let transform = try #require(node.upstreamTransforms.first as? Transform<Never, Int>)
        let busy = BusyGraph(of: other, setting: 1)
        transform.to = other
        continuation.yield(2)
        executor.run()
        busy.end()
        #expect(
            eventually {
                executor.run()
                return other.value == 2
            })
        #expect(node.isEmpty)
        // A task that never ends holds itself.
        continuation.finish()
        #expect(
            eventually {
                executor.run()
                return other.upstreamTransforms.isEmpty
            })
    }

    #if SCHEDULE_FAULTS
    @Test("wherever the thread is that sets an element, nothing is set any more when a cancel has returned")
    func cancelledMeanwhile() {
        var place = 0
        var isHeldUp = true
        while isHeldUp {
            place += 1
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            let node = MutableNode(0), left = Recorder<Int>()
            let executor = HandExecutor()
            let following = node.follow(stream, in: lifetime, executorPreference: executor)
            executor.run()
            continuation.yield(1)
            isHeldUp = HeldUpThread.run({ executor.run() }, heldUpAt: place) {
                following.cancel()
                left.record(node.value ?? -1)
            }
            #expect(!isHeldUp || left.events == [node.value], "held up at place \(place)")
            following.cancel()
            executor.run()
        }
        #expect(place > 2)
    }
    #endif

    @Test("a cancelled sequence that throws leaves no failure behind")
    func cancelledFailure() async throws {
        /// Waits until its task is cancelled, and throws then.
        struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
            let log: Recorder<String>
            func makeAsyncIterator() -> Endless { self }
            func next() async throws -> Int? {
                log.record("waits")
                do { try await Task.sleep(for: .seconds(3_600)) } catch {
                    log.record("throws")
                    throw error
                }
                return nil
            }
        }
        let log = Recorder<String>()
        let node = MutableNode<Result<Int, any Error>>()
        let following = node.follow(Endless(log: log), in: lifetime)
        #expect(await eventuallyAsync { log.count == 1 })
        following.cancel()
        #expect(await eventuallyAsync { log.count == 2 })
        for _ in 0..<100 { await Task.yield() }
        #expect(node.isEmpty)
    }

    @Test("following ends when its lifetime is released")
    func lifetimeGoes() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let isOver = terminations(of: continuation)
        let node = MutableNode<Int>()
        var lifetime: Lifetime? = Lifetime()
        node.follow(stream, in: lifetime!)
        continuation.yield(1)
        _ = try await node.first { $0 == 1 }
        lifetime = nil
        #expect(node.upstreamTransforms.isEmpty)
        for await _ in isOver { break }
    }

    @Test("the sequence does not keep the node alive, and ends when that goes")
    func nodeGoes() async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let isOver = terminations(of: continuation)
        weak var gone: MutableNode<Int>?
        do {
            let node = MutableNode<Int>()
            node.follow(stream, in: lifetime)
            gone = node
        }
        #expect(gone == nil)
        for await _ in isOver { break }
        continuation.yield(1)
    }

    @Test("a result that is kept keeps nothing alive")
    func keptResult() async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let isOver = terminations(of: continuation)
        weak var gone: MutableNode<Int>?
        let following: any Cancelable
        do {
            let node = MutableNode<Int>()
            following = node.follow(stream, in: lifetime)
            gone = node
        }
        #expect(gone == nil)
        for await _ in isOver { break }
        following.cancel()
    }

    @Test("two nodes that follow the values of each other's source do not hold one another")
    func nodeToNode() async throws {
        let source = MutableNode(1), copy = MutableNode<Int>()
        copy.follow(source.values, in: lifetime)
        #expect(try await copy.first { $0 == 1 } == 1)
        source.value = 2
        #expect(try await copy.first { $0 == 2 } == 2)
    }

    /// Yields when nobody reads the stream of `continuation` any more.
    private func terminations<Element>(of continuation: AsyncStream<Element>.Continuation) -> AsyncStream<Void> {
        let (stream, ended) = AsyncStream<Void>.makeStream()
        continuation.onTermination = { _ in ended.yield() }
        return stream
    }
}
