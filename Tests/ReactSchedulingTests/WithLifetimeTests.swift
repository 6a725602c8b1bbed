import ReactCore
import ReactScheduling
import TestSupport
import Testing

@Suite("With a lifetime")
struct WithLifetimeTests {
    private struct Failure: Error {}
    let node = MutableNode(1)

    @Test("the lifetime ends when the body returns, even where it was kept")
    func returns() async {
        var kept: Lifetime?
        let result = await withLifetime { lifetime in
            kept = lifetime
            node.listened(by: lifetime).with { _ in }
            #expect(node.hasListener)
            return 5
        }
        #expect(result == 5)
        #expect(!node.hasListener)
        withExtendedLifetime(kept) {}
    }

    @Test("the lifetime ends when the body throws")
    func `throws`() async {
        await #expect(throws: Failure.self) {
            try await withLifetime { lifetime in
                node.listened(by: lifetime).with { _ in }
                throw Failure()
            }
        }
        #expect(!node.hasListener)
    }

    @Test("the lifetime ends when the task is cancelled, though the body goes on")
    func cancelled() async {
        let executor = HandExecutor(), hearing = Recorder<Bool>(), node = node
        let gate = HandWork()
        let task = Task(executorPreference: executor) {
            await withLifetime { lifetime in
                node.listened(by: lifetime).with { _ in }
                _ = try? await gate.run(1)
                hearing.record(node.hasListener)
            }
        }
        executor.run()
        #expect(node.hasListener)
        task.cancel()
        #expect(!node.hasListener)
        gate.end(1, with: .success(0))
        executor.run()
        #expect(hearing.events == [false])
    }

    @Test("the body runs on the caller's actor, and uses state that is isolated to it")
    @MainActor func isolation() async {
        @MainActor final class Model { var shown: [Int] = [] }
        let model = Model()
        await withLifetime { lifetime in
            MainActor.assertIsolated()
            node.listened(by: lifetime).withOnMainActor { model.shown.append($0) }
            model.shown.append(0)
            await Task.yield()
            node.value = 2
        }
        #expect(model.shown == [1, 0, 2])
    }
}
