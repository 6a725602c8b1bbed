import ReactCore
import ReactScheduling
import TestSupport
import Testing

@Suite("The first value for which a condition holds")
struct FirstWhereTests {
    let node = MutableNode(1)

    @Test("the present value counts")
    func present() async throws {
        #expect(try await node.first { $0 == 1 } == 1)
        #expect(!node.hasListener)
    }

    @Test("no value is passed over, and none is asked about after the first")
    func fast() async throws {
        let asked = Recorder<Int>()
        let isListening = Latch()
        let setter = Worker { [node] in
            isListening.wait()
            batch { for value in 2...100 { node.value = value } }
        }
        let first = try await node.first { value in
            asked.record(value)
            if value == 1 { isListening.arrive() }
            return value.isMultiple(of: 7)
        }
        setter.join()
        #expect(first == 7)
        #expect(asked.events == Array(1...7))
        #expect(!node.hasListener)
    }

    @Test("the present value counts also while another thread keeps the graph busy")
    func busyGraph() async throws {
        let busy = BusyGraph(of: node, setting: 2) { [node] in node.value = 3 }
        #expect(try await node.first { $0 == 2 } == 2)
        busy.end()
        #expect(!node.hasListener)
    }

    @Test("a cancelled task throws CancellationError, and lets go of the node")
    func cancelled() async {
        let isListening = AsyncStream<Void>.makeStream()
        let node = node
        let task = Task {
            try await node.first { value in
                isListening.continuation.yield()
                return value == 0
            }
        }
        for await _ in isListening.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!node.hasListener)
    }
}
