#if DEBUG
import ReactCore
import ReactScheduling
import TestSupport
import Testing

/// Each in a process of its own, where nobody else makes and drops what is counted.
@Suite("Objects that loops leave behind")
struct NothingLeftTests {
    @Test("a hundred thousand loops that were cancelled, left, or dropped while suspended leave nothing")
    func loops() async {
        await #expect(processExitsWith: .success) {
            let node = MutableNode(0), derived = Node<Int>()
            derived.link(to: node)
            let before = InstanceCounts.now
            for round in 0..<Scale.heavy(100_000) {
                let values = derived.values(buffering: round.isMultiple(of: 2) ? .newest(1) : .all)
                switch round % 5 {
                case 0:  // cancelled while suspended
                    let loop = Loop(values)
                    loop.cancel()
                    loop.run()
                    precondition(loop.isOver)
                case 1:  // left
                    precondition(Loop(values, takes: 1).isOver)
                case 2:  // its lifetime dropped while it is suspended
                    var lifetime: Lifetime? = Lifetime()
                    let loop = Loop(values.ending(with: lifetime!))
                    lifetime = nil
                    loop.run()
                    precondition(loop.isOver)
                case 3:  // cancelled at any moment, on other threads
                    let task = Task { for await _ in values {} }
                    if round % 3 == 0 { await Task.yield() }
                    task.cancel()
                    await task.value
                default:  // dropped by whoever asked, while it is suspended
                    async let _: Void = { for await _ in values {} }()
                    await Task.yield()
                }
                if round.isMultiple(of: 7) { node.value = round }
            }
            precondition(!derived.hasListener)
            precondition(eventually { InstanceCounts.now == before }, "\(InstanceCounts.now), and \(before) before")
        }
    }

    @Test("a loop that has ended has left its lifetime, which goes on")
    func leftLifetime() async {
        await #expect(processExitsWith: .success) {
            let node = MutableNode(1), lifetime = Lifetime()
            let before = InstanceCounts.now
            precondition(Loop(node.values.ending(with: lifetime), takes: 1).isOver)
            for _ in 0..<100 {
                let loop = Loop(node.values.ending(with: lifetime))
                loop.cancel()
                loop.run()
            }
            precondition(eventually { InstanceCounts.now == before }, "\(InstanceCounts.now), and \(before) before")
            withExtendedLifetime(lifetime) {}
        }
    }

    @Test("iterators that go with values in line leave nothing, and neither does work for values, or following")
    func others() async {
        await #expect(processExitsWith: .success) {
            let before = InstanceCounts.now
            do {
                let node = MutableNode(0), lifetime = Lifetime()
                for round in 0..<Scale.heavy(100_000) {
                    do {
                        let iterator = node.values(buffering: .all).makeAsyncIterator()
                        let result = node.mapLatest { value in
                            for await _ in AsyncStream<Int>.makeStream().stream {}
                            return value
                        }
                        let copy = MutableNode<TaskPhase<Int>>()
                        let following = copy.follow(result.values, in: lifetime)
                        node.value = round
                        if round.isMultiple(of: 2) { following.cancel() }
                        withExtendedLifetime((iterator, result, copy)) {}
                    }
                    // So that the node does not set off work for all results whose following has yet to end.
                    while round.isMultiple(of: 10), node.hasDownstreamNode { await Task.yield() }
                }
            }
            // Cancelled tasks end by themselves.
            let isEverythingGone = await eventuallyAsync { InstanceCounts.now == before }
            precondition(isEverythingGone, "\(InstanceCounts.now), and \(before) before")
        }
    }
}
#endif
