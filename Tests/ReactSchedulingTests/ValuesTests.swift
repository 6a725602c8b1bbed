import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

/// A loop over a node's values that goes on when the test says so.
final class Loop<Value: Sendable>: Sendable {
    private let executor = HandExecutor()
    private let seen = Recorder<Value>()
    private let hasEnded = Box(false)
    let task: Task<Void, Never>

    /// Begins the loop, and runs it until it waits. `body` is called with each value.
    init(
        _ values: NodeValues<Value>, takes limit: Int = .max, _ body: @escaping @Sendable (Value) -> Void = { _ in }
    ) {
        task = Task(executorPreference: executor) { [seen, hasEnded] in
            var count = 0
            for await value in values {
                seen.record(value)
                body(value)
                count += 1
                if count == limit { break }
            }
            hasEnded.value = true
        }
        executor.run()
    }
    /// A task that was cancelled ends where it is run for the last time, and nobody else runs it.
    deinit {
        task.cancel()
        executor.run()
    }
    /// Lets the loop go on until it waits or ends; answers what it has seen since the last call.
    @discardableResult func run() -> [Value] {
        executor.run()
        return seen.take()
    }
    /// Whether it could go on.
    var isResumed: Bool { executor.count > 0 }
    var isOver: Bool { hasEnded.value == true }
    func cancel() { task.cancel() }
}

@Suite("Values")
struct ValuesTests {
    @Test("a loop begins with the present value, and gets each later one for which it waits")
    func presentThenLater() {
        let node = MutableNode(1)
        let loop = Loop(node.values, takes: 3)
        #expect(loop.run() == [1])
        node.value = 2
        #expect(loop.isResumed)
        #expect(loop.run() == [2])
        node.value = 3
        #expect(loop.run() == [3])
        #expect(loop.isOver)
    }

    @Test("a loop over an empty node waits for the first value")
    func empty() {
        let node = MutableNode<Int>()
        let loop = Loop(node.values)
        #expect(!loop.isResumed)
        node.value = 1
        #expect(loop.run() == [1])
        node.clean()
        #expect(!loop.isResumed)
        loop.cancel()
    }

    @Test("a loop that was elsewhere gets the newest value, once")
    func newest() {
        let node = MutableNode(0)
        let loop = Loop(node.values) { value in
            if value == 1 { for value in 2...9 { node.value = value } }
        }
        node.value = 1
        #expect(loop.run() == [0, 1, 9])
        #expect(!loop.isResumed)
        loop.cancel()
        loop.run()
    }

    @Test("a nil that an optional node holds is a value")
    func optional() {
        let node = MutableNode<Int?>(Int?.none)
        let loop = Loop(node.values, takes: 2)
        node.setValue(nil)
        #expect(loop.run() == [nil, nil])
        #expect(loop.isOver)
    }

    @Test("each iterator hears for itself, from its making on")
    func independent() async {
        let node = MutableNode(1)
        let values = node.values(buffering: .all)
        var first = values.makeAsyncIterator()
        node.value = 2
        var second = values.makeAsyncIterator()
        node.value = 3
        let firsts = [await first.next(), await first.next(), await first.next()]
        let seconds = [await second.next(), await second.next()]
        #expect(firsts == [1, 2, 3])
        #expect(seconds == [2, 3])
    }

    @Test("a loop on the main actor stays there, and uses state that is isolated to it")
    @MainActor func isolation() async {
        @MainActor final class Model { var shown: [Int] = [] }
        let model = Model(), node = MutableNode(1)
        for await value in node.values {
            MainActor.assertIsolated()
            model.shown.append(value)
            if value == 3 { break }
            node.value = value + 1
        }
        #expect(model.shown == [1, 2, 3])
    }

    @Test("an actor's loop stays on the actor")
    func actorIsolation() async {
        actor Log {
            var lines: [Int] = []
            func follow(_ node: MutableNode<Int>) async {
                for await value in node.values {
                    assertIsolated()
                    lines.append(value)
                    if value == 3 { break }
                    node.value = value + 1
                }
            }
        }
        let log = Log()
        await log.follow(MutableNode(1))
        #expect(await log.lines == [1, 2, 3])
    }

    @Test(
        "a second next of one iterator, while the first waits, ends the process with a message",
        .enabled(if: Scale.runsTraps))
    func oneLoopEach() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode<Int>()
            let executor = HandExecutor()
            nonisolated(unsafe) let iterator = node.values.makeAsyncIterator()
            for _ in 0..<2 {
                Task(executorPreference: executor) {
                    var copy = iterator
                    _ = await copy.next()
                }
            }
            executor.run()
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("an iterator serves one loop; make one for each"))
    }
}
